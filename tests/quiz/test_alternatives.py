"""The fourth task: right foods by hand, several right, none right, unknown left out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.quiz.made import RULES, food, foods, people, person

from prandial.errors import InputError, NotFoundError
from prandial.quiz import (
    AlternativesQuestion,
    alternatives_for,
    alternatives_of_rows,
    alternatives_stats,
    gold_of_facts,
    make_row,
)

WHO = person("hypertension", "diabetes")
SOUPS = [
    food("low_carb", "low_sugar", "low_sodium", code=1, category="Soups"),
    food("low_carb", "low_sugar", "low_sodium", code=2, category="Soups"),
    food("low_carb", "low_sugar", "high_sodium", code=3, category="Soups"),
    food("high_carb", "high_sodium", code=4, category="Soups"),
    food("low_carb", "low_sugar", "low_sodium", code=5, category="Pizza"),
]


def _ask(*foods, who=WHO, category="Soups", **options):
    options = {"rules": "as-published", "seed": 1} | options
    return alternatives_for(who, category, foods, **options)


def test_most_tags_net_of_those_against_of_the_same_category():
    asked = _ask(*SOUPS)
    assert set(asked.right) == {1, 2}
    assert {c.code: c.net for c in asked.candidates} == {1: 3, 2: 3, 3: 1, 4: -2}
    assert (asked.in_category, asked.suiting, asked.none_suits) == (4, 3, False)
    assert all(c.name in asked.text for c in asked.candidates)
    told = json.loads(json.dumps(asked.to_dict()))
    assert told["candidates"] == [{"code": c.code, "name": c.name} for c in asked.candidates]
    gold = told.pop("gold")
    assert (gold["right"], gold["answers"]) == (list(asked.right), list(asked.answers))
    assert {j["code"]: j["net"] for j in gold["judged"]} == {1: 3, 2: 3, 3: 1, 4: -2}
    # what is outside of gold tells nothing of it
    assert set(told) == {
        "id", "split", "person", "statuses", "category", "instead_of", "question", "candidates",
        "in_category", "unknown",
    }  # fmt: skip
    assert AlternativesQuestion.from_dict(asked.to_dict(), WHO) == asked


def test_not_the_food_itself():
    asked = _ask(*SOUPS, instead_of=1)
    assert asked.right == (2,)
    assert 1 not in {c.code for c in asked.candidates}


def test_none_suits():
    asked = _ask(food("high_sodium", code=7), food("high_carb", code=8), category="Pizza")
    assert asked.none_suits
    assert asked.answers == ("None",)
    assert asked.right == ()


def test_a_food_with_a_needed_nutrient_unknown_is_no_candidate_by_default():
    unsure = food("low_carb", "low_sugar", code=9, category="Soups", unknown=("sodium",))
    asked = _ask(*SOUPS, unsure, rules="default")
    assert 9 not in {c.code for c in asked.candidates}
    assert asked.unknown == 1


def test_too_few_to_choose_from():
    with pytest.raises(NotFoundError):
        _ask(SOUPS[0])
    with pytest.raises(NotFoundError):
        _ask(*SOUPS, category="Cakes")
    with pytest.raises(NotFoundError):  # one name is no choice
        _ask(
            food("low_carb", code=1, name="x"), food("low_carb", code=2, name="x"), category="Pizza"
        )
    with pytest.raises(InputError):
        _ask(*SOUPS, candidates=1)


def test_of_rows_that_say_no():
    rows = [make_row(f, WHO, level="complex", rules="as-published") for f in (SOUPS[0], SOUPS[3])]
    (asked,) = alternatives_of_rows(rows, SOUPS, rules="as-published", seed=1)
    assert asked.instead_of == 4
    assert set(asked.right) == {1, 2}
    assert asked.id == "alternatives-4-21005"


def test_what_answers_without_a_model_score():
    two = _ask(*SOUPS[:2], SOUPS[3])
    none = _ask(food("high_sodium", code=7), food("high_carb", code=8), category="Pizza")
    told = alternatives_stats([two, none, none, none])
    assert (told["questions"], told["none_suits"]) == (4, 3)
    first = two.candidates[0].code in (1, 2)
    assert told["baselines"] == {"always_none": 0.75, "first_named": 0.25 * first}
    empty = alternatives_stats([])["baselines"]
    assert empty == {"always_none": None, "first_named": None}


@pytest.mark.parametrize("rules", RULES)
@given(data=st.data())
def test_laws(rules, data):
    pool = data.draw(st.lists(foods(rules), max_size=8, unique_by=lambda f: f.code))
    who = data.draw(people(rules))
    size = data.draw(st.integers(2, 4))
    try:
        asked = alternatives_for(who, "Pizza", pool, rules=rules, seed=1, candidates=size)
    except NotFoundError:
        return
    assert 2 <= len(asked.candidates) <= size
    assert set(asked.right) <= {c.code for c in asked.candidates}
    by_code = {f.code: f for f in pool}
    nets = {}
    for candidate in asked.candidates:
        gold = gold_of_facts(by_code[candidate.code], who, rules=rules)
        assert by_code[candidate.code].category == "Pizza"
        nets[candidate.code] = (gold.verdict, len(gold.matches) - len(gold.contradicts))
    yes = [net for verdict, net in nets.values() if verdict == "Yes"]
    assert set(asked.right) == {
        c for c, found in nets.items() if yes and found == ("Yes", max(yes))
    }
    assert asked.none_suits == (asked.suiting == 0)
    backwards = alternatives_for(who, "Pizza", pool[::-1], rules=rules, seed=1, candidates=size)
    if len({f.name for f in pool}) == len(pool):
        assert backwards == asked
