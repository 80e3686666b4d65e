"""Answerers that need no data: templates as published, floors by the paper's arithmetic."""

from __future__ import annotations

import pytest
from tests.answer.direct.made import asked, meal, row_of, sample

from prandial.answer.direct import ANSWERS, DIRECT, TRAINED, make_direct
from prandial.errors import InputError, ModelError, NotFoundError


def test_rules_write_the_published_answers(shared_dir):
    answer = make_direct("rules")
    for task, column in (("B", "answer_easy"), ("ML", "answer_medium"), ("TG", "answer_hard")):
        for question, texts in sample(shared_dir, task):
            assert answer(question).text == texts[column].strip()


def test_all_tags_score_the_share_of_tags_that_matter(shared_dir):
    """Jaccard of every tag against the gold is |gold| / |tags| by set arithmetic (spec 7.A.2)."""
    answer = make_direct("all_tags")
    for question, texts in sample(shared_dir, "ML"):
        told = set(answer(question).text.split(", "))
        gold = set(texts["answer_medium"].split(", "))
        tags = [n for n in question.row.graph.nodes if n.name == "food_nutrition_tag"]
        assert len(told & gold) / len(told | gold) == len(gold) / len(tags)


def test_edges_are_the_label(shared_dir):
    """Reading them is all but always right; where it is not, edges and nutrients differ."""
    answer = make_direct("edges")
    for question, texts in sample(shared_dir, "ML"):
        assert set(answer(question).text.split(", ")) == set(texts["answer_medium"].split(", "))
    for question, texts in sample(shared_dir, "B"):
        replied = answer(question)
        if replied.text != texts["answer_easy"]:
            found = (question.row.gold.matches, question.row.gold.contradicts)
            assert (replied.detail["edges_for"], replied.detail["edges_against"]) != tuple(
                map(len, found)
            )


def test_edges_count_twice_what_nutrients_count_once():
    row = row_of(
        ("low_sodium", "high_calorie"), ("hypertension", "Low salt/Low sodium diet", "obesity")
    )
    assert make_direct("edges")(asked(row, "B")).text == "Yes"
    assert make_direct("rules")(asked(row, "B")).text == "No"


def test_nothing_is_answered_without_edges():
    row = row_of(("low_sodium",), ("hypertension",), mode="no-verdict")
    for task in ("B", "ML", "TG"):
        with pytest.raises(ModelError, match="no verdict edges"):
            make_direct("edges")(asked(row, task, mode="no-verdict"))


def test_always_and_constant():
    row = row_of(("high_sugar",), ("diabetes",))
    no, yes = make_direct("always_no"), make_direct("always_yes")
    assert (no(asked(row, "B")).text, yes(asked(row, "B")).text) == ("No", "Yes")
    assert no(asked(row, "TG")).text == "No, because the food is high in sugar."
    assert yes(asked(row, "TG")).text == "Yes, because the food is low in sugar."
    for answerer, task in ((no, "ML"), (make_direct("all_tags"), "B")):
        with pytest.raises(ModelError):
            answerer(asked(row, task))
    replied = make_direct("constant", value=30)(meal("x"))
    assert (replied.value, replied.text) == (30.0, '{"total_carbohydrates": 30.0}')
    kcal = make_direct("constant", value="450.5")(meal("x", nutrient="energy_kcal"))
    assert (kcal.value, kcal.text) == (450.5, '{"total_energy": 450.5}')


def test_what_cannot_be_asked():
    row = row_of((), ())
    for name in DIRECT:
        options = {"value": 1} if name == "constant" else {}
        if name in TRAINED or name == "replay":
            continue
        other = meal("x") if ANSWERS[name] == ("ngqa",) else asked(row, "B")
        with pytest.raises(InputError, match="only"):
            make_direct(name, **options)(other)
    with pytest.raises(InputError, match="fiber_g"):
        make_direct("constant", value=1)(meal("x", nutrient="fiber_g"))
    with pytest.raises(NotFoundError, match="no answerer"):
        make_direct("oracle")
    with pytest.raises(InputError, match="value"):
        make_direct("constant")
    with pytest.raises(InputError, match="options"):
        make_direct("rules", value=1)
    for bad in ("x", -1, float("nan"), float("inf"), None):
        with pytest.raises(InputError, match="no amount"):
            make_direct("constant", value=bad)
    with pytest.raises(InputError, match="no nutrition tag"):
        make_direct("always_no", reason="salty")
