"""Scores of NutriBench answers: pairs of question and prediction to figures.

Two rule sets that never stand in one table:

``ours``
    Refused and unreadable answers are unscored and counted; accuracy over all questions
    that were run (no answer is wrong) and over the answered ones; right is an error of at
    most the limit; errors over answered ones.
``published``
    As the published lm-evaluation-harness task scores (spec of NutriBench, section 5): what
    its reader finds, -1 where it finds nothing, is scored as a guess; right is an error
    *below* the limit; the mean error is over all guesses; the answer rate is the share of
    values of at least 0. The task is of carbohydrate; other nutrients use the same rule with
    their own limit.

A question that failed (no reply was had) was not run: it is in no denominator of either set.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np

from prandial.errors import InputError
from prandial.nutrients import unit_of
from prandial.records.bench import MealQuestion, Prediction, Score
from prandial.score.answers.bootstrap import (
    DRAWS,
    Floats,
    Interval,
    cluster_means,
    cluster_median,
)
from prandial.score.answers.slices import slices_of
from prandial.score.numbers import LIMITS

__all__ = ["MealPair", "MealRules", "one_rule_set", "score_meal_slices", "score_meals"]

MealPair = tuple[MealQuestion, Prediction]
MealRules = Literal["ours", "published"]

#: what the published code takes a missing answer for
_NO_ANSWER: Final = -1.0
#: labels and answers are decimals; an error that is the limit but for binary fractions is it
_EXACT: Final = 1e-9


def score_meals(
    pairs: Sequence[MealPair],
    *,
    rules: MealRules,
    seed: int,
    draws: int = DRAWS,
    slice_name: str = "",
) -> tuple[Score, ...]:
    """Score the answers of one run.

    Parameters
    ----------
    pairs : sequence of (MealQuestion, Prediction)
        All of one nutrient.
    rules : {'ours', 'published'}
    seed, draws : int
        Of the bootstrap over groups.
    slice_name : str
        Put on every score.

    Returns
    -------
    tuple of Score
        ``ours``: acc_all, acc_answered, mae, median_error, bias, answer_rate, refused,
        unreadable, not_run. ``published``: acc_all, mae, answer_rate, not_run. Errors carry
        their unit in the name (``mae_g``); shares are of 1.

    Raises
    ------
    InputError
        On questions of several nutrients, a label that is no number, and an answered
        prediction without a value.
    """
    nutrient = nutrient_of(pairs)
    run = [(q, p) for q, p in pairs if p.reading.status != "failed"]
    table = _Table(run, nutrient, rules)
    scores = table.scores(len(pairs) - len(run), seed=seed, draws=draws, slice_name=slice_name)
    return (*scores, _not_run(pairs, rules, slice_name, seed=seed, draws=draws))


def score_meal_slices(
    pairs: Sequence[MealPair],
    *,
    rules: MealRules,
    by: Sequence[str],
    seed: int,
    draws: int = DRAWS,
) -> tuple[Score, ...]:
    """Score each slice of a run apart.

    Parameters
    ----------
    pairs : sequence of (MealQuestion, Prediction)
    rules : {'ours', 'published'}
    by : sequence of {'serving', 'country', 'items', 'band', 'language'}
    seed, draws : int

    Returns
    -------
    tuple of Score
        As :func:`score_meals`, with ``slice`` such as ``items=3``. Questions of which the
        slice is unknown are in ``items=unknown``.
    """
    scores: list[Score] = []
    for name in by:
        for value, places in slices_of([q for q, _ in pairs], name).items():
            scores += score_meals(
                [pairs[i] for i in places],
                rules=rules,
                seed=seed,
                draws=draws,
                slice_name=f"{name}={value}",
            )
    return tuple(scores)


def one_rule_set(scores: Sequence[Score]) -> str:
    """Return the rule set of the scores of a table.

    Raises
    ------
    InputError
        When there are several: their figures cannot be compared.
    """
    found = sorted({s.rules for s in scores})
    if len(found) != 1:
        raise InputError(
            f"one table of rule sets {', '.join(found) or 'none'}",
            where="scores",
            hint="make one table for each rule set",
        )
    return found[0]


def nutrient_of(pairs: Sequence[MealPair]) -> str:
    """Return the one nutrient that was asked for, after a look at every pair.

    Raises
    ------
    InputError
        On what cannot be scored.
    """
    nutrients = sorted({q.nutrient for q, _ in pairs})
    if len(nutrients) > 1:
        raise InputError(
            f"one score of several nutrients: {', '.join(nutrients)}",
            where="questions",
            hint="score each nutrient apart",
        )
    for question, prediction in pairs:
        if question.id != prediction.question:
            raise InputError(
                f"the prediction of {prediction.question!r} stands beside {question.id!r}",
                where="predictions",
            )
        if not math.isfinite(question.label):
            raise InputError("the label is no number", where=f"question {question.id}")
        if prediction.reading.status == "answered" and prediction.reading.value is None:
            raise InputError("answered, but without a value", where=f"question {question.id}")
    nutrient = nutrients[0] if nutrients else "carb_g"
    if nutrient not in LIMITS:
        raise InputError(
            f"no limit of a right answer is known for {nutrient!r}",
            where="questions",
            hint="one of: " + ", ".join(LIMITS),
        )
    return nutrient


def answers_of(pairs: Sequence[MealPair], rules: MealRules) -> Floats:
    """Return what is scored of each answer; NaN is unscored.

    Parameters
    ----------
    pairs : sequence of (MealQuestion, Prediction)
    rules : {'ours', 'published'}

    Returns
    -------
    ndarray of float
    """
    values = []
    for _, prediction in pairs:
        reading = prediction.reading
        if reading.status == "failed":
            values.append(math.nan)
        elif rules == "ours":
            answered = reading.status == "answered" and reading.value is not None
            values.append(float(reading.value or 0.0) if answered else math.nan)
        else:
            found = reading.published_value
            values.append(_NO_ANSWER if found is None else found)
    return np.array(values, dtype=np.float64)


def right_of(errors: Floats, nutrient: str, rules: MealRules) -> Floats:
    """Return 1 for each error within the limit, else 0; NaN stays NaN.

    Parameters
    ----------
    errors : ndarray of float
        Answer minus label.
    nutrient : str
    rules : {'ours', 'published'}

    Returns
    -------
    ndarray of float
    """
    size, limit = np.abs(errors), LIMITS[nutrient]
    right = size <= limit + _EXACT if rules == "ours" else size < limit
    return np.where(np.isnan(errors), np.nan, right.astype(np.float64))


class _Table:
    """Answers of the questions that were run, as columns."""

    def __init__(self, run: Sequence[MealPair], nutrient: str, rules: MealRules) -> None:
        self.nutrient, self.rules = nutrient, rules
        self.groups = [q.group or q.id for q, _ in run]
        self.status = np.array([p.reading.status for _, p in run], dtype=object)
        labels = np.array([q.label for q, _ in run], dtype=np.float64)
        self.answers = answers_of(run, rules)
        self.errors = self.answers - labels
        self.right = right_of(self.errors, nutrient, rules)

    def scores(self, failed: int, *, seed: int, draws: int, slice_name: str) -> list[Score]:
        """Return all scores but the share that was not run."""
        columns = self._columns()
        values = np.column_stack([c for _, c, _, _ in columns])
        shares = [not unit for *_, unit in columns]
        intervals = cluster_means(values, self.groups, seed=seed, draws=draws, shares=shares)
        n = len(self.groups)
        out = []
        for (name, column, higher, unit), interval in zip(columns, intervals, strict=True):
            scored = int(np.count_nonzero(~np.isnan(column)))
            out.append(
                _score(
                    name, interval, scored, n - scored + failed, self.rules, higher,
                    unit=unit, slice_name=slice_name, seed=seed,
                )
            )  # fmt: skip
        if self.rules == "ours":
            out.insert(3, self._median(failed, seed=seed, draws=draws, slice_name=slice_name))
        return out

    def _columns(self) -> list[tuple[str, Floats, bool, str]]:
        unit = unit_of(self.nutrient)
        size = np.abs(self.errors)
        if self.rules == "published":
            return [
                ("acc_all", self.right, True, ""),
                (f"mae_{unit}", size, False, unit),
                ("answer_rate", (self.answers >= 0).astype(np.float64), True, ""),
            ]
        answered = ~np.isnan(self.answers)
        return [
            ("acc_all", np.where(answered, self.right, 0.0), True, ""),
            ("acc_answered", self.right, True, ""),
            (f"mae_{unit}", size, False, unit),
            (f"bias_{unit}", self.errors, False, unit),
            ("answer_rate", answered.astype(np.float64), True, ""),
            ("refused", (self.status == "refused").astype(np.float64), False, ""),
            ("unreadable", (self.status == "unreadable").astype(np.float64), False, ""),
        ]

    def _median(self, failed: int, *, seed: int, draws: int, slice_name: str) -> Score:
        answered = ~np.isnan(self.errors)
        size = np.abs(self.errors[answered])
        groups = [g for g, a in zip(self.groups, answered.tolist(), strict=True) if a]
        interval = cluster_median(size, groups, seed=seed, draws=draws)
        unit = unit_of(self.nutrient)
        return _score(
            f"median_error_{unit}", interval, int(size.size),
            len(self.groups) - int(size.size) + failed, self.rules, False,
            unit=unit, slice_name=slice_name, seed=seed,
        )  # fmt: skip


def _not_run(
    pairs: Sequence[MealPair],
    rules: MealRules,
    slice_name: str,
    *,
    seed: int,
    draws: int,
) -> Score:
    failed = np.array([p.reading.status == "failed" for _, p in pairs], dtype=np.float64)
    groups = [q.group or q.id for q, _ in pairs]
    columns = failed[:, None]
    interval = cluster_means(columns, groups, seed=seed, draws=draws, shares=[True])[0]
    return _score(
        "not_run", interval, len(pairs), 0, rules, False,
        unit="", slice_name=slice_name, seed=seed,
    )  # fmt: skip


def _score(
    metric: str,
    interval: Interval,
    n_scored: int,
    n_unscored: int,
    rules: str,
    higher_is_better: bool,
    *,
    unit: str,
    slice_name: str,
    seed: int,
) -> Score:
    return Score(
        metric=metric,
        value=interval.value,
        low=interval.low,
        high=interval.high,
        n_scored=n_scored,
        n_unscored=n_unscored,
        rules=rules,
        higher_is_better=higher_is_better,
        slice=slice_name,
        unit=unit,
        seed=seed,
    )
