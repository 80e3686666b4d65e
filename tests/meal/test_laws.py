"""Laws any meal text keeps: nothing lost, nothing invented, the same for the same."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import prandial
from prandial.meal import DEFAULT_NUTRIENTS, Estimator
from prandial.records import Band, Estimate
from prandial.tables import load_foods

FULL = os.environ.get("PRANDIAL_FULL") == "1"
LAW = settings(deadline=None, derandomize=True, database=None, max_examples=600 if FULL else 80)

#: foods that can be weighed
WEIGHED = (
    "apple", "banana", "white rice", "brown rice", "chicken breast", "broccoli", "cheddar cheese",
    "whole milk", "orange juice", "white bread", "butter", "peanut butter", "honey", "sugar",
    "salmon", "green peas", "black beans", "plain yogurt", "potato chips", "raisins", "almonds",
    "ice cream", "tofu", "strawberries", "carrots",
)  # fmt: skip
#: foods measured by the cup, by the spoon, and by the piece
CUPS = ("whole milk", "orange juice", "white rice", "broccoli", "green peas", "oatmeal", "raisins")
SPOONS = ("honey", "sugar", "butter", "peanut butter", "olive oil", "ketchup", "mayonnaise")
COUNTED = (
    "bananas", "eggs", "oranges", "pancakes", "carrots", "tacos", "chicken nuggets", "hot dogs",
    "crackers", "strawberries", "almonds", "plums", "kiwis", "meatballs",
)  # fmt: skip
OPENERS = ("", "I had ", "For lunch I ate ", "Breakfast today: ", "We shared ", "my snack was ")
NONSENSE = ("zorblax", "quimblewort", "frondlewick", "xyzzite", "blorptang", "gribnaxu")
ACCENTED = (
    "1 cup of crème brûlée", "2 jalapeño peppers", "100 g purée of peas", "1 glass of rosé wine",
    "150 g sautéed spinach", "1 slice of Gruyère cheese", "50 g jícama",
)  # fmt: skip

weighed = st.builds("{} g {}".format, st.integers(5, 400), st.sampled_from(WEIGHED))
cups = st.builds("{} cups of {}".format, st.integers(2, 5), st.sampled_from(CUPS))
spoons = st.builds("{} tbsp {}".format, st.integers(2, 6), st.sampled_from(SPOONS))
counted = st.builds("{} {}".format, st.integers(2, 9), st.sampled_from(COUNTED))
amounts = st.one_of(weighed, cups, spoons, counted)
meals = st.builds(
    lambda opener, parts, joint: opener + joint.join(parts),
    st.sampled_from(OPENERS),
    st.lists(st.one_of(amounts, st.sampled_from(WEIGHED + COUNTED)), min_size=1, max_size=5),
    st.sampled_from((", ", " and ", " with ", "; ", "\n", " plus ")),
)
wild = st.one_of(
    meals, st.text(max_size=80), st.lists(st.one_of(meals, st.text(max_size=8))).map(" ".join)
)


def _mid(estimate: Estimate, name: str) -> float | None:
    band = estimate.totals[name]
    return None if band is None else band.mid


def _totals(estimate: Estimate) -> dict[str, float | None]:
    return {name: _mid(estimate, name) for name in DEFAULT_NUTRIENTS}


def _same(first: Estimate, second: Estimate, factor: float = 1.0) -> None:
    """Compare all totals, unknown with unknown."""
    one, two = _totals(first), _totals(second)
    for name, value in one.items():
        foods = [i.food.name if i.food else None for i in (*first.items, *second.items)]
        other = two[name]
        if value is None or other is None:
            assert value is other, (name, foods)
        else:
            assert other == pytest.approx(value * factor, rel=1e-6, abs=1e-9), (name, foods)


# nothing lost, nothing counted twice


@LAW
@given(wild)
@example("")
@example(" \t\n")
@example("2 eggs, toast and coffee.  (with milk)")
@example("x² ½½ 100% İstanbul ﬁsh")
def test_parts_cover_the_text_once(estimator: Estimator, text: str) -> None:
    """The parts stand in order, touch each other, and cover every character."""
    parts = estimator.explain(text).parts
    if text:
        assert parts[0][0] == 0
        assert parts[-1][1] == len(text)
    assert all(s < e for s, e, _, _ in parts)
    assert all(a[1] == b[0] for a, b in pairwise(parts))


@LAW
@given(wild)
def test_no_letter_or_digit_is_taken_for_space(estimator: Estimator, text: str) -> None:
    for start, end, role, _ in estimator.explain(text).parts:
        if role == "space":
            lost = [c for c in text[start:end] if unicodedata.category(c)[0] in "LN"]
            assert not lost, (text, lost)


@LAW
@given(wild)
def test_spans_are_ordered_disjoint_and_inside(estimator: Estimator, text: str) -> None:
    items = estimator.estimate(text).items
    for item in items:
        start, end = item.span
        assert 0 <= start < end <= len(text)
        assert text[start:end] == item.text
    assert all(a.span[1] <= b.span[0] for a, b in pairwise(items))


@LAW
@given(meals, st.sampled_from(NONSENSE), st.sampled_from(("{}", "a can of {}", "50 g {}", "2 {}s")))
def test_food_words_outside_items_are_named(
    estimator: Estimator, meal: str, nonsense: str, shape: str
) -> None:
    """A word that looks like food and is in no item stands in a note."""
    text = f"{meal}, {shape.format(nonsense)}"
    told = estimator.explain(text)
    notes = " ".join(told.estimate.notes)
    for start, end, role, item in told.parts:
        if role == "food word" and item < 0:
            assert text[start:end] in notes, (text[start:end], told.estimate.notes)


@LAW
@given(
    st.lists(amounts, max_size=4),
    st.sampled_from(NONSENSE),
    st.sampled_from(("a can of {}", "50 g {}", "3 cups of {}", "a slice of {}", "{}", "2 {}")),
    st.integers(0, 4),
    st.sampled_from((", ", " and ")),
)
@example([], "zorblax", "a can of {}", 0, ", ")
def test_unknown_food_is_an_item_and_the_total_is_not_complete(
    estimator: Estimator, parts: list[str], nonsense: str, shape: str, place: int, joint: str
) -> None:
    parts = [*parts[:place], shape.format(nonsense), *parts[place:]]
    estimate = estimator.estimate(joint.join(parts))
    unmatched = [i for i in estimate.items if i.status == "unmatched"]
    assert any(nonsense in i.text for i in unmatched), [
        (i.text, i.status, i.food.name if i.food else None) for i in estimate.items
    ]
    assert all(i.food is None and i.portion is None and not i.nutrients for i in unmatched)
    assert not estimate.complete
    assert estimate.status == "incomplete"
    assert any(nonsense in note for note in estimate.notes)


@LAW
@given(st.lists(amounts, min_size=1, max_size=5), st.sampled_from((", ", " and ", "\n")))
def test_every_amount_gets_its_own_item(estimator: Estimator, parts: list[str], joint: str) -> None:
    """A list of amounts with foods has as many items, each with its own words and food."""
    items = estimator.estimate(joint.join(parts)).items
    assert [i.text for i in items] == parts
    assert all(i.food is not None and i.portion is not None for i in items)


# arithmetic


@LAW
@given(st.integers(1, 400), st.sampled_from(WEIGHED))
def test_twice_the_grams(estimator: Estimator, grams: int, food: str) -> None:
    once = estimator.estimate(f"{grams} g {food}")
    twice = estimator.estimate(f"{2 * grams} g {food}")
    _same(once, twice, 2.0)


@LAW
@given(st.integers(2, 8), st.sampled_from(CUPS))
def test_twice_the_cups(estimator: Estimator, n: int, food: str) -> None:
    _same(
        estimator.estimate(f"{n} cups of {food}"),
        estimator.estimate(f"{2 * n} cups of {food}"),
        2.0,
    )


@LAW
@given(st.integers(2, 8), st.sampled_from(SPOONS))
def test_twice_the_spoons(estimator: Estimator, n: int, food: str) -> None:
    _same(estimator.estimate(f"{n} tbsp {food}"), estimator.estimate(f"{2 * n} tbsp {food}"), 2.0)


@LAW
@given(st.integers(2, 8), st.sampled_from(COUNTED))
def test_twice_the_pieces(estimator: Estimator, n: int, food: str) -> None:
    _same(estimator.estimate(f"{n} {food}"), estimator.estimate(f"{2 * n} {food}"), 2.0)


@LAW
@given(
    st.lists(amounts, min_size=2, max_size=5).flatmap(
        lambda parts: st.tuples(st.just(parts), st.permutations(parts))
    ),
    st.sampled_from((", ", " and ")),
)
def test_order_of_items_does_not_matter(
    estimator: Estimator, orders: tuple[list[str], list[str]], joint: str
) -> None:
    first, second = (estimator.estimate(joint.join(order)) for order in orders)
    _same(first, second)
    assert first.status == second.status


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("5 g apple", "2 cups of oatmeal"),
        ("100 g rice", "2 eggs"),
        ("1 tbsp honey", "a slice of bread"),
        ("a glass of milk", "30 g almonds"),
    ],
)
def test_order_by_hand(estimator: Estimator, first: str, second: str) -> None:
    """Both foods are found in either order, with the totals of each alone."""
    alone = [_totals(estimator.estimate(t))["carb_g"] for t in (first, second)]
    for text in (f"{first}, {second}", f"{second}, {first}"):
        estimate = estimator.estimate(text)
        assert estimate.complete, estimate.notes
        assert _mid(estimate, "carb_g") == pytest.approx(sum(a for a in alone if a is not None))


@LAW
@given(st.lists(amounts, min_size=1, max_size=5))
def test_totals_are_sums_of_items(estimator: Estimator, parts: list[str]) -> None:
    """The middle of a total is the sum of the items' middles (checked here by hand)."""
    estimate = estimator.estimate(", ".join(parts))
    for name, total in estimate.totals.items():
        bands = [i.nutrients[name] for i in estimate.items if i.portion is not None]
        known = [b.mid for b in bands if b is not None]
        if total is None:
            assert len(known) < len(bands) or not bands
        else:
            assert total.mid == pytest.approx(sum(known))


@LAW
@given(st.lists(amounts, min_size=1, max_size=4))
def test_quantity_times_measure_is_grams(estimator: Estimator, parts: list[str]) -> None:
    """As the record says: quantity times the weight of the named measure gives the grams."""
    for item in estimator.estimate(", ".join(parts)).items:
        if item.food is None or item.portion is None:
            continue
        weights = [m.grams for m in item.food.measures if m.name == item.portion.measure]
        if item.portion.basis in ("measure", "count") and weights:
            products = [item.portion.quantity.mid * w for w in weights]
            assert any(item.portion.grams.mid == pytest.approx(p, rel=1e-4) for p in products), (
                item.text,
                item.portion,
                weights,
            )


@LAW
@given(wild)
def test_bands_are_in_order_and_never_negative(estimator: Estimator, text: str) -> None:
    estimate = estimator.estimate(text)
    bands: list[Band | None] = list(estimate.totals.values())
    for item in estimate.items:
        bands += item.nutrients.values()
        if item.portion is not None:
            bands += [item.portion.grams, item.portion.quantity]
    for band in bands:
        if band is not None:
            assert 0 <= band.low <= band.mid <= band.high


@LAW
@given(st.lists(amounts, min_size=2, max_size=4))
def test_a_total_is_the_sum_of_its_items(estimator: Estimator, parts: list[str]) -> None:
    """Middles add up, and the 50 % band lies within the 90 % band."""
    estimate = estimator.estimate(", ".join(parts))
    for name, total in estimate.totals.items():
        bands = [i.nutrients[name] for i in estimate.items if i.portion is not None]
        known = [b.mid for b in bands if b is not None]
        near = estimate.totals_50[name]
        if total is not None and near is not None:
            assert total.mid == pytest.approx(sum(known))
            assert total.low <= near.low <= near.mid <= near.high <= total.high


@LAW
@given(st.lists(amounts, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_move_the_range(
    estimator: Estimator, parts: list[str], rng: random.Random
) -> None:
    """Items in another order give the same totals."""
    first = estimator.estimate(", ".join(parts)).totals["carb_g"]
    rng.shuffle(parts)
    second = estimator.estimate(", ".join(parts)).totals["carb_g"]
    assert (first is None) == (second is None)
    if first is not None and second is not None:
        assert first.low == pytest.approx(second.low, abs=1e-3, rel=1e-3)
        assert first.high == pytest.approx(second.high, abs=1e-3, rel=1e-3)


# unknown is not zero


@LAW
@given(wild)
def test_json_of_any_text_has_no_nan(estimator: Estimator, text: str) -> None:
    estimate = estimator.estimate(text)
    json.loads(json.dumps(estimate.to_dict(), allow_nan=False))
    assert estimate.complete == (estimate.status == "ok")


def test_unknown_nutrient_is_none_in_item_and_total(estimator: Estimator) -> None:
    """USDA's SR28 publishes no sugars for raw quince (09296); the total is then unknown too."""
    estimate = estimator.estimate("100 g raw quince and 10 g sugar")
    names = [i.food.name if i.food else None for i in estimate.items]
    assert names[0] == "Quinces, raw"
    assert estimate.items[0].nutrients["sugars_g"] is None
    assert estimate.totals["sugars_g"] is None
    assert estimate.totals["carb_g"] is not None
    assert any("sugars_g unknown for: 100 g raw quince" in n for n in estimate.notes)


def test_nothing_understood_means_no_total(estimator: Estimator) -> None:
    estimate = estimator.estimate("a can of zorblax")
    assert set(estimate.totals.values()) == {None}


# the same for the same

SAME = (
    "2 eggs, toast and coffee",
    "a cup of oatmeal with half a sliced banana and a glass of orange juice",
    "a can of zorblax and 1,000 g rice",
    "chicken salad; how many units of insulin?",
)


def _bytes(estimator: Estimator) -> str:
    return json.dumps([estimator.explain(text).to_dict() for text in SAME])


def test_same_bytes_again_and_afresh(estimator: Estimator) -> None:
    first = _bytes(estimator)
    assert _bytes(estimator) == first
    assert _bytes(Estimator(load_foods())) == first


@pytest.mark.parametrize("seed", ["0", "4242"])
def test_same_bytes_in_another_process(estimator: Estimator, seed: str) -> None:
    """Neither the process nor the order of its hash tables changes a byte."""
    code = (
        "import json, sys; from prandial.meal import get_estimator; e = get_estimator();"
        "print(json.dumps([e.explain(t).to_dict() for t in json.loads(sys.argv[1])]))"
    )
    root = str(Path(prandial.__file__).parents[1])
    env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": root}
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(SAME)],
        capture_output=True, text=True, env=env, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == _bytes(estimator)


@LAW
@given(st.lists(meals, min_size=1, max_size=4))
def test_earlier_texts_change_nothing(estimator: Estimator, texts: list[str]) -> None:
    first = [estimator.estimate(t).to_dict() for t in texts]
    assert [estimator.estimate(t).to_dict() for t in reversed(texts)] == first[::-1]


@pytest.mark.parametrize(
    ("earlier", "text"),
    [
        ("2(5 meatballs", "5 meatballs"),
        ("a bowl (5 meatballs)", "5 meatballs"),
        ("2 bags (30 g each) of almonds", "30 g each of almonds"),
        ("1/5 meatballs", "5 meatballs"),
        ("2-5 meatballs", "5 meatballs"),
        ("no 5 meatballs", "5 meatballs"),
        ("SHRIMP", "shrimp"),
    ],
)
def test_what_is_kept_from_one_text_does_not_leak(earlier: str, text: str) -> None:
    """Matches are kept to save time; a bracket or a sign before the words is another text."""
    fresh = Estimator(load_foods()).estimate(text).to_dict()
    used = Estimator(load_foods())
    used.estimate(earlier)
    assert used.estimate(text).to_dict() == fresh


# how it is typed does not matter


@LAW
@given(meals)
def test_upper_case(estimator: Estimator, text: str) -> None:
    _same(estimator.estimate(text), estimator.estimate(text.upper()))


@LAW
@given(meals, st.sampled_from(("\u00a0", "  ", "\t", "\u2009", "\u202f", " \u200b", "\u3000")))
def test_other_white_space(estimator: Estimator, text: str, space: str) -> None:
    _same(estimator.estimate(text), estimator.estimate(f" {text.replace(' ', space)} "))


@pytest.mark.parametrize(
    ("plain", "curly"),
    [
        ("a McDonald's Big Mac", "a McDonald’s Big Mac"),
        ("M&M's, a small bag", "M&M’s, a small bag"),
        ('a "Big Mac" and 100 g rice', "a “Big Mac” and 100 g rice"),
        ("2 eggs - fried", "2 eggs – fried"),
        ("2-3 slices of bread", "2−3 slices of bread"),
    ],
)
def test_curly_signs(estimator: Estimator, plain: str, curly: str) -> None:
    _same(estimator.estimate(plain), estimator.estimate(curly))


@pytest.mark.parametrize("text", ACCENTED)
def test_composed_or_decomposed(estimator: Estimator, text: str) -> None:
    """An accent typed as a character of its own (NFD) is the same letter."""
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert composed != decomposed
    one, two = estimator.estimate(composed), estimator.estimate(decomposed)
    assert one.items
    _same(one, two)


@pytest.mark.parametrize("text", ACCENTED)
def test_accents_left_out(estimator: Estimator, text: str) -> None:
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    _same(estimator.estimate(text), estimator.estimate(bare))
