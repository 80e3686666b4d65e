"""Rows of one file that tell of a food or person in two ways."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.quiz.made import food, person

from prandial.quiz import check_file, make_row, write_published

HABIT = "Drinks lots of milk"


def _rows():
    """Three rows of one food, three of one person; nothing odd."""
    eaten = food("low_carb", "high_sodium")
    other = food("low_carb", "high_sodium", code=58106210)
    one = person("hypertension", number=21005, habits=(HABIT,))
    pairs = [(eaten, person("diabetes", number=n)) for n in (21010, 21011)]
    pairs += [(eaten, one), (other, one), (replace(other, code=58106211), one)]
    return [make_row(f, p, level="sparse", rules="as-published") for f, p in pairs]


def _problems(rows, tmp_path):
    path = tmp_path / "x.csv"
    write_published(rows, path, rules="as-published")
    report = check_file(path, rules="as-published")
    assert report.rows_equal == len(rows)  # each row follows from its own facts
    names = ("food_differs", "person_differs", "unknown_habit")
    return {n: list(report.problems[n]) for n in names if report.problems[n]}


def test_rows_that_agree(tmp_path):
    assert _problems(_rows(), tmp_path) == {}


@pytest.mark.parametrize(
    "change",
    [{"ingredients": ("Poison, raw",)}, {"category": "Candy"}, {"name": "Another"},
     {"tags": ("low_carb",)}],
)  # fmt: skip
def test_a_food_told_otherwise(tmp_path, change):
    rows = _rows()
    rows[1] = make_row(
        replace(rows[1].food, **change), rows[1].person, level="sparse", rules="as-published"
    )
    found = _problems(rows, tmp_path)
    assert list(found) == ["food_differs"]
    assert len(found["food_differs"]) == 1


@pytest.mark.parametrize(
    "change",
    [{"statuses": ("hypertension", "High protein diet")}, {"habits": ("Drinks lots of water",)}],
)
def test_a_person_told_otherwise(tmp_path, change):
    rows = _rows()
    rows[4] = make_row(
        rows[4].food, replace(rows[4].person, **change), level="sparse", rules="as-published"
    )
    found = _problems(rows, tmp_path)
    assert list(found) == ["person_differs"]
    assert len(found["person_differs"]) == 1


def test_a_habit_of_no_table(tmp_path):
    rows = _rows()
    rows[0] = make_row(
        rows[0].food,
        replace(rows[0].person, habits=("Flies to the moon",)),
        level="sparse",
        rules="as-published",
    )
    assert list(_problems(rows, tmp_path)) == ["unknown_habit"]
