"""Unit spellings and factors; factors by NIST and FDA definitions."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prandial.errors import InputError
from prandial.nutrients import NUTRIENTS, unit_of
from prandial.tables.user.unitnames import (
    canonical_unit,
    factor_to_house,
    header_unit,
    split_unit,
)

SPELLINGS = {
    "µg": ["UG", "ug", "µg", "μg", "mcg", "MCG", "µg RAE", "µg_DFE"],
    "mg": ["MG", "mg", "Mg"],
    "g": ["G", "g", "grams"],
    "kcal": ["KCAL", "kcal", "Kcal"],
    "kJ": ["kJ", "KJ", "kj"],
    "IU": ["IU", "iu"],
}
GRAMS = {"g": 1.0, "mg": 1e-3, "µg": 1e-6}
FLAT = [(s, unit) for unit, spellings in SPELLINGS.items() for s in spellings]
MASSES = [k for k in NUTRIENTS if k != "energy_kcal"]


@pytest.mark.parametrize(("spelling", "unit"), FLAT)
def test_spellings(spelling, unit):
    assert canonical_unit(spelling) == unit
    assert canonical_unit(f"  {spelling} ") == unit


@pytest.mark.parametrize("spelling", ["", "furlong", "mmol", "%", "kg", "cal", "µg RE"])
def test_other_spellings_are_not_known(spelling):
    assert canonical_unit(spelling) is None


@given(st.sampled_from(MASSES), st.sampled_from(list(GRAMS)), st.floats(0, 1e6))
def test_conversion_keeps_the_mass(key, unit, value):
    house = value * factor_to_house(key, unit, where="x")
    assert house * GRAMS[unit_of(key)] == pytest.approx(value * GRAMS[unit], rel=1e-12)


@given(st.sampled_from(MASSES))
def test_iu_is_a_mass_for_vitamins_a_and_d_only(key):
    known = {"vitamin_a_rae_mcg": 0.3, "retinol_mcg": 0.3, "vitamin_d_mcg": 0.025}
    factor = factor_to_house(key, "IU", where="x")
    assert factor == known[key] if key in known else math.isnan(factor)


def test_energy_factors_and_mismatch():
    assert factor_to_house("energy_kcal", "kJ", where="x") * 4.184 == pytest.approx(1)
    assert factor_to_house("energy_kcal", "kcal", where="x") == 1
    for key, unit in [("energy_kcal", "g"), ("energy_kcal", "IU"), ("sodium_mg", "kcal")]:
        with pytest.raises(InputError, match=f"{key} cannot be in {unit}"):
            factor_to_house(key, unit, where="x")


@pytest.mark.parametrize(
    ("header", "unit"),
    [
        ("Sodium (mg)", "mg"),
        ("Sodium [MG]", "mg"),
        ("Energ_Kcal", "kcal"),
        ("Iron, mg/100 g", "mg"),
        ("Vitamin B12 UG", "µg"),
        ("vitamin_b6_mg", "mg"),
        ("Fat (g per 100 g)", "g"),
        ("Energy kJ/100ml", "kJ"),
        ("Sodium per 100 g", None),  # the g is of the food
        ("sodium_100g", None),
        ("Serving 30 g", None),
        ("Carbohydrate (by difference)", None),
        ("Mg", None),  # magnesium
        ("Sodium", None),
    ],
)
def test_unit_of_a_heading(header, unit):
    assert header_unit(header) == (unit, None)


@pytest.mark.parametrize("header", ["Sodium (mmol)", "Iron (%)", "Sodium [furlong]"])
def test_foreign_unit_of_a_heading(header):
    assert header_unit(header) == (None, header.split()[1][1:-1])


def test_unit_of_a_map_value():
    assert split_unit("Sodium[g]") == ("Sodium", "g")
    assert split_unit("Carbohydrate [by difference] [g]") == ("Carbohydrate [by difference]", "g")
    assert split_unit("Sodium") is None
    assert split_unit("[g]") is None
