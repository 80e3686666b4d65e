"""Cells, each by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prandial.tables.user.cells import CellError, decimal_mark, read_energy, read_quantity


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("0", 0.0),
        ("12.5", 12.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1.2E-3", 0.0012),
        ("0,02", 0.02),
        (",0,02", 0.02),
        (",5", 0.5),
        ("627,31", 627.31),
        ("0,020", 0.02),
        ("1,234.5", 1234.5),
        ("1.234,5", 1234.5),
        ("1,234,567", 1234567.0),
        ("1 234,5", 1234.5),
        ("1'234", 1234.0),
        ("1.234", 1.234),
    ],
)
def test_numbers(cell, value):
    assert read_quantity(cell).value == value


@pytest.mark.parametrize("cell", ["", "-", "NA", "n/a", "N", "Tr", "trace", "<0.1", "< 0,1", "NaN"])
def test_unknown_is_not_zero(cell):
    assert math.isnan(read_quantity(cell).value)


def test_remarks():
    remarks = [read_quantity(c).remark for c in ("Tr", "<0.1", "0,5", ",0,02", "0.5", "-")]
    assert remarks == ["trace", "below limit", "decimal comma", "decimal comma", "", ""]


@pytest.mark.parametrize(
    "cell",
    ["abc", "1.2.3", "1,2,3", "12 34", "1-2", "5,", ">3", "inf", "1e999", "<abc", "1,23.4,5"],
)
def test_not_a_number(cell):
    with pytest.raises(CellError):
        read_quantity(cell)


def test_thousands_or_decimals_is_never_guessed():
    with pytest.raises(CellError, match=r"could be 1\.234 or 1234"):
        read_quantity("1,234")
    with pytest.raises(CellError, match=r"could be 1\.234 or 1234"):
        read_quantity("1.234", "comma")
    assert read_quantity("1,234", "comma").value == 1.234
    assert read_quantity("1,234", "point").value == 1234.0


def test_decimal_mark_of_a_table():
    assert decimal_mark(["0,5", "1,234", "12,75", "0.5"]) == "comma"
    assert decimal_mark(["0.5", "1.234", "12", "bread"]) == "point"
    assert decimal_mark(["1,234", "1.234", ""]) is None


@pytest.mark.parametrize(
    ("cell", "value", "unit"),
    [
        ("176 kJ (42 kcal)", 42.0, "kcal"),
        ("42 kcal / 176 kJ", 42.0, "kcal"),
        ("176kJ/42kcal", 42.0, "kcal"),
        ("627,31 kcal", 627.31, "kcal"),
        ("100 kJ", 100.0, "kJ"),
        ("2 kJ (0 kcal)", 0.0, "kcal"),
        ("42", 42.0, None),
    ],
)
def test_energy(cell, value, unit):
    got = read_energy(cell)
    assert (got.value, got.unit) == (value, unit)


@pytest.mark.parametrize("cell", ["176 kJ (142 kcal)", "1 kJ 2 kJ", "176 kJ (42 kcal) 3 fat"])
def test_energy_that_contradicts_itself(cell):
    with pytest.raises(CellError):
        read_energy(cell)


@given(st.floats(0, 1e6, allow_nan=False), st.sampled_from(["g", "mg", "UG"]))
def test_a_printed_number_is_read_back(value, unit):
    text = f"{value:.4f}"
    assert read_quantity(f"{text} {unit}").value == float(text)
    assert read_quantity(text.replace(".", ",")).value == float(text)


def test_negative_zero_is_zero():
    assert math.copysign(1, read_quantity("-0").value) == 1
    assert math.copysign(1, read_quantity(-0.0).value) == 1
