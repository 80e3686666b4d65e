"""Names of statuses, and people of the survey."""

from __future__ import annotations

from math import nan
from pathlib import Path

import pytest

import prandial
from prandial import api
from prandial.advice import named_person, status_named, survey_person
from prandial.errors import InputError, NotFoundError
from prandial.records import HealthProfile
from prandial.tables.rules import load_needs, read_rules
from prandial.truth import Truth


@pytest.mark.parametrize(
    ("name", "kind", "status"),
    [
        ("Hypertension", "condition", "hypertension"),
        ("high blood pressure", "condition", "hypertension"),
        ("CKD", "condition", "chronic_kidney_disease"),
        ("chronic-kidney disease", "condition", "chronic_kidney_disease"),
        ("Type 2 diabetes", "condition", "diabetes"),
        ("anemia", "condition", "anaemia"),
        ("low sodium", "diet", "Low salt/Low sodium diet"),
        ("LOW-SALT diet", "diet", "Low salt/Low sodium diet"),
        ("low carb", "diet", "Low carbohydrate diet"),
        ("diabetes", "diet", "Diabetic diet"),
        ("renal", "diet", "Renal/Kidney diet"),
    ],
)
def test_obvious_names(name, kind, status) -> None:
    assert status_named(name, kind) == status


def test_every_status_has_its_own_name_and_every_other_name_a_status() -> None:
    kinds = load_needs("default").kinds
    for status, kind in kinds.items():
        assert status_named(status, kind) == status
    for row in read_rules("status_names"):
        assert status_named(row["name"], kinds[row["status"]]) == row["status"]


@pytest.mark.parametrize(
    ("name", "kind", "hint"),
    [
        ("hypertensoin", "condition", "nearest: hypertension"),
        ("low soduim", "diet", "Low salt/Low sodium diet"),
        ("low sodium", "condition", "give it as a diet"),
        ("hypertension", "diet", "give it as a condition"),
        ("zzzz", "condition", "known: obesity"),
    ],
)
def test_unknown_names_have_a_next_step(name, kind, hint) -> None:
    with pytest.raises(NotFoundError) as caught:
        status_named(name, kind)
    assert hint in caught.value.hint


@pytest.mark.parametrize("name", ["", "  ", "--", 3, None])
def test_what_is_no_name(name) -> None:
    with pytest.raises(InputError):
        status_named(name, "condition")


def test_nobody_is_an_input_error() -> None:
    with pytest.raises(InputError, match="nothing to judge by"):
        named_person()


def profile(age: float, **more) -> HealthProfile:
    body = {
        "person": 1,
        "cycle": "2017-2018",
        "rules": "default",
        "measures": {"age_years": age},
        "conditions": {"hypertension": Truth.UNKNOWN, "diabetes": Truth.NO},
        "diets": {"Renal/Kidney diet": Truth.YES},
        "habits": {},
    }
    return HealthProfile(**body | more)


def test_unknown_statuses_stay_unknown_unless_named() -> None:
    who = survey_person(profile(40))
    assert (who.held, who.unknown, who.notes) == (("Renal/Kidney diet",), ("hypertension",), ())
    told = survey_person(profile(40), conditions=["hypertension", "diabetes"])
    assert told.held == ("hypertension", "diabetes", "Renal/Kidney diet")
    assert told.unknown == ()
    assert "diabetes: named, the survey says no" in told.notes


@pytest.mark.parametrize(("age", "noted"), [(17, True), (18, False), (80, False), (nan, True)])
def test_minors_and_people_of_unknown_age_are_noted(age, noted) -> None:
    assert any("adults" in n for n in survey_person(profile(age)).notes) is noted


def test_published_rules_do_not_judge() -> None:
    with pytest.raises(InputError, match="as-published"):
        survey_person(profile(40, rules="as-published"))


def test_people_of_the_survey(shared_dir: Path) -> None:
    """A child of 2 years (93703) of whom nearly nothing is known, and an adult (93708)."""
    root, where = shared_dir / "data", {"cycles": ["2017-2018"]}
    child = prandial.suits("2 boiled eggs", person=93703, root=root, **where)
    assert any("2 years old" in n and "minor" in n for n in child.notes)
    assert "hypertension" in child.unknown_statuses
    assert (child.answer, child.lean) == ("unknown", "nothing")
    adult = prandial.suits("a can of chicken noodle soup", person=93708, root=root, **where)
    held = api.show_person(93708, root=root, **where)
    assert adult.person == 93708
    assert set(adult.statuses) == {
        s for s, t in {**held.conditions, **held.diets}.items() if t == Truth.YES
    }
    assert "high_sodium" in adult.contradicts
    with pytest.raises(NotFoundError):
        prandial.suits("2 boiled eggs", person=1, root=root, **where)
