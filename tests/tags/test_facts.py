"""Facts of foods: the join of names and amounts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from prandial.errors import InputError
from prandial.records import FoodMeans, FoodTexts
from prandial.tags import food_facts

TEXTS = FoodTexts(
    code=np.array([11, 22, 33]),
    name=("Soup", "Cake", "Tea"),
    category=("Soups", "Cakes and pies", ""),
    ingredients=(("Water", "Salt"), ("Flour",), ()),
    release=("2019-2020",) * 3,
)
MEANS = FoodMeans(
    code=np.array([10, 22, 33]),
    records=np.array([1, 2, 3]),
    per_100g={
        "sodium": np.array([1.0, 300.0, np.nan]),
        "sugar": np.array([1.0, 30.0, 0.0]),
        "calorie": np.array([1.0, 400.0, 0.0]),
    },
)


def test_foods_that_both_know_with_their_own_rows() -> None:
    cake, tea = food_facts(TEXTS, MEANS)
    assert (cake.code, cake.name, cake.category) == (22, "Cake", "Cakes and pies")
    assert cake.ingredients == ("Flour",)
    assert cake.tags == ("high_sugar", "high_sodium", "high_calorie")
    assert "carb" in cake.unknown
    assert tea.tags == ("low_sugar", "low_calorie")
    assert "sodium" in tea.unknown
    assert math.isnan(tea.per_100g["sodium"])
    assert cake.per_100g["sodium"] == 300.0


def test_published_rules_fill_the_tag_and_keep_the_amount_unknown() -> None:
    tea = food_facts(TEXTS, MEANS, rules="as-published")[1]
    assert "low_sodium" in tea.tags
    assert tea.unknown == ()
    assert math.isnan(tea.per_100g["sodium"])


def test_servings_go_by_row_of_the_amounts() -> None:
    """40 g of cake hold 120 mg sodium (140 or less is low) and 12 g sugar."""
    servings = np.array([1.0, 40.0, 240.0])
    cake = food_facts(TEXTS, MEANS, basis="per_serving", serving_g=servings)[0]
    assert cake.tags == ("low_sodium",)
    with pytest.raises(InputError):
        food_facts(TEXTS, MEANS, basis="per_serving", serving_g=servings[:2])
