"""One person, groups, and made-up people."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.survey.made import people

from prandial import survey
from prandial.errors import InputError, NotFoundError
from prandial.records import PeopleTable
from prandial.tables.rules import load_needs, read_rules
from prandial.truth import Truth


def test_one_person_says_why() -> None:
    two = people(
        2,
        age_years=[50.0, 50.0],
        sex_code=1.0,
        bmi_kg_m2=[33.1, np.nan],
        special_diet_code=2.0,
    )
    told = survey.profiles(two, "default")
    one = survey.one_person(told, 1)
    assert one.conditions["obesity"] == Truth.YES
    assert one.because["obesity"] == "BMI 33.1 kg/m2, limit 30 kg/m2 (WHO 2000)"
    assert [r.rule for r in one.reasons["obesity"]] == ["def-obesity-1"]
    assert one.severity == {"obesity": "class I"}
    other = survey.one_person(told, 2)
    assert other.conditions["obesity"] == Truth.UNKNOWN
    assert other.because["obesity"] == "BMI: not measured"
    assert json.loads(json.dumps(other.to_dict()))["measures"]["bmi_kg_m2"] is None
    assert list(one.because) == list(load_needs("default").tags)


def test_no_such_person() -> None:
    with pytest.raises(NotFoundError, match="no person 77") as caught:
        survey.one_person(survey.profiles(people(3), "default"), 77)
    assert "3" in caught.value.hint


def test_a_person_alone_is_as_among_all(people_2017: PeopleTable) -> None:
    told = survey.profiles(people_2017, "default")
    for row in (0, 4000, 9253):
        one = survey.one_person(told, int(people_2017.seqn[row]))
        found = one.conditions | one.diets
        assert {s: int(v) for s, v in found.items()} == {
            s: int(v[row]) for s, v in told.statuses.items()
        }


def test_groups() -> None:
    four = people(
        4,
        age_years=[17.0, 18.0, 60.0, np.nan],
        income_ratio=[1.3, 1.31, 5.0, np.nan],
        food_security_adult_code=[1.0, 4.0, np.nan, 2.0],
    )
    told = survey.profiles(four, "default")
    found = survey.slices(told)
    assert found["age"].tolist() == ["under 18", "18-39", "60 and over", "unknown"]
    assert found["income"].tolist() == [
        "to 130 % of poverty",
        "130-350 %",
        "over 350 %",
        "unknown",
    ]
    assert found["food security"].tolist() == ["full", "very low", "unknown", "marginal"]
    assert survey.minors(told).tolist() == [True, False, False, True]


def test_made_up_people_follow_the_published_counts() -> None:
    """Singles and pairs within five standard errors of a binomial."""
    n = 40_000
    made = survey.demo_people(n, 7)
    found = {
        frozenset(r.statuses): r.people
        for r in survey.counts(survey.profiles(made, "as-published"))
    }
    checked = 0
    for row in read_rules("people_demo"):
        if row["kind"] != "status":
            continue
        share = int(row["count"]) / 95_872
        spread = (n * share * (1 - share)) ** 0.5
        assert abs(found[frozenset(row["name"].split(" & "))] - n * share) <= 5 * spread + 1, row
        checked += 1
    assert checked == 60


def test_made_up_people_are_marked_and_the_same_each_time() -> None:
    a, b, c = survey.demo_people(500, 1), survey.demo_people(500, 1), survey.demo_people(500, 2)
    assert (a.seqn > 90_000_000).all()
    assert set(a.cycle.tolist()) == {"made-up"}
    assert all(np.array_equal(v, b[k], equal_nan=True) for k, v in a.values.items())
    assert not np.array_equal(a["bmi_kg_m2"], c["bmi_kg_m2"])
    assert (a["age_years"] >= 19).all()
    with pytest.raises(InputError):
        survey.demo_people(0, 1)


def test_both_rule_sets_see_the_same_conditions_in_made_up_people() -> None:
    made = survey.demo_people(2_000, 3)
    published = survey.profiles(made, "as-published").statuses
    default = survey.profiles(made, "default").statuses
    for status, told in published.items():
        yes = told == Truth.YES
        assert np.array_equal(yes, default[status] == Truth.YES), status


def test_picked_profiles_keep_what_was_told(people_2017: PeopleTable) -> None:
    told = survey.profiles(people_2017, "default")
    rows = np.array([5, 3, 8000])
    few = survey.pick_profiles(told, rows)
    assert len(few) == 3
    assert few.people.seqn.tolist() == people_2017.seqn[rows].tolist()
    for label, column in told.habits.items():
        assert few.habits[label].tolist() == column[rows].tolist()
