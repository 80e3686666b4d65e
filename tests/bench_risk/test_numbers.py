"""Numbers from Python, NumPy and JSON, and what is none."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from prandial.bench.risk.numbers import as_number, one_number
from prandial.errors import InputError


@pytest.mark.parametrize(
    "value",
    [
        45, 45.0, np.float32(45), np.float64(45), np.int16(45), np.array(45), np.array(45.0),
        Decimal("45.0"), Fraction(90, 2),
    ],
)  # fmt: skip
def test_numbers_of_any_kind(value):
    found = one_number("carb", value, where="x")
    assert found == 45
    assert type(found) is float


@pytest.mark.parametrize(
    "value",
    [
        True, np.True_, np.array(True), "45", np.str_("45"), np.array("45"), None, [45], {"a": 1},
        {(1,): 2}, np.array([45.0]), np.timedelta64(45, "s"), 45 + 0j, b"45",
    ],
)  # fmt: skip
def test_what_is_no_number(value):
    with pytest.raises(InputError, match="is no number") as error:
        one_number("carb", value, where="x")
    assert error.value.where == "x"


@pytest.mark.parametrize("value", [10**400, -(10**400), Decimal("1e999")])
def test_numbers_beyond_all_bounds(value):
    with pytest.raises(InputError, match="outside 0 to 250 g"):
        one_number("carb", value, where="x")


@pytest.mark.parametrize("value", [Decimal("sNaN"), np.nan])
def test_what_is_not_a_number(value):
    with pytest.raises(InputError, match="carbohydrate of a meal is no number"):
        one_number("carb", value, where="x")


def test_the_sign_of_what_is_too_large():
    assert as_number(-(10**400), where="x") == -np.inf
