"""Open choices one at a time, the response surface, and agreement of rankings."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prandial.errors import InputError, NotFoundError
from prandial.glucose import (
    PERFECT,
    Design,
    Estimates,
    assess,
    count_sensitivity,
    draw_patients,
    kendall_tau,
    open_choices,
    ranking_agreement,
    response_surface,
    risk_metrics,
    sensitivity,
    typical_meals,
)
from prandial.glucose.manual import manual_glucose
from prandial.glucose.risk import METRICS
from prandial.records import LoopSettings, Quirks, Setup

MANUAL = (Setup(mode="manual"),)
FOUR = draw_patients(4, seed=5)


def fake_loop(scenarios):
    """Not Loop: a stand-in in which every setting moves glucose."""
    glucose = manual_glucose(scenarios)
    for place, setup in enumerate(scenarios.setups):
        if setup.mode == "manual":
            continue
        rows = scenarios.setup_of == place
        told = repr((setup.mode, setup.settings, setup.quirks))
        share = 0.3 + (sum(map(ord, told)) % 97) / 400
        glucose[rows] = 110 + share * (glucose[rows] - 110)
    return glucose


def estimates(n=8, seed=3):
    rng = np.random.default_rng(seed)
    true = rng.uniform(10, 110, n)
    return Estimates(
        meal_ids=list(map(str, range(n))),
        true_g=true,
        columns={
            "low": true * 0.7,
            "mixed": true * rng.uniform(0.6, 1.5, n),
            "high": true * 1.35,
        },
    )


def test_every_open_choice_of_the_study_is_there():
    """Patients, use of the pump, absorption, settings, floor, mean; and starts."""
    told = {(v.choice, v.value) for v in open_choices(Design())}
    assert told == {
        ("patients", "synthetic, 20 drawn with seed 1"),
        ("patients", "synthetic, 20 drawn with seed 2"),
        ("patients", "published profiles"),
        ("absorption_min, true/reported", "120/180"),
        ("absorption_min, true/reported", "180/240"),
        ("loop_mode", "loop_temp"),
        ("loop_mode", "loop_userbolus"),
        ("loop_peak_min", "65"),
        ("loop_target_mg_dl", "110-110"),
        ("loop_suspend_mg_dl", "80"),
        ("loop_correction_interval_min", "True"),
        ("loop_configuration", "Tidepool canonical: peak 65, interval True"),
        ("loop_max_basal_u_per_h", "5"),
        ("loop_max_bolus_u", "10"),
        ("quirks", "exact"),
        ("window_mg_dl", "20_600"),
        ("aggregation", "median over (meal, patient)"),
        ("setups", "manual alone"),
        ("setups", "loop_accept alone"),
        *(("start_glucose_mg_dl", f"{g} alone") for g in (80, 120, 160, 200)),
    }


def test_each_differs_from_the_base_in_that_choice_alone():
    base = Design()
    loop = base.setups[1]
    changed = {
        v.choice + v.value: v.design.setups[1]
        for v in open_choices(base)
        if v.design is not None and v.design.setups != base.setups
    }
    assert changed == {
        "loop_modeloop_temp": replace(loop, mode="loop_temp"),
        "loop_modeloop_userbolus": replace(loop, mode="loop_userbolus"),
        "loop_peak_min65": replace(loop, settings=LoopSettings(peak_min=65)),
        "loop_target_mg_dl110-110": replace(
            loop, settings=LoopSettings(target_low_mg_dl=110, target_high_mg_dl=110)
        ),
        "loop_suspend_mg_dl80": replace(loop, settings=LoopSettings(suspend_mg_dl=80)),
        "loop_correction_interval_minTrue": replace(
            loop, settings=LoopSettings(correction_interval_min=True)
        ),
        "loop_configurationTidepool canonical: peak 65, interval True": replace(
            loop, settings=LoopSettings(peak_min=65, correction_interval_min=True)
        ),
        "loop_max_basal_u_per_h5": replace(loop, settings=LoopSettings(max_basal_u_per_h=5)),
        "loop_max_bolus_u10": replace(loop, settings=LoopSettings(max_bolus_u=10)),
        "quirksexact": replace(loop, quirks=Quirks.named("exact")),
    }


def test_rows_are_assessments_of_their_own():
    meals = estimates()
    design = Design(patients=FOUR, bootstrap=0)
    told = sensitivity(meals, design, simulate=fake_loop)
    variants = open_choices(design)
    assert len(told.rows) == len(variants) + 1
    assert (told.rows[0].choice, told.rows[0].tau, told.rows[0].changed) == ("base", 1.0, False)
    for row, variant in zip(told.rows[1:], variants, strict=True):
        if variant.design is not None:
            of = variant.design
        elif variant.choice == "setups":
            place = design.labels.index(variant.view["setup"])
            of = replace(design, setups=(design.setups[place],))
        elif variant.choice == "start_glucose_mg_dl":
            of = replace(design, start_glucose_mg_dl=(variant.view["start_glucose_mg_dl"],))
        else:
            of = design
        alone = assess(meals, replace(of, bootstrap=0), simulate=fake_loop)
        how = {"aggregation": "median"} if variant.choice == "aggregation" else {}
        assert row.values == pytest.approx(alone.values(variant.metric, **how)), variant
        assert row.n_simulations == alone.n_simulations
        assert row.ranking == alone.ranking(variant.metric, **how)
        assert row.changed == (row.ranking != told.rows[0].ranking)
    text = json.dumps(told.to_dict(), allow_nan=False)
    assert json.loads(text)["rows"][0]["ranks"].keys() == {"low", "mixed", "high"}


def test_without_loop_its_choices_are_named_as_left_out():
    design = Design(patients=FOUR, setups=MANUAL, start_glucose_mg_dl=(120,), bootstrap=0)
    seen = []
    told = sensitivity(estimates(), design, progress=seen.append)
    assert {r.choice for r in told.rows} == {
        "base",
        "patients",
        "absorption_min, true/reported",
        "window_mg_dl",
        "aggregation",
    }
    assert "no setup" in next(iter(told.left_out.values()))
    assert sum(seen) == count_sensitivity(estimates(), design)


def test_metrics_without_order_are_refused():
    with pytest.raises(InputError, match="neither more nor less"):
        open_choices(Design(), metric="gmi_percent")
    with pytest.raises(NotFoundError, match="bgri_1_401"):
        open_choices(Design(), metric="bgri")


def test_surface_points_are_simulations():
    design = Design(patients=FOUR, setups=MANUAL, start_glucose_mg_dl=(100, 150))
    errors = (-1.0, -0.25, 0.0, 0.5, 1.0)
    told = response_surface([30, 80], design, relative_errors=errors, quantiles=(0, 1))
    csf = told.csf_mg_dl_per_g
    assert list(csf) == [
        min(p.csf_mg_dl_per_g for p in FOUR),
        max(p.csf_mg_dl_per_g for p in FOUR),
    ]
    for i, patient in enumerate(told.patients):
        for j, error in enumerate(errors):
            traces = [
                trace(patient.csf_mg_dl_per_g, true, true * (1 + error), start)
                for true in (30, 80)
                for start in (100, 150)
            ]
            expected = risk_metrics(traces).mean(axis=1)
            got = [told.grid(m)[i, j] for m in METRICS]
            np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)
    dumped = json.loads(json.dumps(told.to_dict(), allow_nan=False))
    assert np.shape(dumped["grids"]["tir_percent"]) == (2, 5)


def trace(csf, true, estimate, start):
    out = []
    for at in range(0, 361, 5):
        absorbed = 1 - math.exp((20 - at) / 34) if at >= 20 else 0.0
        used = sum((math.exp(-m / 70) - math.exp(-m / 55)) / 15 for m in range(at + 1))
        out.append(start + csf * (true * absorbed - estimate * used))
    return out


def test_surface_rises_with_error_and_sensitivity():
    design = Design(setups=MANUAL)
    told = response_surface(typical_meals(np.linspace(10, 120, 50)), design)
    tbr, high = told.grid("tbr_percent"), told.grid("hbgi_20_600")
    assert tbr.shape == (5, 21)
    assert (np.diff(tbr, axis=1) >= -1e-9).all(), "more insulin, more time below range"
    assert (np.diff(high, axis=1) <= 1e-9).all(), "more insulin, less high glucose"
    assert (np.diff(tbr[:, -1]) > 0).all()
    assert tbr[:, 0].max() == 0
    assert max(told.true_g) * 2 > 200


def test_surface_takes_estimates_beyond_the_bound_but_no_such_meals():
    design = Design(patients=FOUR, setups=MANUAL)
    assert response_surface([200], design).grid("tbr_percent").shape[1] == 21
    with pytest.raises(InputError, match="0 to 250 g"):
        response_surface([300], design)
    assert response_surface([300], design, large_meals=True).true_g == (300.0,)


@pytest.mark.parametrize(
    "changed",
    [{"relative_errors": ()}, {"relative_errors": (-1.2,)}, {"quantiles": (2,)}],
)
def test_bad_surfaces(changed):
    with pytest.raises(InputError):
        response_surface([30], Design(setups=MANUAL), **changed)
    with pytest.raises(InputError):
        typical_meals([])


def test_typical_meals_by_hand():
    """Middles of two halves of 0..100 are the quartiles."""
    assert typical_meals(np.arange(101.0), 2).tolist() == [25, 75]


def test_tau_by_hand():
    """One of six pairs swapped: (5 - 1) / 6. A tie: (2 - 0) / sqrt(3 x 2)."""
    a = {"w": 1, "x": 2, "y": 3, "z": 4}
    assert kendall_tau(a, {"w": 1, "x": 3, "y": 2, "z": 4}) == pytest.approx(4 / 6)
    tied = kendall_tau({"x": 1, "y": 2, "z": 3}, {"x": 1, "y": 1, "z": 2})
    assert tied == pytest.approx(2 / math.sqrt(6))
    assert math.isnan(kendall_tau({"x": 1}, {"x": 1}))
    with pytest.raises(InputError, match="only in one: y"):
        kendall_tau({"x": 1}, {"x": 1, "y": 2})


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=8, unique=True))
def test_tau_of_same_and_reversed(values):
    a = dict(zip("abcdefgh", values, strict=False))
    assert kendall_tau(a, {k: 2 * v + 1 for k, v in a.items()}) == pytest.approx(1) or any(
        2 * x + 1 == 2 * y + 1 for x in values for y in values if x != y
    )
    assert kendall_tau(a, {k: -v for k, v in a.items()}) == pytest.approx(-1)


def test_agreement_of_two_patient_models():
    meals, design = estimates(), Design(patients=FOUR, setups=MANUAL, bootstrap=0)
    ours = assess(meals, design)

    def upside_down(scenarios):
        return 225 - manual_glucose(scenarios)

    same = ranking_agreement(ours, ours)
    assert (same.tau, same.swapped, same.models) == (1.0, (), ("tidepool", "tidepool"))
    other = ranking_agreement(
        ours, assess(meals, design, simulate=upside_down, model="mirror"), metric="lbgi_20_600"
    )
    assert other.models == ("tidepool", "mirror")
    assert other.first != other.second
    assert other.to_dict()["same_order"] is False
    assert PERFECT not in other.first


def test_what_touches_nothing_is_left_out():
    """Absorption is told to Loop alone; with two setups of Loop its mode is no single choice."""
    manual = Design(setups=(Setup(mode="manual"),), bootstrap=0)
    values = {v.value for v in open_choices(manual) if v.choice.startswith("absorption")}
    assert values == {"120/180"}
    found = sensitivity(estimates(), manual)
    assert "reported absorption" in next(iter(found.left_out))
    two = Design(setups=(Setup(mode="loop_temp"), Setup(mode="loop_accept")))
    assert "loop_mode" not in {v.choice for v in open_choices(two)}
