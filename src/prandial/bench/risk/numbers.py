"""Numbers of a record, a row or an option: taken within their bound, or refused by name."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from decimal import Decimal
from numbers import Real
from typing import Any, Final

import numpy as np

from prandial.errors import InputError
from prandial.glucose.bounds import bounds, check_within

__all__ = ["as_number", "first_of", "one_number"]

_LARGE: Final = (
    "give grams of carbohydrate; above 250 g say that large meals are meant: --large-meals"
    " (large_meals=True in Python)"
)


def as_number(value: Any, *, where: str, hint: str = "give a number") -> float:
    """Return a number as a float: of JSON, of Python, a decimal, or a NumPy scalar.

    Raises
    ------
    InputError
        For text, true, false, null, a list or an object.
    """
    plain = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
    is_number = isinstance(plain, Real | Decimal)
    if not is_number or isinstance(plain, bool | np.timedelta64):
        raise InputError(f"{_told(value)} is no number", where=where, hint=hint)
    try:
        return float(plain)
    except OverflowError:
        return math.inf if plain > 0 else -math.inf
    except ValueError:
        return math.nan


def _told(value: Any) -> str:
    try:
        return json.dumps(value, default=str)[:40]
    except (TypeError, ValueError, RecursionError):
        return f"a {type(value).__name__}"


def one_number(quantity: str, value: Any, *, where: str, large_meals: bool = False) -> float:
    """Return one number within the bound of its quantity.

    Parameters
    ----------
    quantity : str
        A quantity of the table ``glucose_bounds``; ``carb`` goes by ``large_meals``.
    value : object
        As read from JSON, or a number of Python's or NumPy's.
    where : str
        File, line and key, or option.
    large_meals : bool
        Whether meals above 250 g are meant.

    Raises
    ------
    InputError
        When it is no number or outside its bound: names place, value and bound.
    """
    hint = ""
    if quantity == "carb":
        quantity, hint = ("carb_when_asked", "") if large_meals else ("carb", _LARGE)
    bound = bounds()[quantity]
    number = as_number(
        value, where=where, hint=f"give {bound.low:g} to {bound.high:g} {bound.unit}: {bound.what}"
    )
    if not bound.low <= number <= bound.high:
        check_within(quantity, number, where=where, hint=hint)
    return number


def first_of(names: Iterable[str], there: Iterable[str]) -> str | None:
    """Return the first name that is there."""
    have = set(there)
    return next((n for n in names if n in have), None)
