"""Household measures of foods, read for matching.

A measure such as ``1 bottle (16.9 fl oz)`` becomes a leading count, a set of
words, and, where it is a volume, millilitres. How often an amount was eaten in
the recalls gives each measure a share.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prandial.meal.amounts import number_text
from prandial.meal.lexicon import Lexicon
from prandial.meal.numbers import read_number
from prandial.meal.tokens import Token, tokenize
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
    default : tuple of int
        Rows that are the usual amount.
    none : list of float
        A zero for each row.
    """

    rows: tuple[Row, ...]
    base: list[float]
    places: dict[str, list[tuple[int, float]]]
    heavy: list[int]
    default: tuple[int, ...]
    none: list[float]


_SOFT: Final = frozenset(
    "cooked prepared direction regular individual single fast food order restaurant".split()
)
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
        usual = tuple(k for k, row in enumerate(rows) if row.default)
        return FoodMeasures(tuple(rows), base, places, heavy, usual, [0.0] * len(rows))

    def _parse(self, name: str) -> tuple[float, dict[str, bool], float, str]:
        found = self._parsed.get(name)
        if found is None:
            found = self._parsed[name] = _MeasureReader(self._lexicon).read(name)
        return found


class _MeasureReader:
    """Reads one measure's name: leading count, words, and its volume if it is one.

    A word maps to True when it stands in brackets or is a number, and so is
    often left unsaid.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.words: dict[str, bool] = {}
        self.volume_ml = 0.0
        self.unit = ""
        self.first = True
        self.depth = 0
        self.lead = 1.0

    def read(self, name: str) -> tuple[float, dict[str, bool], float, str]:
        """Return the leading count, the words, millilitres, and the unit."""
        tokens = tokenize(name)
        i = 0
        number = read_number(tokens, 0) if tokens else None
        if number is not None:
            self.lead, i = number.mid, number.end
        while i < len(tokens):
            i = self._take(tokens, i)
        return self.lead, self.words, self.volume_ml, self.unit

    def _take(self, tokens: Sequence[Token], i: int) -> int:
        token = tokens[i]
        if token.text in "()":
            self.depth += 1 if token.text == "(" else -1
        elif token.kind in ("num", "vulgar"):
            inner = read_number(tokens, i)
            self.words.setdefault(token.text if inner is None else number_text(inner.mid), True)
            self.first = False
            return i + 1 if inner is None else inner.end
        elif token.kind == "word" and token.text not in _DROP:
            fluid = token.text in ("fl", "fluid") and i + 1 < len(tokens)
            if fluid:
                self.words.update({"fl": self.depth > 0, "oz": self.depth > 0})
                self._measures("fl oz")
            else:
                self._word(token)
            self.first = False
            return i + 2 if fluid else i + 1
        return i + 1

    def _word(self, token: Token) -> None:
        unit = self.lexicon.units.get(token.text)
        if unit is None or unit.language != "en":
            self.words.setdefault(token.stem, self.depth > 0)
            return
        for piece in unit.name.split():
            self.words.setdefault(piece, self.depth > 0)
        if self.depth == 0 and (unit.kind == "volume" or unit.name == "oz"):
            self._measures(unit.name)

    def _measures(self, unit: str) -> None:
        """Take the unit that the measure as a whole is in."""
        if self.first:
            self.unit = unit
            self.volume_ml = VOLUME_ML.get(unit, 0.0) * self.lead
