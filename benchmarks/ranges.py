"""How good the ranges are: coverage, interval score, width by confidence, rivals.

The interval score of a band [l, u] of nominal coverage 1 - a is
``(u - l) + 2/a * (l - y)+ + 2/a * (y - u)+`` (Gneiting & Raftery, JASA 2007,
doi:10.1198/016214506000001437); lower is better. Rivals are fitted on the tuning
half: a band of constant width (split conformal on the absolute error), and our own
bands corrected by labels (conformalised, as Romano, Patterson & Candes 2019).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.meals import MealSet
from prandial.records import Estimate

__all__ = ["Rows", "rows_of", "score_ranges"]

Array = npt.NDArray[np.float64]
SLACK = 1e-6


@dataclass(frozen=True)
class Rows:
    """Carbohydrate (g) of the answered meals: truth, middle, bands, confidence.

    ``complete`` is 1 where the estimate claims to have understood the whole text;
    else its totals are of a part, and so is its band.
    """

    truth: Array
    mid: Array
    low: Array
    high: Array
    low50: Array
    high50: Array
    confidence: Array
    complete: Array


def rows_of(meals: MealSet, estimates: list[Estimate]) -> Rows:
    """Collect the answered meals of a set."""
    rows = []
    for e, truth in zip(estimates, meals.labels["carb_g"], strict=True):
        band, near = e.totals["carb_g"], e.totals_50["carb_g"]
        if band is not None and near is not None and truth is not None:
            rows.append(
                (
                    *(truth, band.mid, band.low, band.high, near.low, near.high),
                    *(e.confidence or 0.0, float(e.complete)),
                )
            )
    return Rows(*np.array(rows, dtype=float).T)


def _interval_score(truth: Array, low: Array, high: Array, alpha: float) -> float:
    below, above = np.maximum(low - truth, 0.0), np.maximum(truth - high, 0.0)
    return float((high - low + 2.0 / alpha * (below + above)).mean())


def _band(truth: Array, low: Array, high: Array, alpha: float) -> dict[str, float]:
    inside = (truth >= low - SLACK) & (truth <= high + SLACK)
    width = high - low
    return {
        "covers": round(100 * float(inside.mean()), 1),
        "median_width_g": round(float(np.median(width)), 1),
        "mean_width_g": round(float(width.mean()), 1),
        "interval_score_g": round(_interval_score(truth, low, high, alpha), 1),
    }


def _quantile(scores: Array, share: float) -> float:
    n = len(scores)
    return float(np.sort(scores)[min(int(np.ceil(share * (n + 1))) - 1, n - 1)])


def score_ranges(rows: Rows, tune: Rows | None) -> dict[str, Any]:
    """Score the bands of a set, beside rivals fitted on the tuning half.

    Parameters
    ----------
    rows : Rows
        The scored half.
    tune : Rows or None
        The tuning half of the same set; no rivals when None.
    """
    t = rows.truth
    out: dict[str, Any] = {
        **_band(t, rows.low, rows.high, 0.1),
        "n": len(t),
        "half": _band(t, rows.low50, rows.high50, 0.5),
        "by_confidence": [],
    }
    whole = rows.complete > 0
    out["complete"] = {
        "n": int(whole.sum()),
        **_band(t[whole], rows.low[whole], rows.high[whole], 0.1),
    }
    order = np.argsort(rows.confidence, kind="stable")
    for part in np.array_split(order, 4):
        y = t[part]
        band = _band(y, rows.low[part], rows.high[part], 0.1)
        right = np.abs(rows.mid[part] - y) <= 7.5
        out["by_confidence"].append({**band, "acc": round(100 * float(right.mean()), 1)})
    if tune is None:
        return out
    half = _quantile(np.abs(tune.mid - tune.truth), 0.9)
    low, high = np.maximum(rows.mid - half, 0.0), rows.mid + half
    out["constant_width"] = {"half_width_g": round(half, 1), **_band(t, low, high, 0.1)}
    beyond = np.maximum(tune.low - tune.truth, tune.truth - tune.high)
    q = _quantile(beyond / (tune.high - tune.low + 1.0), 0.9)
    move = q * (rows.high - rows.low + 1.0)
    low = np.maximum(np.minimum(rows.low - move, rows.mid), 0.0)
    high = np.maximum(rows.high + move, rows.mid)
    out["label_calibrated"] = {"stretch": round(q, 4), **_band(t, low, high, 0.1)}
    return out
