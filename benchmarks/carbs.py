"""Carbohydrate errors of texts, and paired comparisons with bootstrap intervals.

An error is the absolute difference from the label in grams; NaN where the
estimator gave no total. A text is right when its error is known and at most
:data:`LIMIT_G`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from prandial.meal import Estimator

__all__ = ["LIMIT_G", "carb_errors", "compared", "right", "summary"]

LIMIT_G = 7.5
SEED = 20_260
RESAMPLES = 2_000

Array = npt.NDArray[np.float64]


def carb_errors(
    estimator: Estimator,
    texts: Sequence[str],
    labels: Sequence[float | None],
    countries: Sequence[str | None] | None = None,
) -> Array:
    """Return the absolute carbohydrate error of each text in grams, NaN unanswered."""
    out = []
    for text, label, country in zip(texts, labels, countries or [None] * len(texts), strict=True):
        band = estimator.estimate(text, nutrients=("carb_g",), country=country).totals["carb_g"]
        out.append(np.nan if band is None or label is None else abs(band.mid - label))
    return np.array(out, dtype=np.float64)


def right(errors: Array) -> Array:
    """Return 1.0 for each text within the limit, 0.0 for the others and the unanswered."""
    return (np.nan_to_num(errors, nan=np.inf) <= LIMIT_G).astype(np.float64)


def _interval(values: Array, groups: Sequence[object] | None) -> tuple[float, float]:
    """95 % bootstrap interval of a mean; whole groups of rows are drawn together."""
    rng = np.random.default_rng(SEED)
    if groups is None:
        sums, sizes = values, np.ones(len(values))
    else:
        number: dict[object, int] = {}
        at = np.array([number.setdefault(g, len(number)) for g in groups])
        sums = np.bincount(at, weights=values)
        sizes = np.bincount(at).astype(np.float64)
    means = []
    for _ in range(RESAMPLES):
        pick = rng.integers(0, len(sums), size=len(sums))
        means.append(sums[pick].sum() / sizes[pick].sum())
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def _mae(errors: Array) -> float | None:
    known = errors[~np.isnan(errors)]
    return round(float(known.mean()), 3) if len(known) else None


def summary(errors: Array, groups: Sequence[object] | None = None) -> dict[str, Any]:
    """Accuracy in per cent over all texts with its interval, and MAE of the answered."""
    hits = right(errors)
    low, high = _interval(hits, groups)
    return {
        "n": len(errors),
        "acc": round(100 * float(hits.mean()), 2),
        "acc_low": round(100 * low, 2),
        "acc_high": round(100 * high, 2),
        "mae": _mae(errors),
        "answered": round(100 * float((~np.isnan(errors)).mean()), 2),
    }


def compared(before: Array, after: Array, groups: Sequence[object] | None = None) -> dict[str, Any]:
    """Compare two runs over the same texts; ``change`` is after minus before, in points."""
    difference = right(after) - right(before)
    low, high = _interval(difference, groups)
    return {
        "n": len(before),
        "acc_before": round(100 * float(right(before).mean()), 2),
        "acc_after": round(100 * float(right(after).mean()), 2),
        "change": round(100 * float(difference.mean()), 2),
        "change_low": round(100 * low, 2),
        "change_high": round(100 * high, 2),
        "mae_before": _mae(before),
        "mae_after": _mae(after),
        "answered_after": round(100 * float((~np.isnan(after)).mean()), 2),
    }
