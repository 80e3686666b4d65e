"""Cells of estimates as dietitians and programs write them: a number, a range, or nothing.

``45``, ``45 g``, ``ca. 45``, ``~45g``, ``12,5`` (decimal comma), ``40-50``, ``40 to 50 g``. Empty,
``NA`` and NaN: no answer was given. Anything else is an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from prandial.bench.risk.numbers import one_number
from prandial.errors import InputError

__all__ = ["Grams", "grams_of", "is_blank"]

_NUMBER: Final = r"(\d+(?:\.\d+)?|\d+,\d{1,2}|\.\d+)"
_ABOUT: Final = r"(?:(?:ca|approx|appr|about|around|circa|etwa)\b\.?|~|≈)?"
_UNIT: Final = r"(?:g|gr|gram|grams|gramm)?\.?"
_ONE: Final = re.compile(rf"{_ABOUT}\s*{_NUMBER}\s*{_UNIT}", re.IGNORECASE)
_RANGE: Final = re.compile(
    rf"{_ABOUT}\s*{_NUMBER}\s*{_UNIT}\s*(?:-|–|—|\bto\b|\bbis\b)\s*{_NUMBER}\s*{_UNIT}",
    re.IGNORECASE,
)
_BLANK: Final = frozenset({"", "na", "n/a", "nan", "null", "none", "<na>"})
#: a negative number, a power of ten, an infinity: for the bound to refuse
_PLAIN: Final = re.compile(
    r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]?inf(?:inity)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Grams:
    """Grams of carbohydrate; ``ranged`` where a range was told, else all three are equal.

    ``partial`` where something of the meal was not understood.
    """

    low: float
    mid: float
    high: float
    ranged: bool = False
    partial: bool = False


def is_blank(cell: Any) -> bool:
    """Whether a cell holds no answer."""
    if cell is None:
        return True
    if isinstance(cell, float):
        return cell != cell
    return isinstance(cell, str) and cell.strip().lower() in _BLANK


def grams_of(cell: Any, *, where: str, large_meals: bool = False) -> Grams | None:
    """Return the grams of a cell, None where no answer was given.

    Raises
    ------
    InputError
        For other words, a date, and amounts below 0 or above the bound.
    """
    if is_blank(cell):
        return None
    if isinstance(cell, str):
        text = cell.strip()
        if _RANGE.fullmatch(text):
            return _range(text, where, large_meals)
        match = _ONE.fullmatch(text)
        number = match[1].replace(",", ".") if match else text
        if not match and not _PLAIN.fullmatch(text):
            raise _unread(cell, where)
        cell = float(number)
    elif isinstance(cell, bool) or not hasattr(cell, "__float__"):
        raise _unread(cell, where)
    value = one_number("carb", float(cell), where=where, large_meals=large_meals)
    return Grams(value, value, value)


def _range(text: str, where: str, large_meals: bool) -> Grams:
    match = _RANGE.fullmatch(text)
    ends = [
        one_number("carb", float(e.replace(",", ".")), where=where, large_meals=large_meals)
        for e in (match.groups() if match else ())
    ]
    low, high = ends
    if low > high:
        raise InputError(
            f"the range {text!r} ends before it begins", where=where, hint="such as 40-50"
        )
    return Grams(low, (low + high) / 2, high, ranged=True)


def _unread(cell: Any, where: str) -> InputError:
    is_date = hasattr(cell, "year")
    return InputError(
        f"{str(cell)[:40]!r} is no amount of carbohydrate",
        where=where,
        hint="Excel makes dates of ranges such as 10-12: format the column as text"
        if is_date
        else "give grams such as 45, '45 g', 'ca. 45' or '40-50', or leave it empty for no answer;"
        " --estimator names the columns to use",
    )
