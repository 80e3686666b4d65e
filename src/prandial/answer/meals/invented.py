"""Foods a model lists that the meal does not name, and amounts of the meal that it leaves out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from prandial.meal import SaidItem

__all__ = ["amounts_left_out", "doubts_of", "named_in"]

#: words that name nothing
_PLAIN: Final = frozenset("and the with without for from some".split())
_NUMBER: Final = re.compile(r"\d+(?:[.,/]\d+)*")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
#: a word of a meal may differ from one of an item by an ending or a letter
_ALIKE: Final = 80.0
#: share of an item's words that the meal must hold; less when the head noun is among them
_ENOUGH: Final = 0.51
_WITH_HEAD: Final = 0.3
#: what follows these describes: "chicken breast without skin"
_TAIL: Final = re.compile(r"[,(]|\b(?:with|without|in|on|from|made|of)\b")


def named_in(food: str, meal: str) -> bool:
    """Tell whether a meal names a food.

    It does when it holds most of the food's words, or nearly a third with the head noun,
    as where "2% milk" is listed as "reduced fat milk".

    Parameters
    ----------
    food, meal : str

    Returns
    -------
    bool
    """
    words = _words(food)
    if not words:
        return food.casefold().strip() in meal.casefold()
    said = set(_words(meal))
    held = {word for word in words if word in said or _like_one(word, said)}
    heads = _words(_TAIL.split(food.casefold())[0])
    enough = _WITH_HEAD if heads and heads[-1] in held else _ENOUGH
    return sum(word in held for word in words) >= enough * len(words)


def doubts_of(items: Sequence[SaidItem], meal: str) -> tuple[str, ...]:
    """Return what speaks against each item: ``invented``, ``repeated`` or nothing.

    An item is repeated when the list holds the same amount of the same food more often
    than the meal holds the rarest of its words, as when a model goes round in circles.

    Parameters
    ----------
    items : sequence of SaidItem
    meal : str

    Returns
    -------
    tuple of str
        One for each item, empty where nothing does.
    """
    counts = Counter(_words(meal))
    before: Counter[str] = Counter()  # by line
    doubts: list[str] = []
    for item in items:
        food = item.food.casefold()
        if not named_in(food, meal):
            doubts.append("invented")
            continue
        words = [counts[w] for w in _words(food) if counts[w]]
        line = item.line().casefold()
        before[line] += 1
        doubts.append("repeated" if before[line] > max(min(words, default=1), 1) else "")
    return tuple(doubts)


def amounts_left_out(items: Sequence[SaidItem], meal: str) -> tuple[str, ...]:
    """Return the numbers of a meal, in digits, that no item of a list has.

    A small model that loses an amount often puts "a" in its place, and the item is then weighed
    as a usual portion.

    Parameters
    ----------
    items : sequence of SaidItem
    meal : str

    Returns
    -------
    tuple of str
        In the order of the meal; one that the meal has twice and the list once is left out once.
    """
    said = Counter(_NUMBER.findall(" ".join(f"{i.quantity} {i.unit} {i.food}" for i in items)))
    left = []
    for number in _NUMBER.findall(meal):
        said[number] -= 1
        if said[number] < 0:
            left.append(number)
    return tuple(left)


def _words(text: str) -> list[str]:
    return [w for w in _WORD.findall(text.casefold()) if w not in _PLAIN]


def _like_one(word: str, said: set[str]) -> bool:
    from rapidfuzz import fuzz, process

    return process.extractOne(word, said, scorer=fuzz.ratio, score_cutoff=_ALIKE) is not None
