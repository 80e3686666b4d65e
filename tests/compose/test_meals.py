"""Composed meals: same seed, same meals; the words hold the items; the answer is known."""

from __future__ import annotations

import itertools
import random

import pytest

from prandial.compose import Wording, compose_meals, draw_serving, spoken_name
from prandial.tables import FoodTable, load_foods

AS_IS = Wording(drop=0.0, synonym=0.0, brand=0.0, lose_word=0.0, typo=0.0)


@pytest.fixture(scope="module")
def table() -> FoodTable:
    return load_foods()


def _meals(table: FoodTable, n: int, *, seed: int, metric: bool):
    weights = [float(c) for c in table.eaten_count]
    return list(itertools.islice(compose_meals(table, weights, seed=seed, metric=metric), n))


def test_same_seed_same_meals(table: FoodTable) -> None:
    assert _meals(table, 20, seed=4, metric=True) == _meals(table, 20, seed=4, metric=True)
    assert _meals(table, 20, seed=4, metric=True) != _meals(table, 20, seed=5, metric=True)


@pytest.mark.parametrize("metric", [True, False])
def test_items_stand_in_the_text(table: FoodTable, metric: bool) -> None:
    for meal in _meals(table, 200, seed=1, metric=metric):
        ends = [0]
        for item in meal.items:
            assert ends[-1] <= item.span[0] < item.span[1] <= len(meal.text)
            assert item.serving.grams > 0
            ends.append(item.span[1])


def test_grams_are_said_in_metric_meals(table: FoodTable) -> None:
    for meal in _meals(table, 200, seed=2, metric=True):
        for item in meal.items:
            words = meal.text[slice(*item.span)]
            assert f"{item.serving.grams:.4g}" in words, words


def test_amounts_are_those_eaten(table: FoodTable) -> None:
    """A food with recalls is served in amounts of the recalls, or a listed measure."""
    food = table.names.index("Banana, raw")
    lo, hi = table.amount_offset[food : food + 2]
    eaten = table.amount_grams[lo:hi]
    rng = random.Random(7)
    for _ in range(100):
        serving = draw_serving(table, food, rng, metric=True, articles=("a",))
        assert serving is not None
        assert min(abs(eaten - serving.grams) / serving.grams) < 0.001


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Rice, white", "white rice"),
        ("Milk, NFS", "milk"),
        ("Soup, with noodles", "soup with noodles"),
        ("Bread, NS as to major flour", "bread"),
    ],
)
def test_names_turned_round(name: str, said: str) -> None:
    """Without dropping anything: qualifiers first, clauses last, scope notes never."""
    heard = {spoken_name(name, "", random.Random(k), AS_IS) for k in range(40)}
    assert said in heard
    assert not any("NS" in h or "NFS" in h for h in heard)
