"""The same evidence gives the same verdict: 100 g of a food is a question of the quiz."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from prandial.advice import (
    RULE_NUTRIENTS,
    Person,
    estimate_of_food,
    verdict_on,
)
from prandial.quiz import gold_of_facts, unknown_needs
from prandial.records import FoodFacts, PersonFacts
from prandial.tables import FoodTable, load_foods
from prandial.tables.rules import load_needs
from prandial.tags import food_facts, food_tags
from prandial.truth import Truth

STATUSES = tuple(load_needs("default").tags)


@pytest.fixture(scope="module")
def table() -> FoodTable:
    return load_foods("fndds-2017-2018")


def facts(table: FoodTable, rows: list[int]) -> list[FoodFacts]:
    """Facts as the quiz makes them, from the same rows; 4 decimals as USDA prints them."""
    columns = {
        n: np.round(table.per_100g[rows, table.nutrient_keys.index(key)].astype(np.float64), 4)
        for n, key in RULE_NUTRIENTS.items()
    }
    tags = food_tags(columns)
    return [
        FoodFacts(code=0, name="", category="", ingredients=(), tags=held, unknown=unknown)
        for held, unknown in zip(tags.holding(), tags.unknown(), strict=True)
    ]


def test_a_food_of_100_g_is_judged_as_the_quiz_judges_it(table: FoodTable) -> None:
    draw = random.Random(7)
    rows = draw.sample(range(len(table.ids)), 400)
    told = {"yes": 0, "no": 0, "tie": 0, "open": 0}
    for row, food in zip(rows, facts(table, rows), strict=True):
        held = draw.sample(STATUSES, draw.randint(1, 3))
        person = PersonFacts(person=1, statuses=tuple(s for s in STATUSES if s in held))
        gold = gold_of_facts(food, person, rules="default")
        meal = estimate_of_food(
            table.food(row), grams=100.0, release=table.release, carbohydrate_definition=""
        )
        got = verdict_on(meal, Person(statuses=dict.fromkeys(held, Truth.YES)), basis="per_100g")
        assert (got.matches, got.contradicts) == (gold.matches, gold.contradicts)
        assert got.conflicts == gold.conflicts
        open_needs = set(unknown_needs(food, person, rules="default")) - set(gold.conflicts)
        assert set(got.unknowns) == open_needs
        if open_needs:
            told["open"] += 1
        elif len(gold.matches) == len(gold.contradicts):
            told["tie"] += 1  # the quiz says No; a tie is unknown here
            assert (gold.verdict, got.answer) == ("No", "unknown")
        else:
            told[got.answer] += 1
            assert got.answer == gold.verdict.lower()
    assert min(told.values()) >= 10, told


def test_foods_of_the_pool_as_read_from_the_raw_files(shared_dir: Path, table: FoodTable) -> None:
    """Amounts of the quiz's own pool, read from FNDDS workbooks, give the same evidence."""
    from prandial.quiz.pool import food_pool
    from prandial.sources.foods import read_composition, read_food_texts

    foods = shared_dir / "data" / "foods"
    means = read_composition(foods, release="2017-2018")
    pool = food_pool(food_facts(read_food_texts(foods), means), rules="default", seed=0)
    in_table = set(table.ids)
    person = PersonFacts(person=1, statuses=("hypertension", "diabetes"))
    who = Person(statuses=dict.fromkeys(person.statuses, Truth.YES))
    compared = 0
    for food in pool.foods[::5]:
        if str(food.code) not in in_table:
            continue
        gold = gold_of_facts(food, person, rules="default")
        meal = estimate_of_food(
            table.food(table.row_of(str(food.code), "fndds")),
            grams=100.0,
            release=table.release,
            carbohydrate_definition="",
        )
        got = verdict_on(meal, who, basis="per_100g")
        assert (got.matches, got.contradicts) == (gold.matches, gold.contradicts), food.name
        compared += 1
    assert compared > 100
