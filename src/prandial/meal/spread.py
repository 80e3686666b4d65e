"""Ranges: how far an item's and a meal's nutrients may lie from the middle.

An item is a set of readings (food, measure) with shares, plus "something else":
a food that is none of those found, with a share that grows with the signs of
doubt (:mod:`prandial.meal.doubt`). The item is kept as a fixed number of draws
from that mixture, spread evenly over it, so that items add up to a meal draw by
draw. A draw's grams vary by how they came about:

* weighed: 2 % either way (kitchen scales and rounding; house convention);
* measure or count: 10 % either way (filling and heaping; house convention);
* default: at least the 10th to 90th percentile of the amounts of that food in
  the recalls of 2003-2012.

Composition varies too: the same-named food of two national tables differs. Among 276
foods that the French, British and German tables share by name with USDA's, total
carbohydrate differs by 12 % in the median and 27 % in the upper quartile. So a draw's
nutrients vary by 6 % either way, and by 25 % for a meal of another country.

Which share of the draws a 90 % or a 50 % band leaves out at each end is set on
generated text (``tools/calibrate_ranges.py``): distributional conformal
prediction, Chernozhukov, Wuethrich & Zhu, PNAS 2021, doi:10.1073/pnas.2107794118.
Draws are the same in every run: no randomness is involved.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.meal.portions import Option
from prandial.records import Band
from prandial.tables import FoodTable

__all__ = [
    "COMPOSITION",
    "DRAWS",
    "Floats",
    "GroupValues",
    "bands_of",
    "item_draws",
    "meal_draws",
    "option_shares",
]

Floats = npt.NDArray[np.float32]

#: draws kept of each item
DRAWS: Final = 128
_WIDTH: Final = {"weighed": 0.02, "measure": 0.10, "count": 0.10, "default": 0.10}
_MOST: Final = 12
#: how far a food's composition may lie from the table's, either way: at home, abroad
COMPOSITION: Final = (0.06, 0.25)
#: a range that the text states is held by a 90 % band
_STATED_HOLDS: Final = 0.943
#: grams of "something else" against the grams found, where no weight was stated
_OTHER_GRAMS: Final = (0.4, 1.0, 2.2)
#: draws of "something else" that are of any group of foods, not of the one found
_ANY_GROUP: Final = 0.4
#: foods kept to stand for a group
_PER_GROUP: Final = 64


def option_shares(options: Sequence[Option], temperature: float) -> list[float]:
    """Softmax of the scores of the best options."""
    best = options[0].score
    raw = [math.exp((o.score - best) / temperature) for o in options[:_MOST]]
    total = sum(raw)
    return [r / total for r in raw]


@lru_cache(maxsize=1)
def _evenly() -> tuple[Floats, Floats, Floats]:
    """Three even sequences in (0, 1): readings, grams, foods of a group."""
    first = (np.arange(DRAWS) + 0.5) / DRAWS
    golden = (np.arange(DRAWS) * 0.6180339887498949 + 0.5) % 1.0
    plastic = (np.arange(DRAWS) * 0.7548776662466927 + 0.5) % 1.0
    return first.astype("f4"), golden.astype("f4"), plastic.astype("f4")


@lru_cache(maxsize=2)
def _varied(abroad: bool) -> Floats:
    """Composition of each draw against the table's."""
    third = _evenly()[2]
    return (1.0 + COMPOSITION[abroad] * (2.0 * third - 1.0)).astype("f4")


@lru_cache(maxsize=64)
def _shuffle(place: int) -> npt.NDArray[np.int64]:
    """Order in which an item's draws meet those of the others; fixed by its place."""
    return np.random.default_rng(place).permutation(DRAWS)


class GroupValues:
    """Foods that stand for a group, drawn evenly by how often they are eaten.

    Parameters
    ----------
    table : FoodTable
    """

    def __init__(self, table: FoodTable) -> None:
        self._eaten = np.asarray(table.eaten_count, dtype=float) + 1.0
        carb = table.nutrient_keys.index("carb_g")
        self._carb = np.nan_to_num(table.per_100g[:, carb])
        self._categories = np.array(table.categories)
        self._rows: dict[str, npt.NDArray[np.int64]] = {}
        self._per_100g = table.per_100g
        self._density: dict[tuple[int, ...], Floats] = {}
        #: columns -> whether some food lacks one of them
        self.gaps: dict[tuple[int, ...], bool] = {}

    def density(self, columns: tuple[int, ...]) -> Floats:
        """Return nutrients per gram, one row a column, one column a food."""
        found = self._density.get(columns)
        if found is None:
            found = np.ascontiguousarray(self._per_100g[:, list(columns)].T / np.float32(100.0))
            self._density[columns] = found
            self.gaps[columns] = bool(np.isnan(found).any())
        return found

    def rows(self, category: str) -> npt.NDArray[np.int64]:
        """Return food rows of a category (of all foods when empty), by rising carbohydrate."""
        found = self._rows.get(category)
        if found is None:
            found = self._rows[category] = self._pick(category)
        return found

    def _pick(self, category: str) -> npt.NDArray[np.int64]:
        if category:
            rows = np.flatnonzero(self._categories == category)
        else:
            rows = np.arange(len(self._carb))
        rows = rows[np.argsort(self._carb[rows], kind="stable")]
        mass = np.cumsum(self._eaten[rows])
        at = (np.arange(_PER_GROUP) + 0.5) / _PER_GROUP * mass[-1]
        return np.asarray(rows[np.searchsorted(mass, at)])


def _gram_range(table: FoodTable, option: Option, quantity: float) -> tuple[float, float, float]:
    """Grams of one reading, widened by how they came about."""
    low, mid, high = option.grams
    low, high = mid - (mid - low) / _STATED_HOLDS, mid + (high - mid) / _STATED_HOLDS
    width = _WIDTH[option.basis]
    low, high = low * (1 - width), high * (1 + width)
    if option.basis == "default":
        p10, p90 = float(table.eaten_p10[option.food]), float(table.eaten_p90[option.food])
        if not math.isnan(p10):
            low = min(low, max(p10 * quantity, 0.25 * mid))
            high = max(high, min(p90 * quantity, 3.0 * mid))
    return low, mid, high


def item_draws(
    table: FoodTable,
    options: Sequence[Option],
    shares: Sequence[float],
    columns: Sequence[int],
    *,
    quantity: float,
    doubt: float,
    groups: GroupValues,
    said: bool,
    abroad: bool,
) -> Floats:
    """Draws of an item's grams and nutrients.

    Parameters
    ----------
    table : FoodTable
    options : sequence of Option
        Best first; the first one has known grams.
    shares : sequence of float
        Share of each of the first options.
    columns : sequence of int
        Nutrient columns.
    quantity : float
        Count said, to scale the amounts of the recalls.
    doubt : float
        Share of "something else", 0 to 1.
    groups : GroupValues
    said : bool
        An amount was said. Words without one may be no item at all, so half of
        "something else" is then nothing.
    abroad : bool
        The country is given and is not that of the table.

    Returns
    -------
    ndarray of float32, shape (1 + nutrients, DRAWS)
        Grams first. A food that lacks a nutrient's value counts with the value of
        the chosen food; a row is NaN where the chosen food lacks it.
    """
    used = [(o, s) for o, s in zip(options, shares, strict=False) if not math.isnan(o.grams[1])]
    best = options[0]
    spans = [_gram_range(table, o, quantity) for o, _ in used]
    foods = [o.food for o, _ in used]
    other = len(used)
    low, mid, high = spans[0]
    if best.basis == "weighed":
        spans.append((low, mid, high))
    else:
        spans.append((low * _OTHER_GRAMS[0], mid, high * _OTHER_GRAMS[2]))
    known = sum(s for _, s in used)
    mass = np.cumsum([(1.0 - doubt) * s / known for _, s in used])
    first, second, third = _evenly()
    pick = np.searchsorted(mass, first)
    np.minimum(pick, other, out=pick)
    grams3 = np.array(spans, dtype="f4")[pick]
    up = 2.0 * second - 1.0
    grams = grams3[:, 1] + np.where(
        up > 0, (grams3[:, 2] - grams3[:, 1]) * up, (grams3[:, 1] - grams3[:, 0]) * up
    )
    rows = np.array([*foods, best.food])[pick]
    strange = np.flatnonzero(pick == other)
    if len(strange):
        place = (third[strange] * _PER_GROUP).astype(int)
        own = groups.rows(table.categories[best.food])[place]
        anything = groups.rows("")[place]
        rows[strange] = np.where(second[strange] < _ANY_GROUP, anything, own)
        if not said:
            grams[strange[::2]] = 0.0
    out = np.empty((1 + len(columns), DRAWS), dtype="f4")
    out[0] = grams
    density = groups.density(tuple(columns))
    values = density.take(rows, axis=1)
    if groups.gaps[tuple(columns)]:
        mine = density[:, best.food, None]
        values = np.where(np.isnan(values), mine, values)
        values[np.isnan(mine[:, 0])] = np.nan
    weights = grams * _varied(abroad)
    if any(o.factor != 1.0 for o, _ in used):
        factors = np.array([*(o.factor for o, _ in used), 1.0], dtype="f4")
        weights = weights * factors[pick]
    np.multiply(values, weights, out=out[1:])
    return out


def meal_draws(items: Sequence[Floats]) -> Floats:
    """Add items up draw by draw, in orders that do not depend on one another.

    Parameters
    ----------
    items : sequence of ndarray, each of shape (nutrients, DRAWS)
        In an order that does not depend on the text's.

    Returns
    -------
    ndarray of float32, shape (nutrients, DRAWS)
    """
    if len(items) == 1:
        return items[0]
    total = items[0].copy()
    for place, draws in enumerate(items[1:], start=1):
        total += draws[:, _shuffle(place)]
    return total


def bands_of(
    draws: Floats, mids: Sequence[float], tails: tuple[float, float], *, rising: bool = False
) -> list[Band]:
    """Bands that leave out a share of the draws at each end.

    Parameters
    ----------
    draws : ndarray of float32, shape (rows, DRAWS)
    mids : sequence of float
        Middle of each row; bands are stretched to hold it.
    tails : tuple of float
        Share left out below and above, 0 to 0.5.
    rising : bool
        The draws are sorted already.

    Returns
    -------
    list of Band
    """
    ordered = draws if rising else np.sort(draws, axis=1)
    low = ordered[:, min(int(tails[0] * DRAWS), DRAWS - 1)].tolist()
    high = ordered[:, max(DRAWS - 1 - int(tails[1] * DRAWS), 0)].tolist()
    return [
        Band(low=max(min(a, m), 0.0), mid=m, high=max(b, m))
        for a, m, b in zip(low, mids, high, strict=True)
    ]
