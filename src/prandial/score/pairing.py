"""Which estimated item stands for which gold item.

Every (gold item, estimated item) gets points for what speaks for it: the same
food, the same category, words of the gold name in the item's text or food, equal
grams, the same place in the meal. Pairs are taken from the most points down, each
item once; what is left over on both sides in equal number, in a meal whose counts
agree, is paired in order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from prandial.records import MealItem
from prandial.score.gold import GoldItem
from prandial.score.groups import coarse_group

__all__ = ["Pair", "name_words", "pair_items", "same_food"]

_SAME_FOOD: Final = 10.0
_SAME_CATEGORY: Final = 3.0
_SAME_GROUP: Final = 1.0
_HEAD_WORDS: Final = 4.0
_ALL_WORDS: Final = 2.0
_FOOD_WORDS: Final = 3.0
_GRAMS_EQUAL: Final = 3.0
_GRAMS_NEAR: Final = 1.0
_PLACE: Final = 0.5
#: fewer points than this are no evidence
_LEAST: Final = 1.5
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_EMPTY: Final = frozenset(
    "and or of with the in on to from as for an at by no not nfs ns type made added all".split()
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Positions of a gold item and an estimated item; None where one is missing."""

    gold: int | None
    item: int | None


@lru_cache(maxsize=8192)
def name_words(text: str) -> frozenset[str]:
    """Return the telling words of a name or phrase, in the singular."""
    words = (w for w in _WORD.findall(text.casefold()) if w not in _EMPTY)
    return frozenset(_singular(w) for w in words)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "oes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us")):
        return word[:-1]
    return word


def same_food(gold: GoldItem, item: MealItem) -> bool:
    """Tell whether an item was given the gold item's food."""
    food = item.food
    if food is None or gold.food_id is None:
        return False
    return (food.food_id, food.source.table) == (gold.food_id, gold.table) or (
        name_words(food.name) == name_words(gold.name)
        and food.name.casefold().split() == gold.name.casefold().split()
    )


def pair_items(gold: Sequence[GoldItem], items: Sequence[MealItem]) -> tuple[Pair, ...]:
    """Pair gold items with estimated ones.

    Parameters
    ----------
    gold : sequence of GoldItem
    items : sequence of MealItem

    Returns
    -------
    tuple of Pair
        Every gold item once, in order; then the estimated items left over.
    """
    points = sorted(
        (
            (_points(g, i) + _place(a, len(gold), b, len(items)), a, b)
            for a, g in enumerate(gold)
            for b, i in enumerate(items)
        ),
        key=lambda p: (-p[0], p[1], p[2]),
    )
    found: dict[int, int] = {}
    taken: set[int] = set()
    for score, a, b in points:
        if score >= _LEAST and a not in found and b not in taken:
            found[a] = b
            taken.add(b)
    if len(gold) == len(items):
        left = [b for b in range(len(items)) if b not in taken]
        alone = [a for a in range(len(gold)) if a not in found]
        found.update(zip(alone, left, strict=True))
        taken.update(left)
    pairs = [Pair(gold=a, item=found.get(a)) for a in range(len(gold))]
    return (*pairs, *(Pair(gold=None, item=b) for b in range(len(items)) if b not in taken))


def _place(a: int, golds: int, b: int, items: int) -> float:
    return _PLACE * (1 - abs((a + 0.5) / golds - (b + 0.5) / items))


def _points(gold: GoldItem, item: MealItem) -> float:
    words = name_words(gold.name)
    heads = name_words(gold.name.split(",", 1)[0])
    said = name_words(item.text)
    total = _share(heads, said) * _HEAD_WORDS + _share(words, said) * _ALL_WORDS
    food = item.food
    if food is not None:
        have = name_words(food.name)
        both = len(words) + len(have)
        total += _FOOD_WORDS * (2 * len(words & have) / both if both else 0.0)
        if same_food(gold, item):
            total += _SAME_FOOD
        elif gold.category is not None and food.category == gold.category:
            total += _SAME_CATEGORY
        elif gold.category is not None and coarse_group(food.category) == coarse_group(
            gold.category
        ):
            total += _SAME_GROUP
    if item.portion is not None and gold.grams:
        apart = abs(item.portion.grams.mid / gold.grams - 1)
        total += _GRAMS_EQUAL if apart <= 0.01 else _GRAMS_NEAR if apart <= 0.1 else 0.0
    return total


def _share(wanted: frozenset[str], have: frozenset[str]) -> float:
    return len(wanted & have) / len(wanted) if wanted else 0.0
