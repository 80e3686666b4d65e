"""One cell of a food table: a number, perhaps with a unit, or unknown."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from prandial.tables.user.unitnames import canonical_unit
from prandial.units import KJ_PER_KCAL

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["CellError", "Decimal", "Quantity", "decimal_mark", "read_energy", "read_quantity"]

#: what a comma or point means where a cell alone does not tell
Decimal = Literal["comma", "point"]

_UNKNOWN: Final = frozenset(
    ["", "-", "–", "—", "na", "n/a", "n.a.", "n", "nd", "n.d.", "nan", "null", "none", ".", ".."]
)
_TRACE: Final = frozenset(["tr", "tr.", "(tr)", "trace", "traces"])
_NUMBER: Final = (
    r"[+\-−]?(?:\d{1,3}(?:[ '’]\d{3})+(?![\d])(?:[.,]\d+)?|[.,]?\d[\d.,]*)(?:[eE][+\-]?\d+)?"
)
_QUANTITY: Final = re.compile(rf"(?P<number>{_NUMBER})\s*(?P<unit>[^\d\s.,+\-−].*)?")
_ENERGY_PART: Final = re.compile(rf"(?P<number>{_NUMBER})\s*(?P<unit>kj|kcal)\b", re.IGNORECASE)
_GROUPED: Final = re.compile(r"\d{1,3}([.,])\d{3}(?:\1\d{3})*")
_CLEAR: Final = re.compile(r"[+\-−]?(?:\d+([.,])(?:\d{1,2}|\d{4,})|(?:0|\d{4,})?([.,])\d+)")
#: how far the kJ and the kcal of one cell may be apart
_PAIR_TOLERANCE: Final = 0.12


class CellError(ValueError):
    """A cell cannot be used; the message is the reason."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Quantity:
    """What a cell says.

    Attributes
    ----------
    value : float
        NaN when unknown.
    unit : str or None
        The unit in the cell itself, house spelling.
    remark : str
        ``trace``, ``below limit``, ``decimal comma`` or nothing.
    """

    value: float
    unit: str | None = None
    remark: Literal["", "trace", "below limit", "decimal comma"] = ""


def decimal_mark(cells: Iterable[str]) -> Decimal | None:
    """Tell whether a table's numbers use a decimal comma or point.

    Only cells that can be read one way count: ``1,234`` says nothing.

    Returns
    -------
    {"comma", "point"} or None
        The commoner; None when neither is.
    """
    balance = 0
    for cell in cells:
        match = _CLEAR.fullmatch(cell)
        if match:
            balance += 1 if (match[1] or match[2]) == "," else -1
    return None if balance == 0 else "comma" if balance > 0 else "point"


def _plain(text: str, decimal: Decimal | None) -> tuple[str, bool]:
    """Return a number's text with a decimal point, and whether it had a comma."""
    text = re.sub("[ '’]", "", text)
    stray = text.startswith(",") and re.search("[.,]", text[1:]) is not None
    if stray:
        text = text[1:]
    commas, points = text.count(","), text.count(".")
    if commas and points:
        mark, group = (",", ".") if text.rfind(",") > text.rfind(".") else (".", ",")
        whole, _, part = text.rpartition(mark)
        if mark in whole or not _GROUPED.fullmatch(whole) or not part:
            raise CellError("is not a number")
        return f"{whole.replace(group, '')}.{part}", mark == ","
    mark = "," if commas else "."
    if commas + points > 1:
        if not _GROUPED.fullmatch(text):
            raise CellError("is not a number")
        return text.replace(mark, ""), False
    if commas + points == 0:
        return text, stray
    head, tail = text.split(mark)
    if mark == "," and not tail:
        raise CellError("is not a number")
    if len(tail) == 3 and len(head) <= 3 and head.strip("0"):
        if mark == "," and decimal == "point":
            return head + tail, False
        if (mark == ",") != (decimal == "comma"):
            raise CellError(f"could be {head}.{tail} or {head}{tail}")
    return f"{head}.{tail}", mark == "," or stray


def _number(text: str, decimal: Decimal | None) -> tuple[float, bool]:
    sign = -1.0 if text[0] in "-−" else 1.0
    digits, _, power = text.lstrip("+-−").casefold().partition("e")
    plain, comma = _plain(digits, decimal)
    value = sign * float(f"{plain}e{power or 0}")
    if not math.isfinite(value):
        raise CellError("is not a finite number")
    return value + 0.0, comma  # adding 0 turns -0 into 0


def read_quantity(cell: str | float, decimal: Decimal | None = None) -> Quantity:
    """Read a cell.

    Parameters
    ----------
    cell : str or float
        Clean text, or a number from a typed file.
    decimal : {"comma", "point"}, optional
        What decides where ``1,234`` could be read two ways.

    Returns
    -------
    Quantity

    Raises
    ------
    CellError
        With the reason why it cannot be used.
    """
    if not isinstance(cell, str):
        if math.isinf(cell):
            raise CellError("is not a finite number")
        return Quantity(value=cell + 0.0)
    low = cell.casefold()
    if low in _UNKNOWN:
        return Quantity(value=math.nan)
    if low in _TRACE:
        return Quantity(value=math.nan, remark="trace")
    below = low.startswith(("<", "≤"))
    match = _QUANTITY.fullmatch(cell.lstrip("<≤ ") if below else cell)
    if match is None:
        raise CellError("is not a number")
    value, comma = _number(match["number"], decimal)
    unit = canonical_unit(match["unit"]) if match["unit"] else None
    if match["unit"] and unit is None:
        raise CellError(f"has a unit that is not known: {match['unit']}")
    if below:
        return Quantity(value=math.nan, remark="below limit")
    return Quantity(value=value, unit=unit, remark="decimal comma" if comma else "")


def read_energy(cell: str | float, decimal: Decimal | None = None) -> Quantity:
    """Read an energy cell such as ``176 kJ (42 kcal)``; kcal is preferred.

    Raises
    ------
    CellError
        Also when the two values of one cell are more than 12 % apart.
    """
    parts = [] if not isinstance(cell, str) else list(_ENERGY_PART.finditer(cell))
    if len(parts) < 2:
        return read_quantity(cell, decimal)
    found: dict[str, tuple[float, bool]] = {}
    for part in parts:
        found[part["unit"].casefold()] = _number(part["number"], decimal)
    rest = _ENERGY_PART.sub("", str(cell)).strip(" ()[]/;,|=-–")
    if len(parts) != 2 or len(found) != 2 or rest:
        raise CellError("holds more than one energy in kJ and one in kcal")
    (kcal, comma), (kj, _) = found["kcal"], found["kj"]
    if abs(kj - kcal * KJ_PER_KCAL) > max(_PAIR_TOLERANCE * abs(kj), KJ_PER_KCAL):
        raise CellError("gives kJ and kcal that do not agree")
    return Quantity(value=kcal, unit="kcal", remark="decimal comma" if comma else "")
