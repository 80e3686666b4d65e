"""What instead: foods of the same category, and smaller portions."""

from __future__ import annotations

import pytest
from tests.advice.made import item, meal

from prandial.advice import RULE_NUTRIENTS, estimate_of_food, named_person, verdict_on
from prandial.records import Verdict
from prandial.tables import FoodTable, load_foods

HYPERTENSION = named_person(["hypertension"])
RANK = {"match": 1, "neither": 0, "contradict": -1}


@pytest.fixture(scope="module")
def table() -> FoodTable:
    return load_foods("fndds-2017-2018")


def coded(table: FoodTable, code: str, grams: float):
    return estimate_of_food(
        table.food(table.row_of(code)),
        grams=grams,
        release=table.release,
        carbohydrate_definition=table.carbohydrate_definition,
    )


def judged(table: FoodTable, code: str, grams: float, **more) -> Verdict:
    return verdict_on(
        coded(table, code, grams), more.pop("person", HYPERTENSION), table=table, **more
    )


#: a pizza, a soup, a ham, chips, cheese; FNDDS codes
FOODS = ("58106210", "58403010", "22311000", "71200100", "14104100")


@pytest.mark.parametrize("code", FOODS)
@pytest.mark.parametrize("person", [["hypertension"], ["ckd", "high ldl"], ["diabetes"]])
def test_a_swap_is_of_the_category_and_breaks_nothing_worse(table, code, person) -> None:
    who = named_person(person)
    got = judged(table, code, 150.0, person=who)
    own = table.food(table.row_of(code))
    assert len(got.swaps) <= 3
    for swap in got.swaps:
        food = table.food(table.row_of(swap.food_id, "fndds"))
        assert (food.category, swap.grams) == (own.category, 150.0)
        assert food.name != own.name
        alone = judged(table, swap.food_id, 150.0, person=who)  # the slow way: judge it alone
        assert (swap.answer_after, swap.worst_after) == (alone.answer, alone.worst)
        before = {r.nutrient: r for r in got.reasons}
        gained = 0.0
        for after in alone.reasons:
            was = before[after.nutrient]
            if after.outcome == "conflict":
                continue
            assert RANK[after.outcome] >= RANK[was.outcome], (swap.name, after.need)
            gained += RANK[after.outcome] - RANK[was.outcome]
            if was.outcome == after.outcome == "contradict":
                less = was.amount.mid - after.amount.mid
                assert less >= 0 if after.need.startswith("low") else less <= 0
                gained += abs(less)
            key = RULE_NUTRIENTS[after.nutrient]
            assert after.amount.mid == pytest.approx(food.per_100g[key] * 1.5, rel=1e-5)
        assert gained > 0


def test_some_swaps_are_found_and_the_same_every_time(table) -> None:
    one, two = (judged(table, "58106210", 238.0) for _ in range(2))
    assert one.swaps == two.swaps
    assert len(one.swaps) == 3


def test_no_swap_where_nothing_speaks_against(table) -> None:
    got = judged(table, "63107010", 126.0)  # a raw banana holds 1 mg sodium per 100 g
    assert got.matches == ("low_sodium",)
    assert (got.contradicts, got.swaps, got.smaller) == ((), (), ())


def test_a_food_of_another_table_has_no_category(table) -> None:
    row = next(r for r in range(len(table.ids)) if table.names[r].startswith("DOMINO'S"))
    got = judged(table, table.ids[row], 150.0)
    assert got.swaps == ()
    assert any("no FNDDS category" in n for n in got.notes)


def test_a_smaller_portion_by_hand() -> None:
    """1000 mg sodium in 500 g: high from 460 mg, so 230 g is the limit and itself high."""
    got = verdict_on(meal(item(300, sodium=800), item(200, sodium=200)), HYPERTENSION)
    (smaller,) = got.smaller
    assert (smaller.grams_before, smaller.grams, smaller.scale) == (500.0, 225.0, 0.45)
    assert smaller.brings_down == ("sodium",)
    sodium = next(c for c in smaller.changes if c.nutrient == "sodium")
    assert (sodium.before, sodium.after) == (1000.0, 450.0)
    assert (sodium.outcome_before, sodium.outcome_after) == ("contradict", "neither")


def test_each_nutrient_has_its_own_portion() -> None:
    """Of 400 g: sodium 920 mg to below 460 at 195 g, fat 6 g to below 4 g at 265 g."""
    who = named_person(["hypertension", "high ldl"])
    got = verdict_on(meal(item(400, sodium=920, saturated_fat=6, fiber=3)), who)
    assert [(p.grams, p.brings_down) for p in got.smaller] == [
        (265.0, ("saturated_fat",)),
        (195.0, ("sodium", "saturated_fat")),
    ]


def test_less_than_a_quarter_is_not_offered() -> None:
    got = verdict_on(meal(item(400, sodium=2000)), HYPERTENSION)  # 460 mg are in 92 g
    assert got.smaller == ()
    assert any("no portion" in n for n in got.notes)


@pytest.mark.parametrize("basis", ["per_100g", "per_100kcal"])
def test_a_portion_changes_nothing_on_a_share(basis) -> None:
    got = verdict_on(meal(item(300, sodium=9000, calorie=300)), HYPERTENSION, basis=basis)
    assert got.contradicts[0] == "high_sodium"
    assert got.smaller == ()
    assert any("smaller portion changes nothing" in n for n in got.notes)


def test_the_worst_items_come_first(table) -> None:
    """Soup holds most of the sodium, so it is to be replaced, not the banana."""
    soup, banana = coded(table, "58403010", 500.0), coded(table, "63107010", 126.0)
    got = verdict_on(meal(banana.items[0], soup.items[0]), HYPERTENSION, table=table)
    assert got.contradicts == ("high_sodium",)
    assert {s.item for s in got.swaps} == {1}
    assert got.reasons[0].most_from == 1
