"""Bounds of everything a simulation is given, and the errors that name row and bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prandial.errors import InputError, NotFoundError
from prandial.tables.rules import read_rules

__all__ = ["Bound", "bounds", "check_within", "numbers_of", "whole_number"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Bound:
    """Lowest and highest admitted value of a quantity, in ``unit``."""

    quantity: str
    unit: str
    low: float
    high: float
    what: str
    source: str

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g} {self.unit}"


@cache
def bounds() -> dict[str, Bound]:
    """Return the bounds by quantity (table ``glucose_bounds``)."""
    return {
        row["quantity"]: Bound(
            quantity=row["quantity"],
            unit=row["unit"],
            low=float(row["low"]),
            high=float(row["high"]),
            what=row["what"],
            source=row["source"],
        )
        for row in read_rules("glucose_bounds")
    }


def numbers_of(values: Any, *, where: str) -> NDArray[np.float64]:
    """Return values as an array of numbers, at least one-dimensional; a masked one is NaN.

    Raises
    ------
    InputError
        On words, truth values, complex numbers, and lists of unequal length.
    """
    try:
        array = np.ma.asarray(values) if np.ma.isMaskedArray(values) else np.asarray(values)
        if array.dtype.kind == "O":
            array = np.array([_plain(v) for v in array.ravel()]).reshape(array.shape)
    except (TypeError, ValueError, OverflowError):
        array = np.array("")
    if array.size and array.dtype.kind not in "iuf":
        raise InputError(
            "a value is no number", where=where, hint="give numbers, one for each row, or one"
        )
    found = array.astype(np.float64)
    if np.ma.isMaskedArray(found):
        found = found.filled(np.nan)
    return np.atleast_1d(found)


def _plain(value: Any) -> float:
    if value is None:
        return np.nan
    if isinstance(value, bool | np.bool_ | str | bytes):
        raise TypeError
    return float(value)


def whole_number(value: Any, *, where: str, low: int, high: int = 2**32 - 1) -> int:
    """Return a whole number within its ends.

    Raises
    ------
    InputError
        On anything else.
    """
    if (
        isinstance(value, bool)
        or not isinstance(value, int | np.integer)
        or not (low <= value <= high)
    ):
        raise InputError(
            f"{str(value)[:40]} is no whole number from {low:,} to {high:,}",
            where=where,
            hint=f"give {low:,} to {high:,}",
        )
    return int(value)


def check_within(
    quantity: str,
    values: Any,
    *,
    where: str,
    rows: Sequence[str] | None = None,
    hint: str = "",
) -> NDArray[np.float64]:
    """Return the values as numbers, or raise on the first that is outside its bound.

    Parameters
    ----------
    quantity : str
        A quantity of the table ``glucose_bounds``.
    values : array_like
        One or many, in the unit of the bound.
    where : str
        Column or option, for the message.
    rows : sequence of str, optional
        Name of each row, for the message; else the position counted from 1.
    hint : str
        What to do, where the bound itself does not tell.

    Raises
    ------
    InputError
        When a value is no number or outside the bound: names row, value and bound.
    """
    bound = bounds().get(quantity)
    if bound is None:
        raise NotFoundError(
            f"no bound of {quantity!r}", where="quantity", hint="known: " + ", ".join(bounds())
        )
    array = numbers_of(values, where=where)
    bad = np.flatnonzero(~((array >= bound.low) & (array <= bound.high)))
    if bad.size:
        at = int(bad[0])
        place = (
            f"{where}, row {rows[at] if rows is not None else at + 1}"
            if (rows is not None or array.size > 1)
            else where
        )
        value = array[at]
        said = "is no number" if np.isnan(value) else f"{value:g} {bound.unit} is outside {bound}"
        colon = "" if np.isnan(value) else ":"
        more = f" ({bad.size - 1:,} more rows like it)" if bad.size > 1 else ""
        raise InputError(
            f"{bound.what}{colon} {said}{more}",
            where=place,
            hint=hint or f"give {bound.low:g} to {bound.high:g} {bound.unit}: {bound.source}",
        )
    return array
