"""Review of labels: a queue with a model's opinion, people's reviews, and final labels.

A queue item holds what a reviewer must see. A review says who, when and why, and gives the
verdict and the tags the reviewer holds right. Adjudication decides; every change of a label is
kept with who, when and why. Time is always given, never taken from a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from prandial.errors import InputError, NotFoundError, PrandialError
from prandial.quiz.gold import reason_paths, undecided_needs, unknown_needs
from prandial.quiz.questions import question_text
from prandial.quiz.rows import row_id
from prandial.records.quiz import QuizRow
from prandial.tags.needed import split_tag

__all__ = [
    "Adjudicated",
    "Change",
    "Opinion",
    "Review",
    "ReviewItem",
    "adjudicate",
    "make_queue",
]

_VERDICTS: Final = ("Yes", "No")


@dataclass(frozen=True, kw_only=True, slots=True)
class Opinion:
    """What a model says of a row; ``verdict`` is empty when it gave none."""

    verdict: str
    note: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewItem:
    """A row as a reviewer sees it.

    ``opinion`` is None when nobody was asked; ``flags`` name what deserves a look: the model
    disagrees or failed, a conflict, an unknown nutrient or status, both sides.
    """

    id: str
    level: str
    food: str
    category: str
    statuses: tuple[str, ...]
    food_tags: tuple[str, ...]
    question: str
    verdict: str
    tags: tuple[str, ...]
    sentence: str
    because: tuple[str, ...]
    opinion: Opinion | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Review:
    """One reviewer's word on one item.

    Parameters
    ----------
    id : str
        Of the item.
    annotator, when, why : str
        Who, when (as given, such as ``2026-03-01``) and the reason; a verdict other than the
        item's needs a reason.
    verdict : {'Yes', 'No'}
    tags : tuple of str or None
        Tags held right, None when the reviewer left them as they are.

    Raises
    ------
    InputError
        On an empty name or date, another verdict, or no nutrition tag.
    """

    id: str
    annotator: str
    when: str
    verdict: str
    why: str = ""
    tags: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for name in ("id", "annotator", "when"):
            if not getattr(self, name).strip():
                raise InputError(f"a review without {name}", where=self.id or "review")
        if self.verdict not in _VERDICTS:
            raise InputError(f"verdict {self.verdict!r}", where=self.id, hint="Yes or No")
        for tag in self.tags or ():
            split_tag(tag)


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One label changed: what it was, what it is, and who decided when and why."""

    id: str
    label: str
    old: str
    new: str
    who: str
    when: str
    why: str

    def to_dict(self) -> dict[str, str]:
        """Return the JSON form."""
        return {name: str(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, kw_only=True, slots=True)
class Adjudicated:
    """Final labels by item, the changes that led there, and items still open.

    Each item is one of ``agreed`` (enough reviewers, all alike), ``decided`` (by the
    adjudicator), ``open`` (reviewers differ, or too few of them would change it), ``few`` (too few
    reviewers, who leave it as it is) or ``unreviewed``; ``reviewers`` is how many are enough.
    """

    verdicts: dict[str, str]
    tags: dict[str, tuple[str, ...]]
    changes: tuple[Change, ...] = ()
    open: tuple[str, ...] = ()
    agreed: int = 0
    decided: int = 0
    few: int = 0
    unreviewed: int = 0
    reviewers: int = 2

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "verdicts": self.verdicts,
            "tags": {k: list(v) for k, v in self.tags.items()},
            "changes": [c.to_dict() for c in self.changes],
            "open": list(self.open),
            "agreed": self.agreed,
            "decided": self.decided,
            "few": self.few,
            "unreviewed": self.unreviewed,
            "reviewers": self.reviewers,
        }


def make_queue(
    rows: Sequence[QuizRow],
    *,
    rules: str,
    opinion: Callable[[QuizRow], Opinion] | None = None,
) -> list[ReviewItem]:
    """Return the rows as items to review, those with flags first, then by id.

    Parameters
    ----------
    rows : sequence of QuizRow
    rules : {'as-published', 'default'}
    opinion : callable, optional
        Asked once a row. A :class:`~prandial.errors.PrandialError` it raises becomes the flag
        ``model_failed`` and the queue goes on.

    Raises
    ------
    InputError
        On an unknown rule set, or a row that stands twice.
    """
    items = [_item(row, rules, opinion) for row in rows]
    if len({i.id for i in items}) != len(items):
        raise InputError("a row stands twice", where="review queue", hint="leave repeats out")
    return sorted(items, key=lambda i: (not i.flags, i.id))


def _item(row: QuizRow, rules: str, opinion: Callable[[QuizRow], Opinion] | None) -> ReviewItem:
    said: Opinion | None = None
    flags = []
    if opinion is not None:
        try:
            said = opinion(row)
        except PrandialError as error:
            said = Opinion(verdict="", note=str(error))
            flags.append("model_failed")
        else:
            if said.verdict not in _VERDICTS:
                flags.append("model_unclear")
            elif said.verdict != row.gold.verdict:
                flags.append("model_disagrees")
    if row.gold.conflicts:
        flags.append("conflict")
    if unknown_needs(row.food, row.person, rules=rules):
        flags.append("unknown_nutrient")
    if row.gold.matches and row.gold.contradicts:
        flags.append("both_sides")
    if undecided_needs(row.food, row.person, rules=rules):
        flags.append("unknown_status")
    paths = reason_paths(row.food, row.person, rules=rules)
    return ReviewItem(
        id=row_id(row),
        level=row.level,
        food=row.food.name,
        category=row.food.category,
        statuses=row.person.statuses,
        food_tags=row.food.tags,
        question=question_text("TG", row.food.name, rules=rules),
        verdict=row.gold.verdict,
        tags=row.gold.tags,
        sentence=row.gold.sentence,
        because=tuple(f"{' -> '.join(p.texts(rules))} ({p.side})" for p in paths),
        opinion=said,
        flags=tuple(flags),
    )


def adjudicate(
    items: Sequence[ReviewItem],
    reviews: Iterable[Review],
    decisions: Iterable[Review] = (),
    *,
    reviewers: int = 2,
) -> Adjudicated:
    """Return final labels: a decision holds, else what enough reviewers agree on, else it is open.

    An open or unreviewed item keeps its label. Tags follow the same way and are kept where
    reviewers left them.

    Parameters
    ----------
    items : sequence of ReviewItem
    reviews : iterable of Review
        The last word of an annotator on an item counts.
    decisions : iterable of Review
        Of the adjudicator; the last one on an item counts.
    reviewers : int
        How many must agree, and nobody differ, for a label to change without a decision.

    Raises
    ------
    NotFoundError
        On a review of an item that is not in the queue.
    InputError
        On a verdict changed without a reason, or fewer than one reviewer.
    """
    if reviewers < 1:
        raise InputError("fewer than one reviewer", where="reviewers", hint="2 is usual")
    known = {i.id for i in items}
    by_item: dict[str, dict[str, Review]] = {}
    for review in reviews:
        _known(review, known)
        by_item.setdefault(review.id, {})[review.annotator] = review
    decided = {}
    for decision in decisions:
        _known(decision, known)
        decided[decision.id] = decision
    verdicts, tags = {}, {}
    changes: list[Change] = []
    still_open = []
    agreed = few = unreviewed = 0
    for item in items:
        verdicts[item.id], tags[item.id] = item.verdict, item.tags
        said = list(by_item.get(item.id, {}).values())
        last = decided.get(item.id)
        if last is None:
            unreviewed += not said
            if not said:
                continue
            labels = {(r.verdict, _tags(r, item)) for r in said}
            enough = len(said) >= reviewers
            if len(labels) > 1 or not (enough or labels == {(item.verdict, item.tags)}):
                still_open.append(item.id)
                continue
            agreed += enough
            few += not enough
            last = _joined(said)
        changes += _changes(item, last)
        verdicts[item.id], tags[item.id] = last.verdict, _tags(last, item)
    return Adjudicated(
        verdicts=verdicts,
        tags=tags,
        changes=tuple(changes),
        open=tuple(still_open),
        agreed=agreed,
        decided=len(decided),
        few=few,
        unreviewed=unreviewed,
        reviewers=reviewers,
    )


def _known(review: Review, known: set[str]) -> None:
    if review.id not in known:
        raise NotFoundError(
            f"no item {review.id!r} in the queue",
            where=f"review by {review.annotator}",
            hint="import reviews of this queue only",
        )


def _tags(review: Review, item: ReviewItem) -> tuple[str, ...]:
    """Return the tags a review stands for, in one order so that lists compare as sets."""
    if review.tags is None or set(review.tags) == set(item.tags):
        return item.tags
    return tuple(sorted(set(review.tags)))


def _joined(said: list[Review]) -> Review:
    """Return one review for several that agree, naming all who and why."""
    said = sorted(said, key=lambda r: r.annotator)
    return Review(
        id=said[0].id,
        annotator=", ".join(r.annotator for r in said),
        when=max(r.when for r in said),
        verdict=said[0].verdict,
        why="; ".join(dict.fromkeys(r.why for r in said if r.why)),
        tags=next((r.tags for r in said if r.tags is not None), None),
    )


def _changes(item: ReviewItem, last: Review) -> list[Change]:
    pairs = (
        ("verdict", item.verdict, last.verdict),
        ("tags", ", ".join(item.tags), ", ".join(_tags(last, item))),
    )
    changed = [(label, old, new) for label, old, new in pairs if old != new]
    if changed and not last.why.strip():
        raise InputError(
            f"{changed[0][0]} changed without a reason",
            where=f"{item.id}, {last.annotator}",
            hint="say why in the review",
        )
    return [
        Change(
            id=item.id,
            label=label,
            old=old,
            new=new,
            who=last.annotator,
            when=last.when,
            why=last.why,
        )
        for label, old, new in changed
    ]
