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

from prandial.meal.portions import Option
from prandial.records import Band
from prandial.tables import FoodTable

__all__ = ["item_bands", "option_shares", "total_band"]

_WIDTH: Final = {"weighed": 0.02, "measure": 0.10, "count": 0.10, "default": 0.10}
_MOST: Final = 12
_TAIL: Final = 0.05
_ENOUGH: Final = 0.985


def option_shares(options: Sequence[Option], temperature: float) -> list[float]:
    """Softmax of the scores of the best options."""
    best = options[0].score
    raw = [math.exp((o.score - best) / temperature) for o in options[:_MOST]]
    total = sum(raw)
    return [r / total for r in raw]


def _tail(pairs: list[tuple[float, float]], share: float) -> float:
    """Return the value below which a share of the mass lies."""
    pairs.sort()
    mass = 0.0
    for value, weight in pairs:
        mass += weight
        if mass >= share - 1e-12:
            return value
    return pairs[-1][0]


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
    used: list[tuple[int, float, float, float, float]] = []
    mass = 0.0
    for o, share in zip(options, shares, strict=False):
        if math.isnan(o.grams[1]) or mass > _ENOUGH:
            continue
        mass += share
        used.append((o.food, share, *_gram_range(table, o, quantity), o.factor))
    low_tail, high_tail = _TAIL * mass, (1 - _TAIL) * mass
    best = options[0]
    mid = best.grams[1]
    grams = Band(
        low=min(mid, _tail([(low, s) for _, s, low, _, _ in used], low_tail)),
        mid=mid,
        high=max(mid, _tail([(high, s) for _, s, _, high, _ in used], high_tail)),
    )
    rows = {food: table.per_100g[food].tolist() for food, *_ in used}
    bands: list[Band | None] = []
    for column in columns:
        density = rows[best.food][column] / 100.0 * best.factor
        if math.isnan(density):
            bands.append(None)
            continue
        lows, highs = [], []
        for food, share, low, high, factor in used:
            other = rows[food][column] / 100.0 * factor
            if not math.isnan(other):
                lows.append((other * low, share))
                highs.append((other * high, share))
        middle = density * mid
        bands.append(
            Band(
                low=min(middle, _tail(lows, low_tail)),
                mid=middle,
                high=max(middle, _tail(highs, high_tail)),
            )
        )
    return grams, bands


def _gram_range(table: FoodTable, option: Option, quantity: float) -> tuple[float, float]:
    """Grams of one reading, widened by how they came about."""
    low, mid, high = option.grams
    width = _WIDTH[option.basis]
    low, high = low * (1 - width), high * (1 + width)
    if option.basis == "default":
        p10, p90 = float(table.eaten_p10[option.food]), float(table.eaten_p90[option.food])
        if not math.isnan(p10):
            low = min(low, max(p10 * quantity, 0.25 * mid))
            high = max(high, min(p90 * quantity, 3.0 * mid))
    return low, high


def total_band(bands: Sequence[Band]) -> Band:
    """Sum of items: middles add, half-widths add in squares (items independent)."""
    mid = math.fsum(b.mid for b in bands)
    low = mid - math.sqrt(math.fsum((b.mid - b.low) ** 2 for b in bands))
    high = mid + math.sqrt(math.fsum((b.high - b.mid) ** 2 for b in bands))
    return Band(low=min(max(low, 0.0), mid), mid=mid, high=max(high, mid))
