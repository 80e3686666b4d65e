"""Which foods questions are asked about: a filter by category, then one food a name."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from prandial.records import FoodFacts
from prandial.records.people import RuleSet
from prandial.tables.rules import FOOD_TAG_ORDER, read_rules

__all__ = ["PUBLISHED_NUTRIENTS", "FoodPool", "food_group", "food_pool", "name_key"]

#: nutrients whose tags the published graphs carry
PUBLISHED_NUTRIENTS: Final = FOOD_TAG_ORDER[:7]
#: nutrients whose tags choose among foods of one name first; the other eight decide ties
_MACRO: Final = (*PUBLISHED_NUTRIENTS, "fiber")
_PUNCTUATION: Final = re.compile(r"[^\w\s]")


@dataclass(frozen=True, kw_only=True, slots=True)
class FoodPool:
    """Foods to ask about, sorted by code, and how many each step left.

    Parameters
    ----------
    foods : tuple of FoodFacts
    in_category, kept : mapping of str to int
        By group (``mixed_dish``, ``bakery``): foods of its categories, and foods left when
        one a name is kept.
    """

    foods: tuple[FoodFacts, ...]
    in_category: Mapping[str, int]
    kept: Mapping[str, int]


def food_group(category: str, rules: RuleSet = "default") -> str:
    """Return the group of a WWEIA category when a rule set asks about its foods, else ''."""
    return _groups(rules).get(category, "")


def _groups(rules: RuleSet) -> dict[str, str]:
    column = "published" if rules == "as-published" else "default"
    return {r["category"]: r["group"] for r in read_rules("food_categories") if r[column] == "yes"}


def name_key(name: str) -> str:
    """Return the first two words of a name in lower case without punctuation.

    Examples
    --------
    >>> name_key("Egg/breakfast roll, NFS")
    'eggbreakfast roll'
    """
    return " ".join(_PUNCTUATION.sub("", name.lower()).split()[:2])


def _told(food: FoodFacts, macro: bool) -> int:
    """Count the tags that hold of the eight macro or of the eight micro nutrients."""
    return sum((tag.split("_", 1)[1] in _MACRO) == macro for tag in food.tags)


def _rank(food: FoodFacts, seed: int | None) -> tuple[int, int, bytes, int]:
    """Order among foods of one name: most macro tags, most micro tags, a draw, highest code."""
    draw = b"" if seed is None else hashlib.sha256(f"{seed}:{food.code}".encode()).digest()
    return -_told(food, macro=True), -_told(food, macro=False), draw, -food.code


def _one_a_name(
    foods: Iterable[FoodFacts], groups: Mapping[str, str], seed: int | None
) -> list[FoodFacts]:
    best: dict[tuple[str, str], FoodFacts] = {}
    for food in foods:
        key = groups[food.category], name_key(food.name)
        if key not in best or _rank(food, seed) < _rank(best[key], seed):
            best[key] = food
    return list(best.values())


def _published(food: FoodFacts) -> FoodFacts:
    """Return the food with the tags and unknowns of the published seven nutrients alone."""
    return replace(
        food,
        tags=tuple(t for t in food.tags if t.split("_", 1)[1] in PUBLISHED_NUTRIENTS),
        unknown=tuple(n for n in food.unknown if n in PUBLISHED_NUTRIENTS),
    )


def food_pool(
    foods: Sequence[FoodFacts],
    *,
    rules: RuleSet = "default",
    dedupe: bool = True,
    seed: int | None = None,
) -> FoodPool:
    """Choose the foods to ask about.

    Parameters
    ----------
    foods : sequence of FoodFacts
        In any order, with the tags of all 16 nutrients.
    rules : {'default', 'as-published'}
        ``as-published`` returns the chosen foods with the tags of the seven nutrients that
        published graphs carry; the choice itself looks at all 16, as published.
    dedupe : bool
        Whether to keep one food of those whose names start with the same two words.
    seed : int, optional
        Draws among foods of one name with as many tags; the highest code when None. The
        published draw is unseeded.

    Returns
    -------
    FoodPool

    Notes
    -----
    Categories are those of the rule table ``food_categories``. Foods of one group share a
    name when the first two words of their description, in lower case and without
    punctuation, are the same. Of these the one with most tags of eight macro nutrients
    (energy, carbohydrate, sugars, protein, cholesterol, saturated fat, sodium, fibre) is
    kept, then with most tags of the other eight; then the highest code, or with a seed the
    lowest SHA-256 of ``seed:code``. Source: NGQA code, food filter; the last step is ours
    and agrees with the one tie that the published rows at hand show. The result does
    not depend on the order of the foods.
    """
    groups = _groups(rules)
    by_code = {f.code: f for f in foods if f.category in groups}
    chosen = [by_code[c] for c in sorted(by_code)]
    before = Counter(groups[f.category] for f in chosen)
    if dedupe:
        chosen = sorted(_one_a_name(chosen, groups, seed), key=lambda f: f.code)
    kept = Counter(groups[f.category] for f in chosen)
    order = tuple(dict.fromkeys(groups.values()))
    return FoodPool(
        foods=tuple(map(_published, chosen)) if rules == "as-published" else tuple(chosen),
        in_category={g: before[g] for g in order},
        kept={g: kept[g] for g in order},
    )
