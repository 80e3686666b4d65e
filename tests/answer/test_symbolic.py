"""Questions answered by rule: the published answers, and cases by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.answer.direct.made import asked, row_of, sample

from prandial.answer.symbolic import symbolic_verdict
from prandial.graph.question import question_graph


def test_the_published_answers_of_50_real_rows(shared_dir):
    """Verdict, tags and winning side as published; the golds are not looked at."""
    for question, texts in sample(shared_dir):
        found = symbolic_verdict(question)
        assert found.verdict == texts["answer_easy"]
        assert ", ".join(found.tags) == texts["answer_medium"]
        winning = found.matches if found.verdict == "Yes" else found.contradicts
        named = ", ".join("{0} in {2}".format(*t.partition("_")) for t in winning)
        assert texts["answer_hard"] == f"{found.verdict}, because the food is {named}. "


def test_verdict_edges_are_not_looked_at(shared_dir):
    for question, _ in sample(shared_dir):
        row = question.row
        edges = tuple(
            e for e in row.graph.edges if e.relation not in ("match", "contradict", "need")
        )
        bare = replace(row, graph=replace(row.graph, edges=edges))
        hidden = replace(question, row=bare, mode="no-verdict")
        assert symbolic_verdict(hidden) == symbolic_verdict(question)


def test_merged_graphs_name_food_and_person_only(shared_dir):
    for question, _ in sample(shared_dir):
        row = question.row
        graph = question_graph(row.food, row.person, rules=question.rules, mode="merged")
        merged = replace(question, row=replace(row, graph=graph), mode="merged")
        assert symbolic_verdict(merged) == symbolic_verdict(question)


@pytest.mark.parametrize(
    ("statuses", "tags", "verdict", "matches", "contradicts"),
    [
        # two statuses need low sodium: one nutrient, counted once, so 1:1 is a tie, which is No
        (
            ("hypertension", "Low salt/Low sodium diet", "obesity"),
            ("low_sodium", "high_calorie"),
            "No",
            ("low_sodium",),
            ("high_calorie",),
        ),
        (("diabetes",), ("low_sugar", "low_carb"), "Yes", ("low_carb", "low_sugar"), ()),
        # kidney wants protein low, the other diet high: high overwrites
        (
            ("High protein diet", "Renal/Kidney diet"),
            ("high_protein",),
            "Yes",
            ("high_protein",),
            (),
        ),
        (("obesity",), ("low_carb",), "No", (), ()),
    ],
)
def test_by_hand(statuses, tags, verdict, matches, contradicts):
    found = symbolic_verdict(asked(row_of(tags, statuses), "B"))
    assert (found.verdict, found.matches, found.contradicts) == (verdict, matches, contradicts)


def test_a_clash_is_not_counted_by_default_and_unknown_is_told():
    row = row_of(
        ("high_protein", "high_sodium"),
        ("High protein diet", "Renal/Kidney diet"),
        rules="default",
        unknown=("phosphorus", "folate_acid"),
    )
    found = symbolic_verdict(asked(row, "B", rules="default"))
    assert found.conflicts == ("protein",)
    assert found.unknown == ("phosphorus",)
    assert (found.verdict, found.contradicts) == ("No", ("high_sodium",))
