"""Counts against the NGQA paper's Tables 10 and 11 and the data's own description."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from tests.survey.made import people
from tests.survey.ngqa_rows import released_people
from tests.survey.plain import CYCLES, PlainTables

from prandial import survey
from prandial.records import PeopleTable
from prandial.survey.measures import derive
from prandial.truth import Truth

YES = Truth.YES


def test_2017_by_the_description_of_the_data(people_2017: PeopleTable) -> None:
    """1,237 of 5,250 adults with readings at 140/90; 22 with heroin within a year."""
    told = survey.profiles(people_2017, "as-published").statuses
    adult = people_2017["age_years"] >= 18
    read = ~np.isnan(people_2017["systolic_1_mmhg"])
    for i in (2, 3, 4):
        read |= ~np.isnan(people_2017[f"systolic_{i}_mmhg"])
    assert (adult & read).sum() == 5250
    assert (adult & (told["hypertension"] == YES)).sum() == 1237
    assert (derive(people_2017, "default")["heroin_last_years"] <= 1).sum() == 22


def test_2017_long_opioid_prescriptions(people_2017: PeopleTable) -> None:
    """246 people over 90 days where the length is known; 347 records, three of them repeated."""
    days = survey.opioid_days(people_2017, "default")
    assert (days > 90).sum() == 246
    records = people_2017.prescriptions
    assert records is not None
    assert survey.opioid_records(records).sum() == 347


def test_pairs_by_hand() -> None:
    four = people(
        4,
        age_years=40.0,
        sex_code=1.0,
        bmi_kg_m2=[35, 35, 20, np.nan],
        waist_cm=[120, 120, 80, 120],
        systolic_1_mmhg=[150, 120, 150, 150],
        diastolic_1_mmhg=80.0,
        hypertension_told_code=2.0,
    )
    found = {r.statuses: r for r in survey.counts(survey.profiles(four, "as-published"))}
    assert found["obesity",].people == 2
    assert found["obesity", "hypertension"].people == 1
    assert found["obesity",].published == 18_271
    assert found["obesity",].unknown == 0
    default = {r.statuses: r for r in survey.counts(survey.profiles(four, "default"))}
    assert default["obesity",].people == 2
    assert default["obesity",].unknown == 1
    assert default["obesity", "hypertension"].unknown == 1


def test_repetition_of_the_published_count() -> None:
    two = people(2, cycle="2013-2014", osteoporosis_told_code=[1, 2], systolic_1_mmhg=150.0)
    row = next(
        r
        for r in survey.counts(survey.profiles(two, "as-published"))
        if r.statuses == ("hypertension",)
    )
    assert (row.people, row.as_counted) == (2, 4)


@pytest.mark.full
def test_all_published_counts_follow(everyone: PeopleTable, shared_dir: Path) -> None:
    """Tables 10 and 11: 13 counts, 36 conditions with diets, 11 overlaps, each exactly."""
    found = {
        frozenset(r.statuses): r.as_counted
        for r in survey.counts(survey.profiles(everyone, "as-published"))
    }
    path = shared_dir / "data" / "ngqa" / "user_status_counts.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    wanted = {
        frozenset(r[c] for c in ("status_a", "status_b", "status_c", "status_d") if r[c]): int(
            r["users"]
        )
        for r in rows
    }
    assert len(wanted) == 60
    assert {k: found[k] for k in wanted} == wanted


@pytest.mark.full
def test_people_of_the_released_rows(everyone: PeopleTable, shared_dir: Path) -> None:
    """All 50 people have just the statuses that they were released with, in that order."""
    told = survey.profiles(everyone, "as-published").statuses
    row = {int(s): i for i, s in enumerate(everyone.seqn)}
    released = released_people(shared_dir)
    assert len(released) == 50
    for person, (statuses, _) in released.items():
        assert [s for s, v in told.items() if v[row[person]] == YES] == statuses, person


@pytest.mark.full
def test_adults_by_cycle(everyone: PeopleTable) -> None:
    """The table "Adults by cycle" of the data's description."""
    adult = everyone["age_years"] >= 18
    cuff = survey.profiles(everyone, "as-published").statuses["hypertension"] == YES
    days = survey.opioid_days(everyone, "default") > 90
    recent = derive(everyone, "default")["heroin_last_years"] <= 1
    flags = {
        "obese": adult & (everyone["bmi_kg_m2"] >= 30),
        "hypertensive": adult & cuff,
        "diabetic": adult & (everyone["diabetes_told_code"] == 1),
        "opioid": days,
        "heroin": recent,
    }
    found = {
        name: [int(flag[everyone.cycle == c].sum()) for c in CYCLES] for name, flag in flags.items()
    }
    assert found == {
        "obese": [1652, 1782, 2096, 2347, 1930, 2152, 2246, 2236, 3688],
        "hypertensive": [1043, 884, 1132, 1050, 936, 939, 1064, 1237, 1747],
        "diabetic": [547, 511, 761, 727, 706, 726, 845, 878, 1423],
        "opioid": [209, 193, 286, 321, 266, 326, 268, 246, 396],
        "heroin": [0, 18, 12, 20, 15, 21, 20, 22, 0],
    }


@pytest.mark.full
def test_opioid_records_of_all_cycles(nhanes: PlainTables, everyone: PeopleTable) -> None:
    """3,992 distinct records, as the authors print; 18 more are repeated to the last cell."""
    records = everyone.prescriptions
    assert records is not None
    opioid = survey.opioid_records(records)
    assert opioid.sum() == 4010
    classes_of = dict(zip(records.drug_code, records.classes, strict=True))
    codes = {records.drug_code[i] for i in np.flatnonzero(opioid)}
    distinct = set()
    for cycle in CYCLES:
        rows = nhanes.read(
            cycle,
            "RXQ_RX",
            ["SEQN", "RXDDRGID", "RXDDAYS", "RXQSEEN"],
            ["RXDRSC1", "RXDRSC2", "RXDRSC3"],
        )
        why = [rows[c] for c in ("RXDRSC1", "RXDRSC2", "RXDRSC3") if c in rows]
        own = {int(s) for s in records.seqn[opioid & (records.cycle == cycle)]}
        for i, seqn in enumerate(rows["SEQN"]):
            if int(seqn) not in own or rows["RXDDRGID"][i] not in codes:
                continue
            reasons = tuple(w[i] for w in why)
            classes = classes_of.get(rows["RXDDRGID"][i], ())
            if {"57/58/60", "57/58/191"} & set(classes) or {"F11.2", "F11.23"} & set(reasons):
                key = (cycle, int(seqn), rows["RXDDRGID"][i], rows["RXDDAYS"][i])
                distinct.add((*key, rows["RXQSEEN"][i], reasons))
    assert len(distinct) == 3992
