"""Names of meals: one meal is one name, however a program wrote it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from prandial.errors import InputError

__all__ = ["name_of", "no_totals", "one_name"]

#: a whole number that a program wrote as a fraction
_WHOLE: Final = re.compile(r"(-?[0-9]+)\.0+")


#: ids of a last row that is no meal
_TOTALS: Final = ("total", "sum", "mean", "average", "median", "sd", "summe", "mittelwert")


def no_totals(ids: Sequence[str], where: str) -> None:
    """Refuse a last row that sums up those above it.

    Raises
    ------
    InputError
        When the last id of several is such as ``Total`` or ``mean``.
    """
    if len(ids) > 1 and ids[-1].casefold().rstrip(" :.") in _TOTALS:
        raise InputError(
            f"the last id is {ids[-1]!r}",
            where=where,
            hint="a row of totals? leave it out",
        )


def name_of(cell: Any, *, where: str, hint: str = "give each meal its own id") -> str:
    """Return the name of a meal: ``1``, ``1.0`` and ``'1'`` are one meal.

    Parameters
    ----------
    cell : object
        Text or a number.
    where : str
        File, line and column.
    hint : str
        What to do where there is none.

    Raises
    ------
    InputError
        When it is empty, true or false, a list or an object.
    """
    if isinstance(cell, bool | list | dict):
        raise InputError(
            f"{str(cell)[:40]} is no id of a meal", where=where, hint="give a text or a number"
        )
    if isinstance(cell, float | Decimal) and math.isfinite(cell) and cell == int(cell):
        cell = int(cell)
    text = "" if cell is None or cell != cell else str(cell).strip()
    if not text:
        raise InputError("a meal without an id", where=where, hint=hint)
    whole = _WHOLE.fullmatch(text)
    return whole[1] if whole else text


def one_name(names: Sequence[str], stem: str, where: str) -> str:
    """Return who answered where a record names nobody.

    Parameters
    ----------
    names : sequence of str
        Estimators that other records of the file name.
    stem : str
        Name of the file, taken where no record names one.
    where : str
        The record, for the error.

    Raises
    ------
    InputError
        When others name several.
    """
    if len(names) > 1:
        raise InputError(
            "no estimator named, and other lines name " + ", ".join(map(repr, names[:5])),
            where=where,
            hint="name in each line who answered: estimator or model",
        )
    return names[0] if names else stem
