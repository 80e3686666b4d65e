"""Ranges: how far an item's grams and nutrients may lie from the middle.

Every (food, measure) reading of an item has a share, the softmax of its score.
The range of a nutrient runs from the 5th to the 95th percentile over the
readings, widened by how the grams came about:

* weighed: 2 % either way (kitchen scales and rounding; house convention);
* measure or count: 10 % either way (filling and heaping; house convention);
* default: at least the 10th to 90th percentile of the amounts of that food in
  the recalls of 2003-2012.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.meal.portions import Option
from prandial.records import Band
from prandial.tables import FoodTable

__all__ = ["item_bands", "option_shares", "total_band"]

_WIDTH: Final = {"weighed": 0.02, "measure": 0.10, "count": 0.10, "default": 0.10}
_MOST: Final = 12
_TAIL: Final = 0.05


def option_shares(options: Sequence[Option], temperature: float) -> list[float]:
    """Softmax of the scores of the best options."""
    best = options[0].score
    raw = [math.exp((o.score - best) / temperature) for o in options[:_MOST]]
    total = sum(raw)
    return [r / total for r in raw]


def _quantiles(
    values: npt.NDArray[np.float64], shares: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the lower and upper tail quantile of each column."""
    order = np.argsort(values, axis=0, kind="stable")
    ordered = np.take_along_axis(values, order, axis=0)
    mass = np.cumsum(shares[order], axis=0)
    low = np.argmax(mass >= _TAIL, axis=0)
    high = np.argmax(mass >= 1 - _TAIL - 1e-12, axis=0)
    columns = np.arange(values.shape[1])
    return ordered[low, columns], ordered[high, columns]


def item_bands(
    table: FoodTable,
    options: Sequence[Option],
    shares: Sequence[float],
    columns: Sequence[int],
    quantity: float,
) -> tuple[Band, list[Band | None]]:
    """Ranges of an item's grams and nutrients.

    Parameters
    ----------
    table : FoodTable
    options : sequence of Option
        Best first; the first one gives the middle.
    shares : sequence of float
        Share of each of the first options.
    columns : sequence of int
        Nutrient columns.
    quantity : float
        Count said, to scale the amounts of the recalls.

    Returns
    -------
    grams : Band
    nutrients : list of Band or None
        None where the table has no value for the chosen food.
    """
    best = options[0]
    used = [o for o in options[: len(shares)] if not math.isnan(o.grams[1])]
    weight = np.array([s for o, s in zip(options, shares, strict=False) if not math.isnan(o.grams[1])])
    weight = weight / weight.sum()
    density = table.per_100g[[o.food for o in used]][:, list(columns)].astype(np.float64) / 100.0
    mids = np.array([[o.grams[1]] for o in used])
    lows, highs = [], []
    for o in used:
        low, mid, high = o.grams
        width = _WIDTH[o.basis]
        low, high = low * (1 - width), high * (1 + width)
        if o.basis == "default":
            p10, p90 = float(table.eaten_p10[o.food]), float(table.eaten_p90[o.food])
            if not math.isnan(p10):
                low = min(low, max(p10 * quantity, 0.25 * mid))
                high = max(high, min(p90 * quantity, 3.0 * mid))
        lows.append([low])
        highs.append([high])
    low_grams, high_grams = np.array(lows), np.array(highs)
    stacked_low = np.hstack([low_grams, np.nan_to_num(density, nan=0.0) * low_grams])
    stacked_high = np.hstack([high_grams, np.nan_to_num(density, nan=0.0) * high_grams])
    low_q, _ = _quantiles(stacked_low, weight)
    _, high_q = _quantiles(stacked_high, weight)
    middle = np.concatenate([[best.grams[1]], density[0] * best.grams[1]])
    bands: list[Band | None] = []
    for k in range(len(middle)):
        mid = float(middle[k])
        if math.isnan(mid):
            bands.append(None)
            continue
        bands.append(
            Band(low=min(float(low_q[k]), mid), mid=mid, high=max(float(high_q[k]), mid))
        )
    grams = bands[0]
    if grams is None:
        grams = Band.exact(float(mids[0][0]))
    return grams, bands[1:]


def total_band(bands: Sequence[Band]) -> Band:
    """Sum of items: middles add, half-widths add in squares (items independent)."""
    mid = math.fsum(b.mid for b in bands)
    low = mid - math.sqrt(math.fsum((b.mid - b.low) ** 2 for b in bands))
    high = mid + math.sqrt(math.fsum((b.high - b.mid) ** 2 for b in bands))
    return Band(low=min(max(low, 0.0), mid), mid=mid, high=max(high, mid))
