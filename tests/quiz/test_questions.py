"""Question texts and the tables behind the room."""

from __future__ import annotations

import csv
import re

import pytest
from tests.quiz.made import RULES

from prandial.errors import InputError
from prandial.quiz import TASKS, alternatives_text, problems, question_text
from prandial.tables.rules import NUTRIENT_ORDER, load_needs, read_rules, rules_card

TABLES = ("questions", "tag_nutrients", "habit_marks", "label_problems")


@pytest.mark.parametrize("rules", RULES)
def test_names_are_put_in_as_they_are(rules):
    for task in TASKS:
        name = 'Cake, {food} "plain", 50% {category}'
        text = question_text(task, name, rules=rules)
        assert text.count(name) == 1
    text = alternatives_text("Soups {candidates}", ["a {category}", "b"], rules=rules)
    assert "Soups {candidates}" in text
    assert "a {category}; b" in text


def test_no_such_task():
    with pytest.raises(InputError) as error:
        question_text("C", "x", rules="default")
    assert "B of default" in error.value.hint


@pytest.mark.parametrize("name", TABLES)
def test_tables_have_cards_and_sources(name):
    card = rules_card(name)
    assert card["rows"] == len(read_rules(name))
    assert {"title", "licence", "origin", "columns", "gaps"} <= set(card)
    assert all(all(cell.strip() for cell in row.values()) for row in read_rules(name))


def test_every_nutrient_has_a_unit():
    assert [r["nutrient"] for r in read_rules("tag_nutrients")] == list(NUTRIENT_ORDER)


def test_every_problem_told_is_in_the_table_and_on_the_page(repo):
    names = {r["problem"] for r in read_rules("label_problems")}
    source = (repo / "src/prandial/quiz/problems.py").read_text(encoding="utf-8")
    told = set(re.findall(r'^        "(\w+)":', source, re.MULTILINE))
    assert told < names
    page = (repo / "docs/ngqa.md").read_text(encoding="utf-8")
    assert [n for n in told if f"`{n}`" not in page] == []
    published, ours = (problems.problem_words(r) for r in ("as-published", "default"))
    assert set(published) == names
    assert names - set(ours) == {"winning_side_only", "renal_protein_only"}
    assert "overwrites" in published["conflicting_needs"]
    assert "overwrites" not in ours["conflicting_needs"]


def test_habits_are_those_seen_in_the_rows(shared_dir):
    with (shared_dir / "data/ngqa/dietary_habit_labels.csv").open(newline="") as file:
        seen = {r["label"] for r in csv.DictReader(file)}
    for row in read_rules("habit_marks"):
        assert row["first"] in seen
        known = seen if row["kind"] == "opposites" else load_needs("as-published").tags
        assert row["second"] in known
