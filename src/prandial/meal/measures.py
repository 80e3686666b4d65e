"""Household measures of foods, read for matching.

A measure such as ``1 bottle (16.9 fl oz)`` becomes a leading count, a set of
words, and, where it is a volume, millilitres. How often an amount was eaten in
the recalls gives each measure a share.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from prandial.meal.amounts import number_text
from prandial.meal.lexicon import Lexicon
from prandial.meal.numbers import read_number
from prandial.meal.tokens import tokenize
from prandial.tables import FoodTable
from prandial.units import VOLUME_ML

__all__ = ["LIGHT", "UNHIT", "FoodMeasures", "MeasureBook", "Row"]

_DROP: Final = frozenset(
    "of with and or as to the a an ns nfs x approx about per any in for".split()
)
_PREFERRED: Final = "quantity not specified"


@dataclass(frozen=True, slots=True)
class Row:
    """One measure of a food.

    ``grams`` is the weight of ``lead`` units; ``volume_ml`` is set when the
    measure is a volume; ``share`` is the log share of recalls with this weight.
    """

    name: str
    grams: float
    lead: float
    words: frozenset[str]
    volume_ml: float
    volume_unit: str
    default: bool


@dataclass(frozen=True, slots=True)
class FoodMeasures:
    """The measures of one food, laid out for scoring.

    Attributes
    ----------
    rows : tuple of Row
    base : list of float
        Score of each row when none of its words is said.
    places : dict
        word -> list of (row number, cost of the word left unsaid).
    heavy : list of int
        How many of a row's words must be said for the row to be said in full.
    """

    rows: tuple[Row, ...]
    base: list[float]
    places: dict[str, list[tuple[int, float]]]
    heavy: list[int]


_SOFT: Final = frozenset("cooked prepared direction regular individual single".split())
#: words that cost less than this need not be said for a measure to be said in full
LIGHT: Final = 0.3
#: cost of a measure none of whose words is said
UNHIT: Final = 0.5


def _cost(word: str, inner: bool) -> float:
    if word[0].isdigit():
        return 0.2
    return 0.35 if inner or word in _SOFT else 1.0


class MeasureBook:
    """Measures of every food of a table, read when first asked for.

    Parameters
    ----------
    table : FoodTable
    lexicon : Lexicon
    row_prior : float
        Weight of the log share of recalls.
    row_miss : float
        Weight of a measure's words that are not said.
    """

    def __init__(
        self, table: FoodTable, lexicon: Lexicon, *, row_prior: float, row_miss: float
    ) -> None:
        self._table = table
        self._lexicon = lexicon
        self._row_prior = row_prior
        self._row_miss = row_miss
        self._foods: dict[int, FoodMeasures] = {}
        self._parsed: dict[str, tuple[float, dict[str, bool], float, str]] = {}

    def of(self, food: int) -> FoodMeasures:
        """Return the measures of a food row."""
        found = self._foods.get(food)
        if found is None:
            found = self._foods[food] = self._read(food)
        return found

    def _read(self, food: int) -> FoodMeasures:
        table = self._table
        lo, hi = int(table.measure_offset[food]), int(table.measure_offset[food + 1])
        alo, ahi = int(table.amount_offset[food]), int(table.amount_offset[food + 1])
        amounts = table.amount_grams[alo:ahi].tolist()
        counts = table.amount_count[alo:ahi].tolist()
        total = sum(counts)
        rows: list[Row] = []
        base: list[float] = []
        heavy: list[int] = []
        places: dict[str, list[tuple[int, float]]] = {}
        n = hi - lo
        for name, grams in zip(
            table.measure_name[lo:hi], table.measure_grams[lo:hi].tolist(), strict=True
        ):
            low = name.lower()
            if low.startswith("guideline"):
                continue
            lead, words, volume, unit = self._parse(name)
            near = 0.006 * grams
            eaten = sum(c for a, c in zip(amounts, counts, strict=True) if abs(a - grams) <= near)
            share = math.log((eaten + 0.5) / (total + 0.5 * n))
            default = low.startswith(_PREFERRED)
            score = self._row_prior * share
            k = len(rows)
            full = 0
            if not default:
                for word, inner in words.items():
                    cost = _cost(word, inner)
                    full += cost >= LIGHT
                    score -= self._row_miss * cost
                    places.setdefault(word, []).append((k, cost))
                if words:
                    score -= UNHIT
            rows.append(Row(name, grams, lead, frozenset(words), volume, unit, default))
            base.append(score)
            heavy.append(full if not default else 99)
        return FoodMeasures(tuple(rows), base, places, heavy)

    def _parse(self, name: str) -> tuple[float, dict[str, bool], float, str]:
        found = self._parsed.get(name)
        if found is not None:
            return found
        tokens = tokenize(name)
        lead = 1.0
        i = 0
        number = read_number(tokens, 0) if tokens else None
        if number is not None:
            lead, i = number.mid, number.end
        words: dict[str, bool] = {}
        volume = 0.0
        volume_unit = ""
        first = True
        depth = 0
        n = len(tokens)
        while i < n:
            token = tokens[i]
            if token.text in "()":
                depth += 1 if token.text == "(" else -1
                i += 1
                continue
            if token.kind in ("num", "vulgar"):
                inner = read_number(tokens, i)
                if inner is not None:
                    words.setdefault(number_text(inner.mid), True)
                    first = False
                    i = inner.end
                    continue
                words.setdefault(token.text, True)
            elif token.kind == "word" and token.text not in _DROP:
                unit = self._lexicon.units.get(token.text)
                if token.text in ("fl", "fluid") and i + 1 < n:
                    words.update({"fl": depth > 0, "oz": depth > 0})
                    if first:
                        volume, volume_unit = VOLUME_ML["fl oz"] * lead, "fl oz"
                    i += 2
                    first = False
                    continue
                if unit is not None and unit.language == "en":
                    for piece in unit.name.split():
                        words.setdefault(piece, depth > 0)
                    if first and unit.name == "oz" and depth == 0:
                        volume_unit = "oz"
                    if first and unit.kind == "volume" and depth == 0:
                        volume, volume_unit = VOLUME_ML[unit.name] * lead, unit.name
                else:
                    words.setdefault(token.stem, depth > 0)
                first = False
            i += 1
        result = (lead, words, volume, volume_unit)
        self._parsed[name] = result
        return result
