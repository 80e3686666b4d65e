"""Every amount of a food that a row may be made of: its measures in simple multiples, grams."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from prandial.compose.servings import TIMES, pieces, usual
from prandial.records.composed import ServingType

if TYPE_CHECKING:
    from prandial.tables import FoodTable

__all__ = ["Helping", "drawn", "helpings"]

#: measures that are notes to coders, or that nobody says of a plate
_UNSAID: Final = re.compile(
    r"guideline|filled with|yield|\bNFS\b|quantity not specified|"
    r"(?:cubic|surface|linear) inch|refuse|\blb\b",
    re.IGNORECASE,
)
#: least and most grams of one helping (house convention)
_LEAST_G, _MOST_G = 1.0, 1000.0
#: a helping lies within these times the 10th and the 90th percentile of what was eaten
_UNDER, _OVER = 0.3, 1.5
#: most of a measure of a food that no recall has
_MOST_TIMES: Final = 3.0
_NO_AMOUNT_G: Final = 100.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Helping:
    """An amount of a food, not yet in words.

    Parameters
    ----------
    food : int
        Row of the food in its table.
    serving_type : {'natural', 'metric'}
    measure : str
        Name of the measure in the table, ``g`` for metric.
    times : float
        How many of it; for metric the grams.
    grams : float
        Of all of them.
    """

    food: int
    serving_type: ServingType
    measure: str
    times: float
    grams: float

    @property
    def key(self) -> str:
        """What tells it from the other helpings of its food."""
        return f"{self.measure} x {self.times:.4g}"


def helpings(table: FoodTable, food: int, *, metric: bool) -> tuple[Helping, ...]:
    """Return every helping of a food, in the order of its table.

    Natural: each measure that people say, times each multiple that people say of it. Metric:
    each amount of the recalls and each measure's weight, in grams; 100 g for a food that has
    neither.

    Parameters
    ----------
    table : FoodTable
    food : int
    metric : bool

    Returns
    -------
    tuple of Helping
    """
    lo, hi = int(table.measure_offset[food]), int(table.measure_offset[food + 1])
    measures = [
        (table.measure_name[k], float(str(table.measure_grams[k])))
        for k in range(lo, hi)
        if table.measure_grams[k] > 0
    ]
    if metric:
        return _metric(table, food, [g for _, g in measures])
    return _natural(table, food, measures)


def _is_said(measure: str) -> bool:
    words = pieces(measure)[1]
    return bool(words) and not _UNSAID.search(measure) and not any(c.isdigit() for c in words)


def _metric(table: FoodTable, food: int, measures: Sequence[float]) -> tuple[Helping, ...]:
    lo, hi = int(table.amount_offset[food]), int(table.amount_offset[food + 1])
    amounts = [float(str(g)) for g in table.amount_grams[lo:hi]]
    told = [float(f"{g:.4g}") for g in (*amounts, *measures)]
    kept = dict.fromkeys(g for g in told if _LEAST_G <= g <= _MOST_G)
    return tuple(
        Helping(food=food, serving_type="metric", measure="g", times=g, grams=g)
        for g in (kept or {_NO_AMOUNT_G: None})
    )


def _natural(
    table: FoodTable, food: int, measures: Sequence[tuple[str, float]]
) -> tuple[Helping, ...]:
    least, most = float(table.eaten_p10[food]), float(table.eaten_p90[food])
    eaten = math.isfinite(least) and math.isfinite(most)
    low = max(_LEAST_G, _UNDER * least) if eaten else _LEAST_G
    high = min(_MOST_G, _OVER * most) if eaten else _MOST_G
    found: dict[tuple[str, float], Helping] = {}
    for name, one in measures:
        for times in _said_times(name):
            grams = round(one * times, 2)
            if low <= grams <= high and (eaten or times <= _MOST_TIMES):
                found.setdefault(
                    (name, times),
                    Helping(
                        food=food, serving_type="natural", measure=name, times=times, grams=grams
                    ),
                )
    return tuple(found.values())


@lru_cache(maxsize=20_000)
def _said_times(measure: str) -> tuple[float, ...]:
    """Return the multiples that people say of a measure; none of one that nobody says."""
    if not _is_said(measure):
        return ()
    number = pieces(measure)[0]
    return tuple(t for t in TIMES if usual(measure, t) and _countable(number, t))


def _countable(number: float, times: float) -> bool:
    """Tell whether people say so many: any multiple of one, else whole numbers and quarters."""
    return number == 1 or (number * times * 4) % 1 == 0


def drawn(choices: Sequence[Helping], most: int, key: str) -> tuple[Helping, ...]:
    """Return up to ``most`` helpings, those of the smallest keyed hash, in their order.

    A draw of two is part of a draw of three.
    """
    if len(choices) <= most:
        return tuple(choices)
    rank = {h: hashlib.sha256(f"{key}|{h.key}".encode()).digest() for h in choices}
    kept = set(sorted(choices, key=rank.__getitem__)[:most])
    return tuple(h for h in choices if h in kept)
