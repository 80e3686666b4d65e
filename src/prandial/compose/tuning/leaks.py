"""Rows that a benchmark's meals must not have: the same text, nearly the same, the same label.

Texts are near when their sets of words and numbers have a Jaccard index of at least ``near``.
Pairs are found by prefix filtering (Chaudhuri, Ganti, Kaushik 2006; Bayardo, Ma, Srikant 2007):
with tokens in one order, rarest first, two sets of that index share a token among the first
``n - ceil(near n) + 1`` of each. No pair is missed; a test compares it with every pair.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["KnownMeal", "Leak", "Leaks", "words_of"]

Leak = Literal["equal text", "near text", "equal label"]
_WORD: Final = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+")
#: labels of one meal differ by no more than published rounding does
_TOLERANCE: Final = {"carb_g": 0.011, "protein_g": 0.011, "fat_g": 0.011, "energy_kcal": 0.6}
_LEAST_LABELS: Final = 2
_KEY: Final = "carb_g"


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownMeal:
    """A meal of a benchmark.

    Parameters
    ----------
    text : str
    labels : mapping of str to float
        Nutrient to amount; what is not labelled is absent.
    held : bool
        Of the test half: no row may have its labels either.
    """

    text: str
    labels: Mapping[str, float]
    held: bool = False


def words_of(text: str) -> frozenset[str]:
    """Return the words and numbers of a text, without case, signs and order."""
    found = _WORD.findall(text.casefold())
    return frozenset(_number(w) if w[0].isdigit() else w for w in found)


def _number(word: str) -> str:
    try:
        return f"{float(word):g}"
    except ValueError:  # digits of other scripts that float() does not take
        return word


class Leaks:
    """Meals that rows are held against.

    Parameters
    ----------
    known : iterable of KnownMeal
    near : float
        Jaccard index from which texts are near; above 0, at most 1.

    Attributes
    ----------
    texts, held, unlabelled : int
        Distinct texts; meals of the test half whose labels are compared, and those with fewer
        than two labels, which tell no meal.
    """

    def __init__(self, known: Iterable[KnownMeal], *, near: float = 0.8) -> None:
        self.near = near
        self.held = self.unlabelled = 0
        sets: dict[frozenset[str], None] = {}
        self._equal: set[str] = set()
        self._labels: dict[int, list[Mapping[str, float]]] = {}
        for meal in known:
            sets[words_of(meal.text)] = None
            self._equal.add(_plain(meal.text))
            if meal.held:
                self._hold(meal.labels)
        self.texts = len(self._equal)
        self._sets = [s for s in sets if s]
        self._rarity = Counter(w for s in self._sets for w in s)
        self._index: dict[str, list[int]] = {}
        for place, words in enumerate(self._sets):
            for word in self._prefix(words):
                self._index.setdefault(word, []).append(place)

    def _hold(self, labels: Mapping[str, float]) -> None:
        if len(labels) < _LEAST_LABELS or _KEY not in labels:
            self.unlabelled += 1
            return
        self.held += 1
        self._labels.setdefault(round(labels[_KEY] * 10), []).append(dict(labels))

    def of(self, text: str, labels: Mapping[str, float]) -> Leak | None:
        """Return how a row leaks, None when it does not.

        Parameters
        ----------
        text : str
        labels : mapping of str to float
            Amounts of the row.
        """
        if _plain(text) in self._equal:
            return "equal text"
        if self._has_label(labels):
            return "equal label"
        return "near text" if self._has_near(words_of(text)) else None

    def _has_label(self, labels: Mapping[str, float]) -> bool:
        if _KEY not in labels:
            return False
        middle = round(labels[_KEY] * 10)
        around = (one for k in (-1, 0, 1) for one in self._labels.get(middle + k, ()))
        return any(_same(labels, one) for one in around)

    def _prefix(self, words: frozenset[str]) -> list[str]:
        ordered = sorted(words, key=lambda w: (self._rarity[w], w))
        return ordered[: len(words) - math.ceil(self.near * len(words) - 1e-9) + 1]

    def _has_near(self, words: frozenset[str]) -> bool:
        if not words:
            return False
        seen: set[int] = set()
        for word in self._prefix(words):
            for place in self._index.get(word, ()):
                if place not in seen:
                    seen.add(place)
                    if _jaccard(words, self._sets[place]) >= self.near - 1e-9:
                        return True
        return False


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    both = len(one & other)
    return both / (len(one) + len(other) - both)


def _same(labels: Mapping[str, float], known: Mapping[str, float]) -> bool:
    shared = [n for n in known if n in labels]
    return len(shared) >= _LEAST_LABELS and all(
        abs(labels[n] - known[n]) <= _TOLERANCE.get(n, 0.011) for n in shared
    )
