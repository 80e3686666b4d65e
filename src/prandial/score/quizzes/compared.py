"""Two runs on the same questions over a graph: what differs, how surely, and who alone is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from prandial.errors import InputError
from prandial.records.bench import GraphQuestion, Prediction, TaskName
from prandial.score.answers.paired import (
    Discordance,
    PairedDifference,
    mcnemar,
    paired_difference,
)
from prandial.score.quizzes.figures import DRAWS
from prandial.score.quizzes.pairs import Pair, by_task, groups_of
from prandial.score.quizzes.published import published_tags, published_verdict
from prandial.score.quizzes.strict import named_by_gold
from prandial.score.quizzes.tagsets import jaccard

__all__ = ["QuizComparison", "QuizRules", "compare_quizzes"]

QuizRules = Literal["strict", "published"]
_Value = Callable[[GraphQuestion, Prediction], float]


@dataclass(frozen=True, kw_only=True, slots=True)
class QuizComparison:
    """Two runs side by side.

    Parameters
    ----------
    rules : {'strict', 'published'}
    differences : tuple of PairedDifference
        Second minus first; strict: ``b_accuracy_all``, ``ml_jaccard_all``, ``ml_exact_all``,
        ``tg_accuracy_all``, ``tg_reasons_jaccard_all``; published: ``b_accuracy``,
        ``ml_accuracy``.
    right : mapping of str to Discordance
        Task -> who alone is right: verdict (-B, -TG), exact tags (-ML).
    only_first, only_second : tuple of str
        Questions one run alone was asked; not compared.
    not_run : tuple of str
        Questions of both that failed in one or both; not compared.
    """

    rules: str
    differences: tuple[PairedDifference, ...]
    right: dict[str, Discordance]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    not_run: tuple[str, ...]


def compare_quizzes(
    first: Iterable[Pair],
    second: Iterable[Pair],
    *,
    rules: QuizRules = "strict",
    seed: int = 0,
    draws: int = DRAWS,
) -> QuizComparison:
    """Compare two runs on the questions that both were asked.

    Parameters
    ----------
    first, second : iterable of (GraphQuestion, Prediction)
        Joined by the question's id. Their graphs may differ (two modes), their gold may not.
    rules : {'strict', 'published'}
    seed, draws : int

    Returns
    -------
    QuizComparison

    Raises
    ------
    InputError
        When an id stands twice in a run, or for two different questions.
    """
    ours, theirs = _by_id(first), _by_id(second)
    shared = [i for i in ours if i in theirs]
    for i in shared:
        a, b = ours[i][0], theirs[i][0]
        if (a.task, a.row.gold) != (b.task, b.row.gold):
            raise InputError(
                "the runs were asked different questions under one id",
                where=f"question {i}",
                hint="compare runs on the same build and rules",
            )
    failed = {i for i in shared if "failed" in (_status(ours[i]), _status(theirs[i]))}
    kept = [i for i in shared if i not in failed]
    one, two = by_task(ours[i] for i in kept), by_task(theirs[i] for i in kept)
    differences: list[PairedDifference] = []
    right: dict[str, Discordance] = {}
    for task, pairs in one.items():
        groups = groups_of(pairs)
        for metric, value in _VALUES[rules].get(task, {}).items():
            before, after = (np.array([value(*p) for p in run]) for run in (pairs, two[task]))
            differences.append(
                paired_difference(
                    metric, before, after, groups, higher_is_better=True, seed=seed, draws=draws
                )
            )
        if task in _RIGHT[rules]:
            value = _RIGHT[rules][task]
            right[task] = mcnemar(*([value(*p) == 1.0 for p in run] for run in (pairs, two[task])))
    return QuizComparison(
        rules=rules,
        differences=tuple(differences),
        right=right,
        only_first=tuple(i for i in ours if i not in theirs),
        only_second=tuple(i for i in theirs if i not in ours),
        not_run=tuple(i for i in shared if i in failed),
    )


def _by_id(pairs: Iterable[Pair]) -> dict[str, Pair]:
    return {q.id: (q, p) for run in by_task(pairs).values() for q, p in run}


def _status(pair: Pair) -> str:
    return pair[1].reading.status


def _answered(value: _Value) -> _Value:
    """Return the value of an answer, 0 for what was not answered."""

    def counted(question: GraphQuestion, prediction: Prediction) -> float:
        return value(question, prediction) if prediction.reading.status == "answered" else 0.0

    return counted


def _same(one: Sequence[str] | frozenset[str], other: Sequence[str] | frozenset[str]) -> float:
    return float(frozenset(one) == frozenset(other))


_verdict: Final = _answered(lambda q, p: float(p.reading.verdict == q.row.gold.verdict))
_exact: Final = _answered(lambda q, p: _same(p.reading.tags or (), q.row.gold.tags))
_overlap: Final = _answered(
    lambda q, p: jaccard(frozenset(q.row.gold.tags), frozenset(p.reading.tags or ()), empty=1.0)
)
_reasons: Final = _answered(
    lambda q, p: jaccard(named_by_gold(q), frozenset(p.reading.tags or ()), empty=1.0)
)


def _published_verdict(question: GraphQuestion, prediction: Prediction) -> float:
    gold = question.row.gold.verdict == "Yes"
    return float(published_verdict(prediction.raw_text, gold) == gold)


def _published_overlap(question: GraphQuestion, prediction: Prediction) -> float:
    gold = published_tags(", ".join(question.row.gold.tags))
    return jaccard(gold, published_tags(prediction.raw_text), empty=0.0)


_VALUES: Final[Mapping[str, Mapping[TaskName, Mapping[str, _Value]]]] = {
    "strict": {
        "B": {"b_accuracy_all": _verdict},
        "ML": {"ml_jaccard_all": _overlap, "ml_exact_all": _exact},
        "TG": {"tg_accuracy_all": _verdict, "tg_reasons_jaccard_all": _reasons},
    },
    "published": {
        "B": {"b_accuracy": _published_verdict},
        "ML": {"ml_accuracy": _published_overlap},
    },
}
_RIGHT: Final[Mapping[str, Mapping[TaskName, _Value]]] = {
    "strict": {"B": _verdict, "ML": _exact, "TG": _verdict},
    "published": {"B": _published_verdict, "ML": _published_overlap},
}
