"""Reasons decide: a yes by a whole group, a no by a row of each group, an unknown by name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.survey.made import people

from prandial import survey
from prandial.records import HealthProfile, PeopleTable, Prescriptions
from prandial.survey.words import about_person
from prandial.tables.rules import read_rules
from prandial.truth import Truth

INDICATORS = {r["id"]: r for r in read_rules("indicators")}
ADULT: dict[str, Any] = {"age_years": 40.0, "sex_code": 1.0}


def holds(row: Mapping[str, str], m: Mapping[str, float]) -> bool | None:
    """One row for one person, read slowly from the table; None is unknown."""
    value = m[row["measure"]]
    if row["from_age"] and not m["age_years"] >= float(row["from_age"]):
        return None
    for pair in filter(None, row["unless"].split(";")):
        name, code = pair.split("=")
        if math.isnan(m[name]) if code == "missing" else m[name] == float(code):
            return None
    if row["op"] == "isnt":
        return value != float(row["men"])
    if row["op"] == "any":
        return None if math.isnan(value) else True
    if row["op"] == "chosen":  # whether a diet could be named is told apart, in the rules' tests
        return True if not math.isnan(value) else (False if m["special_diet_code"] == 2 else None)
    low, high = float(row["valid_low"] or -math.inf), float(row["valid_high"] or math.inf)
    if math.isnan(value) or not low <= value <= high:
        return None
    if row["op"] in ("is", "in"):
        return value in [float(c) for c in row["men"].split(";")]
    men, women = float(row["men"]), float(row["women"])
    if men != women and math.isnan(m["sex_code"]):
        return None
    limit = women if m["sex_code"] == 2 else men
    return {
        ">=": value >= limit, ">": value > limit, "<": value < limit, "<=": value <= limit
    }[row["op"]]  # fmt: skip


def groups(rules: str, status: str) -> list[list[str]]:
    found: dict[str, list[str]] = {}
    for row in INDICATORS.values():
        if row["rules"] == rules and row["then"] == status:
            found.setdefault(row["group"], []).append(row["id"])
    return list(found.values())


def check(one: HealthProfile) -> None:
    for status, truth in (one.conditions | one.diets).items():
        ids = {r.rule for r in one.reasons[status]}
        told = {i: holds(INDICATORS[i], one.measures) for g in groups(one.rules, status) for i in g}
        assert ids, (one.person, status, "no reason")
        assert one.because[status]
        if truth == Truth.YES:
            # a code that is not there (isnt) holds without being a reason
            whole = [
                g for g in groups(one.rules, status)
                if all(told[i] and (i in ids or INDICATORS[i]["op"] == "isnt") for i in g)
                and ids & set(g)
            ]  # fmt: skip
            assert whole, (one.person, status, one.because[status])
            assert all(told[i] for i in ids)
        elif truth == Truth.NO:
            failing = {i for i in ids if told[i] is False}
            if one.rules == "as-published":
                failing |= {i for i in ids if told[i] is None}
            elif INDICATORS[next(iter(ids))]["op"] == "chosen":
                failing = ids
            assert all(failing & set(g) for g in groups(one.rules, status)), (one.person, status)
            assert ids == failing
        else:
            assert all(told[i] is None for i in ids), (one.person, status, one.because[status])
            assert any(
                w in one.because[status]
                for w in ("not ", "younger than", "pregnant: yes", "outside of what can be")
            ), one.because[status]
        for reason in one.reasons[status]:
            assert "_" not in reason.words, reason.words
            assert "; " not in reason.words, reason.words


@pytest.mark.parametrize("rules", ["default", "as-published"])
def test_reasons_of_real_people_decide(people_2017: PeopleTable, rules: str) -> None:
    rows = np.sort(np.random.default_rng(11).choice(len(people_2017), 60, replace=False))
    told = survey.profiles(people_2017, rules)
    for row in rows:
        check(survey.one_person(told, int(people_2017.seqn[row])))


@pytest.mark.parametrize("rules", ["default", "as-published"])
def test_reasons_of_made_up_people_decide(rules: str) -> None:
    told = survey.profiles(survey.demo_people(200, 5), rules)
    for seqn in told.people.seqn.tolist():
        check(survey.one_person(told, seqn))


def maybe(*values: float) -> st.SearchStrategy[float]:
    return st.sampled_from((float("nan"), *values))


@settings(max_examples=150, deadline=None)
@given(
    st.fixed_dictionaries(
        {
            "age_years": maybe(12, 18, 40, 80),
            "sex_code": maybe(1, 2),
            "pregnant_code": maybe(1, 2),
            "bmi_kg_m2": maybe(8, 17, 29.96, 30, 45),
            "waist_cm": maybe(80, 90, 110),
            "systolic_1_mmhg": maybe(110, 139.7, 150),
            "diastolic_1_mmhg": maybe(70, 95),
            "hypertension_told_code": maybe(1, 2),
            "hypertension_advised_code": maybe(1, 2),
            "hypertension_medicine_code": maybe(1, 2),
            "diabetes_told_code": maybe(1, 2, 3),
            "insulin_code": maybe(1, 2),
            "diabetes_pills_code": maybe(1, 2),
            "hba1c_percent": maybe(1, 5.5, 6.5, 8),
            "glucose_fasting_mmol_l": maybe(5, 8),
            "glucose_serum_mmol_l": maybe(5, 8),
            "creatinine_mg_dl": maybe(0.8, 2),
            "urine_albumin_mg_l": maybe(3, 90),
            "urine_creatinine_mg_dl": maybe(100),
            "ldl_mmol_l": maybe(2, 4),
            "haemoglobin_g_dl": maybe(10, 11.5, 12.5, 15),
            "osteoporosis_told_code": maybe(1, 2),
            "drugs_ever_code": maybe(1, 2),
            "heroin_ever_code": maybe(1, 2),
            "heroin_last_unit_code": maybe(1, 3, 4, 9),
            "heroin_last_count": maybe(1, 5),
            "prescriptions_code": maybe(1, 2),
            "special_diet_code": maybe(1, 2),
        }
    ),
    st.sampled_from(["default", "as-published"]),
)
def test_reasons_decide_whatever_was_measured(measures: dict[str, float], rules: str) -> None:
    check(survey.one_person(survey.profiles(people(**measures), rules), 1))


def because(status: str, rules: str = "default", **measures: Any) -> str:
    told = survey.profiles(people(**(ADULT | measures)), rules)
    return survey.one_person(told, 1).because[status]


def test_words_by_hand() -> None:
    assert because("obesity", bmi_kg_m2=31.7) == "BMI 31.7 kg/m2, limit 30 kg/m2 (WHO 2000)"
    assert because("diabetes", diabetes_told_code=2.0, hba1c_percent=6.2) == (
        "told of diabetes by a doctor: no (NGQA paper); "
        "HbA1c 6.2 %, limit 6.5 % (ADA Standards of Care, section 2)"
    )
    assert because("anaemia", haemoglobin_g_dl=12.5) == (
        "haemoglobin 12.5 g/dL, limit for men below 13 g/dL (WHO 2011)"
    )
    woman = because("anaemia", haemoglobin_g_dl=11.9, sex_code=2.0)
    assert woman == "haemoglobin 11.9 g/dL, limit for women below 12 g/dL (WHO 2011)"
    assert "pregnant: yes" in because(
        "anaemia", haemoglobin_g_dl=11.5, sex_code=2.0, pregnant_code=1.0
    )
    assert because("obesity", bmi_kg_m2=35.0, sex_code=2.0, pregnant_code=1.0) == (
        "pregnant: yes, so that BMI tells nothing"
    )
    assert "younger than 18 years" in because("high_ldl", ldl_mmol_l=4.0, age_years=9.0)
    assert because("high_ldl") == "LDL cholesterol: not measured"


def test_a_diet_says_what_was_answered() -> None:
    diet = "Renal/Kidney diet"
    assert because(diet, special_diet_code=2.0) == (
        "said to be on no special diet (NHANES dietary recall)"
    )
    assert "renal diet" in because(diet, special_diet_code=1.0, diet_renal_code=12.0)
    assert because(diet) == "whether on a special diet: not told"
    two = people(2, special_diet_code=1.0, diet_renal_code=[12.0, np.nan], **ADULT)
    other = survey.one_person(survey.profiles(two, "default"), 2)
    assert "not on this one" in other.because[diet]
    assert other.diets[diet] == Truth.NO


def test_rounding_never_crosses_a_limit() -> None:
    """139.67 is no 140, and 29.96 no 30."""
    assert survey.rounded(139.67, 0, 140) == "139.7"
    assert survey.rounded(29.96, 1, 30) == "29.96"
    assert survey.rounded(200.0, 0, 140) == "200"
    assert survey.rounded(30.0, 1, 30) == "30"


@given(st.floats(0, 300), st.floats(0, 300), st.integers(0, 3))
def test_what_is_shown_stands_on_the_same_side_of_the_limit(
    value: float, limit: float, places: int
) -> None:
    shown = float(survey.rounded(value, places, limit))
    assert (shown < limit, shown > limit) == (value < limit, value > limit)


def test_days_of_unknown_length_are_no_number() -> None:
    record = Prescriptions(
        seqn=np.array([1], dtype=np.int64),
        cycle=np.array(["2017-2018"]),
        drug_code=("x",),
        drug=("X",),
        days=np.array([np.nan]),
        classes=(("57/58/60",),),
        reasons=((),),
    )
    table = people(prescriptions=record, prescriptions_code=1.0, **ADULT)
    one = survey.one_person(survey.profiles(table, "as-published"), 1)
    (reason,) = one.reasons["opioid_misuse"]
    assert "of unknown length" in reason.words
    assert reason.value == "of unknown length"


@pytest.mark.parametrize(
    ("sex", "age", "cycle", "expected"),
    [
        (2.0, 66.0, "2017-2018", "woman, 66 years"),
        (1.0, 80.0, "2017-2018", "man, 80 years or older"),
        (1.0, 80.0, "2003-2004", "man, 80 years"),
        (2.0, 85.0, "2005-2006", "woman, 85 years or older"),
        (1.0, 2.0, "2017-2018", "boy, 2 years"),
        (math.nan, math.nan, "2017-2018", "sex not known, age not known"),
    ],
)
def test_who_it_is(sex: float, age: float, cycle: str, expected: str) -> None:
    assert about_person(sex, age, cycle) == expected


def test_each_measure_of_a_rule_has_words() -> None:
    known = {r["measure"] for r in read_rules("measure_words")}
    missing = {r["measure"] for r in INDICATORS.values()} - known
    assert not missing
    codes: Sequence[str] = [r["measure"] for r in INDICATORS.values() if r["op"] in ("is", "in")]
    assert all(survey.measure_words(m).answers for m in codes)
