"""Virtual patients: profiles as published, draws by hand arithmetic, bad tables."""

from __future__ import annotations

import itertools
import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prandial.errors import InputError
from prandial.glucose import population
from prandial.glucose.bounds import bounds
from prandial.records import Patient


def test_published_profiles_are_those_of_the_spec():
    """The rules of thumb, by hand."""
    told = {
        "median": (50, 13, 0.5),
        "resistant": (49, 10, 0.8),
        "sensitive": (120, 15, 0.3),
        "adolescent": (12, 4, 1.9),
        "sensitive200": (200, 25, 0.18),
        "sensitive500": (500, 62.5, 0.07),
        "dolphin": (25, 7.5, 1.2),
        "canonical": (150, 20, 0.3),
    }
    ours = population.published_patients()
    assert {p.name: (p.isf_mg_dl_per_u, p.cir_g_per_u, p.basal_u_per_h) for p in ours} == told


def test_profiles_are_those_of_the_reference_traces(shared_dir):
    ours = {
        p.name: (p.isf_mg_dl_per_u, p.cir_g_per_u, p.basal_u_per_h)
        for p in population.published_patients()
    }
    path = shared_dir / "data/glucose/tidepool_sim/traces_manual.jsonl"
    theirs = [json.loads(line)["patient"] for line in path.read_text().splitlines()]
    common = [p for p in theirs if p["name"] in ours]
    assert len({p["name"] for p in common}) == 5
    assert all(ours[p["name"]] == (p["isf"], p["cir"], p["basal"]) for p in common)


def test_a_draw_by_hand():
    """The middle of every draw of a child: 33.45 kg, 20 U before, dose (16.725 + 15) / 2."""
    child = population._drawn(7, [0.1, 0.5, 0.5, 0.5, 0.5, 0.5])
    dose = (0.5 * 33.45 + 0.75 * 20) / 2
    assert child == Patient(
        name="child-07",
        isf_mg_dl_per_u=round(1700 / dose, 1),
        cir_g_per_u=round(450 / dose, 1),
        basal_u_per_h=0.35,  # 0.5 * 15.8625 / 24 = 0.33
    )


def test_ends_of_every_draw_lie_within_the_bounds():
    ends = (0.0, 1.0)
    ages = (0.0, 0.3, 0.9)
    patients = [
        population._drawn(i, [age, *rest])
        for i, (age, rest) in enumerate(itertools.product(ages, itertools.product(ends, repeat=5)))
    ]
    assert len({p.name.split("-")[0] for p in patients}) == 3
    for quantity, values in (
        ("isf", [p.isf_mg_dl_per_u for p in patients]),
        ("cir", [p.cir_g_per_u for p in patients]),
        ("basal", [p.basal_u_per_h for p in patients]),
    ):
        bound = bounds()[quantity]
        assert bound.low < min(values) < max(values) < bound.high


def test_jitter_bounds_csf():
    """1700 / 450 times 0.8/1.2 to 1.2/0.8, and a little for rounding."""
    summary = population.csf_summary(population.draw_patients(400, seed=3))
    assert 1700 / 450 / 1.5 * 0.99 < summary["min"] < summary["q25"] < summary["median"]
    assert summary["median"] < summary["q75"] < summary["max"] < 1700 / 450 * 1.5 * 1.01
    assert summary["median"] == pytest.approx(1700 / 450, rel=0.05)


def test_half_are_adults():
    names = [p.name.split("-")[0] for p in population.draw_patients(2000, seed=1)]
    assert names.count("adult") / 2000 == pytest.approx(0.5, abs=0.04)
    assert names.count("child") / 2000 == pytest.approx(0.25, abs=0.04)


@given(st.integers(1, 30), st.integers(0, 10**6))
def test_same_seed_same_patients_and_the_first_are_the_same(n, seed):
    drawn = population.draw_patients(n, seed=seed)
    assert drawn == population.draw_patients(n, seed=seed)
    assert drawn == population.draw_patients(n + 5, seed=seed)[:n]
    assert drawn != population.draw_patients(n, seed=seed + 1)


def test_csf_summary_by_hand():
    patients = [
        Patient(name=str(i), isf_mg_dl_per_u=10.0 * i, cir_g_per_u=10, basal_u_per_h=1)
        for i in (1, 2, 3, 4, 5)
    ]
    told = population.csf_summary(patients)
    assert told == {"min": 1, "q25": 2, "median": 3, "q75": 4, "max": 5, "mean": 3}


def patient(name="a", isf=50.0, cir=10.0, basal=0.8):
    return Patient(name=name, isf_mg_dl_per_u=isf, cir_g_per_u=cir, basal_u_per_h=basal)


@pytest.mark.parametrize(
    ("patients", "says"),
    [
        ([], "no patients"),
        ([patient(), patient()], "two patients are named 'a'.*rows 1 and 2"),
        ([patient(basal=math.nan)], "is no number"),
        ([patient(), patient("b", isf=2.8)], r"2.8.*outside 5 to 1000.*row 2 \(b\)"),
        ([patient(basal=0.0133)], "0.0133 U/h is outside 0.05 to 10 U/h.*U/min"),
        ([patient(basal=24)], "24 U/h is outside 0.05 to 10"),
        ([patient(cir=-10)], "outside 1 to 150"),
    ],
)
def test_patients_that_cannot_be(patients, says):
    with pytest.raises(InputError) as told:
        population.check_patients(patients)
    assert re.search(says, str(told.value)), str(told.value)


@pytest.mark.parametrize(("n", "seed"), [(0, 0), (-1, 0), (3, -1)])
def test_bad_draws(n, seed):
    with pytest.raises(InputError):
        population.draw_patients(n, seed=seed)
