"""Grams as household servings: by hand, by weighing them again, and how they read."""

from __future__ import annotations

import doctest
import re
from fractions import Fraction

import numpy as np
import pytest

from prandial.compose.recalls import ExactServings, food_reference, said, serving_text
from prandial.compose.recalls.kinds import STEPS, kind_of, times_said
from prandial.compose.recalls.reference import Reference
from prandial.tables import load_foods
from prandial.tables.rules import read_rules


@pytest.fixture(scope="module")
def reference() -> Reference:
    return food_reference(load_foods())


@pytest.fixture(scope="module")
def exact(reference: Reference) -> ExactServings:
    return ExactServings(reference)


#: food, grams, its serving: worked out by hand from USDA's table of portions
BY_HAND = [
    ("Banana, raw", 126.0, "1 banana"),
    ("Banana, raw", 252.0, "2 bananas"),
    ("Banana, raw", 63.0, "half a banana"),
    ("Banana, raw", 75.0, "half a cup"),
    ("Banana, raw", 150.0, "1 cup"),
    ("Banana, raw", 187.5, "1 1/4 cups"),
    ("Banana, raw", 18.0, "3 slices"),
    ("Banana, raw", 118.0, None),  # the weight of an older release
    ("Banana, raw", 126.05, None),
    ("Milk, whole", 244.0, "1 cup"),
    ("Milk, whole", 81.33, "a third of a cup"),
    ("Milk, whole", 162.67, "two thirds of a cup"),
    ("Milk, whole", 162.7, None),
    ("Milk, whole", 122.01, "half a cup"),  # as volumes are recorded
    ("Milk, whole", 305.0, "10 fl oz"),
    ("Milk, whole", 274.5, "9 fl oz"),
    ("Milk, whole", 427.0, "14 fl oz"),
    ("Milk, whole", 457.5, "15 fl oz"),
    ("Milk, whole", 10.0, None),
    ("Sugar, white, granulated or lump", 4.17, "1 teaspoon"),
    ("Sugar, white, granulated or lump", 12.5, "1 tablespoon"),
    ("Sugar, white, granulated or lump", 25.0, "2 tablespoons"),
    ("Sugar, white, granulated or lump", 16.8, "4 teaspoons"),
    ("Sugar, white, granulated or lump", 7.0, "2 individual packets"),
    ("Ketchup", 5.67, "1 teaspoon"),
    ("Ketchup", 34.0, "2 tablespoons"),
    ("Oatmeal, instant, plain, made with water, no added fat", 148.0, "1 packet"),
    ("Bread, white", 56.0, "2 medium or regular slices"),
    ("Bread, white", 14.0, "half a medium or regular slice"),
    ("Bread, white", 26.0, "2 slices, crust not eaten"),
    ("Soft drink, NFS", 372.0, "1 can (12 fl oz)"),
    ("Soft drink, NFS", 744.0, "1 large drink"),
    ("Soft drink, NFS", 248.0, "8 fl oz (no ice)"),
    ("Soft drink, NFS", 184.0, "8 fl oz (with ice)"),
    ("Double cheeseburger (McDonalds)", 165.0, "1 double cheeseburger"),
    ("Egg, whole, boiled or poached", 100.0, "2 eggs"),
    ("Egg, whole, boiled or poached", 25.0, "half an egg"),
]


@pytest.mark.parametrize(("name", "grams", "text"), BY_HAND)
def test_by_hand(
    exact: ExactServings, reference: Reference, name: str, grams: float, text: str | None
) -> None:
    serving = exact.of(reference.names.index(name), grams)
    assert (serving and serving.text) == text
    if serving is not None:
        words = re.findall("teaspoon|tablespoon", serving.text)
        converted = any(w not in serving.measure for w in words)
        assert serving.rule == ("volume" if converted else "exact")
        assert serving.grams == pytest.approx(grams, abs=max(0.01, grams * 1e-4) + 1e-9)
        assert exact.of(reference.names.index(name), grams) is serving


def test_a_serving_weighs_what_was_eaten(exact: ExactServings, reference: Reference) -> None:
    """Of 3,000 drawn amounts, those served are a listed measure times a number that is said."""
    rng = np.random.default_rng(5)
    served = 0
    for _ in range(3_000):
        row = int(rng.integers(len(reference.codes)))
        if not reference.measures[row]:
            continue
        measure = reference.measures[row][int(rng.integers(len(reference.measures[row])))]
        steps = int(rng.choice(sorted(times_said())))
        grams = round(measure.grams * steps / STEPS, 2)
        if grams <= 0:
            continue
        serving = exact.of(row, grams)
        if serving is None:
            assert (
                steps not in measure.kind.costs
                or (steps % STEPS and measure.grams < measure.kind.parts_from_g)
                or grams < 0.1
            )
            continue
        served += 1
        listed = {m.name: m.grams for m in reference.measures[row]}
        times = Fraction(serving.times).limit_denominator(STEPS)
        assert abs(float(times * Fraction(listed[serving.measure])) - grams) <= max(
            0.0101, grams * 1e-4
        )
        assert "NFS" not in serving.text
        assert "yield" not in serving.text
    assert served > 1_000


@pytest.mark.parametrize(
    ("measure", "kind"),
    [
        ("Quantity not specified", "unspecified"),
        ("Guideline amount per cup of hot cereal", "guideline"),
        ("1 cubic inch, boneless, cooked", "inch"),
        ("1 oz, boneless, raw (yield after cooking)", "yield"),
        ("1 cup, dry, yields", "yield"),
        ("1 medium trout (yield after cooking, bone removed)", "count"),
        ("1 bar [Quaker]", "brand"),
        ("1 fl oz (no ice)", "fluid"),
        ("1 tablespoon", "tablespoon"),
        ("1 teaspoon", "teaspoon"),
        ("1 cup, mashed", "cup"),
        ("1 oz, cooked", "weight"),
        ("1 quart", "volume"),
        ("1 packet, dry, yields", "count"),
        ("1 piece, NFS", "vague"),
        ("1 6 oz container", "count"),
        ("10 chips", "fixed"),
    ],
)
def test_kinds_of_measures(measure: str, kind: str) -> None:
    assert kind_of(measure).name == kind


@pytest.mark.parametrize(
    ("measure", "times", "text"),
    [
        ("1 cup, diced", "1", "1 cup, diced"),
        ("1 cup, diced", "1/4", "a quarter of a cup, diced"),
        ("1 cup", "3/2", "1 1/2 cups"),
        ("1 individual container", "1/2", "half an individual container"),
        ("1 medium", "2", "2 medium"),
        ("1 can or bottle (12 fl oz)", "2", "2 cans or bottles (12 fl oz)"),
        ("1 medium trout (yield after cooking, bone removed)", "2", "2 medium trout"),
        ("1 large (8 oz, with bone, raw) (yield after cooking, bone removed)", "1", "1 large"),
        ("1 slice, crust not eaten", "3", "3 slices, crust not eaten"),
        ("1 frankfurter on bun", "2", "2 frankfurters on bun"),
        ("1 leaf", "4", "4 leaves"),
        ("1 patty", "2", "2 patties"),
        ("1 baby potato", "2", "2 baby potatoes"),
        ("1 100 calorie package", "1", "one 100 calorie package"),
        ("1 6 oz container", "2", "two 6 oz containers"),
        ("1 burrito, NS as to size", "2", "2 burritos"),
        ("1 wing, any size", "3", "3 wings"),
        ("1 fl oz (NFS)", "8", "8 fl oz"),
        ("1/2 bagel", "1", "1/2 bagel"),
        ("1 packet, dry, yields", "2", "2 packets"),
        ("1 can (15 oz), drained, yields", "1", "1 can (15 oz)"),
        ("1 cup, melted", "1/48", "1 teaspoon, melted"),
        ("1 cup", "1/16", "1 tablespoon"),
        ("1 tablespoon, dry", "2/3", "2 teaspoons, dry"),
        ("1 unit", "1/2", "half a unit"),
    ],
)
def test_how_it_reads(measure: str, times: str, text: str) -> None:
    assert serving_text(measure, int(Fraction(times) * STEPS)) == text


def test_every_measure_has_a_kind_and_every_part_words(reference: Reference) -> None:
    numbers = {r["times"] for r in read_rules("serving_times")}
    for row in read_rules("serving_kinds"):
        assert set(row["parts"].split()) <= numbers
    seen = {m.name: m.kind for ms in reference.measures for m in ms}
    assert len(seen) > 1_500
    for name, kind in seen.items():
        for steps in kind.costs:
            text = serving_text(name, steps)
            assert text
            assert text == text.strip()
            assert "  " not in text
            assert "{" not in text


def test_examples_of_the_docstring() -> None:
    result = doctest.testmod(said)
    assert result.attempted == 4
    assert result.failed == 0
