"""GIFT meals: the real survey grouped, its sums kept, servings of mapped foods."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from prandial.compose.mapping import AskedFood, FoodMatch, Mapped, asked_foods, gift_meals
from prandial.errors import InputError, MissingDataError
from prandial.sources.gift import GiftRecord, GiftSurvey, read_gift
from prandial.tables import FoodTable, load_foods


@pytest.fixture(scope="module")
def table() -> FoodTable:
    return load_foods()


@pytest.fixture(scope="module")
def bolivia(shared_dir: Path) -> GiftSurvey:
    path = shared_dir / "data" / "foods" / "fao_gift_bolivia_2010_consumption.parquet"
    return read_gift(path, cycle="BOL-00006")


def to_row(table: FoodTable, food_id: str, kind: str, asked: AskedFood) -> Mapped:
    row = table.row_of(food_id, kind)
    match = FoodMatch(
        row=row, name=table.names[row], source=table.source(row), similarity=1.0, lexical=1.0,
        score=1.0,
    )  # fmt: skip
    return Mapped(asked=asked, match=match, alternatives=(match,))


def record(**changed: object) -> GiftRecord:
    plain = GiftRecord(
        line=1, subject="7", round="1", day=1, occasion_code="", occasion="", sequence="2",
        minute=None, foodex2="A01DJ", name="Apples", ingredient="", recipe="", grams=182.0,
        nutrients={"carb_g": 25.0, "protein_g": 0.5, "fat_g": 0.3, "energy_kcal": 95.0},
    )  # fmt: skip
    return replace(plain, **changed)  # type: ignore[arg-type]


def survey(*records: GiftRecord) -> GiftSurvey:
    return GiftSurvey(
        cycle="BOL-00006", country="BOL", records=records, rows=len(records), dropped={}
    )


APPLE = AskedFood(name="Apples", code="A01DJ")


def test_real_meals_are_those_of_a_plain_grouping(
    bolivia: GiftSurvey, table: FoodTable, shared_dir: Path
) -> None:
    """Person, day and eating occasion, grouped by SQL over the file itself."""
    import duckdb

    path = shared_dir / "data" / "foods" / "fao_gift_bolivia_2010_consumption.parquet"
    rows = duckdb.execute(
        "SELECT subject, survey_day, eat_seq, count(*), sum(carboh), sum(energy)"
        " FROM read_parquet(?) WHERE food_amount_proc > 0 GROUP BY ALL", [str(path)]
    ).fetchall()  # fmt: skip
    made = gift_meals(bolivia, [], table)
    assert len(made.meals) == len(rows) == len({m.id for m in made.meals})
    assert made.records == made.unmapped == 7838
    assert made.servings == {"grams": 7838}
    assert made.dropped == {"an amount of 0 g": 70}
    ours = {
        (m.person, m.day, m.id.rpartition("-s")[2]): (
            len(m.items), m.total("carb_g"), m.total("energy_kcal"),
        )
        for m in made.meals
    }  # fmt: skip
    for subject, day, sequence, items, carb, energy in rows:
        assert ours[str(subject), day, str(sequence)] == (
            items, pytest.approx(carb), pytest.approx(energy),
        )  # fmt: skip
    assert not any(m.natural for m in made.meals)
    assert {m.country for m in made.meals} == {"BOL"}


def test_foods_are_asked_for_once(bolivia: GiftSurvey) -> None:
    foods = asked_foods(bolivia.records)
    assert len(foods) == len({(f.name, f.code) for f in foods})
    assert sum(f.records for f in foods) == 7838
    first = foods[0]
    assert first.name.startswith("Potatoes, PART-CONSUMED-ANALYSED = W/o peel")
    assert first.records == 769
    assert first.carb_per_100g == pytest.approx(20, abs=0.1)


def test_mapped_items_get_a_serving_others_keep_grams(table: FoodTable) -> None:
    made = gift_meals(
        survey(record(), record(line=2, foodex2="A0", name="Achojcha", grams=14.0)),
        [to_row(table, "09003", "sr", APPLE)],
        table,
    )
    (meal,) = made.meals
    apple, other = meal.items
    assert apple.serving is not None
    assert apple.serving.text == "1 medium apple"
    assert (apple.serving.source.table, apple.serving.source.id) == ("sr", "09003")
    assert (apple.food.table, apple.food.release, apple.food.id) == ("gift", "BOL-00006", "A01DJ")
    assert apple.nutrients["carb_g"] == 25.0
    assert (apple.recorded, apple.line) == ("A01DJ", 1)
    assert other.serving is None
    assert not meal.natural
    assert made.servings == {"nearest": 1, "grams": 1}
    assert made.unmapped == 1
    assert meal.id == "gift-BOL-00006-7-r1-d1-s2"


def test_nutrients_of_the_mapped_food_where_the_survey_has_none(table: FoodTable) -> None:
    """SR 09003 has 13.81 g of carbohydrate in 100 g: 200 g have 27.62 g."""
    made = gift_meals(
        survey(record(nutrients={}, grams=200.0)), [to_row(table, "09003", "sr", APPLE)], table
    )
    (item,) = made.meals[0].items
    assert item.nutrients["carb_g"] == pytest.approx(27.62, abs=0.01)
    assert (item.food.table, item.name) == ("sr", "Apples, raw, with skin")
    assert item.recorded == "A01DJ"


def test_what_the_survey_leaves_open_stays_open(table: FoodTable) -> None:
    made = gift_meals(
        survey(record(nutrients={"carb_g": 25.0})), [to_row(table, "09003", "sr", APPLE)], table
    )
    (meal,) = made.meals
    assert dict(meal.items[0].nutrients) == {"carb_g": 25.0}
    assert meal.total("energy_kcal") is None


def test_labels_of_the_serving(table: FoodTable) -> None:
    """170 g are said as a medium apple, which weighs 182 g: 182 x 13.81 / 100 = 25.13 g."""
    made = gift_meals(
        survey(record(grams=170.0)),
        [to_row(table, "09003", "sr", APPLE)],
        table,
        labels="serving",
    )
    (item,) = made.meals[0].items
    assert item.grams == 182.0
    assert item.serving is not None
    assert item.serving.grams == 182.0
    assert item.nutrients["carb_g"] == pytest.approx(25.13, abs=0.01)
    assert item.food.table == "sr"


def test_person_day_occasion_and_time_part_meals(table: FoodTable) -> None:
    made = gift_meals(
        survey(
            record(),
            record(line=2, day=2),
            record(line=3, sequence="3"),
            record(line=4, subject="8"),
            record(line=5, round="2"),
            record(line=6, sequence="", minute=450, occasion_code="1", occasion="breakfast"),
            record(line=7),
            record(line=8, sequence="", minute=None),
        ),
        [],
        table,
    )
    assert [len(m.items) for m in made.meals] == [2, 1, 1, 1, 1, 1]
    assert len({m.id for m in made.meals}) == 6
    assert made.meals[-1].id.endswith("-o1-t0730")
    assert (made.meals[-1].occasion, made.meals[-1].minute) == ("breakfast", 450)
    assert made.dropped == {"no occasion or time": 1}


def test_survey_without_occasions_is_told(table: FoodTable) -> None:
    with pytest.raises(MissingDataError, match="meals of a day apart") as caught:
        gift_meals(survey(record(sequence="")), [], table)
    assert "MEAL_NAME" in caught.value.hint
    with pytest.raises(InputError, match="no labels"):
        gift_meals(survey(record()), [], table, labels="both")  # type: ignore[arg-type]
