"""Rewritings of meal texts: own examples, worked out by hand."""

from __future__ import annotations

import random

import pytest
from benchmarks.diary import diary
from benchmarks.order import reorder
from benchmarks.perturb import KINDS, dictation, mistype, rewrite, short, typo
from benchmarks.swapunits import swap_units
from benchmarks.words import number_of, read_rows

MEAL = "For lunch, I had a cup of lentil soup, two slices of rye bread, and a small pear."


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_text_and_seed_give_the_same_words(kind: str) -> None:
    assert rewrite(kind, MEAL, seed=5) == rewrite(kind, MEAL, seed=5)
    assert rewrite(kind, "", seed=5).strip() in ("", rewrite(kind, "", seed=5).strip())


def test_another_seed_gives_other_typos() -> None:
    assert len({rewrite("typo", MEAL, seed=s) for s in range(12)}) > 3


@pytest.mark.parametrize("seed", range(40))
def test_a_typo_keeps_the_first_letter_and_changes_little(seed: int) -> None:
    word = mistype("lentil", random.Random(seed))
    assert word[0] == "l"
    assert abs(len(word) - 6) <= 1


def test_half_of_the_food_names_are_mistyped() -> None:
    text = "lentil soup and apple pie with rye bread and plum jam"
    names = ["Lentil soup", "Pie, apple", "Bread, rye", "Jam, plum"]
    for seed in range(20):
        changed = typo(text, random.Random(seed), names)
        # a swap of equal letters ("apple") may leave a word as it was
        assert 1 <= sum(a != b for a, b in zip(text.split(), changed.split(), strict=True)) <= 2


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("I had 2.5 oz of Brie.", "i had 2 point 5 oz of brie"),
        ("1/2 cup of rice & a 12-oz steak", "half cup of rice and a 12 oz steak"),
        ("1 1/2 cups 2% milk, 1,200 g ice", "1 and a half cups 2 percent milk 1200 g ice"),
        ("I'm having 2-3 figs; w/o sugar!", "im having 2 to 3 figs without sugar"),
        ('a 7" pizza', "a 7 inch pizza"),
    ],
)
def test_dictation(text: str, spoken: str) -> None:
    assert dictation(text, random.Random(0)) == spoken


def test_diary_notes() -> None:
    text = "For lunch, I had two eggs and a slice of toast with butter, along with black coffee."
    assert diary(text) == "Lunch: two eggs, 1 slice toast w/ butter, black coffee"
    assert diary("I ate a ham and cheese omelet.") == "ham & cheese omelet"


def test_items_in_another_order() -> None:
    changed = reorder(MEAL, random.Random(2))
    assert changed != MEAL
    assert sorted(changed.replace(",", "").replace("and ", "").rstrip(".").split()) == sorted(
        MEAL.replace(",", "").replace("and ", "").rstrip(".").split()
    )


@pytest.mark.parametrize(
    "text",
    [
        "I had a bagel with a slice of cheese and two eggs.",
        "I had a plum and a fig, each 40 g.",
        "I had a plum (40 g) and a fig.",
        "I had soup.",
    ],
)
def test_an_unsafe_sentence_keeps_its_order(text: str) -> None:
    assert reorder(text, random.Random(1)) == text


def test_abbreviations() -> None:
    text = "two tablespoons of peanut butter and 2 cups of chocolate milk without ice"
    assert short(text, random.Random(0)) == "two tbsp of PB & 2 c. of choc milk w/o ice"
    assert short("a cup of tea", random.Random(0)) == "a cup of tea"


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("100 grams of ham", "3.53 oz of ham"),  # 100 / 28.3495
        ("500 ml of beer", "16.91 fl oz of beer"),  # 500 / 29.5735
        ("an 8 fl oz glass of milk", "a 237 ml glass of milk"),  # 8 x 29.5735
        ("half a cup of rice", "118 ml of rice"),  # 0.5 x 236.588
        ("two pounds of beef", "907 g of beef"),  # 2 x 453.592
        ("a 12 oz can of soda", "a 12 oz can of soda"),  # may be fluid ounces
    ],
)
def test_units(text: str, other: str) -> None:
    assert swap_units(text) == other


def test_chatter_keeps_the_meal_and_adds_two_sentences() -> None:
    sentences = [r["sentence"] for r in read_rows("chatter.csv")]
    assert len(set(sentences)) == len(sentences) >= 60
    out = rewrite("chatter", MEAL)
    assert MEAL in out
    assert sum(s in out for s in sentences) == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [("a", 1), ("two", 2), ("1 1/2", 1.5), ("half a", 0.5), ("2½", 2.5), ("one and a half", 1.5)],
)
def test_amounts_are_read(text: str, value: float) -> None:
    assert number_of(text) == value
