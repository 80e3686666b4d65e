"""Cells of labelled meals: numbers and lists as people write them, read or refused."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Final

from prandial.batch.objects import as_text

__all__ = ["Unreadable", "as_list", "as_names", "as_number", "as_numbers"]

_SEPARATOR: Final = "|"
_SHOWN_CHARS: Final = 40
#: no meal holds more, in g or kcal
_MOST: Final = 1_000_000.0
#: no meal has more items
_MOST_ITEMS: Final = 500


class Unreadable(ValueError):  # noqa: N818 - a cell's state, told as a finding
    """A cell holds something else than what its column is for."""


def as_number(cell: object) -> float | None:
    """Return the number of a cell, None for an empty one.

    Raises
    ------
    Unreadable
        For words, a negative number, more than a million, a list or an object.
    """
    if isinstance(cell, bool):
        raise Unreadable(f"{cell} is no number")
    if isinstance(cell, int | float):
        if cell != cell:  # NaN
            return None
        value = float(cell) if abs(cell) <= _MOST else math.inf  # an int may exceed every float
    else:
        try:
            text = as_text(_plain(cell))
        except TypeError as error:
            raise Unreadable(f"a {error} is no number") from error
        if text is None or not text.strip():
            return None
        if text.strip().lower() == "nan":
            return None
        try:
            value = float(text if "_" not in text else "")
        except ValueError as error:
            raise Unreadable(f"{_short(text)!r} is no number") from error
    if not 0 <= value <= _MOST:
        raise Unreadable(f"{_short(str(cell))} is no amount of a meal")
    return value


def _plain(cell: object) -> object:
    """Return a number of another kind (such as Parquet's decimal) as text."""
    return cell if cell is None or isinstance(cell, str | bytes | list | dict) else str(cell)


def as_list(cell: object) -> list[object] | None:
    """Return the list of a cell, None for an empty one.

    A list is a list of the file, a JSON array as text, or text with ``|`` between
    the entries.

    Raises
    ------
    Unreadable
        For an object, or text that starts like a JSON array and is none.
    """
    if isinstance(cell, list | tuple):
        return list(cell)
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return None
    if isinstance(cell, dict):
        raise Unreadable("an object is no list")
    text = as_text(_plain(cell)) or ""
    if not text.strip():
        return None
    if text.lstrip().startswith("["):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"{_short(text)!r} is no JSON array") from error
        return list(found)
    return [part.strip() for part in text.split(_SEPARATOR)]


def as_names(cell: object) -> list[str] | None:
    """Return a cell's list of names, None for an empty cell.

    Raises
    ------
    Unreadable
        For an entry that is no text, and for more than 500 entries.
    """
    found = as_list(cell)
    if found is None:
        return None
    if len(found) > _MOST_ITEMS:
        raise Unreadable(f"{len(found)} items are no meal")
    for name in found:
        if not isinstance(name, str):
            raise Unreadable(f"{_short(str(name))} is no name")
    return [str(name) for name in found]


def as_numbers(cell: object, n: int) -> Sequence[float | None] | None:
    """Return a cell's list of ``n`` numbers, None for an empty cell.

    Raises
    ------
    Unreadable
        For another count of entries, or an entry that is no number.
    """
    found = as_list(cell)
    if found is None:
        return None
    if len(found) != n:
        raise Unreadable(f"{len(found)} entries for {n} items")
    return [as_number(x) for x in found]


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 3] + "..."
