"""Published meals among recalls: hand-made ones, and a few of the real ones in one cycle."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.compose.recalled import records

from prandial.compose.recalls import (
    PublishedMeal,
    find_labels,
    food_reference,
    recalled_meals,
    stated_grams,
)
from prandial.records.composed import EatenMeal
from prandial.sources.nhanes.eaten import food_records
from prandial.tables import FoodTable, load_foods

MILK, BANANA, BREAD = "Milk, whole", "Banana, raw", "Bread, white"
MILK_CODE, BANANA_CODE, BREAD_CODE = 11111000, 63107010, 51101000


@pytest.fixture(scope="module")
def table() -> FoodTable:
    return load_foods()


@pytest.fixture(scope="module")
def codes(table: FoodTable) -> dict[str, str]:
    reference = food_reference(table)
    return {n: s.id for n, s in zip(reference.names, reference.sources, strict=True)}


@pytest.fixture(scope="module")
def recalls(table: FoodTable) -> list[EatenMeal]:
    first = [
        (1, 1, 1, 480, 1, MILK_CODE, 244.0),
        (1, 1, 2, 480, 1, BANANA_CODE, 126.0),
        (2, 1, 1, 480, 1, BREAD_CODE, 28.0),
        (2, 1, 2, 480, 1, MILK_CODE, 244.0),
        (2, 1, 3, 480, 1, BANANA_CODE, 126.0),
        (3, 1, 1, 480, 1, MILK_CODE, 122.0),
        (3, 1, 2, 500, 1, BREAD_CODE, 56.0),
    ]
    second = [(9, 1, 1, 480, 1, MILK_CODE, 122.0), (9, 2, 1, 480, 1, MILK_CODE, 122.0)]
    cycles = [records(first, "2013-2014"), records(second, "2015-2016")]
    return list(recalled_meals(cycles, table))


def published(
    name: str, foods: tuple[str, ...], grams: tuple[float, ...], carb: float
) -> PublishedMeal:
    return PublishedMeal(id=name, foods=foods, grams=grams, label={"carb_g": carb})


def test_found_by_foods_and_grams(recalls: list[EatenMeal], codes: dict[str, str]) -> None:
    """Milk 244 g x 4.67 % + banana 126 g x 22.84 % = 11.39 + 28.78 g."""
    wanted = [
        published("as eaten", (BANANA, MILK), (126.0, 244.0), 40.17),
        published("label off", (BANANA, MILK), (244.0, 126.0), 40.19),
        published("three times", (MILK,), (122.0,), 5.7),
        published("part", (BREAD, MILK), (28.0, 244.0), 13.78 + 11.39),
        published("other grams", (BREAD,), (30.0,), 14.76),
        published("never", (BREAD, BREAD), (28.0, 28.0), 27.56),
        published("no such food", ("Ambrosia of Olympus",), (28.0,), 1.0),
        published("a weight short", (BREAD, MILK), (28.0,), 1.0),
        published("no items", (), (28.0,), 1.0),
    ]
    found = {m.id: m for m in find_labels(wanted, recalls, codes)}
    assert {k: m.reason for k, m in found.items()} == {
        "as eaten": "",
        "label off": "",
        "three times": "",
        "part": "part_of_larger",
        "other grams": "other_grams",
        "never": "no_meal",
        "no such food": "name_unknown",
        "a weight short": "grams_not_stated",
        "no items": "no_items",
    }
    assert found["as eaten"].recalls == {"2013-2014": 1}
    assert found["as eaten"].equal()
    assert not found["label off"].equal()
    assert found["label off"].off["carb_g"] == pytest.approx(-0.02, abs=1e-9)
    assert found["three times"].recalls == {"2013-2014": 1, "2015-2016": 2}
    assert found["three times"].equal()
    assert not found["part"].equal()


def test_grams_on_the_wrong_food_are_another_meal(
    recalls: list[EatenMeal], codes: dict[str, str]
) -> None:
    """Weights are matched as a set; what they give together is checked by the label."""
    (match,) = find_labels(
        [published("swapped", (BANANA, MILK), (126.0, 244.0), 244 * 0.2284 + 126 * 0.0467)],
        recalls,
        codes,
    )
    assert match.reason == ""
    assert not match.equal()


@pytest.mark.parametrize(
    ("text", "grams"),
    [
        ("8 grams of candy and a 34-gram bar", (8.0, 34.0)),
        ("cheese (28.35g), 1,200 g of melon", (28.35, 1200.0)),
        ("a 12 fl oz can of cola with 2 eggs", ()),
        ("0.5 gram of salt, 5 gallons, 3 grapes", (0.5,)),
    ],
)
def test_grams_that_a_text_states(text: str, grams: tuple[float, ...]) -> None:
    assert stated_grams(text) == grams


@pytest.mark.full
def test_labels_of_one_cycle(shared_dir: Path, table: FoodTable, codes: dict[str, str]) -> None:
    """Of the real metric meals found in 2017-2018, 95 % or more have the published totals."""
    from benchmarks.label_truth import published_meals

    wanted = published_meals(shared_dir, "v2")
    cycle = food_records(shared_dir / "data" / "nhanes", ["2017-2018"])
    found = find_labels(wanted, recalled_meals(cycle, table, without=()), codes)
    matched = [m for m in found if not m.reason]
    assert len(matched) > 1_500
    assert sum(m.equal() for m in matched) / len(matched) >= 0.95
