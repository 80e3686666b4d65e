"""Rewritten texts are read as the plain ones: own examples, both sides stated."""

from __future__ import annotations

import pytest

from prandial.meal import Estimator, get_estimator


@pytest.fixture(scope="module")
def estimator() -> Estimator:
    return get_estimator()


def _read(estimator: Estimator, text: str) -> list[tuple[str, float]]:
    return [
        (i.food.name if i.food else "", round(i.portion.grams.mid, 1) if i.portion else 0.0)
        for i in estimator.estimate(text, nutrients=("carb_g",)).items
    ]


@pytest.mark.parametrize(
    ("rewritten", "plain"),
    [
        ("2 point 5 cups of white rice", "2.5 cups of white rice"),
        ("two point five cups of white rice", "2.5 cups of white rice"),
        ("31 point 75 grams of cheddar", "31.75 grams of cheddar"),
        ("a cup of 2 percent milk", "a cup of 2% milk"),
        ("1 c. choc milk", "1 cup chocolate milk"),
        ("a PB&J sandw. on WW bread", "a peanut butter and jelly sandwich on whole wheat bread"),
        ("2 pcs of chkn & a glass of OJ", "2 pieces of chicken and a glass of orange juice"),
        ("a van. ice cream cone", "a vanilla ice cream cone"),
        ("200 g of mlik", "200 g of milk"),
        ("150 g of raw graps", "150 g of raw grapes"),
        ("a can of coal", "a can of cola"),
        ("I had a pear. The power went out for an hour.", "I had a pear."),
        ("My blood sugar was 142 at noon. I had a pear.", "I had a pear."),
        ("The cat woke me at five. I had 40 g of rye bread.", "I had 40 g of rye bread."),
        ("a large roll and 237 ml of coffee", "a large roll and 237.0 ml of coffee"),
    ],
)
def test_rewritten_as_plain(estimator: Estimator, rewritten: str, plain: str) -> None:
    found = [i for i in _read(estimator, rewritten) if i[0]]
    assert found == _read(estimator, plain)
    assert found


def test_a_sentence_end_is_no_abbreviation(estimator: Estimator) -> None:
    names = [n for n, _ in _read(estimator, "I had 20 g of choc. Then 50 g of toast")]
    assert len(names) == 2


def test_ordinary_words_are_no_misspellings(estimator: Estimator) -> None:
    assert estimator.matcher.correct("mile") is None
    assert estimator.matcher.correct("last") is None
    assert estimator.matcher.correct("mlik") == "milk"


def test_talk_is_told_in_the_notes(estimator: Estimator) -> None:
    told = estimator.estimate("I had a pear. The garden needs some work.")
    assert [i.food.name for i in told.items if i.food] == ["Pear, raw"]


def test_a_single_sentence_is_never_talk(estimator: Estimator) -> None:
    assert _read(estimator, "a Gatorade")[0][0].startswith("Sports drink")


def test_weight_in_brackets_belongs_to_the_food_before(estimator: Estimator) -> None:
    found = _read(estimator, "potato chips (1.02 oz), a pear (6.35 oz)")
    assert [g for _, g in found] == [28.9, 180.0]  # x 28.3495
