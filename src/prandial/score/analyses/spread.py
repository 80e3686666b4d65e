"""Meals far apart: large and small single foods, meals with large and with small errors."""

from __future__ import annotations

import math
import statistics as plain
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from prandial.errors import InputError
from prandial.records.bench import MealQuestion
from prandial.score.analyses import statistics
from prandial.score.answers.meals import MealPair

__all__ = ["GroupFigures", "Shift", "SpreadTest", "high_and_low_error", "high_and_low_meals"]


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupFigures:
    """A group of meals: n, mean and sample SD; SD is None of fewer than two."""

    n: int
    mean: float
    sd: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class SpreadTest:
    """Single-food meals with much and with little of the nutrient.

    Parameters
    ----------
    q1, q3 : float
        Quartiles of all single-food meals, by linear interpolation.
    high, low : GroupFigures
        Meals above Q3 and below Q1.
    levene_w, p : float
        Levene's test about medians, of equal spread.
    """

    n: int
    q1: float
    q3: float
    high: GroupFigures
    low: GroupFigures
    levene_w: float
    p: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Shift:
    """One property of the meals with large errors against those with small ones.

    Parameters
    ----------
    name : str
        ``items``, ``label`` or ``grams``.
    high, low : GroupFigures
        Absolute error above Q3 and below Q1.
    u, p : float
        Mann-Whitney U of the first and two-sided p.
    left_out : int
        Meals of the two groups of which the property is unknown.
    """

    name: str
    high: GroupFigures
    low: GroupFigures
    u: float
    p: float
    left_out: int


def high_and_low_meals(questions: Sequence[MealQuestion]) -> SpreadTest:
    """Test whether large single-food meals differ more among themselves than small ones.

    Parameters
    ----------
    questions : sequence of MealQuestion
        Of one nutrient; those of one item are used.

    Returns
    -------
    SpreadTest

    Raises
    ------
    InputError
        When a group has fewer than two meals.
    """
    labels = np.array([q.label for q in questions if q.items == 1], dtype=np.float64)
    if labels.size == 0:
        raise InputError(
            "no meal is known to be of one item",
            where="questions",
            hint="a set with the number of items, such as v2",
        )
    q1, q3 = (float(q) for q in np.quantile(labels, [0.25, 0.75]))
    high, low = labels[labels > q3].tolist(), labels[labels < q1].tolist()
    if min(len(high), len(low)) < 2:
        raise InputError("too few single-food meals to compare", where="questions")
    w, p = statistics.levene(high, low)
    return SpreadTest(
        n=int(labels.size), q1=q1, q3=q3, high=_figures(high), low=_figures(low), levene_w=w, p=p
    )


def high_and_low_error(
    pairs: Sequence[MealPair], *, grams: Sequence[float | None] | None = None
) -> tuple[Shift, ...]:
    """Compare meals with an error above the third quartile and below the first.

    Parameters
    ----------
    pairs : sequence of (MealQuestion, Prediction)
        Answered ones are used.
    grams : sequence of float, optional
        Weight of each meal in the order of ``pairs``, None where unknown.

    Returns
    -------
    tuple of Shift
        Items, label and, if given, grams; a property unknown in a whole group is left out.
    """
    weights = list(grams) if grams is not None else [None] * len(pairs)
    rows = [
        (abs(p.reading.value - q.label), q, weight)
        for (q, p), weight in zip(pairs, weights, strict=True)
        if p.reading.status == "answered" and p.reading.value is not None
    ]
    if not rows:
        return ()
    q1, q3 = np.quantile([r[0] for r in rows], [0.25, 0.75])
    high, low = [r for r in rows if r[0] > q3], [r for r in rows if r[0] < q1]
    shifts = []
    for name in ("items", "label", "grams"):
        values = [[_property(name, q, w) for _, q, w in group] for group in (high, low)]
        known = [[v for v in group if v is not None] for group in values]
        if not all(known):
            continue
        u, p = statistics.mann_whitney(known[0], known[1])
        shifts.append(
            Shift(
                name=name, high=_figures(known[0]), low=_figures(known[1]), u=u, p=p,
                left_out=sum(map(len, values)) - sum(map(len, known)),
            )
        )  # fmt: skip
    return tuple(shifts)


def _property(name: str, question: MealQuestion, weight: float | None) -> float | None:
    if name == "label":
        return question.label
    if name == "items":
        return None if question.items is None else float(question.items)
    return weight if weight is not None and math.isfinite(weight) else None


def _figures(values: Sequence[float]) -> GroupFigures:
    sd = plain.stdev(values) if len(values) > 1 else None
    return GroupFigures(n=len(values), mean=plain.fmean(values), sd=sd)
