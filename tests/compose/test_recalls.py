"""Recalls as meals: the paper's own example, every loss by hand, and the same from any order."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.compose.recalled import records, shuffled

from prandial.compose.recalls import recalled_meals
from prandial.errors import NotFoundError
from prandial.records.composed import EatenMeal
from prandial.records.recalled import FoodRecords, RecallCounts
from prandial.sources.nhanes.eaten import food_records
from prandial.tables import FoodTable, load_foods
from prandial.tables.rules import read_rules

BURGER, CONE, MILK, BANANA, WATER = 27510387, 13120786, 11111000, 63107010, 94000100
HUMAN_MILK, PIZZA = 11000000, 58106210


@pytest.fixture(scope="module")
def table() -> FoodTable:
    return load_foods()


def made(
    table: FoodTable, *cycles: FoodRecords, **how: object
) -> tuple[list[EatenMeal], list[RecallCounts]]:
    counts: list[RecallCounts] = []
    meals = list(recalled_meals(cycles, table, counted=counts.append, **how))  # type: ignore[arg-type]
    return meals, counts


def test_the_meal_of_the_paper(table: FoodTable) -> None:
    """Appendix H.1: SEQN 100705, dinner, a burger of 165 g and a cone of 255 g."""
    rows = [(100705, 1, 4, 1140, 3, BURGER, 165.0), (100705, 1, 5, 1140, 3, CONE, 255.0)]
    (meal,), (counts,) = made(table, records(rows, "2017-2018"))
    assert [i.nutrients["carb_g"] for i in meal.items] == [29.65, 83.31]
    totals = {n: meal.total(n) for n in ("carb_g", "energy_kcal", "protein_g", "fat_g")}
    assert totals == pytest.approx(
        {"carb_g": 112.96, "energy_kcal": 957.45, "protein_g": 39.45, "fat_g": 38.86}, abs=1e-9
    )
    servings = [i.serving for i in meal.items]
    assert [s and s.text for s in servings] == ["1 double cheeseburger", "1 cone"]
    assert meal.natural
    assert (meal.occasion, meal.minute, meal.day, meal.country) == ("dinner", 1140, 1, "USA")
    assert meal.id == "wweia-2017-2018-100705-1-3-1900"
    assert counts.meals_natural == counts.meals_kept == 1


def test_nutrients_as_they_come(table: FoodTable) -> None:
    rows = [(1, 1, 1, 480, 1, BURGER, 33.3)]
    (meal,), _ = made(table, records(rows), decimals=None)
    assert meal.items[0].nutrients["carb_g"] == pytest.approx(17.97 * 0.333, abs=1e-9)
    assert made(table, records(rows))[0][0].items[0].nutrients["carb_g"] == 5.98


def test_person_day_occasion_and_time_make_a_meal(table: FoodTable) -> None:
    rows = [
        (7, 1, 3, 720, 2, MILK, 244.0),
        (7, 1, 1, 480, 1, MILK, 244.0),
        (7, 1, 2, 480, 1, BANANA, 126.0),
        (7, 1, 4, 720, 6, BANANA, 126.0),  # another occasion at the same time
        (7, 1, 5, 900, 6, BANANA, 126.0),  # the same occasion at another time
        (7, 2, 1, 480, 1, MILK, 244.0),  # another day
        (8, 1, 1, 480, 1, MILK, 244.0),  # another person
        (8, 1, 2, None, 1, MILK, 244.0),  # at no known time
    ]
    meals, (counts,) = made(table, records(rows))
    assert [[i.line for i in m.items] for m in meals] == [[1, 2], [3], [4], [5], [1], [1], [2]]
    assert len({m.id for m in meals}) == len(meals) == counts.meals_found == 7
    assert meals[-1].minute is None
    assert meals[-1].id.endswith("-untimed")
    assert (counts.people, counts.people_kept) == (2, 2)


def test_a_whole_occasion(table: FoodTable) -> None:
    """All snacks of a day together, as the published meals are."""
    rows = [
        (7, 1, 5, 900, 6, BANANA, 126.0),
        (7, 1, 2, 600, 6, MILK, 244.0),
        (7, 1, 1, 480, 1, MILK, 244.0),
        (7, 2, 1, 600, 6, MILK, 244.0),
    ]
    meals, (counts,) = made(table, records(rows), by_time=False)
    assert [[i.line for i in m.items] for m in meals] == [[1], [2, 5], [1]]
    assert [m.minute for m in meals] == [480, None, 600]
    assert [m.id for m in meals] == [f"wweia-2015-2016-7-{e}" for e in ("1-1", "1-6", "2-6")]
    assert counts.meals_found == 3


EVERY_LOSS = [
    (1, 1, 1, 480, 1, MILK, 244.0, 2),  # not reliable
    (2, 1, 1, 480, 1, None, 244.0),
    (2, 1, 2, 490, 1, 99999999, 244.0),
    (2, 1, 3, 500, 1, HUMAN_MILK, None),
    (2, 1, 4, 510, 1, MILK, None),
    (2, 1, 5, 520, 1, MILK, 0.0),
    (2, 1, 6, 530, None, MILK, 244.0),
    (2, 1, 7, 540, 99, MILK, 244.0),
    (2, 1, 8, 550, 8, MILK, 244.0),  # infant feeding
    (2, 1, 9, 560, 1, PIZZA, 238.0),  # two pieces of 119 g: not unspecified after all
    (2, 1, 10, 570, 1, BANANA, None),
    (2, 1, 11, 580, 1, MILK, 100.0),
    (2, 1, 12, 580, 1, 99999999, 100.0),  # the meal goes on without it
    (2, 1, 13, 590, 1, 99999999, 100.0),
    (2, 1, 14, 590, 1, MILK, None),  # dropped, too, for another reason
]


def test_a_record_that_stands_twice_counts_once(table: FoodTable) -> None:
    """Letter by letter again; the same food on another line is more of it."""
    rows = [(1, 1, 1, 480, 1, MILK, 244.0), (1, 1, 1, 480, 1, MILK, 244.0)]
    rows += [(1, 1, 2, 480, 1, MILK, 244.0), (1, 1, 3, 480, 1, None, None)] * 2
    (meal,), (counts,) = made(table, records(rows))
    assert [i.line for i in meal.items] == [1, 2]
    assert counts.records_dropped == {"record_repeated": 3, "code_missing": 1}


def test_every_loss_is_counted(table: FoodTable) -> None:
    meals, (counts,) = made(table, records(EVERY_LOSS))
    assert counts.records_dropped == {
        "recall_not_reliable": 1,
        "code_missing": 1,
        "code_not_in_reference": 3,
        "human_milk": 1,
        "grams_missing": 3,
        "grams_not_above_zero": 1,
        "occasion_missing": 2,
        "occasion_left_out": 1,
    }
    assert counts.records == len(EVERY_LOSS) == 2 + sum(counts.records_dropped.values())
    assert counts.records_kept == sum(len(m.items) for m in meals) == 2
    assert counts.meals_dropped == {
        "recall_not_reliable": 1,
        "code_missing": 1,
        "code_not_in_reference": 1,
        "human_milk": 1,
        "grams_missing": 2,
        "grams_not_above_zero": 1,
        "occasion_missing": 2,
        "occasion_left_out": 1,
        "several_reasons": 1,
    }
    assert counts.meals_found == counts.meals_kept + sum(counts.meals_dropped.values())
    assert (counts.meals_kept, counts.meals_short, counts.meals_natural) == (2, 1, 1)
    assert (counts.people, counts.people_kept) == (2, 1)
    assert counts.items_served == 1


def test_whole_meals_alone(table: FoodTable) -> None:
    meals, (counts,) = made(table, records(EVERY_LOSS), whole=True)
    assert [m.items[0].name.split(",")[0] for m in meals] == ["Pizza"]
    assert counts.records_dropped["record_lost"] == 1
    assert counts.meals_dropped["record_lost"] == 1
    assert counts.meals_short == 0
    assert counts.records == counts.records_kept + sum(counts.records_dropped.values())


def test_infant_feeding_may_stay(table: FoodTable) -> None:
    meals, _ = made(table, records(EVERY_LOSS), without=())
    assert [m.occasion for m in meals].count("infant feeding") == 1


def test_an_unspecified_quantity(table: FoodTable) -> None:
    """A food whose unspecified amount is no number of any measure of it, found in the table."""
    from prandial.compose.recalls import ExactServings, food_reference

    reference = food_reference(table)
    exact = ExactServings(reference)
    row = next(
        r
        for r, grams in enumerate(reference.unspecified_g)
        if grams > 0 and reference.measures[r] and exact.of(r, float(grams)) is None
    )
    code, grams = float(reference.codes[row]), float(reference.unspecified_g[row])
    eaten = [(1, 1, 1, 480, 1, code, grams), (1, 1, 2, 500, 1, code, grams + 1)]
    meals, (counts,) = made(table, records(eaten))
    assert counts.records_dropped == counts.meals_dropped == {"quantity_not_specified": 1}
    assert [m.items[0].grams for m in meals] == [grams + 1]


def test_reasons_stand_in_the_table(table: FoodTable) -> None:
    known = {r["reason"] for r in read_rules("recall_exclusions")}
    for whole in (False, True):
        _, (counts,) = made(table, records(EVERY_LOSS), whole=whole)
        assert set(counts.records_dropped) | set(counts.meals_dropped) <= known


def test_people_of_two_releases_count_once(table: FoodTable) -> None:
    """2017-2020 holds the people of 2017-2018 under new numbers; whichever comes second loses."""
    old = records([(1, 1, 1, 480, 1, MILK, 244.0), (1, 1, 2, 480, 1, BANANA, 126.0)], "2017-2018")
    again = [(901, 1, 2, 480, 1, BANANA, 126.0), (901, 1, 1, 480, 1, MILK, 244.0)]
    new = records([*again, (902, 1, 1, 480, 1, MILK, 244.0)], "2017-2020")
    for first, second, left in ((old, new, ["1", "902"]), (new, old, ["901", "902"])):
        meals, counts = made(table, first, second)
        assert [m.person for m in meals] == left
        dropped = counts[1].records_dropped
        assert dropped == {"already_counted": 2}
    alone, _ = made(table, new)
    assert [m.person for m in alone] == ["901", "902"]


def test_other_cycles_may_eat_the_same(table: FoodTable) -> None:
    rows = [(1, 1, 1, 480, 1, MILK, 244.0)]
    meals, _ = made(table, records(rows, "2013-2014"), records(rows, "2015-2016"))
    assert len(meals) == 2


def test_no_record(table: FoodTable) -> None:
    meals, (counts,) = made(table, records([]))
    assert meals == []
    assert counts.meals_found == counts.people == 0
    meals, (counts,) = made(table, records([(1, 1, 1, 480, 1, None, None)]))
    assert meals == []
    assert counts.meals_dropped == {"code_missing": 1}


def test_rows_in_any_order(table: FoodTable) -> None:
    one = records(EVERY_LOSS)
    for seed in range(3):
        assert made(table, shuffled(one, seed)) == made(table, one)


def test_a_release_that_is_not_there(table: FoodTable) -> None:
    with pytest.raises(NotFoundError, match="no food of fndds-1999"):
        list(recalled_meals([records([])], table, release="fndds-1999"))


def test_occasions_are_those_of_the_codebook(shared_dir: Path) -> None:
    import duckdb

    file = shared_dir / "data" / "nhanes" / "all-cycles" / "codebook.parquet"
    with duckdb.connect() as con:
        rows = con.execute(
            f"SELECT DISTINCT CodeOrValue, ValueDescription FROM '{file}'"
            " WHERE Variable IN ('DR1_030Z', 'DR2_030Z') AND CodeOrValue != '.'"
        ).fetchall()
    told = {(code, name.split(" (")[0]) for code, name in rows}
    assert told == {(r["code"], r["name"]) for r in read_rules("occasions")}


@pytest.mark.full
def test_a_cycle_against_a_slow_obvious_version(shared_dir: Path, table: FoodTable) -> None:
    """Meals of 2015-2016 from plain SQL and dictionaries."""
    import duckdb

    found = food_records(shared_dir / "data" / "nhanes", ["2015-2016"])
    meals, (counts,) = made(table, *found)
    folder = shared_dir / "data" / "nhanes" / "2015-2016"
    slow: dict[tuple[int, ...], list[tuple[int, int, float]]] = {}
    reasons: Counter[str] = Counter()
    foods = {int(i) for i, t in zip(table.ids, table.table_of, strict=True) if t == "fndds"}
    with duckdb.connect() as con:
        for day in (1, 2):
            for seqn, line, at, occasion, code, grams, status in con.execute(
                f"SELECT SEQN, DR{day}ILINE, DR{day}_020, DR{day}_030Z, DR{day}IFDCD,"
                f" DR{day}IGRMS, DR{day}DRSTZ FROM '{folder}/DR{day}IFF_I.slim.parquet'"
            ).fetchall():
                if status == 2:
                    reasons["recall_not_reliable"] += 1
                elif code not in foods:
                    reasons["code_not_in_reference"] += 1
                elif code == HUMAN_MILK:
                    reasons["human_milk"] += 1
                elif grams is None:
                    reasons["grams_missing"] += 1
                elif occasion in (None, 99.0):
                    reasons["occasion_missing"] += 1
                elif occasion == 8:
                    reasons["occasion_left_out"] += 1
                else:
                    key = int(seqn), day, int(at // 60), int(occasion)
                    slow.setdefault(key, []).append((int(line), int(code), grams))
    vague = counts.records_dropped["quantity_not_specified"]
    assert sum(map(len, slow.values())) == counts.records_kept + vague
    ours = {k: v for k, v in counts.records_dropped.items() if k != "quantity_not_specified"}
    assert ours == dict(reasons)
    for meal in meals:
        code = int(meal.id.split("-")[-2])
        assert meal.minute is not None
        there = slow[int(meal.person), meal.day, meal.minute, code]
        assert {(i.line, int(i.food.id), i.grams) for i in meal.items} <= set(there)
    assert counts.meals_found == len(meals) + sum(counts.meals_dropped.values())
