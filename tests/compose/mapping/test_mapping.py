"""Names read, foods found by words alone, the queue of reviews; the encoder in its own test."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from prandial.compose.mapping import (
    AskedFood,
    Decision,
    FoodMapper,
    MappingWeights,
    apply_decisions,
    read_decisions,
    read_food_name,
    review_rows,
    write_review,
)
from prandial.compose.mapping.foodname import tokens_of
from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.tables import FoodTable, load_foods

POTATO = (
    "Potatoes, PART-CONSUMED-ANALYSED = W/o peel, PROCESS = Cooking in water,"
    " INGREDIENT = Salt, GENERIC-TERM = Other"
)


def blind(texts: list[str]) -> np.ndarray:
    """An encoder that sees nothing: all evidence is in the words."""
    return np.zeros((len(texts), 1), dtype=np.float32)


@pytest.fixture(scope="module")
def table() -> FoodTable:
    return load_foods()


@pytest.fixture(scope="module")
def mapper(table: FoodTable) -> FoodMapper:
    return FoodMapper(table, blind, threshold=0.3)


def ask(mapper: FoodMapper, *names: str, carb: float | None = None):
    return mapper.map([AskedFood(name=n, carb_per_100g=carb) for n in names])


@pytest.mark.parametrize(
    ("name", "text", "states"),
    [
        (POTATO, "potatoes, without skin, boiled, with table salt", {"cooked"}),
        ("Onions, PROCESS = Raw, no heat treatment", "onions, raw", {"raw"}),
        ("Maize flour, HOW=W/o husks, PROCESS=Boiling", "corn flour, boiled", {"cooked"}),
        (
            "Amaranth leaves,  QUAL=Fresh,  PROCESS=Raw, no heat treatment,  PROCESS=Boiling",
            "amaranth leaves, raw, boiled",
            {"raw", "cooked"},
        ),
        ("Cow, ox or bull fresh meat, PROCESS = Roasting", "beef, roasted", {"cooked"}),
        ("Boiled eggs, SOURCE-COMMODITIES = Hen eggs", "boiled eggs", {"cooked"}),
        ("Oranges", "oranges", set()),
        ("Beef meat, grilled/ Ping Sin Ngua", "beef, grilled", {"cooked"}),
        ("Milk powder, full fat, SOURCE-COMMODITIES = Cow milk", "dry whole milk powder", {"dry"}),
    ],
)
def test_names_are_read(name: str, text: str, states: set[str]) -> None:
    read = read_food_name(name)
    assert read.text == text.replace("with table salt", "with salt")
    assert read.states == states


def test_what_a_food_is_without_is_another_word() -> None:
    assert tokens_of("Potatoes, boiled, without salt") == ("potato", "boiled", "nosalt")
    assert tokens_of("Beans, no added fat") == ("bean", "nofat")


@pytest.mark.parametrize(
    ("name", "food"),
    [
        (
            "Tomatoes, QUALITATIVE-INFO = Red, PROCESS = Raw, no heat treatment",
            "Tomatoes, red, ripe, raw, year round average",
        ),
        ("Cassava roots, PROCESS = Raw, no heat treatment", "Cassava, raw"),
        ("Linseeds", "Seeds, flaxseed"),
        ("Sweet peppers, QUALITATIVE-INFO = Red, PROCESS = Raw, no heat treatment",
         "Peppers, sweet, red, raw"),
        ("Mayonnaise sauce", "Mayonnaise, regular"),
    ],
)  # fmt: skip
def test_words_alone_find_plain_foods(mapper: FoodMapper, name: str, food: str) -> None:
    (found,) = ask(mapper, name)
    assert food in [a.name for a in found.alternatives], [a.name for a in found.alternatives]


def test_misspelt_words_are_taken_for_the_nearest(mapper: FoodMapper) -> None:
    (found,) = ask(mapper, "Cassavva, raw")
    assert found.match is not None
    assert found.match.name == "Cassava, raw"


def test_nothing_near_is_nothing(mapper: FoodMapper) -> None:
    (found,) = ask(mapper, "Xylofruct quopple")
    assert found.match is None
    assert found.by == "model"


def test_best_first_and_as_many_as_asked(mapper: FoodMapper) -> None:
    found = mapper.map([AskedFood(name="Oranges")], alternatives=4)[0]
    scores = [a.score for a in found.alternatives]
    assert len(scores) == 4
    assert scores == sorted(scores, reverse=True)
    assert found.match == found.alternatives[0]


def test_named_as_boiled_but_weighed_dry(mapper: FoodMapper) -> None:
    """Known trap: 100 g of boiled rice has about 28 g of carbohydrate, of dry rice 80 g."""
    name = "Rice grain, polished, PROCESS = Boiling"
    (cooked,) = ask(mapper, name, carb=28.0)
    (dry,) = ask(mapper, name, carb=79.0)
    (unknown,) = ask(mapper, name)
    assert "weighed dry" not in cooked.flags + unknown.flags
    assert "weighed dry" in dry.flags
    assert "cooked" in cooked.alternatives[0].name
    assert "cooked" not in dry.alternatives[0].name
    carb = mapper.table.nutrient_keys.index("carb_g")
    assert mapper.table.per_100g[dry.alternatives[0].row][carb] > 70
    (both,) = ask(
        mapper, "Kidney bean (dry seeds), PROCESS=Raw, no heat treatment, PROCESS=Boiling"
    )
    assert "weighed dry" in both.flags
    (meat,) = ask(mapper, "Chicken fresh meat, PROCESS = Boiling", carb=60.0)
    assert "weighed dry" not in meat.flags


def test_nutrients_that_differ_are_flagged(mapper: FoodMapper) -> None:
    (same,) = ask(mapper, "Oranges, raw", carb=11.8)
    (apart,) = ask(mapper, "Oranges, raw", carb=80.0)
    assert "nutrients differ" not in same.flags
    assert "nutrients differ" in apart.flags


def test_embedding_counts(table: FoodTable) -> None:
    """With all weight on similarity the nearest vector is the answer, whatever the words."""
    vectors = np.zeros((len(table.names), 2), dtype=np.float32)
    vectors[:, 0] = 1
    row = table.row_of("09003", "sr")
    vectors[row] = (0, 1)
    weights = MappingWeights(
        similarity=1, said=0, meant=0, head=0, clash=0, another=0, carb=0, eaten=0, unserved=0
    )
    mapper = FoodMapper(
        table,
        lambda texts: np.array([(0, 1)] * len(texts), dtype=np.float32),
        vectors=vectors,
        weights=weights,
        threshold=0.9,
    )
    (found,) = ask(mapper, "Potatoes")
    assert found.match is not None
    assert (found.match.row, found.match.similarity) == (row, 1.0)


def test_only_tables_that_are_allowed(table: FoodTable) -> None:
    only = FoodMapper(table, blind, threshold=0.0, foods=("sr",))
    (found,) = ask(only, "Oranges")
    assert {a.source.table for a in found.alternatives} == {"sr"}


def test_vectors_must_fit(table: FoodTable) -> None:
    with pytest.raises(InputError, match="2 vectors for"):
        FoodMapper(table, blind, vectors=np.zeros((2, 1), dtype=np.float32))


# --- the queue ---


def decide(path: Path, fill: Callable[[dict[str, str]], None]) -> None:
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    for row in rows:
        fill(row)
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture
def mapped(mapper: FoodMapper):
    return ask(mapper, "Oranges", "=Cassava roots", "Xylofruct quopple")


def test_queue_goes_out_and_comes_back(mapped, mapper: FoodMapper, tmp_path: Path) -> None:
    path = tmp_path / "queue.csv"
    assert write_review(mapped, path) == 3
    assert read_decisions(path) == []

    def fill(row: dict[str, str]) -> None:
        if row["name"] == "Oranges":
            row["decision"] = "Other"
            row["other_id"] = "sr:09003"
            row["reviewer"] = "A"
        elif row["name"] == "'=Cassava roots":
            row["decision"] = "none"
        else:
            row["decision"], row["other_id"] = "other", "63101000"

    decide(path, fill)
    decisions = read_decisions(path)
    assert {d.name: (d.verdict, d.table, d.food_id) for d in decisions} == {
        "Oranges": ("other", "sr", "09003"),
        "=Cassava roots": ("none", "", ""),
        "Xylofruct quopple": ("other", "", "63101000"),
    }
    done = apply_decisions(mapped, decisions, mapper)
    assert [m.match.name if m.match else None for m in done] == [
        "Apples, raw, with skin", None, "Apple, raw",
    ]  # fmt: skip
    assert {m.by for m in done} == {"person"}
    assert [m.asked for m in done] == [m.asked for m in mapped]
    again = tmp_path / "again.jsonl"
    write_review(done, again)
    lines = [json.loads(line) for line in again.read_text("utf-8").splitlines()]
    assert {r["status"] for r in lines} == {"mapped by person", "unmapped by person"}


def test_accepting_keeps_the_match(mapped, mapper: FoodMapper, tmp_path: Path) -> None:
    path = tmp_path / "queue.jsonl"
    write_review(mapped, path)
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    rows[-1]["decision"] = "accept"
    path.write_text("\n".join(json.dumps(r) for r in rows), "utf-8")
    (decision,) = read_decisions(path)
    done = apply_decisions(mapped, [decision], mapper)
    changed = [(a, b) for a, b in zip(mapped, done, strict=True) if a != b]
    assert len(changed) == 1
    assert changed[0][0].alternatives[0] == changed[0][1].match
    assert changed[0][1].by == "person"


def test_what_needs_a_look_comes_first(mapped) -> None:
    rows = review_rows(mapped)
    assert rows[0]["name"] == "Xylofruct quopple" or rows[0]["flags"]
    assert all(r["decision"] == "" for r in rows)
    assert rows[0]["grams"] is None


@pytest.mark.parametrize(
    ("fill", "told"),
    [
        ({"decision": "maybe"}, "is no decision"),
        ({"decision": "other"}, "no food is named"),
        ({"decision": "accept", "id": ""}, "nothing to accept"),
    ],
)
def test_decisions_that_cannot_be_taken(mapped, tmp_path: Path, fill, told: str) -> None:
    path = tmp_path / "queue.csv"
    write_review(mapped[:1], path)
    decide(path, lambda row: row.update(fill))
    with pytest.raises(SchemaError, match=told) as caught:
        read_decisions(path)
    assert "line 2" in caught.value.where


def test_other_files(mapped, mapper: FoodMapper, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no queue file"):
        write_review(mapped, tmp_path / "queue.xlsx")
    with pytest.raises(InputError, match="cannot be written"):
        write_review(mapped, tmp_path / "none" / "queue.csv")
    with pytest.raises(NotFoundError):
        read_decisions(tmp_path / "none.csv")
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n", "utf-8")
    with pytest.raises(SchemaError, match="no column name"):
        read_decisions(other)
    with pytest.raises(NotFoundError, match="no food with id"):
        apply_decisions(
            mapped, [Decision(name="Oranges", code="", verdict="other", food_id="1")], mapper
        )
    with pytest.raises(NotFoundError, match="not asked for"):
        apply_decisions(mapped, [Decision(name="Pears", code="", verdict="none")], mapper)
