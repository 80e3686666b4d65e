"""Times, ages, people, blood glucose and medicines are no amounts of food."""

from __future__ import annotations

import pytest

from prandial.meal import Estimator


def _grams(estimator: Estimator, text: str) -> list[tuple[str, float]]:
    items = estimator.estimate(text).items
    return [(i.food.name if i.food else "", i.portion.grams.mid if i.portion else 0) for i in items]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("7 pm: an apple", "an apple"),
        ("at 7 I had an apple", "an apple"),
        ("apple 3pm", "apple"),
        ("at 12 I had 2 eggs", "2 eggs"),
        ("lunch 12.30: a sandwich", "a sandwich"),
        ("breakfast at 7: cereal", "cereal"),
        ("I walked 30 minutes and ate a yogurt", "a yogurt"),
        ("10 minutes after a coffee", "a coffee"),
        ("I'm 45 and had a banana", "a banana"),
        ("sugar was 180 so ate an apple", "an apple"),
        ("bg 120, then a banana", "a banana"),
        ("glucose 250 mg/dl, ate a sandwich", "a sandwich"),
        ("took metformin 500 mg and had toast", "toast"),
        ("aspirin 100 mg and a coffee", "a coffee"),
        ("lantus 10 u, banana", "banana"),
        ("vitamin d 1000 iu, yogurt", "yogurt"),
        ("a 300 kcal sandwich", "a sandwich"),
        ("2024-11-30 lunch: 2 eggs", "2 eggs"),
        ("30/11 dinner: an apple", "an apple"),
        ("Meal 1: 150 g of cooked rice", "150 g of cooked rice"),
    ],
)
def test_such_numbers_change_nothing(estimator: Estimator, text: str, plain: str) -> None:
    assert _grams(estimator, text) == _grams(estimator, plain)


@pytest.mark.parametrize(
    ("text", "grams"),
    [
        ("I had a sandwich at 12 and 2 cookies at 3", [83, 60]),
        ("2 eggs at 8 and toast", [100, 25]),
        ("250 mg of salt", [0.25]),
        ("7 almonds", [7 * 1.2]),
        ("250 ml of whole milk", [250 * 244 / 236.588]),
    ],
)
def test_amounts_of_food_stay(estimator: Estimator, text: str, grams: list[float]) -> None:
    assert [g for _, g in _grams(estimator, text)] == pytest.approx(grams, rel=0.01)


@pytest.mark.parametrize("text", ["10 fries", "20 almonds", "10 grapes"])
def test_a_count_of_pieces_is_no_count_of_cups(estimator: Estimator, text: str) -> None:
    """Pieces of these foods weigh 1 to 8 g."""
    item = estimator.estimate(text).items[0]
    assert item.portion is not None
    assert item.portion.grams.mid < 100


@pytest.mark.parametrize("text", ["20 almonds", "10 grapes"])
def test_nor_does_the_range_hold_cups(estimator: Estimator, text: str) -> None:
    item = estimator.estimate(text).items[0]
    assert item.portion is not None
    assert item.portion.grams.high < 1000


def test_two_eggs_and_toast(estimator: Estimator) -> None:
    """Not the toasted egg bread of the table."""
    assert [n for n, _ in _grams(estimator, "two eggs and toast")] == [
        "Egg, whole, boiled or poached",
        "Bread, white, toasted",
    ]


def test_no_number_from_a_division_by_nought(estimator: Estimator) -> None:
    estimate = estimator.estimate("1/0 cup of rice")
    assert estimate.items[0].portion is not None
    assert estimate.items[0].portion.grams.mid > 0
    assert any("is no number" in n for n in estimate.notes)


def test_the_order_of_nutrients_does_not_move_a_range(estimator: Estimator) -> None:
    text = "2 eggs, bacon, hash browns and orange juice"
    bands = [
        estimator.estimate(text, nutrients=wanted).totals["carb_g"]
        for wanted in (("carb_g",), ("protein_g", "carb_g"), ("fat_g", "energy_kcal", "carb_g"))
    ]
    assert bands[0] == bands[1] == bands[2]


def test_a_food_record_cannot_be_changed(estimator: Estimator) -> None:
    food = estimator.estimate("a boiled egg").items[0].food
    assert food is not None
    with pytest.raises(TypeError, match="read-only"):
        food.per_100g["carb_g"] = 999.0  # type: ignore[index]
