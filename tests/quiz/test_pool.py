"""The pool of foods: rules by hand, order-free, and the published counts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from prandial.quiz.pool import PUBLISHED_NUTRIENTS, food_group, food_pool, name_key
from prandial.records import FoodFacts
from prandial.tables.rules import read_rules


def food(code: int, name: str, tags: str = "", category: str = "Pizza") -> FoodFacts:
    return FoodFacts(
        code=code, name=name, category=category, ingredients=(), tags=tuple(tags.split())
    )


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Adobo, with rice", "adobo with"),
        ("ADOBO with noodles", "adobo with"),
        ("Pizza", "pizza"),
        ("Egg/breakfast roll, NFS", "eggbreakfast roll"),
        ("Cookie, M&M's", "cookie mms"),
        ("  Pie -- apple", "pie apple"),
        ("", ""),
    ],
)
def test_first_two_words(name: str, key: str) -> None:
    assert name_key(name) == key


def test_macro_tags_then_micro_tags_then_the_highest_code() -> None:
    foods = [
        food(1, "Pizza, plain", "low_carb low_sugar low_iron low_calcium"),
        food(2, "Pizza plain thick", "low_carb low_sugar high_fiber"),
        food(3, "Pizza, meat", "low_carb low_iron"),
        food(4, "Pizza, meat, thin", "low_carb low_iron low_calcium"),
        food(6, "Pizza, fruit", "low_carb"),
        food(5, "Pizza, fruit, thin", "low_sugar"),
    ]
    assert [f.code for f in food_pool(foods).foods] == [2, 4, 6]
    assert food_pool(foods).kept == {"mixed_dish": 3, "bakery": 0}
    assert food_pool(foods).in_category == {"mixed_dish": 6, "bakery": 0}
    assert len(food_pool(foods, dedupe=False).foods) == 6


def test_a_seed_draws_among_equals_and_no_one_else() -> None:
    equal = [food(c, "Pizza, plain", "low_carb") for c in range(1, 9)]
    less = [food(c, "Pizza, plain", "") for c in range(11, 19)]
    drawn = {food_pool([*less, *equal], seed=s).foods[0].code for s in range(40)}
    assert drawn <= set(range(1, 9))
    assert len(drawn) > 3


def test_groups_do_not_share_names() -> None:
    foods = [food(1, "Turnover or dumpling"), food(2, "Turnover or pie", "", "Cakes and pies")]
    assert food_pool(foods).kept == {"mixed_dish": 1, "bakery": 1}


def test_categories() -> None:
    assert food_group("Soups") == "mixed_dish"
    assert food_group("Doughnuts, sweet rolls, pastries", "as-published") == "bakery"
    assert food_group("Fish") == food_group("") == ""
    assert food_group("Other sandwiches (single code)") == "mixed_dish"
    assert food_group("Other sandwiches (single code)", "as-published") == ""
    names = [r["category"] for r in read_rules("food_categories")]
    assert len(set(names)) == len(names)


def test_every_category_is_spelled_as_usda_spells_it(shared_dir: Path) -> None:
    import duckdb

    spelled: set[tuple[int, str]] = set()
    for release in ("2017_2018", "2019_2020", "2021_2023"):
        path = shared_dir / "data" / "foods" / f"fndds_{release}_foods.parquet"
        spelled |= set(
            duckdb.sql(
                f"SELECT DISTINCT wweia_category_number, wweia_category FROM '{path}'"
            ).fetchall()
        )
    ours = {(int(r["category_number"]), r["category"]) for r in read_rules("food_categories")}
    assert ours <= spelled
    # and no wording of a mixed dish or bakery category is forgotten
    assert {s for s in spelled if s[0] // 1000 == 3 or s[0] // 100 == 55} <= ours


def test_published_pool_carries_seven_nutrients_and_chooses_by_sixteen() -> None:
    foods = [food(1, "Pizza, plain", "low_carb high_fiber"), food(2, "Pizza, plain", "low_carb")]
    assert [f.tags for f in food_pool(foods, rules="as-published").foods] == [("low_carb",)]
    assert food_pool(foods, rules="as-published").foods[0].code == 1
    assert len(PUBLISHED_NUTRIENTS) == 7


def test_order_of_the_foods_does_not_matter() -> None:
    draw = random.Random(1)
    foods = [
        food(c, f"Pie {draw.choice('abc')}", draw.choice(["low_carb", "low_sugar low_carb", ""]))
        for c in range(200)
    ]
    first = food_pool(foods, seed=4)
    draw.shuffle(foods)
    assert food_pool(foods, seed=4) == first
    assert [f.code for f in first.foods] == sorted(f.code for f in first.foods)


def test_published_counts(shared_dir: Path) -> None:
    """849 foods = 635 mixed dishes + 214 bakery; FNDDS 2015-16 and a 2007-08 table are missing."""
    from prandial.sources.foods import read_food_texts
    from prandial.sources.nhanes.recalls import recall_means
    from prandial.tags import food_facts

    data = shared_dir / "data"
    texts = read_food_texts(data / "foods", rules="as-published", nhanes=data / "nhanes")
    means = recall_means(data / "nhanes")
    pool = food_pool(food_facts(texts, means, rules="as-published"), rules="as-published")
    assert pool.in_category == {"mixed_dish": 2090, "bakery": 428}
    assert pool.kept == {"mixed_dish": 645, "bakery": 203}
    assert len(pool.foods) == pytest.approx(849, rel=0.01)
    assert {58150530, 42304040, 27445250} <= {f.code for f in pool.foods}
    # mean tags a food in the published rows: 5.44, 5.37 and 5.45 by level
    assert sum(len(f.tags) for f in pool.foods) / len(pool.foods) == pytest.approx(5.43, abs=0.05)
