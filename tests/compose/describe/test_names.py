"""Names and amounts in speech: hand-made expectations."""

from __future__ import annotations

import pytest

from prandial.compose.describe.amounts import grams_text, read_measure, serving_phrases
from prandial.compose.describe.names import many_of, name_variants


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Milk, NFS", "milk"),
        ("Rice, brown, cooked, no added fat", "cooked brown rice with no added fat"),
        ("Milk, reduced fat (2%)", "2% reduced fat milk"),
        ("Cereal (Kellogg's Honey Smacks)", "Kellogg's Honey Smacks cereal"),
        ("Bread, NS as to major flour", "bread"),
        ("Chicken leg, fried, skin not eaten", "fried chicken leg without the skin"),
        ("Carrots, PROCESS = Raw, no heat treatment", "raw carrots"),
        ("Rice grain,  PROCESS=Boiling", "boiled rice grain"),
        ("Borlotti beans (dry), PROCESS = Boiling", "boiled borlotti beans (dry)"),
        ("CHICKEN WING, ROASTING", "roasting chicken wing"),
        ("* onion, large bulb, fresh, raw *boiled*", "boiled raw fresh large bulb onion"),
        (
            "Beef, potatoes, and vegetables excluding carrots; no sauce",
            "beef, potatoes, and vegetables excluding carrots and no sauce",
        ),
    ],
)
def test_said_in_full(name: str, said: str) -> None:
    assert name_variants(name)[0] == said


@pytest.mark.parametrize(
    ("words", "many"),
    [
        ("slice", "slices"),
        ("box", "boxes"),
        ("fl oz", "fl oz"),
        ("patty", "patties"),
        ("loaf", "loaves"),
        ("catfish", "catfish"),
        ("slice of bread", "slices of bread"),
        ("large or thick slice", "large or thick slices"),
        ("tomato", "tomatoes"),
        ("tray", "trays"),
    ],
)
def test_many(words: str, many: str) -> None:
    assert many_of(words) == many


@pytest.mark.parametrize(
    ("measure", "number", "unit", "notes", "sizes"),
    [
        ("1 cup, cooked, diced", 1, "cup", "cooked, diced", ()),
        ("1 bottle (16.9 fl oz or 500 ml)", 1, "bottle", "", ("16.9 fl oz or 500 ml",)),
        ("1/2 English muffin", 0.5, "English muffin", "", ()),
        ("1 oz, boneless, raw (yield after cooking)", 1, "oz", "boneless, raw", ()),
        ("10 sticks", 10, "sticks", "", ()),
        ("1 slice, NFS", 1, "slice", "", ()),
    ],
)
def test_measures_taken_apart(measure, number, unit, notes, sizes) -> None:
    read = read_measure(measure)
    assert (read.number, read.unit, read.notes, read.sizes) == (number, unit, notes, sizes)


@pytest.mark.parametrize(
    ("name", "measure", "times", "heard"),
    [
        ("Milk, whole", "1 cup", 0.5, {"half a cup of whole milk", "1/2 cup of whole milk"}),
        ("Milk, whole", "1 cup", 1.5, {"one and a half cups of whole milk"}),
        ("Banana, raw", "1 banana", 1.0, {"a raw banana", "one raw banana"}),
        ("Egg, whole, boiled", "1 large", 2.0, {"two large boiled whole eggs"}),
        ("Pancakes, plain", "1 medium", 1.0, {"a medium plain pancake"}),
        ("Rum", "1 jigger", 2.0, {"rum (two jiggers)", "rum (a couple of jiggers)"}),
        (
            "Soft drink, cola",
            "1 bottle (20 fl oz)",
            1.0,
            {"a bottle (20 fl oz) of cola soft drink", "a 20 fl oz bottle of cola soft drink"},
        ),
        ("Licorice", "1 piece", 12.0, {"a dozen pieces of licorice", "12 pieces of licorice"}),
        ("Apple, raw", "1 apple", 1.0, {"a raw apple"}),
    ],
)
def test_servings_said(name, measure, times, heard) -> None:
    said = {p.text for p in serving_phrases(name, measure, times, "", "exact")}
    assert heard <= said


def test_an_before_vowels() -> None:
    said = {p.text for p in serving_phrases("Orange, raw", "1 orange", 0.5, "", "exact")}
    assert "half a raw orange" in said
    said = {p.text for p in serving_phrases("Wine, red", "1 8 oz glass", 1.0, "", "exact")}
    assert "an 8 oz glass of red wine" in said


@pytest.mark.parametrize(
    ("grams", "text"), [(97.0, "97"), (453.592, "453.59"), (0.5, "0.5"), (0.004, "0.004")]
)
def test_grams(grams: float, text: str) -> None:
    assert grams_text(grams) == text
