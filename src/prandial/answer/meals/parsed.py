"""Replies of steps that take a meal apart: lists of foods, lists of items with amounts.

What is whole is kept: of a reply that breaks off, the items before the break.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final

from prandial.meal import SaidItem

__all__ = ["read_foods", "read_items"]

_FOOD_KEYS: Final = ("food", "name", "item", "food_item", "drink")
_LIST_KEYS: Final = ("items", "foods", "food_items", "meal", "components")
_QUANTITY_KEYS: Final = ("quantity", "amount", "count", "number")
_UNIT_KEYS: Final = ("unit", "units", "measure", "serving")
_BULLET: Final = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+(.*\S)\s*$")
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)+)"(\s*:)?')
#: how an item of the schema begins, whether it ends or not
_BEGUN: Final = re.compile(r'\{\s*"(?:quantity|unit|food)"')
_LONGEST: Final = 200
#: what models write where nothing is said
_BLANK: Final = ("", "none", "null", "n/a", "na", "unknown", "not specified", "unspecified")
_DECODER: Final = json.JSONDecoder()


def read_foods(reply: str) -> tuple[str, ...]:
    """Read a list of foods out of a reply.

    Parameters
    ----------
    reply : str
        JSON, a list as Python writes it, a JSON list that breaks off, lines with bullets
        or numbers, or one line with commas.

    Returns
    -------
    tuple of str
        Each food once, in order; empty when nothing of this was found.
    """
    found = _json_foods(reply) or _quoted_foods(reply) or _lines_of_foods(reply)
    plain = (" ".join(f.split()) for f in found)
    return tuple(dict.fromkeys(f for f in plain if f and len(f) <= _LONGEST))


def read_items(reply: str) -> tuple[tuple[SaidItem, ...], int]:
    """Read items with quantity, unit and food out of a reply.

    Parameters
    ----------
    reply : str
        JSON as of :func:`prandial.answer.meals.schemas.items_schema`, whole or broken off,
        alone or within other text.

    Returns
    -------
    items : tuple of SaidItem
        Those that are whole and name a food.
    broken : int
        Those that break off, or name none.
    """
    rows = list(_objects(reply))
    items = [item for row in rows if (item := _item(row)) is not None]
    begun = max(len(rows), len(_BEGUN.findall(reply)))
    return tuple(items), begun - len(items)


def _item(row: dict[str, Any]) -> SaidItem | None:
    food = _cell(row, _FOOD_KEYS)
    if not food or len(food) > _LONGEST:
        return None
    return SaidItem(food=food, quantity=_cell(row, _QUANTITY_KEYS), unit=_cell(row, _UNIT_KEYS))


def _cell(row: dict[str, Any], keys: tuple[str, ...]) -> str:
    """Return the first of some keys that has a value, as text."""
    for key in keys:
        value = row.get(key)
        if isinstance(value, bool) or value is None:
            continue
        if isinstance(value, int | float) and math.isfinite(value):
            return f"{value:g}"
        if isinstance(value, str) and value.strip(" ,.;").casefold() not in _BLANK:
            return " ".join(value.split())
    return ""


def _objects(reply: str) -> Iterator[dict[str, Any]]:
    """Yield the whole objects of a reply that are no lists of others."""
    at = 0
    while (at := reply.find("{", at)) >= 0:
        try:
            value, end = _DECODER.raw_decode(reply, at)
        except (json.JSONDecodeError, RecursionError):
            at += 1
            continue
        inner = next((v for k in _LIST_KEYS if isinstance(v := value.get(k), list)), None)
        if inner is None:
            yield value
        else:
            yield from (row if isinstance(row, dict) else {} for row in inner)
        at = end


def _json_foods(reply: str) -> list[str]:
    for at in (k for k, c in enumerate(reply) if c in "[{"):
        value = _value_at(reply, at)
        if isinstance(value, dict):
            value = next((v for k in _LIST_KEYS if isinstance(v := value.get(k), list)), None)
        if isinstance(value, list):
            names = [_cell(v, _FOOD_KEYS) if isinstance(v, dict) else v for v in value]
            return [n for n in names if isinstance(n, str) and n.strip()]
    return []


def _value_at(reply: str, at: int) -> Any:
    """Return the JSON or Python value that starts at a place, or None."""
    try:
        return _DECODER.raw_decode(reply, at)[0]
    except (json.JSONDecodeError, RecursionError):
        pass
    end = reply.rfind("]" if reply[at] == "[" else "}") + 1
    if not at < end <= at + 4000:
        return None
    try:
        return ast.literal_eval(reply[at:end])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _quoted_foods(reply: str) -> list[str]:
    """Return the whole strings of a list that breaks off; keys are none of them."""
    if "[" not in reply:
        return []
    return [m[1] for m in _QUOTED.finditer(reply, reply.index("[")) if m[2] is None]


def _lines_of_foods(reply: str) -> list[str]:
    lines = [line.strip() for line in reply.splitlines() if line.strip()]
    bullets = [m[1] for line in lines if (m := _BULLET.match(line))]
    if bullets:
        return bullets
    if len(lines) == 1 and "," in lines[0] and "{" not in lines[0]:
        return [part.strip(" .") for part in lines[0].split(",")]
    return []
