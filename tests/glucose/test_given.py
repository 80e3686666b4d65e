"""What the public functions are given: numbers of every kind, and what is no number."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from prandial.errors import InputError, NotFoundError
from prandial.glucose import (
    Design,
    Estimates,
    Scenarios,
    assess,
    check_within,
    draw_patients,
    kendall_tau,
    numbers_of,
    simulate_glucose,
    typical_meals,
    whole_number,
)
from prandial.records import Setup

ONE = {
    "isf_mg_dl_per_u": 50,
    "cir_g_per_u": 10,
    "basal_u_per_h": 1,
    "true_carb_g": 60,
    "estimated_carb_g": 45,
}


@pytest.mark.parametrize(
    "values",
    [60, 60.0, np.int64(60), np.float32(60), np.array(60), [60], (60,), Decimal(60), [Decimal(60)]],
)
def test_numbers_of_every_kind(values):
    assert numbers_of(values, where="x").tolist() == [60.0]


def test_a_masked_value_is_unknown():
    masked = np.ma.masked_array([1.0, 2.0], mask=[False, True])
    np.testing.assert_equal(numbers_of(masked, where="x"), [1.0, np.nan])
    with pytest.raises(InputError, match="is no number"):
        Scenarios(**{**ONE, "true_carb_g": np.ma.masked_array([60.0, 70.0], mask=[0, 1])})


@pytest.mark.parametrize(
    "values",
    ["60", ["60"], [True, False], True, 1j, {"a": 1}, [[1], [1, 2]], [10**400], b"6", ["a", 1]],
)
def test_what_is_no_number(values):
    with pytest.raises(InputError):
        numbers_of(values, where="x")
    with pytest.raises(InputError):
        Scenarios(**{**ONE, "true_carb_g": values})


@pytest.mark.parametrize(
    ("change", "where", "told"),
    [
        ({"true_carb_g": [[60, 70]]}, "true_carb_g", "shape"),
        ({"true_carb_g": [60, 70], "cir_g_per_u": [1, 2, 3]}, "true_carb_g", "2 values"),
        ({"setup_of": 0.7}, "setup_of, row 1", "0.7 is no place"),
        ({"setup_of": 1}, "setup_of, row 1", "1 setups"),
        ({"setup_of": np.nan}, "setup_of, row 1", "no place"),
        ({"setup_of": "a"}, "setup_of", "no number"),
        ({"setups": None}, "setups", "no list"),
        ({"setups": ["manual"]}, "setups", "no list"),
        ({"true_carb_g": np.nan}, "true_carb_g", "carbohydrate of a meal is no number"),
    ],
)
def test_columns_of_scenarios(change, where, told):
    with pytest.raises(InputError) as error:
        Scenarios(**{**ONE, **change})
    assert error.value.where == where
    assert told in error.value.what


def test_no_scenarios_at_all():
    none = Scenarios(**{**ONE, "true_carb_g": []})
    assert len(none) == 0
    assert simulate_glucose(none).shape == (0, 73)


@pytest.mark.parametrize("value", [2.5, "2", True, None, -1, 10**12])
def test_whole_numbers(value):
    with pytest.raises(InputError):
        whole_number(value, where="n", low=0)
    with pytest.raises(InputError):
        draw_patients(value)
    with pytest.raises(InputError):
        Design(seed=value)
    with pytest.raises(InputError):
        Design(bootstrap=value)


def test_other_arguments():
    with pytest.raises(NotFoundError, match="no bound"):
        check_within("foo", 1, where="x")
    with pytest.raises(InputError):
        typical_meals([1, np.nan])
    with pytest.raises(InputError):
        kendall_tau([1], [1, 2])  # type: ignore[arg-type]
    with pytest.raises(InputError):
        Estimates(meal_ids=["a"], true_g=[True], columns={"e": [1]})


def test_many_estimators_are_compared_with_the_baseline_alone():
    """45,000 pairs of 300 columns would take a minute and be read by nobody."""
    said = Estimates(
        meal_ids=["a", "b"],
        true_g=[20, 50],
        columns={f"e{i}": [20 + i, 50 - i] for i in range(13)},
    )
    design = Design(setups=(Setup(mode="manual"),), bootstrap=0)
    found = assess(said, design)
    assert {d.reference for d in found.differences} == {"perfect"}
    assert len(found.differences) == 13
    few = Estimates(meal_ids=["a"], true_g=[20], columns={"x": [21], "y": [22]})
    assert len(assess(few, design).differences) == 3


def test_silence_is_counted_in_the_error():
    said = Estimates(
        meal_ids=["a", "b"], true_g=[20, 50], columns={"x": [1, np.nan], "y": [np.nan, 2]}
    )
    with pytest.raises(InputError, match="answers: x 1, y 1"):
        assess(said, Design(bootstrap=0))
