"""Cells of estimates as dietitians and programs write them: a number, a range, or nothing.

``45``, ``45 g``, ``ca. 45``, ``~45g``, ``12,5`` (decimal comma), ``40-50``, ``40 to 50 g``. Empty,
``NA`` and NaN: no answer was given. Anything else is an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from prandial.bench.risk.numbers import as_number, one_number
from prandial.errors import InputError

__all__ = ["Grams", "banded", "grams_of", "is_blank", "true_grams"]

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


def grams_of(
    cell: Any, *, where: str, large_meals: bool = False, is_json: bool = False
) -> Grams | None:
    """Return the grams of a cell, None where no answer was given.

    Parameters
    ----------
    cell : object
    where : str
    large_meals : bool
        Whether meals above 250 g are meant.
    is_json : bool
        Whether it is a value of a JSON object: the hint tells how one says that there is none.

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
        digits = match[1].replace(",", ".") if match else text
        if not match and not _PLAIN.fullmatch(text):
            raise _unread(cell, where, is_json)
        cell = float(digits)
    try:
        number = as_number(cell, where=where)
    except InputError:
        raise _unread(cell, where, is_json) from None
    value = one_number("carb", number, where=where, large_meals=large_meals)
    return Grams(value, value, value)


def true_grams(cell: Any, *, where: str, large_meals: bool = False) -> float:
    """Return the grams a meal really held: one number, no range.

    Raises
    ------
    InputError
        For an empty cell, a range, and as :func:`grams_of`.
    """
    grams = grams_of(cell, where=where, large_meals=large_meals)
    if grams is None or grams.ranged:
        raise InputError(
            "a meal without its true carbohydrate"
            + (f": {str(cell)[:40]!r} is a range" if grams is not None else ""),
            where=where,
            hint="give the grams the meal really held; leave meals without a truth out",
        )
    return grams.mid


def banded(
    mid: Grams | None,
    low: Grams | None,
    high: Grams | None,
    *,
    where: str,
    names: tuple[str, str, str] = ("low", "mid", "high"),
) -> Grams | None:
    """Return an estimate with the ends of its range beside it, where there are any.

    Without a middle it is the midpoint.

    Parameters
    ----------
    mid, low, high : Grams or None
    where : str
    names : tuple of str
        Of low, middle and high, for messages.

    Raises
    ------
    InputError
        For half a range, an end or a middle that is itself a range, and a range that does not
        hold its middle.
    """
    if low is None and high is None:
        return mid
    for name, part in zip(names, (low, mid, high), strict=True):
        if part is not None and part.ranged:
            raise InputError(
                f"two ranges of one estimate: {part.low:g}-{part.high:g}, and {names[0]} or"
                f" {names[2]}",
                where=where,
                hint=f"give {name} as one number, or leave {names[0]} and {names[2]} empty",
            )
    if low is None or high is None:
        raise InputError(
            "half a range",
            where=where,
            hint=f"give both {names[0]} and {names[2]}, or neither",
        )
    middle = (low.mid + high.mid) / 2 if mid is None else mid.mid
    found = Grams(low.mid, middle, high.mid, ranged=True)
    if not found.low <= found.mid <= found.high:
        raise InputError(
            f"the range {found.low:g} to {found.high:g} does not hold {found.mid:g}",
            where=where,
            hint=" <= ".join(names),
        )
    return found


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


def _unread(cell: Any, where: str, is_json: bool) -> InputError:
    silence = '"status": "refused", or null,' if is_json else "or leave it empty"
    hint = (
        f"give grams such as 45, '45 g', 'ca. 45' or '40-50'; {silence} for no answer;"
        " --estimator names those to use"
    )
    if hasattr(cell, "year"):
        hint = "Excel makes dates of ranges such as 10-12: format the column as text"
    elif str(cell).rstrip().endswith("%"):
        hint = "a percentage is no amount: give grams, and format the column as numbers"
    return InputError(f"{str(cell)[:40]!r} is no amount of carbohydrate", where=where, hint=hint)
