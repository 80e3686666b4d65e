"""The small graph: order by hand, modes, unknown amounts."""

from __future__ import annotations

from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.quiz.made import RULES, food, foods, people, person

from prandial.errors import InputError, NotFoundError
from prandial.graph import question_graph


def test_nodes_and_edges_by_hand():
    # spec 1.2-1.4: tags in the order carb, sodium, cholesterol; needs in the statuses' order
    asked = food(
        "high_cholesterol", "low_carb", "high_sodium", ingredients=("Salt",), code=58150530
    )
    who = person("diabetes", "opioid_misuse", habits=("Drinks little water",))
    graph = question_graph(asked, who, rules="as-published", mode="published")
    assert [(n.id, n.name, n.attr) for n in graph.nodes] == [
        (1, 58150530, "Food 58150530"),
        (2, "category", "Pizza"),
        (3, "ingredient", "Salt"),
        (4, "food_nutrition_tag", "low_carb"),
        (5, "food_nutrition_tag", "high_sodium"),
        (6, "food_nutrition_tag", "high_cholesterol"),
        (0, 21005, "user"),
        (7, "dietary habit", "Drinks little water"),
        (8, "status", "opioid_misuse"),
        (9, "user_nutrition_tag", "high_protein"),
        (10, "user_nutrition_tag", "low_sugar"),
        (11, "status", "diabetes"),
        (12, "user_nutrition_tag", "low_sugar"),
    ]
    assert [(e.source, e.relation, e.target) for e in graph.edges] == [
        (1, "belongs to", 2),
        (1, "has", 3),
        (1, "belongs to", 4),
        (1, "belongs to", 5),
        (1, "belongs to", 6),
        (0, "has", 7),
        (0, "has", 8),
        (8, "need", 9),
        (8, "need", 10),
        (8, "contradict", 5),
        (0, "has", 11),
        (11, "need", 12),
        (11, "match", 4),
    ]


def test_statuses_share_an_unmet_need_by_default():
    asked = food("low_carb", ingredients=("Salt", "Rice, raw", "Salt"))
    who = person("diabetes", "Sugar free/Low sugar diet")
    graph = question_graph(asked, who, rules="default")
    assert [n.attr for n in graph.nodes if n.name == "ingredient"] == ["Salt", "Rice, raw"]
    (sugar,) = [n.id for n in graph.nodes if n.attr == "low_sugar"]
    status = {n.id: n.attr for n in graph.nodes if n.name == "status"}
    needing = [status[e.source] for e in graph.edges if e.target == sugar]
    assert sorted(needing) == ["Sugar free/Low sugar diet", "diabetes"]
    published = question_graph(asked, who, rules="as-published")
    assert [n.attr for n in published.nodes].count("low_sugar") == 2
    assert [n.attr for n in published.nodes].count("Salt") == 2


def test_no_verdict_gives_amounts_and_unknowns_instead():
    asked = food(
        "high_sodium", "high_iron",
        per_100g={"sodium": 412.0, "carb": 0.0, "calorie": nan, "sugar": 3.0, "protein": 7.12345},
        unknown=("sugar",),
    )  # fmt: skip
    who = person("hypertension", "diabetes")
    graph = question_graph(asked, who, rules="as-published", mode="no-verdict")
    assert {e.relation for e in graph.edges} == {"belongs to", "has"}
    amounts = [n.attr for n in graph.nodes if n.name == "nutrient"]
    assert amounts == [
        "carb 0 g per 100 g",
        "sugar unknown",
        "sodium 412 mg per 100 g",
        "calorie unknown",
        "protein 7.123 g per 100 g",
        "cholesterol unknown",
        "saturated_fat unknown",
    ]
    assert not [n for n in graph.nodes if n.name == "user_nutrition_tag"]
    # only the seven nutrients of the published graphs have tags
    assert [n.attr for n in graph.nodes if n.name == "food_nutrition_tag"] == ["high_sodium"]


def test_merged_names_food_and_person_only():
    graph = question_graph(food("low_carb"), person("diabetes"), rules="default", mode="merged")
    assert [(n.id, n.name) for n in graph.nodes] == [(1, 58150530), (0, 21005)]
    assert graph.edges == ()


def test_refusals():
    with pytest.raises(InputError):
        question_graph(food(), person(), rules="default", mode="all")
    with pytest.raises(InputError):
        question_graph(food(), person(), rules="mine", mode="merged")
    with pytest.raises(NotFoundError):
        question_graph(food(), person("tired"), rules="default", mode="published")


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("mode", ["published", "no-verdict"])
@given(data=st.data())
def test_ids_count_up_and_every_node_but_the_two_is_reached_once(rules, mode, data):
    asked, who = data.draw(foods(rules)), data.draw(people(rules))
    graph = question_graph(asked, who, rules=rules, mode=mode)
    others = [n.id for n in graph.nodes if n.id > 1]
    assert others == list(range(2, len(graph.nodes)))
    owners = [e.target for e in graph.edges if e.relation not in ("match", "contradict")]
    if rules == "as-published":
        assert owners == others
    else:  # statuses share an unmet need
        assert list(dict.fromkeys(owners)) == others
        shared = [n.attr for n in graph.nodes if n.name in ("user_nutrition_tag", "ingredient")]
        assert len(shared) == len(set(shared))
    ends = [(e.source, e.relation, e.target) for e in graph.edges]
    assert len(ends) == len(set(ends))
    shuffled = person(*reversed(who.statuses), number=who.person, habits=who.habits)
    assert question_graph(asked, shuffled, rules=rules, mode=mode) == graph
