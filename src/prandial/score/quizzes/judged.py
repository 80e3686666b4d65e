"""People judge the reasons of replies: a blinded queue, their judgements, agreement, the rule's.

As the paper does for its error analysis (appendix H of arXiv 2412.15547), where people sort
reasons into factual and contextual failures. A person sees the food, the person's statuses, the
tags in the graph and the reply, and neither the model nor the method nor the gold. Time is
always given, never taken from a clock.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np

from prandial.errors import InputError, NotFoundError
from prandial.records.bench import GraphQuestion, Prediction
from prandial.score.quizzes.hallucinations import wrong_answer
from prandial.score.quizzes.libraries import library
from prandial.score.quizzes.pairs import Pair

__all__ = [
    "FAILURES",
    "Judged",
    "JudgedItem",
    "JudgedKey",
    "Judgement",
    "JudgingAgreement",
    "JudgingQueue",
    "judging_agreement",
    "make_judging_queue",
    "settle_judgements",
]

#: what a person says yes or no to
FAILURES: Final = ("factual", "contextual")
_TAG: Final = "food_nutrition_tag"
_ID_CHARS: Final = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedItem:
    """A reply as a person sees it; the id tells nothing of where it comes from."""

    id: str
    food: str
    statuses: tuple[str, ...]
    graph_tags: tuple[str, ...]
    question: str
    reply: str


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedKey:
    """Where an item comes from, and how the rule sorted it; kept from those who judge."""

    id: str
    run: str
    question: str
    level: str
    kinds: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        cells = {name: getattr(self, name) for name in self.__slots__}
        return cells | {"kinds": list(self.kinds)}


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgingQueue:
    """Items to judge, in an order that tells nothing, and the key to them."""

    items: tuple[JudgedItem, ...]
    key: tuple[JudgedKey, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """One person's word on one reply.

    Parameters
    ----------
    id : str
        Of the item.
    annotator, when : str
        Who, and when as given.
    factual, contextual : bool
        Whether the reasons state what the graph does not hold; whether they rest on what does
        not matter to the person.
    why : str
        Needed when one of them is true.

    Raises
    ------
    InputError
        Without id, annotator, date, or a reason for a failure.
    """

    id: str
    annotator: str
    when: str
    factual: bool
    contextual: bool
    why: str = ""

    def __post_init__(self) -> None:
        for name in ("id", "annotator", "when"):
            if not getattr(self, name).strip():
                raise InputError(f"a judgement without {name}", where=self.id or "judgement")
        if (self.factual or self.contextual) and not self.why.strip():
            raise InputError(
                "a failure without a reason",
                where=f"{self.id}, {self.annotator}",
                hint="say what is wrong in the column why",
            )

    def holds(self, failure: str) -> bool:
        """Return whether the person sees this failure."""
        return bool(getattr(self, failure))


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """What people decided, by item and failure; an item on which they differ or are few is open."""

    failures: dict[str, tuple[str, ...]]
    open: tuple[str, ...]
    unjudged: tuple[str, ...]
    counts: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "failures": {k: list(v) for k, v in self.failures.items()},
            "open": list(self.open),
            "unjudged": list(self.unjudged),
            "counts": self.counts,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgingAgreement:
    """How far people agree, and the rule with what they settled; None is undefined.

    Parameters
    ----------
    items, shared : int
        Judged items; ``shared`` of them by two or more.
    alpha : mapping of str to float or None
        Krippendorff's alpha (nominal) by failure (Content Analysis, 2004, chapter 11).
    kappa : mapping
        (annotator, annotator, failure) -> Cohen's kappa (1960) and over how many items.
    rule : mapping
        failure -> ``precision``, ``recall``, ``kappa`` of the rule against the settled
        judgements, and ``items``.
    """

    annotators: tuple[str, ...]
    items: int
    shared: int
    alpha: dict[str, float | None]
    kappa: dict[tuple[str, str, str], tuple[float | None, int]]
    rule: dict[str, dict[str, float | int | None]]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "annotators": list(self.annotators),
            "items": self.items,
            "shared": self.shared,
            "krippendorff_alpha": self.alpha,
            "cohen_kappa": [
                {"annotators": [a, b], "failure": f, "kappa": k, "items": n}
                for (a, b, f), (k, n) in self.kappa.items()
            ],
            "rule": self.rule,
        }


def make_judging_queue(
    runs: Mapping[str, Iterable[Pair]],
    *,
    seed: int,
    most: int | None = None,
    wrong_only: bool = False,
) -> JudgingQueue:
    """Return replies of one or more runs as items to judge, blinded and in one mixed order.

    Parameters
    ----------
    runs : mapping of str to iterable of (GraphQuestion, Prediction)
        Name of a run (its model and method) -> its -TG answers; other tasks are left out, and
        questions without a reply.
    seed : int
        Decides ids and order; another seed gives others.
    most : int, optional
        Questions to take, the same for every run, so that methods are judged on the same.
    wrong_only : bool
        Keep only replies that the rule finds something wrong with.

    Raises
    ------
    InputError
        When a question stands twice in a run, or its rule set is unknown.
    """
    replies = {name: _replies(name, pairs) for name, pairs in runs.items()}
    asked = sorted({q for found in replies.values() for q in found}, key=lambda q: _mark(seed, q))
    kept = frozenset(asked[:most])
    found = [
        _item(name, question, prediction, seed)
        for name, of_run in replies.items()
        for id_, (question, prediction) in of_run.items()
        if id_ in kept
    ]
    if wrong_only:
        found = [(item, key) for item, key in found if key.kinds]
    found.sort(key=lambda both: both[0].id)
    return JudgingQueue(items=tuple(i for i, _ in found), key=tuple(k for _, k in found))


def _replies(run: str, pairs: Iterable[Pair]) -> dict[str, Pair]:
    found: dict[str, Pair] = {}
    for question, prediction in pairs:
        if question.task != "TG" or not prediction.raw_text.strip():
            continue
        if question.id in found:
            raise InputError(f"question {question.id} stands twice", where=run, hint="give it once")
        found[question.id] = (question, prediction)
    return found


def _item(
    run: str, question: GraphQuestion, prediction: Prediction, seed: int
) -> tuple[JudgedItem, JudgedKey]:
    row = question.row
    wrong = wrong_answer(question, prediction) if prediction.reading.status == "answered" else None
    id_ = _mark(seed, run, question.id)
    tags = tuple(n.attr for n in row.graph.nodes if n.name == _TAG) or row.food.tags
    item = JudgedItem(
        id=id_,
        food=row.food.name,
        statuses=row.person.statuses,
        graph_tags=tags,
        question=question.text,
        reply=prediction.raw_text,
    )
    kinds = wrong.kinds if wrong else ()
    return item, JudgedKey(id=id_, run=run, question=question.id, level=row.level, kinds=kinds)


def _mark(seed: int, *names: str) -> str:
    text = "\x1f".join((str(seed), *names))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:_ID_CHARS]


def settle_judgements(
    queue: JudgingQueue, judgements: Iterable[Judgement], *, judges: int = 2
) -> Judged:
    """Return what enough people agree on; the last word of a person on an item counts.

    A failure holds when more than half see it. With half on each side, or fewer than
    ``judges`` people, the item is open.

    Raises
    ------
    NotFoundError
        On a judgement of an item that is not in the queue.
    InputError
        With fewer than one judge.
    """
    if judges < 1:
        raise InputError("fewer than one judge", where="judges", hint="2 is usual")
    by_item = _by_item(queue, judgements)
    failures: dict[str, tuple[str, ...]] = {}
    still_open = []
    for id_, said in by_item.items():
        sides = {f: 2 * sum(j.holds(f) for j in said.values()) - len(said) for f in FAILURES}
        if len(said) < judges or 0 in sides.values():
            still_open.append(id_)
        else:
            failures[id_] = tuple(f for f in FAILURES if sides[f] > 0)
    counts = Counter(f for held in failures.values() for f in held)
    return Judged(
        failures=failures,
        open=tuple(still_open),
        unjudged=tuple(i.id for i in queue.items if i.id not in by_item),
        counts={f: counts[f] for f in FAILURES} | {"none": sum(not f for f in failures.values())},
    )


def _by_item(
    queue: JudgingQueue, judgements: Iterable[Judgement]
) -> dict[str, dict[str, Judgement]]:
    known = {i.id for i in queue.items}
    found: dict[str, dict[str, Judgement]] = {}
    for judgement in judgements:
        if judgement.id not in known:
            raise NotFoundError(
                f"no item {judgement.id!r} in the queue",
                where=f"judgement by {judgement.annotator}",
                hint="import judgements of this queue only",
            )
        found.setdefault(judgement.id, {})[judgement.annotator] = judgement
    return {i.id: found[i.id] for i in queue.items if i.id in found}


def judging_agreement(
    queue: JudgingQueue, judgements: Iterable[Judgement], *, judges: int = 2
) -> JudgingAgreement:
    """Return the agreement of people with each other, and of the rule with what they settled.

    Raises
    ------
    NotFoundError, InputError
        As :func:`settle_judgements`.
    MissingDataError
        When the library ``krippendorff`` is not installed.
    """
    given = list(judgements)
    by_item = _by_item(queue, given)
    people = sorted({a for said in by_item.values() for a in said})
    kappa = {
        (one, other, f): _kappa_of(by_item, one, other, f)
        for one, other in combinations(people, 2)
        for f in FAILURES
    }
    settled = settle_judgements(queue, given, judges=judges).failures
    kinds = {k.id: k.kinds for k in queue.key}
    return JudgingAgreement(
        annotators=tuple(people),
        items=len(by_item),
        shared=sum(len(said) > 1 for said in by_item.values()),
        alpha={f: _alpha(by_item, people, f) for f in FAILURES},
        kappa=kappa,
        rule={f: _of_rule([(f in kinds[i], f in s) for i, s in settled.items()]) for f in FAILURES},
    )


def _kappa_of(
    by_item: Mapping[str, Mapping[str, Judgement]], one: str, other: str, failure: str
) -> tuple[float | None, int]:
    pairs = [
        (said[one].holds(failure), said[other].holds(failure))
        for said in by_item.values()
        if one in said and other in said
    ]
    return _kappa(pairs), len(pairs)


def _kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Return Cohen's kappa; None without pairs or where nothing could differ by chance."""
    if not pairs:
        return None
    n = len(pairs)
    one, other = sum(a for a, _ in pairs) / n, sum(b for _, b in pairs) / n
    observed = sum(a == b for a, b in pairs) / n
    expected = one * other + (1 - one) * (1 - other)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def _of_rule(pairs: Sequence[tuple[bool, bool]]) -> dict[str, float | int | None]:
    def share(part: Callable[[bool, bool], bool], of: Callable[[bool, bool], bool]) -> float | None:
        below = sum(of(r, p) for r, p in pairs)
        return sum(part(r, p) for r, p in pairs) / below if below else None

    return {
        "items": len(pairs),
        "precision": share(lambda r, p: r and p, lambda r, _: r),
        "recall": share(lambda r, p: r and p, lambda _, p: p),
        "kappa": _kappa(pairs),
    }


def _alpha(
    by_item: Mapping[str, Mapping[str, Judgement]], people: Sequence[str], failure: str
) -> float | None:
    """Return the nominal alpha; None when no item has two judgements or all are alike."""
    shared = [said for said in by_item.values() if len(said) > 1]
    labels = {said[a].holds(failure) for said in shared for a in said}
    if len(labels) < 2:
        return None
    table = np.array(
        [[float(s[a].holds(failure)) if a in s else np.nan for s in shared] for a in people]
    )
    krippendorff = library("krippendorff", "krippendorff", hint="pip install 'prandial[ngqa]'")
    return float(krippendorff.alpha(reliability_data=table, level_of_measurement="nominal"))
