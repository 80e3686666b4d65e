"""What 100 g cannot hold; every expected value by hand."""

from __future__ import annotations

import math

import duckdb
import numpy as np
import pytest

from prandial.sources.fdc.assemble import iso_date, portion, serving
from prandial.sources.fdc.checks import FLAGS, Facts, check
from prandial.sources.fdc.food import FdcFood, LabelServing


def facts(**more) -> Facts:
    plain = {"data_type": "branded", "basis": "g", "texts": "JUICE Juices", "country": "US"}
    return Facts(**(plain | {"serving": None} | more))


def checked(values: dict[str, float], **more) -> tuple[dict[str, float], tuple[str, ...]]:
    mine = dict(values)
    flags = check(mine, facts(**more))
    return mine, flags


#: an orange juice: 4 * 10.4 + 4 * 0.7 + 9 * 0.2 = 46.2 kcal, 193 kJ
JUICE = {"carb_g": 10.4, "protein_g": 0.7, "fat_g": 0.2}


def test_a_sound_food_is_left_alone() -> None:
    values = JUICE | {"energy_kcal": 45.0, "sodium_mg": 1.0}
    assert checked(values) == (values, ())
    assert checked({}) == ({}, ())
    assert checked({"energy_kcal": 45.0}) == ({"energy_kcal": 45.0}, ())


@pytest.mark.parametrize(
    ("more", "alcohol", "flag"),
    [
        ({}, None, "energy_perhaps_kj"),  # a label of the United States is in kcal
        ({}, 0.0, "energy_in_kj"),
        ({"data_type": "foundation"}, None, "energy_perhaps_kj"),
        ({"data_type": "foundation"}, 0.0, "energy_in_kj"),
        ({"data_type": "foundation", "energy_stated": False}, None, "energy_in_kj"),
        ({"texts": "WINE", "country": "New Zealand"}, None, "energy_in_kj"),
        ({"texts": "WINE", "energy_kj_kcal": 46.2}, None, "energy_in_kj"),
    ],
)
def test_kilojoules_under_the_name_of_kcal(more, alcohol, flag) -> None:
    values = JUICE | {"energy_kcal": 193.0} | ({} if alcohol is None else {"alcohol_g": alcohol})
    found, flags = checked(values, **more)
    assert flags == (flag,)
    wanted = 193 / 4.184 if flag == "energy_in_kj" else 193.0
    assert found["energy_kcal"] == pytest.approx(wanted)


def test_what_a_small_serving_rounds_away_is_no_kilojoule() -> None:
    """15 kcal of a 5 g serving with 1 g carbohydrate: protein and fat below 0.5 g, not told."""
    broth = {"carb_g": 20.0, "protein_g": 0.0, "fat_g": 0.0, "energy_kcal": 300.0}
    five_grams = LabelServing(amount=5.0, unit="g", text="1 CUBE")
    assert checked(broth, serving=five_grams) == (broth, ())
    assert checked(broth)[1] == ("energy_perhaps_kj",)
    ten_grams = LabelServing(amount=10.0, unit="g", text="1 CUBE")
    assert checked(broth, serving=ten_grams)[1] == ("energy_perhaps_kj",)  # 30 > 8 + 8.5 + 2.5


def test_alcohol_that_is_told_explains_its_energy() -> None:
    wine = {"carb_g": 2.6, "protein_g": 0.1, "fat_g": 0.0, "alcohol_g": 10.6, "energy_kcal": 85.0}
    assert checked(wine, data_type="survey", texts="Wine") == (wine, ())


def test_more_energy_than_fat_has() -> None:
    oil = {"carb_g": 0.0, "protein_g": 0.0, "fat_g": 100.0, "energy_kcal": 3700.0}
    found, flags = checked(oil, data_type="foundation", texts="OIL")
    assert (found["energy_kcal"], flags) == (pytest.approx(3700 / 4.184), ("energy_in_kj",))
    found, flags = checked({"carb_g": 5.0, "energy_kcal": 2000.0})
    assert (found, flags) == ({"carb_g": 5.0}, ("energy_impossible",))


def test_negative_and_impossible_amounts_are_unknown() -> None:
    found, flags = checked({"carb_g": -9.0, "protein_g": 101.0, "sodium_mg": 1.2e5, "fat_g": 100.0})
    assert found == {"fat_g": 100.0}
    assert flags == ("negative", "over_100g_single")
    assert checked({"vitamin_a_rae_mcg": 4.68e8})[0] == {}
    assert checked({"vitamin_a_rae_mcg": 9.9e7})[0] == {"vitamin_a_rae_mcg": 9.9e7}


def test_parts_of_more_than_100_g_are_flagged_and_left() -> None:
    values = {"carb_g": 60.0, "protein_g": 30.0, "fat_g": 15.1}
    assert checked(values) == (values, ("over_100g",))
    assert checked(values | {"fat_g": 15.0})[1] == ()
    assert checked(values, basis="ml")[1] == ()  # 100 ml of syrup weigh up to 140 g
    assert checked(values | {"fat_g": 14.0, "water_g": 1.5})[1] == ("over_100g",)
    assert checked(values | {"fat_g": 14.0}, ash_g=1.5)[1] == ("over_100g",)


def test_zeros_that_stand_for_unknown() -> None:
    zeros = {"carb_g": 0.0, "protein_g": 0.0, "fat_g": 0.0, "energy_kcal": 250.0}
    assert checked(zeros, texts="COOKIES") == ({"energy_kcal": 250.0}, ("zero_filled_macros",))
    assert checked(zeros, texts="VODKA") == (zeros, ())
    assert checked(zeros | {"alcohol_g": 35.0}, texts="x")[1] == ()
    two_grams = LabelServing(amount=2.0, unit="g", text="1 TSP")
    assert checked(zeros, serving=two_grams) == (zeros, ("rounded_label",))  # 5 kcal a serving
    bare = JUICE | {"energy_kcal": 0.0}
    assert checked(bare) == (JUICE, ("zero_filled_energy",))
    ten_grams = LabelServing(amount=10.0, unit="g", text="")
    assert checked(bare, serving=ten_grams) == (bare, ("rounded_label",))  # 4.6 kcal a serving
    assert checked(bare, texts="STEVIA SWEETENER") == (bare, ())
    assert checked(bare, data_type="survey") == (bare, ())  # USDA calculated it
    glass = LabelServing(amount=240.0, unit="ml", text="8 OZA")
    assert checked(bare, serving=glass)[1] == ("zero_filled_energy",)


def test_zero_is_a_value() -> None:
    water = {"carb_g": 0.0, "protein_g": 0.0, "fat_g": 0.0, "energy_kcal": 0.0}
    assert checked(water, texts="WATER") == (water, ())


def test_every_flag_is_told() -> None:
    assert all(len(text) > 20 for text in FLAGS.values())


@pytest.mark.parametrize(
    ("told", "date"),
    [
        ("2024-10-31", "2024-10-31"),
        ("10/31/2024", "2024-10-31"),
        ("4/1/2019", "2019-04-01"),
        ("2019-04-01 00:00:00", "2019-04-01"),
        ("", ""),
        ("April 2019", ""),
    ],
)
def test_dates(told, date) -> None:
    assert iso_date(told) == date


def test_servings_and_portions() -> None:
    assert serving(30, "GRM", "1 BAR") == LabelServing(amount=30, unit="g", text="1 BAR")
    assert serving(30, "IU", "") is None
    assert serving(math.nan, "g", "1 BAR") == LabelServing(amount=None, unit="", text="1 BAR")
    assert serving(0, "g", "") is None

    def name(**more) -> str:
        told = {"amount": math.nan, "measure": "", "modifier": "", "description": "", "grams": 1.0}
        made = portion(**(told | more))
        assert made is not None
        return made.name

    assert name(description="1 cup", modifier="10205", amount=1) == "1 cup"
    assert name(description="cup", amount=2, measure="undetermined") == "2 cup"
    assert name(amount=0.25, modifier="cup") == "0.25 cup"
    assert name(amount=1, measure="cup", modifier="sliced") == "1 cup sliced"
    for grams in (0.0, -9.0, math.nan, math.inf):
        assert portion(amount=1, measure="", modifier="x", description="", grams=grams) is None


def test_available_needs_fibre() -> None:
    def food(carbohydrate, **values) -> FdcFood:
        return FdcFood(
            fdc_id=1,
            data_type="branded",
            description="x",
            nutrients=values,
            carbohydrate=carbohydrate,
        )

    assert food("total", carb_g=20.0).available_carb_g is None
    assert food("total", carb_g=20.0, fiber_g=25.0).available_carb_g == 0.0
    assert food("available", carb_g=20.0).total_carb_g is None
    assert food("available", carb_g=20.0).available_carb_g == 20.0
    assert food("available", carb_g=20.0, fiber_g=5.0).total_carb_g == 25.0
    assert food("total").total_carb_g is None


def test_real_tables_hold_hardly_anything_impossible(shared_dir) -> None:
    """Reference tables were checked by their makers: flags there would be our mistake."""
    table = shared_dir / "data" / "foods" / "fndds_2021_2023_foods.parquet"
    keys = {"carb_g": "carbohydrate_g", "protein_g": "protein_g", "fat_g": "total_fat_g"}
    keys |= {"energy_kcal": "energy_kcal", "alcohol_g": "alcohol_g", "water_g": "water_g"}
    rows = duckdb.execute(
        f"SELECT description, {', '.join(keys.values())} FROM '{table}'"
    ).fetchall()
    flagged = [
        (name, flags)
        for name, *cells in rows
        if (
            flags := checked(dict(zip(keys, cells, strict=True)), data_type="survey", texts=name)[1]
        )
    ]
    assert len(rows) == 5431
    assert flagged == []


@pytest.mark.full
def test_labels_in_kilojoules_are_rare_among_real_ones(shared_dir) -> None:
    table = shared_dir / "data" / "foods" / "branded_2024_10_foods.parquet"
    found = duckdb.execute(
        "SELECT description || ' ' || coalesce(branded_category, ''), carbohydrate_g, protein_g,"
        f" total_fat_g, energy_kcal FROM '{table}'"
    ).fetchall()
    counts: dict[str, int] = dict.fromkeys(FLAGS, 0)
    for texts, carb, protein, fat, energy in found:
        values = {"carb_g": carb, "protein_g": protein, "fat_g": fat, "energy_kcal": energy}
        known = {k: float(v) for k, v in values.items() if v is not None and not np.isnan(v)}
        for flag in checked(known, texts=texts)[1]:
            counts[flag] += 1
    assert len(found) == 340_572
    assert counts["energy_in_kj"] == 0, counts  # labels of the United States
    assert counts["energy_perhaps_kj"] < 40, counts
    assert counts["energy_impossible"] == 0, counts  # its makers dropped those above 930 kcal
