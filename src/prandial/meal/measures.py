"""Household measures of foods, read for matching.

A measure such as ``1 bottle (16.9 fl oz)`` becomes a leading count, a set of
words, and, where it is a volume, millilitres. How often an amount was eaten in
the recalls gives each measure a share.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from prandial.meal.amounts import number_text
from prandial.meal.lexicon import Lexicon
from prandial.meal.numbers import read_number
from prandial.meal.tokens import Token, tokenize
from prandial.tables import FoodTable
from prandial.units import VOLUME_ML

__all__ = ["LIGHT", "UNHIT", "FoodMeasures", "MeasureBook", "Row", "is_listed"]

_DROP: Final = frozenset(
    "of with and or as to the a an ns nfs x approx about per any in for".split()
)
_PREFERRED: Final = "quantity not specified"
#: words to be said for a usual amount to be said in full: more than there are
_NEVER_FULL: Final = 99
#: stands for a name that is no measure
_GUIDELINE: Final = -1


class Row(NamedTuple):
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
    volumes : tuple of int
        Rows that are cups, spoons or other volumes.
    """

    rows: tuple[Row, ...]
    base: list[float]
    places: dict[str, list[tuple[int, float]]]
    heavy: list[int]
    default: tuple[int, ...]
    none: list[float]
    volumes: tuple[int, ...]


#: notes to coders within a measure's name: "1 fry, NS as to shape", "1 fry, any cut"
_SCOPE: Final = re.compile(r",?\s*(ns as to shape|any cut)", re.IGNORECASE)
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


class _Parsed(NamedTuple):
    """A measure's name as read: what all foods that have it share."""

    lead: float
    words: frozenset[str]
    volume_ml: float
    unit: str
    default: bool
    costs: tuple[tuple[str, float], ...]
    heavy: int


class _Eaten:
    """How often each amount of one food was eaten, for sums over a range of grams."""

    def __init__(self, grams: list[float], counts: list[float]) -> None:
        pairs = sorted(zip(grams, counts, strict=True))
        self.grams = [g for g, _ in pairs]
        self.sums = [0.0, *accumulate(c for _, c in pairs)]
        self.total = self.sums[-1]

    def near(self, grams: float, within: float) -> float:
        """Return how often an amount at most ``within`` grams away was eaten."""
        amounts = self.grams
        lo, hi = bisect_left(amounts, grams - within), bisect_right(amounts, grams + within)
        # the bounds are rounded; the distance itself decides
        while lo and abs(amounts[lo - 1] - grams) <= within:
            lo -= 1
        while hi < len(amounts) and abs(amounts[hi] - grams) <= within:
            hi += 1
        while lo < hi and abs(amounts[lo] - grams) > within:
            lo += 1
        while lo < hi and abs(amounts[hi - 1] - grams) > within:
            hi -= 1
        return self.sums[hi] - self.sums[lo]


#: multiples of a measure that count as that measure
_MULTIPLES: Final = (1.0, 2.0, 3.0, 0.5)
#: grams that a stated weight may be off for rounding, as a share
_ROUNDING: Final = 0.002


def is_listed(grams: float, rows: Sequence[Row]) -> bool:
    """Tell whether a stated weight equals one of the food's measures, or a multiple."""
    return any(
        abs(grams - times * row.grams) <= _ROUNDING * grams for row in rows for times in _MULTIPLES
    )


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
        self._parsed: dict[str, _Parsed] = {}

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
        eaten = _Eaten(table.amount_grams[alo:ahi].tolist(), table.amount_count[alo:ahi].tolist())
        rows: list[Row] = []
        base: list[float] = []
        heavy: list[int] = []
        places: dict[str, list[tuple[int, float]]] = {}
        all_rows = eaten.total + 0.5 * (hi - lo)
        for name, grams in zip(
            table.measure_name[lo:hi], table.measure_grams[lo:hi].tolist(), strict=True
        ):
            parsed = self._parsed.get(name) or self._parse(name)
            if parsed.heavy == _GUIDELINE:
                continue
            share = math.log((eaten.near(grams, 0.006 * grams) + 0.5) / all_rows)
            score = self._row_prior * share
            k = len(rows)
            if not parsed.default:
                for word, cost in parsed.costs:
                    score -= self._row_miss * cost
                    places.setdefault(word, []).append((k, cost))
                if parsed.costs:
                    score -= UNHIT
            rows.append(
                Row(
                    *(name, grams, parsed.lead, parsed.words),
                    *(parsed.volume_ml, parsed.unit, parsed.default),
                )
            )
            base.append(score)
            heavy.append(parsed.heavy)
        usual = tuple(k for k, row in enumerate(rows) if row.default)
        cups = tuple(k for k, row in enumerate(rows) if row.volume_ml > 0)
        return FoodMeasures(tuple(rows), base, places, heavy, usual, [0.0] * len(rows), cups)

    def _parse(self, name: str) -> _Parsed:
        """Read a measure's name; equal names are read once."""
        low = name.lower()
        default = low.startswith(_PREFERRED)
        lead, words, volume, unit = _MeasureReader(self._lexicon).read(name)
        costs = tuple((word, _cost(word, inner)) for word, inner in words.items())
        heavy = _NEVER_FULL if default else sum(cost >= LIGHT for _, cost in costs)
        if low.startswith("guideline"):
            heavy = _GUIDELINE
        parsed = _Parsed(lead, frozenset(words), volume, unit, default, costs, heavy)
        self._parsed[name] = parsed
        return parsed


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
        tokens = tokenize(_SCOPE.sub("", name))
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
