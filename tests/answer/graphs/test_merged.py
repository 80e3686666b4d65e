"""Questions over the merged graph: what lies around the pair is looked at."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.answer.graphs.asked import made_question, run
from tests.graph.conftest import profiles

from prandial.answer.graphs import METHODS
from prandial.errors import InputError, NotFoundError
from prandial.graph import Eaten, build_merged
from prandial.records.quiz import QuestionGraph

ASKING = [name for name, method in METHODS.items() if method.asks]


@pytest.fixture
def merged():
    question = made_question()
    other = replace(question.row.food, code=58100001, name="Barley soup", tags=("high_sugar",))
    people = profiles(
        [71234, 71235],
        {"hypertension": [1, 0], "diabetes": [1, 0], "obesity": [0, 1]},
        {"Eats lots of fish": [1, 1]},
    )
    return build_merged(people, [question.row.food, other])


@pytest.mark.parametrize("method", ASKING)
def test_without_the_graph_there_is_nothing_to_retrieve(method):
    with pytest.raises(InputError, match="its food and its user only") as told:
        run(method, made_question(mode="merged"))
    assert "hand over the merged graph" in told.value.hint
    with pytest.raises(InputError):
        run(method, made_question(mode="merged"), options={"graph": "a file"})


@pytest.mark.parametrize("method", ASKING)
def test_what_lies_around_the_pair_is_shown(method, merged):
    replied, model = run(method, made_question(mode="merged"), options={"graph": merged})
    assert replied.retrieved
    labels = {merged.at(i).label for i in replied.retrieved}  # ids are places in the graph
    assert labels <= set(merged.label)
    shown = model.requests[-1].user
    assert "Barley soup" not in shown
    assert "71235" not in shown
    assert "obesity" not in shown


def test_plain_shows_all_of_it(merged):
    replied, model = run("plain", made_question(mode="merged"), options={"graph": merged})
    shown = model.requests[0].user
    for fact in (
        "(user has diabetes)",
        "(diabetes needs low_carb)",
        "(Lentil pie carries high_sodium)",
        "(Lentil pie provides 410 mg sodium)",
        "(Lentil pie contains Lentils, cooked)",
    ):
        assert fact in shown
    assert {merged.node("person", 71234).place, merged.node("food", 58100000).place} <= set(
        replied.retrieved
    )
    one_hop, _ = run("plain", made_question(mode="merged"), options={"graph": merged, "hops": 1})
    assert len(one_hop.retrieved) < len(replied.retrieved)


def test_one_hop_leaves_from_the_pair_only(merged):
    replied, model = run(
        "kaping_published", made_question(mode="merged"), options={"graph": merged}
    )
    assert "diabetes needs" not in model.requests[0].user
    assert "(user has diabetes)" in model.requests[0].user
    assert replied.detail["facts"] > 5


def test_another_food_that_was_eaten_is_not_the_one_asked_about(merged):
    import numpy as np

    question = made_question(mode="merged")
    people = profiles([71234], {"diabetes": [1]})
    other = replace(question.row.food, code=58100001, name="Barley soup")
    eaten = Eaten(
        seqn=np.array([71234]),
        food=np.array([58100001]),
        day=np.array([1]),
        grams=np.array([240.0]),
    )
    graph = build_merged(people, [question.row.food, other], eaten=eaten)
    _, model = run("kaping_published", question, options={"graph": graph})
    assert "(user ate on day 1 240 g Barley soup)" in model.requests[0].user
    assert "(Barley soup " not in model.requests[0].user


def test_who_is_not_in_the_graph_is_named(merged):
    question = made_question(mode="merged")
    row = replace(question.row, person=replace(question.row.person, person=5))
    with pytest.raises(NotFoundError, match="no person"):
        run("plain", replace(question, row=row), options={"graph": merged})


def test_a_graph_without_its_ends_is_refused():
    from prandial.errors import SchemaError

    question = made_question()
    nodes = tuple(n for n in question.row.graph.nodes if n.id != 0)
    graph = QuestionGraph(nodes, tuple(e for e in question.row.graph.edges if e.source != 0))
    with pytest.raises(SchemaError, match="no user"):
        run("plain", made_question(graph=graph))
