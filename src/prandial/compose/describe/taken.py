"""Whether what was taken was drunk or eaten, by which one says "I drank", "I ate" or "I had"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, Literal

from prandial.records.composed import EatenItem
from prandial.tables.rules import read_rules

__all__ = ["Taken", "how_taken", "is_drink"]

#: of a meal: drinks only, food only, or both or not known, of which one says "had"
Taken = Literal["drinks", "food", "both"]
_FLUID: Final = re.compile(r"\bfl oz\b")


@cache
def _rows(role: str) -> tuple[str, ...]:
    return tuple(r["text"] for r in read_rules("name_speech") if r["role"] == role)


@lru_cache(maxsize=100_000)
def _is_drink(table: str, code: str, name: str, measure: str) -> bool | None:
    low = name.lower()
    if any(w in low for w in _rows("not_drunk")):
        return None
    if table == "fndds":
        return code.startswith(_rows("drink"))
    return True if _FLUID.search(measure) else None


def is_drink(item: EatenItem) -> bool | None:
    """Tell whether an item is a drink by its FNDDS code, else by a measure in fluid ounces.

    None where that is not known: another table, a powder of which a drink may have been made.
    """
    measure = item.serving.measure if item.serving is not None else ""
    return _is_drink(item.food.table, item.food.id, item.name, measure)


def how_taken(items: Iterable[EatenItem]) -> Taken:
    """Return how a meal was taken; ``both`` also where it is not known of an item."""
    kinds = {is_drink(i) for i in items}
    if kinds == {True}:
        return "drinks"
    return "food" if kinds == {False} else "both"
