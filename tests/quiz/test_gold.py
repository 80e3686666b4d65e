"""Right answers: by hand, from the graph alone, and both countings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.quiz.made import RULES, food, foods, people, person

from prandial.graph import question_graph
from prandial.quiz import (
    countings,
    gold_of,
    gold_of_facts,
    is_tie,
    level_of,
    reason_paths,
    undecided_needs,
    unknown_needs,
)
from prandial.tables.rules import load_needs


def test_published_answers_by_hand():
    # spec 2: low carb and low sugar for, high sodium against
    gold = gold_of_facts(
        food("low_carb", "low_sugar", "high_sodium", "low_saturated_fat"),
        person("hypertension", "diabetes"),
        rules="as-published",
    )
    assert (gold.verdict, gold.tags) == ("Yes", ("low_carb", "low_sugar", "high_sodium"))
    assert gold.sentence == "Yes, because the food is low in carb, low in sugar. "
    assert (gold.matches, gold.contradicts) == (("low_carb", "low_sugar"), ("high_sodium",))
    assert level_of(gold) == "complex"


def test_a_tie_is_no_with_the_reasons_against():
    gold = gold_of_facts(
        food("low_cholesterol", "high_saturated_fat"),
        person("Low fat/Low cholesterol diet"),
        rules="as-published",
    )
    assert is_tie(gold)
    assert gold.verdict == "No"
    assert gold.sentence == "No, because the food is high in saturated_fat. "


def test_clashing_needs():
    who = person("High protein diet", "Renal/Kidney diet", "Weight loss/Low calorie diet")
    asked = food("high_protein", "low_calorie")
    published = gold_of_facts(asked, who, rules="as-published")
    assert published.matches == ("low_calorie", "high_protein")  # high overwrites low
    repaired = gold_of_facts(asked, who, rules="default")
    assert repaired.conflicts == ("protein",)
    assert repaired.tags == ("low_calorie",)
    assert "protein contradict each other" in repaired.sentence
    sides = {(r.status, r.side, r.counted) for r in reason_paths(asked, who, rules="default")}
    assert ("Renal/Kidney diet", "contradict", False) in sides
    assert ("High protein diet", "match", False) in sides


def test_default_sentence_names_both_sides():
    gold = gold_of_facts(
        food("low_sugar", "high_saturated_fat", "low_calorie"), person("obesity"), rules="default"
    )
    assert gold.sentence == (
        "Yes, the food suits this person: it is low in sugar and low in calories, as needed; "
        "it is high in saturated fat, against what is needed."
    )


def test_edges_and_nutrients_can_disagree():
    # sodium is against once as a nutrient and three times as edges; carb and sugar are for
    asked = food("low_carb", "low_sugar", "high_sodium")
    who = person("hypertension", "Low salt/Low sodium diet", "diabetes", "opioid_misuse")
    counted = countings(asked, who, rules="as-published")
    assert (counted.nutrients_for, counted.nutrients_against) == (2, 1)
    assert (counted.edges_for, counted.edges_against) == (3, 3)
    assert (counted.by_nutrients, counted.by_edges, counted.agree) == ("Yes", "No", False)


def test_reason_path():
    (path,) = reason_paths(food("high_sodium"), person("hypertension"), rules="as-published")
    assert path.texts() == ("user 21005", "hypertension", "low_sodium", "high_sodium")
    assert (path.side, path.counted) == ("contradict", True)


def test_a_food_without_a_sodium_value_and_a_hypertensive_person():
    asked = food("low_carb", unknown=("sodium",))
    assert unknown_needs(asked, person("hypertension"), rules="default") == ("sodium",)
    assert gold_of_facts(asked, person("hypertension"), rules="default").tags == ()


def test_an_unknown_status_leaves_its_nutrient_undecided():
    asked = food("low_carb", "high_sodium")
    unsure = person("diabetes", unknown=("hypertension", "Low carbohydrate diet"))
    # low_carb is needed anyway; potassium is not tagged
    assert undecided_needs(asked, unsure, rules="default") == ("sodium",)
    sure = person("diabetes", "Low salt/Low sodium diet", unknown=("hypertension",))
    assert undecided_needs(asked, sure, rules="default") == ()


@pytest.mark.parametrize("rules", RULES)
@given(data=st.data())
def test_gold_follows_from_the_graph_alone(rules, data):
    asked, who = data.draw(foods(rules)), data.draw(people(rules))
    graph = question_graph(asked, who, rules=rules, mode="published")
    assert gold_of(graph, rules=rules) == gold_of_facts(asked, who, rules=rules)


@pytest.mark.parametrize("rules", RULES)
@given(data=st.data())
def test_gold_as_a_person_would_work_it_out(rules, data):
    """Slow obvious version, written from the spec's section 2."""
    asked, who = data.draw(foods(rules)), data.draw(people(rules))
    wanted = [t for s in who.statuses for t in load_needs(rules).tags[s]]
    yes, no = [], []
    for tag in asked.tags:
        nutrient = tag.split("_", 1)[1]
        low, high = f"low_{nutrient}" in wanted, f"high_{nutrient}" in wanted
        if not (low or high) or (low and high and rules == "default"):
            continue
        need = f"high_{nutrient}" if high else f"low_{nutrient}"
        (yes if need == tag else no).append(tag)
    gold = gold_of_facts(asked, who, rules=rules)
    assert set(gold.matches) == set(yes)
    assert set(gold.contradicts) == set(no)
    assert gold.verdict == ("Yes" if len(yes) > len(no) else "No")
    assert set(gold.tags) == set(yes) | set(no)
    counted = [r.food_tag for r in reason_paths(asked, who, rules=rules) if r.counted]
    assert set(counted) == set(gold.tags)
