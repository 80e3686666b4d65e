"""Habits: cuts by hand, no one at both ends, and the labels of released rows."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.survey.made import people
from tests.survey.ngqa_rows import released_people

from prandial import survey
from prandial.records import PeopleTable
from prandial.tables.rules import read_rules
from prandial.truth import Truth

YES, NO, UNKNOWN = Truth.YES, Truth.NO, Truth.UNKNOWN
#: labels that the answers at hand cannot give in full (see docs/differences.md)
SHORT = {
    "Eats lots of shellfish",
    "Eats lots of fish",
    "Takes more supplements",
    "Takes few or no supplements",
    "Drinks lots of water",
    "Drinks little water",
    "Drinks Alcohol more than average",
    "Drinks Alcohol less than average",
}


def test_cuts_by_hand() -> None:
    ten = np.arange(1.0, 12.0)
    assert survey.habit_cut(ten, "high", strict=True) == 10
    assert survey.habit_cut(ten, "low", strict=True) == 2
    tied = np.array([0.0] * 6 + [1, 2, 3, 4])
    assert np.isnan(survey.habit_cut(tied, "low", strict=True)), "0 is what most answer"
    assert survey.habit_cut(tied, "low", strict=False) == 0
    assert np.isnan(survey.habit_cut(np.array([]), "low", strict=True))


@given(st.lists(st.integers(0, 6), min_size=1, max_size=60))
def test_nobody_is_at_both_ends_of_a_question(answers: list[int]) -> None:
    values = np.array(answers, dtype=float)
    high = survey.habit_cut(values, "high", strict=True)
    low = survey.habit_cut(values, "low", strict=True)
    assert not ((values >= high) & (values <= low)).any()


def test_nobody_has_two_opposite_habits(people_2017: PeopleTable) -> None:
    habits = survey.profiles(people_2017, "default").habits
    by_measure: dict[str, dict[str, list[str]]] = {}
    for row in read_rules("habits"):
        if row["rules"] == "default" and row["measure"] and not row["label"].endswith(" diet"):
            by_measure.setdefault(row["measure"], {}).setdefault(row["label"], [])
    pairs = [p for labels in by_measure.values() for p in product(labels, labels) if p[0] < p[1]]
    assert len(pairs) >= 14
    for one, other in pairs:
        assert not ((habits[one] == YES) & (habits[other] == YES)).any(), (one, other)


def test_diet_labels_are_right_by_default_and_shifted_as_published() -> None:
    one = people(special_diet_code=1.0, diet_low_fat_code=2.0, age_years=40.0)
    default = survey.profiles(one, "default").habits
    assert default["Eats low fat diet"][0] == YES
    assert default["Eats weight loss diet"][0] != YES
    published = survey.profiles(one, "as-published").habits
    assert published["Eats low fat diet"][0] == NO
    assert published["Eats weight loss diet"][0] == YES
    assert published["Ate less food than usual"][0] == YES


def test_no_answer_is_unknown_by_default() -> None:
    habits = survey.profiles(people(age_years=40.0), "default").habits
    assert {int(v[0]) for v in habits.values()} == {UNKNOWN}


def test_table_of_habits(people_2017: PeopleTable) -> None:
    """Special diets of 2017-2018 as its description counts them; salt by the codebook."""
    rows = {r.label: r for r in survey.habit_table(survey.profiles(people_2017, "default"))}
    assert rows["Eats weight loss diet"].count == 475
    assert rows["Eats diabetic diet"].count == 139
    assert rows["Eats gluten free diet"].count == 16
    assert rows["Uses lots of salt in preparation"].count == 2986
    assert rows["Ate more food than usual"].count == 589
    assert rows["Adds lots of salt at table"].count == 792
    out = rows["Eats often outside the home"]
    assert out.cut.startswith(">= ")
    assert 0.05 < out.prevalence < 0.2
    assert rows["Eats few to no ready to eat meals"].count == 0, "half of the answers are 0"


def test_cuts_are_set_by_adults_only() -> None:
    mixed = people(
        30,
        age_years=[40.0] * 15 + [5.0] * 15,
        meals_out_per_week=[*range(15), *[100.0] * 15],
    )
    row = next(
        r
        for r in survey.habit_table(survey.profiles(mixed, "default"))
        if r.label == "Eats often outside the home"
    )
    assert row.cut == ">= 12.6"


@pytest.mark.full
def test_habits_of_the_released_rows(everyone: PeopleTable, shared_dir: Path) -> None:
    """Of the labels that the answers can give each is right for each of the 50 people."""
    habits = survey.profiles(everyone, "as-published").habits
    row = {int(s): i for i, s in enumerate(everyone.seqn)}
    share = []
    for person, (_, released) in released_people(shared_dir).items():
        ours = [h for h, v in habits.items() if v[row[person]] == YES]
        assert set(ours) - SHORT == set(released) - SHORT, person
        assert [h for h in released if h in ours] == [h for h in ours if h in released]
        share.append(len(set(ours) & set(released)) / len(set(ours) | set(released)))
    assert np.mean(share) == pytest.approx(0.924, abs=0.001)
