"""Units that stand with a number in the meal and that a model left behind.

Of "a 45g cookie" a small model may keep ``a | 45 | cookie``, which would be 45 cookies. The
meal itself says what the 45 counts: the unit is put back.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from prandial.meal import SaidItem

__all__ = ["with_units"]

_NUMBER: Final = re.compile(r"(?<![\w.,/])\d+(?:[.,]\d+)?(?![\w.,/]*\d)")
#: units of weight and volume as written after a number, the longer first
_UNIT: Final = (
    r"kilograms?|grams?|gr|kg|mg|g|millilit(?:er|re)s?|lit(?:er|re)s?|ml|dl|cl|l|fl\.? ?oz"
    r"|fluid ounces?|ounces?|oz|pounds?|lbs?"
)


def with_units(item: SaidItem, meal: str) -> SaidItem:
    """Put units of weight and volume back after numbers that have one wherever the meal has them.

    Parameters
    ----------
    item : SaidItem
    meal : str
        The words that the item was taken from.

    Returns
    -------
    SaidItem
        The same where nothing was lost.
    """
    quantity, unit, food = item.quantity, item.unit, item.food
    return replace(
        item,
        quantity=_restored(quantity, f"{unit} {food}", meal),
        unit=_restored(unit, food, meal),
        food=_restored(food, "", meal),
    )


def _restored(words: str, after: str, meal: str) -> str:
    made, at = [], 0
    for match in _NUMBER.finditer(words):
        made.append(words[at : match.end()])
        at = match.end()
        unit = _unit_in(meal, match[0])
        following = words[at:] + " " + after
        if unit and not re.match(rf"[\s-]*(?:{_UNIT})(?![a-z])", following, re.IGNORECASE):
            made.append(f" {unit}")
    return "".join([*made, words[at:]])


def _unit_in(meal: str, number: str) -> str:
    """Return the unit that every such number of the meal is followed by, else nothing."""
    alike = re.finditer(rf"(?<![\w.,/]){re.escape(number)}(?![.,/]?\d)", meal)
    units = []
    for match in alike:
        unit = re.match(rf"[\s-]?({_UNIT})(?![a-z])", meal[match.end() :], re.IGNORECASE)
        units.append(unit[1] if unit else "")
    return units[0] if units and all(u == units[0] for u in units) else ""
