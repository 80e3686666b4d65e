"""Foods a model lists that the meal does not name: told by their words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from prandial.meal import SaidItem

__all__ = ["doubts_of", "named_in"]

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
#: a word of a meal may differ from one of an item by an ending or a letter
_ALIKE: Final = 80.0
#: share of an item's words that the meal must hold
_ENOUGH: Final = 0.5


def named_in(food: str, meal: str) -> bool:
    """Tell whether a meal names a food: whether it holds at least half of its words.

    Parameters
    ----------
    food, meal : str

    Returns
    -------
    bool
    """
    words = _WORD.findall(food.casefold())
    if not words:
        return food.casefold().strip() in meal.casefold()
    said = set(_WORD.findall(meal.casefold()))
    held = sum(word in said or _like_one(word, said) for word in words)
    return held >= _ENOUGH * len(words)


def doubts_of(items: Sequence[SaidItem], meal: str) -> tuple[str, ...]:
    """Return what speaks against each item: ``invented``, ``repeated`` or nothing.

    An item is repeated when the list holds the same food more often than the meal holds
    the rarest of its words, as when a model goes round in circles.

    Parameters
    ----------
    items : sequence of SaidItem
    meal : str

    Returns
    -------
    tuple of str
        One for each item, empty where nothing does.
    """
    counts = Counter(_WORD.findall(meal.casefold()))
    before: Counter[str] = Counter()
    doubts: list[str] = []
    for item in items:
        food = item.food.casefold()
        if not named_in(food, meal):
            doubts.append("invented")
            continue
        words = [counts[w] for w in _WORD.findall(food) if counts[w]]
        before[food] += 1
        doubts.append("repeated" if before[food] > max(min(words, default=1), 1) else "")
    return tuple(doubts)


def _like_one(word: str, said: set[str]) -> bool:
    from rapidfuzz import fuzz, process

    return process.extractOne(word, said, scorer=fuzz.ratio, score_cutoff=_ALIKE) is not None
