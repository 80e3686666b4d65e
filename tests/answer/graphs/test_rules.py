"""The symbolic method against the published answers and by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.answer.graphs.asked import made_question, real_questions, run
from tests.quiz.made import ORDER

from prandial.answer.direct import make_direct
from prandial.records.quiz import Edge, Node, QuestionGraph
from prandial.tables.rules import load_needs


@pytest.mark.parametrize("task", ["B", "ML", "TG"])
def test_it_gives_the_published_answers(task, shared_dir):
    rows = real_questions(shared_dir, task)
    assert len(rows) == 50
    for question, published in rows:
        replied, model = run("rules", question)
        assert replied.text == published.strip()
        assert not model.requests
        assert not replied.calls


def test_verdict_edges_are_not_read():
    question = made_question("TG")
    bare = QuestionGraph(
        question.row.graph.nodes,
        tuple(e for e in question.row.graph.edges if e.relation not in ("match", "contradict")),
    )
    assert run("rules", made_question("TG", graph=bare))[0].text == run("rules", question)[0].text
    lying = QuestionGraph(question.row.graph.nodes, (*bare.edges, Edge(8, "match", 6)))
    assert run("rules", made_question("TG", graph=lying))[0].text == run("rules", question)[0].text


def test_nutrients_are_counted_and_not_edges():
    # low sugar is needed by two statuses: two edges for, one nutrient; sodium against: a tie
    question = made_question(
        tags=("low_sugar", "high_sodium"),
        statuses=("hypertension", "Sugar free/Low sugar diet", "Diabetic diet"),
    )
    assert sum(e.relation == "match" for e in question.row.graph.edges) == 2
    assert run("rules", question)[0].text == "No"


@given(data=st.data())
def test_it_agrees_with_the_gold_in_every_mode(data):
    rules = data.draw(st.sampled_from(("as-published", "default")))
    directions = {n: data.draw(st.sampled_from(("", "low", "high"))) for n in ORDER[rules]}
    held = data.draw(st.sets(st.sampled_from(list(load_needs(rules).tags)), max_size=5))
    for mode in ("published", "no-verdict", "merged"):
        for task in ("B", "ML"):
            question = made_question(
                task,
                tags=tuple(f"{d}_{n}" for n, d in directions.items() if d),
                statuses=tuple(s for s in load_needs(rules).tags if s in held),
                rules=rules,
                mode=mode,
            )
            gold = question.row.gold
            right = gold.verdict if task == "B" else ", ".join(gold.tags) or "none"
            assert run("rules", question)[0].text == right


def test_the_sentence_is_the_gold_of_the_rule_set():
    asked = {"tags": ("low_carb", "low_sugar", "high_sodium")}
    told = "Yes, because the food is low in carb, low in sugar."
    assert run("rules", made_question("TG", **asked))[0].text == told
    question = made_question("TG", rules="default", **asked)
    text = run("rules", question)[0].text
    assert text == question.row.gold.sentence.strip()
    assert "high in sodium, against what is needed" in text
    assert make_direct("rules")(question).text == text


def test_what_is_not_known_is_said():
    asked = {"rules": "default", "mode": "no-verdict", "tags": ("low_carb",)}
    replied, _ = run("rules", made_question(unknown=("sodium",), **asked))
    assert replied.text == ("Not known: sodium, which could change the verdict.\nAnswer: Yes")
    assert replied.detail["could_change"]
    replied, _ = run("rules", made_question(unknown=("iron",), **asked))
    assert replied.text == "Yes"  # nothing needs iron
    sure = {**asked, "tags": ("low_carb", "low_sugar")}
    replied, _ = run("rules", made_question(unknown=("sodium",), **sure))
    assert replied.text == "Not known: sodium.\nAnswer: Yes"
    assert not replied.detail["could_change"]


def test_a_tag_that_is_none_is_said():
    question = made_question()
    graph = question.row.graph
    odd = QuestionGraph((*graph.nodes, Node(99, "food_nutrition_tag", "low_gluten")), graph.edges)
    replied, _ = run("rules", made_question(graph=odd))
    assert replied.text == "Not understood: low_gluten.\nAnswer: No"
    assert replied.detail["not_tags"] == ["low_gluten"]
    assert replied.retrieved == (1, 5, 6, 0, 8, 9, 99)
