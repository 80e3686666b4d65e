"""Everyday meals whose carbohydrate follows from rows of FNDDS 2017-2018 by hand.

A second list stands in the shared specification, not in this repository, and is
read from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from prandial.meal import Estimator

#: meal, and for each food: food code, grams of carbohydrate in 100 g, grams eaten
MEALS = (
    (
        "two slices of white bread with a tablespoon of peanut butter",
        (("51101000", 49.2, 2 * 28), ("42202000", 22.3, 16)),
    ),
    ("a banana and a cup of whole milk", (("63107010", 22.84, 126), ("11111000", 4.67, 244))),
    (
        "158 g of cooked white rice with two boiled eggs",
        (("56205008", 27.99, 158), ("31103010", 0.72, 100)),
    ),
    ("a can of cola", (("92410310", 10.36, 372),)),
    ("a cup of cooked pasta", (("56130000", 30.68, 140),)),
    ("a large apple", (("63101000", 13.81, 242),)),
    ("a medium bag of plain potato chips", (("71200100", 53.83, 57),)),
    (
        "3 baby carrots and a stick of cheddar cheese",
        (("73101010", 9.58, 30), ("14104100", 2.44, 28.35)),
    ),
    (
        "a cup of blueberries and 170 g of plain whole milk yogurt",
        (("63203010", 14.49, 150), ("11411100", 4.66, 170)),
    ),
    ("a tablespoon of honey", (("91302010", 82.4, 20),)),
    ("a juice box of orange juice", (("61210000", 11.45, 209),)),
    ("one slice of rye bread", (("51401010", 48.3, 32),)),
)
ROW = re.compile(r"^\| (?P<meal>[^|]+) \| (?P<truth>[\d.]+) \|$", re.MULTILINE)


def _carb_g(estimator: Estimator, text: str) -> float:
    band = estimator.estimate(text).totals["carb_g"]
    assert band is not None, text
    return band.mid


@pytest.mark.parametrize(("text", "foods"), MEALS, ids=[m[0] for m in MEALS])
def test_each_meal(
    text: str, foods: tuple[tuple[str, float, float], ...], estimator: Estimator
) -> None:
    """The foods are found by code, and the carbohydrate is that of the table."""
    estimate = estimator.estimate(text)
    assert [i.food.food_id if i.food else None for i in estimate.items] == [f[0] for f in foods]
    truth = sum(per_100g * grams / 100 for _, per_100g, grams in foods)
    assert _carb_g(estimator, text) == pytest.approx(truth, rel=0.005)


def test_meals_of_the_specification(
    shared_dir: Path, estimator: Estimator, say: Callable[[str], None]
) -> None:
    """Mean absolute error below 8 g, and nine or more of twelve within 7.5 g."""
    page = (shared_dir / "spec" / "estimator.md").read_text(encoding="utf-8")
    part = page[page.index("## 9.") : page.index("## 10.")]
    meals = [(m["meal"], float(m["truth"])) for m in ROW.finditer(part)]
    assert len(meals) == 12
    errors = [abs(_carb_g(estimator, text) - truth) for text, truth in meals]
    mae = sum(errors) / len(errors)
    within = sum(e <= 7.5 for e in errors)
    say(f"meals of the specification: mean error {mae:.2f} g, {within} of 12 within 7.5 g")
    assert mae < 8
    assert within >= 9
