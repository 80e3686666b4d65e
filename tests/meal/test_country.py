"""Countries: what a staple's word means there, dry and cooked weights, and nothing without one."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from prandial.countries import alpha3_codes
from prandial.meal import Estimator, get_estimator
from prandial.records import Estimate, MealItem
from prandial.tables.user import add_user_table

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=80)
CODES = sorted(alpha3_codes())
MEALS = (
    "250 g of ugali with 80 g of sukuma wiki",
    "two chapatis and a cup of tea",
    "120 g of boiled rice and 90 g of black beans",
    "a bowl of maize porridge, a boiled egg",
    "40 g biscuits, 200 ml orange juice",
    "60 g of dry pasta without salt",
    "a slice of bread",
    "hello",
)


def _only(estimate: Estimate) -> MealItem:
    assert len(estimate.items) == 1, estimate.items
    return estimate.items[0]


def _carb_g(item: MealItem) -> float:
    band = item.nutrients["carb_g"]
    assert band is not None
    return band.mid


@pytest.mark.parametrize(
    ("country", "text", "table", "food_id"),
    [
        ("KEN", "250 g of ugali made of white maize flour", "fndds", "56201516"),
        ("ZMB", "300 g of nshima", "fndds", "56201516"),
        ("COD", "400 g of stiff maize porridge", "fndds", "56201540"),
        ("ETH", "100 g of boiled coffee beans with salt", "sr", "14209"),
        ("PAK", "70 g of chapatti with ghee", "sr", "20080"),
        ("IND", "40 g of jowar bhakri", "sr", "20648"),
        ("NGA", "60 g of gari", "sr", "20068"),
        ("GBR", "30 g of plain biscuits", "fndds", "53241510"),
        ("COL", "25 g of panela", "sr", "19334"),
        ("ITA", "80 g of bread", "fndds", "51107010"),
        ("LKA", "100 g of string hoppers", "sr", "20061"),
    ],
)
def test_a_staple_is_the_food_of_its_row(
    estimator: Estimator, country: str, text: str, table: str, food_id: str
) -> None:
    """The codes are looked up by hand in FNDDS and SR28."""
    item = _only(estimator.estimate(text, country=country))
    assert item.food is not None
    assert (item.food.source.table, item.food.source.id) == (table, food_id)
    assert any(
        s.startswith(f"country {country}: '") and "staples.csv line" in s for s in item.steps
    )


@pytest.mark.parametrize(
    ("country", "text", "state"),
    [
        ("MYS", "100 g of rice", "cooked"),
        ("MYS", "100 g of raw rice", "dry"),
        ("MYS", "100 g of cooked rice", "cooked"),
        ("ITA", "100 g of rice", "dry"),
        ("ITA", "100 g of boiled rice", "cooked"),
        ("MEX", "100 g of boiled rice", "dry"),
        ("MEX", "100 g (cooked weight) of boiled rice", "cooked"),
        ("ZMB", "100 g of boiled cowpeas", "dry"),
        ("BRA", "100 g of black beans", "cooked"),
    ],
)
def test_dry_or_cooked(estimator: Estimator, country: str, text: str, state: str) -> None:
    """Raw rice and pulses hold over 55 g of carbohydrate in 100 g, cooked ones under 35 (SR28)."""
    carb_g = _carb_g(_only(estimator.estimate(text, country=country)))
    assert (carb_g > 55) if state == "dry" else (carb_g < 35)


def test_a_dry_weight_by_habit_is_said_in_the_notes(estimator: Estimator) -> None:
    notes = " ".join(estimator.estimate("100 g of boiled rice", country="MEX").notes)
    assert "by dry weight" in " ".join(
        estimator.estimate("100 g of boiled rice", country="MEX").items[0].steps
    )
    assert "read as dry weight, as its survey gives them: 100 g of boiled rice" in notes
    assert "dry weight" not in " ".join(estimator.estimate("80 g flour", country="MEX").notes)


def test_a_factor_scales_nutrients_and_leaves_the_weight(estimator: Estimator) -> None:
    """Hand arithmetic: 200 g x 0.622 x 81.68 g in 100 g (SR28 20054) = 101.6 g."""
    item = _only(estimator.estimate("200 g of steamed sticky rice", country="LAO"))
    assert item.portion is not None
    assert item.portion.grams.mid == 200
    assert _carb_g(item) == pytest.approx(101.6, abs=0.1)


def test_a_word_that_makes_another_food_is_no_staple(estimator: Estimator) -> None:
    for text in ("100 g of rice pudding", "100 g of bean sprouts", "100 g of bread pudding"):
        item = _only(estimator.estimate(text, country="ITA"))
        assert not any("staples.csv" in s for s in item.steps), item.steps


def test_a_country_leaves_no_trace_in_later_calls(estimator: Estimator) -> None:
    text = "100 g of boiled rice and 50 g of biscuits"
    before = estimator.estimate(text)
    estimator.estimate(text, country="MEX")
    assert estimator.estimate(text) == before
    assert estimator.estimate(text, country="MEX") != before


@pytest.mark.parametrize("text", MEALS)
def test_the_tables_are_the_usas_own(estimator: Estimator, text: str) -> None:
    home = estimator.estimate(text, country="USA")
    assert home == estimator.estimate(text)
    assert not any("staples.csv" in s for i in home.items for s in i.steps)


@given(st.sampled_from(MEALS), st.sampled_from(CODES))
@example("100 g of boiled rice", "MEX")
@LAW
def test_any_country_gives_a_sound_estimate(text: str, country: str) -> None:
    estimator = get_estimator()
    told = estimator.estimate(text, country=country)
    assert told == estimator.estimate(text, country=country)
    assert told.status == estimator.estimate(text).status
    noted = any(n.startswith(f"country {country}: ") for n in told.notes)
    assert noted == (country != "USA")
    for item in told.items:
        assert text[item.span[0] : item.span[1]] == item.text
        for band in item.nutrients.values():
            assert band is None or band.low <= band.mid <= band.high


def test_the_users_own_food_comes_first(tmp_path: Path) -> None:
    """Whoever brings a national table does not want a US stand-in."""
    source = tmp_path / "own.csv"
    with source.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("name", "carb"), ("Nshima", "22.5"), ("Delele", "3.0")])
    add_user_table(
        source, name="own", columns={"name": "name", "carb_g": "carb"}, home=tmp_path / "home"
    )
    own = get_estimator(user_tables=(tmp_path / "home" / "own.parquet",))
    item = _only(own.estimate("200 g of nshima", nutrients=("carb_g",), country="ZMB"))
    assert item.food is not None
    assert item.food.source.table == "user"
    assert _carb_g(item) == pytest.approx(45.0)
    assert not any("staples.csv" in s for s in item.steps)


def test_another_release_goes_on_without_the_rows_it_lacks() -> None:
    later = get_estimator("fndds-2021-2023")
    item = _only(later.estimate("400 g of stiff maize porridge", country="COD"))
    assert item.food is not None
    assert item.food.source.id == "56201516"
