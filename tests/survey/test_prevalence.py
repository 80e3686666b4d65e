"""Prevalence against figures of CDC, a jackknife, and arithmetic by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.survey.made import people

from prandial import survey
from prandial.errors import InputError, NotFoundError
from prandial.records import PeopleTable
from prandial.survey.prevalence import t_quantile
from prandial.tables.rules import load_needs, read_rules


def percent(x: float) -> float:
    return round(100 * x, 1)


def test_obesity_of_2017_by_nchs_data_brief_360(people_2017: PeopleTable) -> None:
    """42.4 % of adults, 40.0, 44.8 and 42.8 % by age; 9.2 % severe."""
    told = survey.profiles(people_2017, "default")
    assert percent(survey.prevalence(told, "obesity", rules="cdc").share) == 42.4
    by_age = [
        percent(survey.prevalence(told, "obesity", rules="cdc", ages=ages).share)
        for ages in ((20, 39), (40, 59), (60, 150))
    ]
    assert by_age == [40.0, 44.8, 42.8]
    assert percent(survey.prevalence(told, "severe_obesity", rules="cdc").share) == 9.2


def test_hypertension_of_2017_by_nchs_data_brief_364(people_2017: PeopleTable) -> None:
    """45.4 %, men 51.0, women 39.7; 22.4, 54.5 and 74.5 % by age."""
    told = survey.profiles(people_2017, "default")
    found = survey.prevalence(told, "hypertension", rules="cdc", ages=18)
    assert percent(found.share) == 45.4
    assert found.degrees == 15
    by_age = [
        percent(survey.prevalence(told, "hypertension", rules="cdc", ages=ages).share)
        for ages in ((18, 39), (40, 59), (60, 150))
    ]
    assert by_age == [22.4, 54.5, 74.5]
    for code, published in ((1, 51.0), (2, 39.7)):
        sex = people_2017["sex_code"] == code
        part = survey.prevalence(told, "hypertension", rules="cdc", ages=18, among=sex)
        assert percent(part.share) == published


def slow_jackknife(table: PeopleTable, limit: float) -> tuple[float, float]:
    """Leave out one unit at a time, its stratum's others taking its weight (JKn)."""
    bmi, age = table["bmi_kg_m2"], table["age_years"]
    weight = np.nan_to_num(table["weight_exam_persons"])
    stratum, psu = table["stratum_code"], table["psu_code"]
    able = (age >= 20) & ~np.isnan(bmi) & ~(table["pregnant_code"] == 1)

    def share(w: np.ndarray) -> float:
        return float((w * (able & (bmi >= limit))).sum() / (w * able).sum())

    whole, variance = share(weight), 0.0
    for h in np.unique(stratum[weight > 0]):
        units = np.unique(psu[(stratum == h) & (weight > 0)])
        for unit in units:
            less = weight.copy()
            inside = stratum == h
            less[inside] *= len(units) / (len(units) - 1)
            less[inside & (psu == unit)] = 0
            variance += (len(units) - 1) / len(units) * (share(less) - whole) ** 2
    return whole, float(np.sqrt(variance))


def test_linearised_error_agrees_with_the_jackknife(people_2017: PeopleTable) -> None:
    told = survey.profiles(people_2017, "default")
    found = survey.prevalence(told, "obesity", rules="cdc", adjusted=False)
    share, error = slow_jackknife(people_2017, 30.0)
    assert found.share == pytest.approx(share, rel=1e-12)
    assert found.standard_error == pytest.approx(error, rel=0.02)


def designed() -> PeopleTable:
    """Two strata of two units; one person each, but two in the last."""
    return people(
        5,
        age_years=30.0,
        sex_code=1.0,
        bmi_kg_m2=[35, 20, 35, 20, 20],
        stratum_code=[1, 1, 2, 2, 2],
        psu_code=[1, 2, 1, 2, 2],
        weight_exam_persons=[1, 1, 1, 1, 1],
    )


def test_error_by_hand() -> None:
    """p = 2/5; unit sums of (y - p)/5: .12, -.08 | .12, -.16; variance .02^2... by hand.

    Stratum 1: mean .02, squares 2 x .01 = .02, times 2. Stratum 2: mean -.02, squares
    2 x .0196 = .0392, times 2. Sum .02 x 2 + .0392 x 2 = .1184.
    """
    told = survey.profiles(designed(), "default")
    found = survey.prevalence(told, "obesity", ages=(20, 39))
    assert found.share == pytest.approx(0.4)
    assert found.standard_error == pytest.approx(0.1184**0.5)
    assert (found.n, found.n_yes, found.n_unknown, found.degrees) == (5, 2, 0, 2)


def test_unknown_people_are_left_out_and_counted() -> None:
    table = designed()
    table.values["bmi_kg_m2"][4] = np.nan
    found = survey.prevalence(survey.profiles(table, "default"), "obesity", ages=(20, 39))
    assert found.share == pytest.approx(0.5)
    assert (found.n, found.n_unknown) == (4, 1)


def test_too_many_unknown_leave_a_doubt() -> None:
    """One of four weighs a quarter: still an estimate; one of the other three more: none."""
    table = designed()
    table.values["weight_exam_persons"][:] = [1, 1, 1, 1, 0]
    table.values["bmi_kg_m2"][3] = np.nan
    quarter = survey.prevalence(survey.profiles(table, "default"), "obesity", ages=(20, 39))
    assert (quarter.unknown_share, quarter.doubt) == (0.25, "")
    table.values["weight_exam_persons"][3] = 2
    more = survey.prevalence(survey.profiles(table, "default"), "obesity", ages=(20, 39))
    assert more.unknown_share == pytest.approx(0.4)
    assert "40 % of an age group are unknown, more than 25 %" in more.doubt


def test_only_yes_is_no_estimate() -> None:
    table = designed()
    table.values["bmi_kg_m2"][[1, 3, 4]] = np.nan
    found = survey.prevalence(survey.profiles(table, "default"), "obesity", ages=(20, 39))
    assert found.share == 1.0
    assert "never no" in found.doubt


def test_each_condition_has_a_weight_and_a_reason() -> None:
    kinds = load_needs("default").kinds
    for status in (s for s, kind in kinds.items() if kind == "condition"):
        assert survey.weight_of("default", status) in survey.WEIGHTS
    assert all(r["why"] and r["source"] for r in read_rules("prevalence_weights"))
    with pytest.raises(NotFoundError):
        survey.weight_of("default", "gout")


@pytest.mark.parametrize(("degrees", "table"), [(15, 2.131), (25, 2.060), (8, 2.306), (120, 1.980)])
def test_quantiles_of_students_t(degrees: int, table: float) -> None:
    assert t_quantile(0.975, degrees) == pytest.approx(table, abs=0.001)


def test_what_cannot_be_estimated() -> None:
    told = survey.profiles(designed(), "default")
    with pytest.raises(NotFoundError):
        survey.prevalence(told, "gout")
    with pytest.raises(NotFoundError):
        survey.prevalence(told, "obesity", weight="heavy")
    with pytest.raises(InputError):
        survey.prevalence(told, "obesity", ages=21)
    with pytest.raises(InputError):
        survey.prevalence(told, "obesity", ages=20)
    made_up = survey.profiles(survey.demo_people(50, 1), "default")
    with pytest.raises(InputError, match="weight"):
        survey.prevalence(made_up, "obesity")


@pytest.mark.full
def test_2017_to_march_2020(everyone: PeopleTable) -> None:
    """41.9 % obese, 9.2 % severely, 14.8 % diabetic: National Health Statistics Reports 158."""
    rows = np.flatnonzero(everyone.cycle == "2017-2020")
    told = survey.profiles(survey.pick_people(everyone, rows), "default")
    assert percent(survey.prevalence(told, "obesity", rules="cdc").share) == 41.9
    assert percent(survey.prevalence(told, "severe_obesity", rules="cdc").share) == 9.2
    diabetes = survey.prevalence(told, "diabetes", rules="cdc", weight="fasting")
    assert percent(diabetes.share) == 14.8


def test_weights_of_several_cycles_count_by_their_years() -> None:
    """2015-2016 two years, 2017 to March 2020 3.2 years, of 5.2 together."""
    early = people(1, cycle="2015-2016", weight_exam_persons=1000.0)
    late = people(1, cycle="2017-2020", weight_exam_persons=1000.0)
    both = PeopleTable(
        cycle=np.concatenate([early.cycle, late.cycle]),
        seqn=np.array([1, 2]),
        values={k: np.concatenate([v, late[k]]) for k, v in early.values.items()},
    )
    assert survey.survey_weight(both, "exam").tolist() == pytest.approx(
        [1000 * 2 / 5.2, 1000 * 3.2 / 5.2]
    )
