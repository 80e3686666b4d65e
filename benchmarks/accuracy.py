"""Accuracy of the built-in estimator on the shared meals, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.meals import LABELS, V1_PUBLISHED, MealSet
from benchmarks.ranges import rows_of, score_ranges
from prandial.meal import Estimator
from prandial.records import Estimate

__all__ = ["LIMITS", "interval", "measure", "score_errors", "v1_whole"]

#: an estimate within this of the label counts as right
LIMITS = {"carb_g": 7.5, "protein_g": 5.0, "fat_g": 5.0, "energy_kcal": 50.0}
SEED = 20_260
RESAMPLES = 2_000

Array = npt.NDArray[np.float64]


def interval(values: Array, *, seed: int = SEED) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a mean (seeded)."""
    rng = np.random.default_rng(seed)
    picks = rng.integers(0, len(values), size=(RESAMPLES, len(values)))
    means = values[picks].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def score_errors(errors: Array, limit: float) -> dict[str, Any]:
    """Accuracy over all rows (an unanswered row is wrong), MAE over answered ones."""
    answered = ~np.isnan(errors)
    right = np.where(answered, np.nan_to_num(errors, nan=np.inf) <= limit, False).astype(float)
    low, high = interval(right)
    return {
        "acc": round(100 * float(right.mean()), 2),
        "acc_low": round(100 * low, 2),
        "acc_high": round(100 * high, 2),
        "mae": round(float(errors[answered].mean()), 3),
        "median": round(float(np.median(errors[answered])), 3),
        "answered": round(100 * float(answered.mean()), 2),
        "n": len(errors),
        "limit": limit,
    }


def _estimates(estimator: Estimator, meals: MealSet, have: Sequence[str]) -> list[Estimate]:
    return [
        estimator.estimate(t, nutrients=tuple(have), country=c)
        for t, c in zip(meals.texts, meals.countries, strict=True)
    ]


def measure(estimator: Estimator, meals: MealSet, tune: MealSet | None = None) -> dict[str, Any]:
    """Score one set for each labelled nutrient, and the carbohydrate range.

    Parameters
    ----------
    estimator : Estimator
    meals : MealSet
    tune : MealSet, optional
        The tuning half of the same set, to fit the rivals of our ranges on.
    """
    have = [k for k in LABELS if any(v is not None for v in meals.labels[k])]
    estimates = _estimates(estimator, meals, have)
    out: dict[str, Any] = {"set": meals.name, "title": meals.title}
    for key in have:
        truth = np.array([np.nan if v is None else v for v in meals.labels[key]])
        guess = np.array([np.nan if (b := e.totals[key]) is None else b.mid for e in estimates])
        out[key] = score_errors(np.abs(guess - truth), LIMITS[key])
    truth = np.array(meals.labels["carb_g"], dtype=float)
    rivals = None
    if tune is not None:
        rivals = rows_of(tune, _estimates(estimator, tune, ("carb_g",)))
    out["range"] = score_ranges(rows_of(meals, estimates), rivals)
    constant = float(np.median(truth))
    out["constant_median_acc"] = round(100 * float((np.abs(truth - constant) <= 7.5).mean()), 1)
    return out


def v1_whole(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Weight the parts of v1 by the published set's 11,857 rows."""
    by_name = {r["set"]: r for r in rows}
    total = sum(V1_PUBLISHED.values())
    acc = sum(by_name[k]["carb_g"]["acc"] * n for k, n in V1_PUBLISHED.items()) / total
    mae = sum(by_name[k]["carb_g"]["mae"] * n for k, n in V1_PUBLISHED.items()) / total
    return {"acc": round(acc, 2), "mae": round(mae, 3), "rows": total}
