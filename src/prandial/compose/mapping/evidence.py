"""Lexical evidence: which words of a name a food of the table has, and which it adds.

Words are weighed by how rare they are among the names of the table (inverse document
frequency; K. Sparck Jones, J. Documentation 28 (1972) 11-21). A word that no name has is
taken for the nearest one that some name has, by edit distance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.compose.mapping.foodname import FoodName, states_of, tokens_of
from prandial.tables.rules import read_rules

__all__ = ["Evidence", "Lexicon"]

_Floats = npt.NDArray[np.float64]
#: a facet of a name counts less than the name; a qualifier of a food less than its first words
_FACET_WEIGHT: Final = 0.5
_LATER_WEIGHT: Final = 0.5
#: least likeness (0-100) of a misspelt word
_ALIKE: Final = 84


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """What words say of every food of the table, one number a food.

    Parameters
    ----------
    said : ndarray
        Share of the name's words that the food has, by weight.
    meant : ndarray
        Share of the food's words that the name has, by weight.
    head : ndarray
        1 where a first word of the food is one of the name's own.
    clash : ndarray
        How many states differ: raw against cooked, dry or canned against neither.
    another : ndarray
        How many words of the food make it another one, such as juice or baby food.
    """

    said: _Floats
    meant: _Floats
    head: _Floats
    clash: _Floats
    another: _Floats


class Lexicon:
    """The words of a table's names, with where they stand.

    Parameters
    ----------
    names : sequence of str
        In the manner of USDA tables, the thing first.
    """

    def __init__(self, names: Sequence[str]) -> None:
        first = [tokens_of(n.split(",")[0]) for n in names]
        every = [tokens_of(n) for n in names]
        counts = Counter(w for words in every for w in set(words))
        size = len(names)
        self._idf = {w: math.log(1 + size / n) for w, n in counts.items()}
        self._rarest = math.log(1 + size)
        self._rows: dict[str, list[int]] = {}
        self._first: dict[str, list[int]] = {}
        self._weight = np.zeros(size)
        self._states = {s: np.zeros(size, dtype=np.bool_) for s in _STATES}
        self._another: dict[str, list[int]] = {}
        changing = _another_food()
        for row, (head, words) in enumerate(zip(first, every, strict=True)):
            for word in set(words):
                self._rows.setdefault(word, []).append(row)
                self._weight[row] += self._idf[word] * (1 if word in head else _LATER_WEIGHT)
                if word in changing:
                    self._another.setdefault(word, []).append(row)
            for word in set(head):
                self._first.setdefault(word, []).append(row)
            for state in states_of(words):
                self._states[state][row] = True
        self._near: dict[str, str] = {}

    def weigh(self, name: FoodName) -> Evidence:
        """Return what the words of a name say of every food."""
        size = len(self._weight)
        said, meant, head = np.zeros(size), np.zeros(size), np.zeros(size)
        total = 0.0
        core = tuple(dict.fromkeys(self._known(w) for w in name.core))
        facets = tuple(dict.fromkeys(self._known(w) for w in name.facets))
        for word in dict.fromkeys((*core, *facets)):
            idf = self._idf.get(word, self._rarest)
            weight = idf * (1 if word in core else _FACET_WEIGHT)
            total += weight
            rows, first = self._rows.get(word, []), self._first.get(word, [])
            said[rows] += weight
            meant[rows] += idf * _LATER_WEIGHT
            meant[first] += idf * (1 - _LATER_WEIGHT)
            if word in core:
                head[first] = 1
        another = np.zeros(size)
        for word, rows in self._another.items():
            if word not in core and word not in facets:
                another[rows] += 1
        return Evidence(
            said=said / total if total else said,
            meant=meant / np.where(self._weight > 0, self._weight, 1),
            head=head,
            clash=self._clash(name.states),
            another=another,
        )

    def _clash(self, states: frozenset[str]) -> _Floats:
        """Count contradictions: raw and cooked exclude each other, dry and canned must be said."""
        held = self._states
        clash = np.zeros(len(self._weight))
        cooked, raw = held["cooked"], held["raw"]
        if "cooked" in states and "raw" not in states:
            clash += raw & ~cooked
        if "raw" in states and "cooked" not in states:
            clash += cooked & ~raw
        if not states & {"cooked", "raw", "dry", "canned"}:
            clash += 0.5 * (cooked & ~raw)
        for state in ("dry", "canned"):
            if state == "dry" and {"raw", "dry"} <= states:
                continue  # as it is sold, whichever word the table has for it
            clash += held[state] & ~raw if state not in states else ~held[state]
        return clash

    def _known(self, word: str) -> str:
        """Return the word, or the nearest that some name has."""
        if word in self._rows or len(word) < 5 or not word.isalpha():
            return word
        if word not in self._near:
            from rapidfuzz import fuzz, process

            found = process.extractOne(word, self._rows.keys(), scorer=fuzz.ratio)
            self._near[word] = found[0] if found and found[1] >= _ALIKE else word
        return self._near[word]


_STATES: Final = ("raw", "cooked", "dry", "canned")


def _another_food() -> frozenset[str]:
    rows = [r for r in read_rules("foodex2_words") if r["kind"] == "another_food"]
    return frozenset(t for r in rows for t in tokens_of(r["phrase"]))
