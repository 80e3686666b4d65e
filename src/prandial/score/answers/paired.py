"""Two runs on the same questions: what differs, how surely, and what only one of them has."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from prandial.errors import InputError
from prandial.nutrients import unit_of
from prandial.score.answers.bootstrap import DRAWS, Floats, cluster_interval, sign_flip_p
from prandial.score.answers.meals import (
    MealPair,
    MealRules,
    answers_of,
    nutrient_of,
    right_of,
)

__all__ = [
    "Discordance",
    "MealComparison",
    "PairedDifference",
    "compare_meals",
    "mcnemar",
    "paired_difference",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class PairedDifference:
    """One metric of two runs over the questions scored in both.

    Parameters
    ----------
    metric : str
    first, second : float, optional
        Means over the pairs.
    difference, low, high : float, optional
        Second minus first, with a 95 % bootstrap interval over groups.
    p : float, optional
        Of no difference, two-sided, by turning the signs of whole groups.
    n_pairs, n_left_out : int
        Questions scored in both runs, and those of both runs that are not.
    """

    metric: str
    first: float | None
    second: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    n_pairs: int
    n_left_out: int
    higher_is_better: bool
    unit: str
    seed: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Discordance:
    """Questions that only one of two runs has right, and McNemar's exact p.

    Every question counts as a draw of its own: with several rows of a meal ``p`` is too
    small, and that of :class:`PairedDifference` is the one to trust.
    """

    both: int
    only_first: int
    only_second: int
    neither: int
    p: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class MealComparison:
    """Two runs of NutriBench side by side.

    Parameters
    ----------
    rules : str
    differences : tuple of PairedDifference
        acc_all, mae (over answers of both), answer_rate.
    right : Discordance
    only_first, only_second : tuple of str
        Questions one run alone was asked; not compared.
    not_run : tuple of str
        Questions of both that failed in one or both; not compared.
    """

    rules: str
    differences: tuple[PairedDifference, ...]
    right: Discordance
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    not_run: tuple[str, ...]


def paired_difference(
    metric: str,
    first: Floats,
    second: Floats,
    groups: Sequence[str],
    *,
    higher_is_better: bool,
    seed: int,
    draws: int = DRAWS,
    unit: str = "",
) -> PairedDifference:
    """Compare a figure of two runs, question by question.

    Parameters
    ----------
    metric : str
    first, second : ndarray of float
        One value a question, in the same order; NaN is unscored.
    groups : sequence of str
        One a question.
    higher_is_better : bool
    seed, draws : int
    unit : str

    Returns
    -------
    PairedDifference
    """
    both = ~(np.isnan(first) | np.isnan(second))
    names = [g for g, b in zip(groups, both.tolist(), strict=True) if b]
    change = (second - first)[both]
    interval = cluster_interval(change, names, seed=seed, draws=draws)
    return PairedDifference(
        metric=metric,
        first=float(first[both].mean()) if both.any() else None,
        second=float(second[both].mean()) if both.any() else None,
        difference=interval.value,
        low=interval.low,
        high=interval.high,
        p=sign_flip_p(change, names, seed=seed, draws=draws),
        n_pairs=int(both.sum()),
        n_left_out=int((~both).sum()),
        higher_is_better=higher_is_better,
        unit=unit,
        seed=seed,
    )


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Discordance:
    """Return who alone was right how often, with McNemar's exact test.

    Parameters
    ----------
    first, second : sequence of bool
        Whether each run was right, one a question, in the same order.

    Returns
    -------
    Discordance
        Two-sided binomial p of the questions that only one has right (McNemar 1947,
        doi:10.1007/BF02295996): 1 when there are none, None without questions.
    """
    pairs = list(zip(first, second, strict=True))
    b = sum(x and not y for x, y in pairs)
    c = sum(y and not x for x, y in pairs)
    both = sum(x and y for x, y in pairs)
    return Discordance(
        both=both,
        only_first=b,
        only_second=c,
        neither=len(pairs) - both - b - c,
        p=_binomial_p(min(b, c), b + c) if pairs else None,
    )


def _binomial_p(k: int, n: int) -> float:
    """Return twice the chance of at most k heads of n, at most 1."""
    if n == 0:
        return 1.0
    terms = (
        math.exp(math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) - n * math.log(2))
        for i in range(k + 1)
    )
    return min(1.0, 2.0 * math.fsum(terms))


def compare_meals(
    first: Sequence[MealPair],
    second: Sequence[MealPair],
    *,
    rules: MealRules,
    seed: int,
    draws: int = DRAWS,
) -> MealComparison:
    """Compare two runs on the questions that both were asked.

    Parameters
    ----------
    first, second : sequence of (MealQuestion, Prediction)
        Joined by the question's id.
    rules : {'ours', 'published'}
    seed, draws : int

    Returns
    -------
    MealComparison

    Raises
    ------
    InputError
        When an id stands twice in a run, or for two different questions.
    """
    ours, theirs = _by_id(first, "first run"), _by_id(second, "second run")
    shared = [i for i in ours if i in theirs]
    for i in shared:
        a, b = ours[i][0], theirs[i][0]
        if (a.text, a.nutrient, a.label) != (b.text, b.nutrient, b.label):
            raise InputError(
                "the runs were asked different questions under one id",
                where=f"question {i}",
                hint="compare runs on the same data and nutrient",
            )
    failed = [
        i for i in shared if "failed" in (ours[i][1].reading.status, theirs[i][1].reading.status)
    ]
    left_out = set(failed)
    kept = [i for i in shared if i not in left_out]
    one, two = [ours[i] for i in kept], [theirs[i] for i in kept]
    differences, right = _differences(one, two, rules, seed=seed, draws=draws)
    return MealComparison(
        rules=rules,
        differences=differences,
        right=right,
        only_first=tuple(i for i in ours if i not in theirs),
        only_second=tuple(i for i in theirs if i not in ours),
        not_run=tuple(failed),
    )


def _by_id(pairs: Sequence[MealPair], where: str) -> dict[str, MealPair]:
    found: dict[str, MealPair] = {}
    for pair in pairs:
        if pair[0].id in found:
            raise InputError(f"question {pair[0].id!r} stands twice", where=where)
        found[pair[0].id] = pair
    return found


def _differences(
    one: Sequence[MealPair],
    two: Sequence[MealPair],
    rules: MealRules,
    *,
    seed: int,
    draws: int,
) -> tuple[tuple[PairedDifference, ...], Discordance]:
    nutrient = nutrient_of([*one, *two])
    unit = unit_of(nutrient)
    labels = np.array([q.label for q, _ in one], dtype=np.float64)
    groups = [q.group or q.id for q, _ in one]
    answers = [answers_of(pairs, rules) for pairs in (one, two)]
    errors = [a - labels for a in answers]
    rights = [np.nan_to_num(right_of(e, nutrient, rules), nan=0.0) for e in errors]
    sizes = [np.abs(e) for e in errors]
    given = [(np.nan_to_num(a, nan=-1.0) >= 0).astype(np.float64) for a in answers]
    differences = tuple(
        paired_difference(
            metric, a, b, groups,
            higher_is_better=higher, seed=seed, draws=draws, unit=unit if "mae" in metric else "",
        )
        for metric, (a, b), higher in (
            ("acc_all", rights, True),
            (f"mae_{unit}", sizes, False),
            ("answer_rate", given, True),
        )
    )  # fmt: skip
    return differences, mcnemar((rights[0] > 0).tolist(), (rights[1] > 0).tolist())
