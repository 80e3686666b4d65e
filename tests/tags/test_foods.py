"""Food tags: laws by property, edges by hand, names in graph order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prandial.errors import InputError
from prandial.tables.rules import FOOD_TAG_ORDER, NUTRIENT_ORDER
from prandial.tags import BASES, Basis, food_tags, thresholds
from prandial.truth import Truth

NAN = float("nan")
amount = st.one_of(st.just(NAN), st.floats(0, 2000, allow_nan=False))
basis = st.sampled_from(BASES)
nutrient = st.sampled_from(NUTRIENT_ORDER)
few = settings(max_examples=60, deadline=None)


def told(name: str, values: list[float], on: Basis = "per_100g") -> tuple[list[int], list[int]]:
    """Low and high of one nutrient; servings weigh 100 g and 100 g hold 100 kcal."""
    n = len(values)
    given_values = {"calorie": np.full(n, 100.0), name: np.array(values)}
    tags = food_tags(given_values, basis=on, serving_g=np.full(n, 100.0))
    return tags.low[name].tolist(), tags.high[name].tolist()


@few
@given(nutrient, basis, st.lists(st.floats(0, 5000), min_size=2, max_size=20))
def test_more_of_a_nutrient_is_never_lower(name: str, on: Basis, values: list[float]) -> None:
    if name == "calorie" and on == "per_100kcal":
        on = "per_100g"
    low, high = told(name, sorted(values), on)
    assert low == sorted(low, reverse=True)
    assert high == sorted(high)


@few
@given(st.dictionaries(nutrient, amount, min_size=1), basis, st.floats(0, 900))
def test_never_both_and_unknown_together(food: dict[str, float], on: Basis, serving: float) -> None:
    tags = food_tags(
        {n: np.array([v]) for n, v in food.items()}, basis=on, serving_g=np.array([serving])
    )
    for name in NUTRIENT_ORDER:
        low, high = tags.low[name][0], tags.high[name][0]
        assert not (low == Truth.YES and high == Truth.YES)
        assert (low == Truth.UNKNOWN) == (high == Truth.UNKNOWN)
        if np.isnan(food.get(name, NAN)):
            assert low == Truth.UNKNOWN
    for tag in tags.holding()[0]:
        assert tag.split("_", 1)[1] not in tags.unknown()[0]


@few
@given(st.dictionaries(nutrient, amount, min_size=1))
def test_published_rules_know_everything_and_agree_where_known(food: dict[str, float]) -> None:
    values = {n: np.array([v]) for n, v in food.items()}
    ours, theirs = food_tags(values), food_tags(values, rules="as-published")
    assert theirs.unknown() == ((),)
    for name in NUTRIENT_ORDER:
        if ours.low[name][0] != Truth.UNKNOWN:
            assert theirs.low[name][0] == ours.low[name][0]
            assert theirs.high[name][0] == ours.high[name][0]
        else:
            assert theirs.low[name][0] == Truth.YES


@pytest.mark.parametrize("on", BASES)
@pytest.mark.parametrize("name", NUTRIENT_ORDER)
def test_the_thresholds_themselves(name: str, on: Basis) -> None:
    """At most low is low; above high is high, or from high on where the rule says so."""
    if name == "calorie" and on != "per_100g":
        return
    row = thresholds(on)[name]
    edges = [row.low, np.nextafter(row.low, 9e9), np.nextafter(row.high, 0), row.high]
    low, high = told(name, [*edges, np.nextafter(row.high, 9e9), NAN], on)
    assert low == [1, 0, 0, 0, 0, 2]
    assert high == [0, 0, 0, int(row.high_includes), 1, 2]


def test_a_food_without_a_sodium_value_is_neither_low_nor_high_in_sodium() -> None:
    values = {"sodium": np.array([NAN]), "carb": np.array([10.0])}
    tags = food_tags(values)
    assert "sodium" in tags.unknown()[0]
    assert tags.holding() == (("low_carb",),)
    assert "low_sodium" in food_tags(values, rules="as-published").holding()[0]


def test_serving_and_energy_by_hand() -> None:
    """Soup: 350 mg sodium and 40 kcal per 100 g, 245 g eaten: 857.5 mg, and 875 mg in 100 kcal."""
    soup = {"sodium": np.array([50.0]), "calorie": np.array([40.0])}
    assert food_tags(soup).holding()[0] == ("low_sodium", "low_calorie")
    per_serving = food_tags(soup, basis="per_serving", serving_g=np.array([245.0]))
    assert per_serving.holding()[0] == ("low_sodium",)  # 122.5 mg; 98 kcal is neither
    assert food_tags(soup, basis="per_100kcal").holding()[0] == ("high_sodium", "low_calorie")


def test_a_food_without_energy_has_no_amount_per_100_kcal() -> None:
    water = {"sodium": np.array([4.0]), "calorie": np.array([0.0]), "sugar": np.array([0.0])}
    tags = food_tags(water, basis="per_100kcal")
    assert tags.holding() == (("low_calorie",),)
    assert set(tags.unknown()[0]) == set(NUTRIENT_ORDER) - {"calorie"}


def test_a_serving_of_unknown_weight_has_unknown_tags() -> None:
    food = {"sodium": np.full(2, 100.0)}
    tags = food_tags(food, basis="per_serving", serving_g=np.array([NAN, 0.0]))
    assert tags.low["sodium"].tolist() == [2, 2]


def test_names_come_in_graph_order() -> None:
    tags = food_tags({n: np.array([0.0]) for n in reversed(NUTRIENT_ORDER)})
    assert tags.holding()[0] == tuple(f"low_{n}" for n in FOOD_TAG_ORDER)
    assert tags.count(NUTRIENT_ORDER[:3]).tolist() == [3]


@pytest.mark.parametrize(
    ("values", "kwargs"),
    [
        ({"zinc": np.array([1.0])}, {}),
        ({}, {}),
        ({"carb": np.array([1.0]), "sugar": np.array([1.0, 2.0])}, {}),
        ({"carb": np.array([-1.0])}, {}),
        ({"carb": np.array([np.inf])}, {}),
        ({"carb": np.array([1.0])}, {"basis": "per_cup"}),
        ({"carb": np.array([1.0])}, {"basis": "per_serving"}),
        ({"carb": np.array([1.0])}, {"basis": "per_serving", "serving_g": np.ones(2)}),
        ({"carb": np.array([1.0])}, {"rules": "mine"}),
        ({"carb": np.array([1.0])}, {"rules": "as-published", "basis": "per_100kcal"}),
    ],
)
def test_what_cannot_be_tagged_is_an_input_error(
    values: dict[str, np.ndarray], kwargs: dict[str, object]
) -> None:
    with pytest.raises(InputError) as caught:
        food_tags(values, **kwargs)  # type: ignore[arg-type]
    assert caught.value.where
    assert caught.value.hint
