"""The table of food tag rules: spec values, shares of reference intakes, sources."""

from __future__ import annotations

import pytest

from prandial.errors import InputError
from prandial.nutrients import NUTRIENTS
from prandial.tables.rules import NUTRIENT_ORDER, read_rules
from prandial.tags import BASES, thresholds

#: NGQA paper, Table 4 (low, high) per 100 g
TABLE_4 = {
    "calorie": (40, 225),
    "carb": (55, 75),
    "protein": (10, 15),
    "saturated_fat": (1.5, 5),
    "cholesterol": (20, 40),
    "sugar": (5, 22.5),
    "fiber": (3, 6),
    "sodium": (120, 200),
    "potassium": (0, 525),
    "phosphorus": (0, 105),
    "iron": (0, 3.3),
    "calcium": (0, 150),
    "folate_acid": (0, 60),
    "vitamin_c": (0, 15),
    "vitamin_d": (0, 2.25),
    "vitamin_b12": (0, 0.36),
}


def test_per_100_g_is_table_4_of_the_paper() -> None:
    rows = thresholds("per_100g")
    assert {n: (t.low, t.high) for n, t in rows.items()} == TABLE_4
    assert not any(t.high_includes for t in rows.values())


def test_every_basis_has_every_nutrient_once() -> None:
    pairs = [(r["basis"], r["nutrient"]) for r in read_rules("food_tags")]
    assert pairs == [(b, n) for b in BASES for n in NUTRIENT_ORDER]


@pytest.mark.parametrize(
    ("share", "mark"), [("low_percent", "low"), ("high_percent", "high")], ids=["low", "high"]
)
def test_a_share_of_the_reference_gives_the_threshold(share: str, mark: str) -> None:
    """15 % NRV per 100 g, 5 and 20 % Daily Value, 5 % NRV per 100 kcal."""
    rows = [r for r in read_rules("food_tags") if r[share]]
    assert len(rows) >= 20
    for row in rows:
        expected = float(row["reference"]) * float(row[share]) / 100
        assert float(row[mark]) == pytest.approx(expected, rel=1e-3), row


def test_codex_shares() -> None:
    """CAC/GL 23-1997: a source of a vitamin or mineral has 15 % NRV in 100 g, 5 % in 100 kcal."""
    rows = read_rules("food_tags")
    micro = [r for r in rows if r["source"].find("NRV of CAC/GL 2-1985") >= 0]
    assert len(micro) == 16
    assert {(r["basis"], r["high_percent"]) for r in micro} == {
        ("per_100g", "15"),
        ("per_100kcal", "5"),
    }


def test_shares_of_energy() -> None:
    """55 % of 100 kcal at 4 kcal/g is 13.75 g; 10 % at 9 kcal/g is 1.111 g."""
    rows = thresholds("per_100kcal")
    assert rows["carb"].low == 13.75
    assert rows["protein"].high == 3.75
    assert rows["saturated_fat"].high == pytest.approx(10 / 9, abs=0.001)
    assert rows["calorie"].per == "100 g"


def test_every_row_names_its_source_unit_and_columns() -> None:
    for row in read_rules("food_tags"):
        assert len(row["source"]) > 20
        assert row["composition"] in NUTRIENTS
        assert row["composition"].endswith(f"_{row['unit']}")


def test_an_unknown_basis_is_an_input_error() -> None:
    with pytest.raises(InputError) as caught:
        thresholds("per_cup")  # type: ignore[arg-type]
    assert "per_100g" in caught.value.hint
