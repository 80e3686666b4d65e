"""People against a model on the same meals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from prandial.errors import InputError
from prandial.records.bench import MealQuestion
from prandial.score.answers.bootstrap import DRAWS, Interval, cluster_interval, sign_flip_p
from prandial.score.answers.meals import MealRules
from prandial.score.people.rated import (
    Rated,
    common_meals,
    consensus_of,
    error_of,
    is_right,
)

__all__ = ["PairedRow", "paired_rows"]


@dataclass(frozen=True, kw_only=True, slots=True)
class PairedRow:
    """One rater, the mean of raters, or their consensus, less a model.

    Parameters
    ----------
    name, arm, model : str
    meals : int
        Asked of both.
    acc_difference : Interval
        Share of right answers over all of them; above 0 people are better.
    acc_p : float, optional
        Two-sided, by turning the signs of groups.
    answered : int
        Meals that both answered; of several raters, pairs of a rater and a meal.
    error_difference : Interval
        Mean absolute error over those; above 0 people are worse.
    error_p : float, optional
    """

    name: str
    arm: str
    model: str
    meals: int
    acc_difference: Interval
    acc_p: float | None
    answered: int
    error_difference: Interval
    error_p: float | None


def paired_rows(
    people: Sequence[Rated],
    model: Rated,
    *,
    rules: MealRules = "ours",
    seed: int = 0,
    draws: int = DRAWS,
) -> tuple[PairedRow, ...]:
    """Compare people with a model, meal by meal.

    Parameters
    ----------
    people : sequence of Rated
        Any arms.
    model : Rated
    rules : {'ours', 'published'}
    seed, draws : int

    Returns
    -------
    tuple of PairedRow
        For each arm each rater, the mean of raters and the consensus.

    Raises
    ------
    InputError
        When a rater and the model have no meal in common.
    """
    rows = []
    for arm in sorted({p.arm for p in people}):
        raters = [p for p in people if p.arm == arm]
        rows += [_row(p.name, arm, [p], model, rules, seed, draws) for p in raters]
        if len(raters) > 1:
            rows.append(_row("mean of raters", arm, raters, model, rules, seed, draws))
            middle = consensus_of(raters, arm=arm)
            if common_meals([middle, model]):
                rows.append(_row(middle.name, arm, [middle], model, rules, seed, draws))
    return tuple(rows)


def _row(
    name: str,
    arm: str,
    raters: Sequence[Rated],
    model: Rated,
    rules: MealRules,
    seed: int,
    draws: int,
) -> PairedRow:
    pairs = [(r, q) for r in raters for q in common_meals([r, model])]
    if not pairs:
        raise InputError(
            f"{name} and {model.name} have no meal in common",
            where="runs",
            hint="run the model on the meals of the study: keep/key.json has them",
        )
    right = _right(pairs, model, rules)
    kept = [(q, a - b) for r, q in pairs for a, b in _both(r, model, q)]
    errors = np.array([d for _, d in kept], dtype=np.float64)
    groups, their_groups = [q.group for _, q in pairs], [q.group for q, _ in kept]
    return PairedRow(
        name=name,
        arm=arm,
        model=model.name,
        meals=len({q.id for _, q in pairs}),
        acc_difference=cluster_interval(right, groups, seed=seed, draws=draws),
        acc_p=sign_flip_p(right, groups, seed=seed, draws=draws),
        answered=len(kept),
        error_difference=cluster_interval(errors, their_groups, seed=seed, draws=draws)
        if kept
        else Interval(None, None, None),
        error_p=sign_flip_p(errors, their_groups, seed=seed, draws=draws),
    )


def _right(
    pairs: Sequence[tuple[Rated, MealQuestion]], model: Rated, rules: MealRules
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array(
        [float(is_right(r, q, rules)) - float(is_right(model, q, rules)) for r, q in pairs],
        dtype=np.float64,
    )


def _both(rater: Rated, model: Rated, meal: MealQuestion) -> list[tuple[float, float]]:
    mine, theirs = error_of(rater, meal), error_of(model, meal)
    return [] if mine is None or theirs is None else [(mine, theirs)]
