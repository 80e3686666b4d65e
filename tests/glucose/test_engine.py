"""Laws of the simulation, and what the engine refuses."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.glucose.drawn import numbers, patients, random_scenarios, scenarios
from tests.glucose.slow_loop import absorbed, used

from prandial.errors import InputError, MissingDataError
from prandial.glucose import engine as engine_module
from prandial.glucose.arrays import Scenarios, Traces
from prandial.glucose.engine import simulate, simulate_glucose
from prandial.records import MODES, LoopSettings, Mode, Patient, Quirks, Scenario, Setup

ANNE = Patient(name="Anne", isf_mg_dl_per_u=50, cir_g_per_u=12, basal_u_per_h=0.8)
grams = numbers(0, 200)


def meal(patient: Patient = ANNE, mode: Mode = "manual", **more: Any) -> Scenario:
    told = {"true_carb_g": 60.0, "estimated_carb_g": 45.0, **more}
    setup = told.pop("setup", Setup(mode=mode))
    return Scenario(patient=patient, setup=setup, **told)


def manual(**more: Any) -> np.ndarray:
    return simulate_glucose(Scenarios.of([meal(**more)]))[0]


def rows_of(traces: Traces, rows: Any) -> list[np.ndarray]:
    return [getattr(traces, f.name)[rows] for f in fields(Traces)]


# --- physics


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("quirks", ["pyloopkit", "exact"])
@settings(max_examples=15, deadline=None)
@given(patient=patients, start=st.integers(100, 120))
def test_flat_without_meal_and_bolus(mode: Mode, quirks: str, patient: Patient, start: int) -> None:
    # Loop's pump can only be set to whole steps; at a rate between two it acts for nothing
    patient = replace(patient, basal_u_per_h=max(round(patient.basal_u_per_h * 20), 1) / 20)
    setup = Setup(mode=mode, quirks=Quirks.named(quirks))
    nothing = meal(
        patient, setup=setup, true_carb_g=0, estimated_carb_g=0, start_glucose_mg_dl=float(start)
    )
    traces = simulate(Scenarios.of([nothing]))
    assert (traces.glucose_mg_dl == start).all()
    assert np.isnan(traces.temp_basal_u_per_h).all()
    assert not traces.bolus_u.any()


@settings(max_examples=50, deadline=None)
@given(patient=patients, a=st.tuples(grams, grams), b=st.tuples(grams, grams))
def test_manual_is_affine_in_true_and_estimate(
    patient: Patient, a: tuple[float, float], b: tuple[float, float]
) -> None:
    middle = [(x + y) / 2 for x, y in zip(a, b, strict=True)]
    one, two, half = (
        manual(patient=patient, true_carb_g=t, estimated_carb_g=e) for t, e in (a, b, middle)
    )
    np.testing.assert_allclose(half, (one + two) / 2, rtol=1e-9, atol=1e-9)


@settings(max_examples=50, deadline=None)
@given(patient=patients, factor=numbers(0.6, 2.2), true=grams, estimate=grams)
def test_manual_knows_only_the_carbohydrate_factor(
    patient: Patient, factor: float, true: float, estimate: float
) -> None:
    scaled = replace(
        patient,
        isf_mg_dl_per_u=patient.isf_mg_dl_per_u * factor,
        cir_g_per_u=patient.cir_g_per_u * factor,
        basal_u_per_h=1.0,
    )
    one = manual(patient=patient, true_carb_g=true, estimated_carb_g=estimate)
    other = manual(patient=scaled, true_carb_g=true, estimated_carb_g=estimate)
    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(patient=patients, start=numbers(80, 300), shift=numbers(1, 200))
def test_start_shifts_manual(patient: Patient, start: float, shift: float) -> None:
    one = manual(patient=patient, start_glucose_mg_dl=start)
    other = manual(patient=patient, start_glucose_mg_dl=start + shift)
    np.testing.assert_allclose(other - one, shift, rtol=0, atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(patient=patients, estimate=grams, more=numbers(0, 40))
def test_a_larger_estimate_never_raises_the_end_of_manual(
    patient: Patient, estimate: float, more: float
) -> None:
    one = manual(patient=patient, estimated_carb_g=estimate)
    other = manual(patient=patient, estimated_carb_g=estimate + more)
    assert (other <= one + 1e-9).all()


def test_manual_by_hand() -> None:
    # 60 g eaten, none estimated: all absorbed but exp(-340/34), 50/12 mg/dL each
    end = 120 + 50 / 12 * 60 * (1 - math.exp(-10))
    assert manual(estimated_carb_g=0)[-1] == pytest.approx(end, abs=1e-9)


# --- books: what was given is what was booked


@settings(max_examples=25, deadline=None)
@given(scenarios)
def test_insulin_given_is_insulin_booked(scenario: Scenario) -> None:
    traces = simulate(Scenarios.of([scenario]))
    patient = scenario.patient
    isf, basal = patient.isf_mg_dl_per_u, patient.basal_u_per_h
    delivered, bolus = traces.basal_delivered_u[0], traces.bolus_u[0]
    temp = traces.temp_basal_u_per_h[0]
    # the pump gives what was decided five minutes ago
    rate = np.where(np.isnan(temp), basal, temp)[:-1]
    np.testing.assert_allclose(delivered[1:], rate / 12, rtol=1e-12)
    assert delivered[0] == pytest.approx(basal / 12)
    # boluses are where their mode has them
    mode, estimate = scenario.setup.mode, scenario.estimated_carb_g
    given_at = set(np.flatnonzero(bolus).tolist())
    assert given_at <= {"loop_userbolus": {0}, "loop_accept": {1}, "loop_temp": set()}[mode]
    if mode == "loop_userbolus":
        assert bolus[0] == pytest.approx(estimate / patient.cir_g_per_u)
    if mode == "loop_accept" and given_at:
        assert np.isnan(temp[0])
    # glucose is the sum of carbohydrate absorbed and of insulin beyond schedule that acted
    net = delivered - basal / 12 + bolus
    for n in (12, 40, 72):
        acted = sum(net[k] * used(5 * (n - k)) for k in range(n + 1))
        come = absorbed(5 * n, scenario.true_absorption_min) * scenario.true_carb_g
        glucose = scenario.start_glucose_mg_dl + isf / patient.cir_g_per_u * come - isf * acted
        assert traces.glucose_mg_dl[0, n] == pytest.approx(glucose, rel=1e-9, abs=1e-7)
    # all insulin is on board or has acted
    earlier = basal / 12 * sum(1 - used(5 * m) for m in range(73, 96))
    acted = sum((delivered[k] + bolus[k]) * used(5 * (72 - k)) for k in range(73))
    total = delivered.sum() + bolus.sum() + earlier
    assert traces.iob_u[0, 72] + acted == pytest.approx(total, rel=1e-9)


# --- batches


def test_a_batch_of_one_equals_a_batch_of_many() -> None:
    many = [*random_scenarios(40, 21), meal(), meal(start_glucose_mg_dl=200.0)]
    all_at_once = simulate(Scenarios.of(many), engine="numpy")
    for row, scenario in enumerate(many):
        alone = simulate(Scenarios.of([scenario]), engine="numpy")
        for one, among in zip(rows_of(alone, 0), rows_of(all_at_once, row), strict=True):
            np.testing.assert_array_equal(one, among)


def test_order_of_rows_does_not_matter() -> None:
    many = random_scenarios(60, 22) + [meal()] * 3
    order = np.random.default_rng(2).permutation(len(many))
    straight = simulate(Scenarios.of(many))
    mixed = simulate(Scenarios.of([many[i] for i in order]))
    for one, other in zip(rows_of(straight, order), rows_of(mixed, slice(None)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = Scenarios.of(random_scenarios(50, 23) + [meal()] * 20)
    whole = simulate(columns)
    told: list[int] = []
    monkeypatch.setattr(engine_module, "BLOCK", 7)
    monkeypatch.setattr(engine_module, "MANUAL_BLOCK", 6)
    parts = simulate(columns, progress=told.append)
    for one, other in zip(rows_of(whole, slice(None)), rows_of(parts, slice(None)), strict=True):
        np.testing.assert_array_equal(one, other)
    assert sum(told) == 70
    assert max(told) <= 7


def test_glucose_alone_is_the_glucose_of_traces() -> None:
    columns = Scenarios.of(random_scenarios(30, 24) + [meal()] * 5)
    alone = simulate_glucose(columns)
    np.testing.assert_array_equal(alone, simulate(columns).glucose_mg_dl)


def test_a_thousand_settings_are_one_group() -> None:
    setups = [
        Setup(mode="loop_accept", settings=LoopSettings(suspend_mg_dl=60 + i / 100))
        for i in range(1000)
    ]
    columns = Scenarios(
        isf_mg_dl_per_u=50,
        cir_g_per_u=10,
        basal_u_per_h=1,
        true_carb_g=50,
        estimated_carb_g=np.linspace(20, 80, 1000),
        setups=setups,
        setup_of=np.arange(1000),
    )
    from prandial.glucose.plan import loop_groups

    assert len(list(loop_groups(columns))) == 1
    row = 321
    alone = simulate_glucose(
        Scenarios(
            isf_mg_dl_per_u=50,
            cir_g_per_u=10,
            basal_u_per_h=1,
            true_carb_g=50,
            estimated_carb_g=columns.estimated_carb_g[row],
            setups=[setups[row]],
        )
    )
    np.testing.assert_array_equal(simulate_glucose(columns)[row], alone[0])


# --- what is refused


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("dia_min", 30.0, "30 min"),
        ("dia_min", 362.0, "362 min is no multiple of 5 min"),
        ("peak_min", 200.0, "200 min"),
        ("insulin_delay_min", -5.0, "-5 min"),
        ("carb_delay_min", 90.0, "90 min"),
        ("target_low_mg_dl", 130.0, "130 mg/dL is above"),
        ("target_high_mg_dl", 500.0, "500 mg/dL"),
        ("suspend_mg_dl", math.nan, "no number"),
        ("max_basal_u_per_h", 600.0, "600 U/h"),
        ("max_bolus_u", -1.0, "-1 U"),
        ("step_u", 0.0, "0 U"),
        ("momentum_min", 5.0, "5 min"),
        ("correction_interval_min", 500.0, "500 min"),
        ("correction_interval_min", False, "False"),
        ("correction_group_min", 0.0, "0 min"),
    ],
)
def test_settings_outside_bounds_are_named(setting: str, value: Any, said: str) -> None:
    odd = replace(LoopSettings(), **{setting: value})
    columns = Scenarios.of([meal(setup=Setup(mode="loop_temp", settings=odd))])
    with pytest.raises(InputError, match=said) as caught:
        simulate(columns)
    assert setting in caught.value.where
    assert caught.value.hint


def test_a_late_peak_is_refused() -> None:
    late = LoopSettings(dia_min=180.0, peak_min=90.0)
    columns = Scenarios.of([meal(setup=Setup(mode="loop_temp", settings=late))])
    with pytest.raises(InputError, match="not before half") as caught:
        simulate_glucose(columns)
    assert caught.value.where == "peak_min"


def test_unknown_engines_and_setups_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = Scenarios.of([meal()])
    with pytest.raises(InputError, match="no engine 'fast'"):
        simulate(columns, engine="fast")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="1 is no place among 1 setups"):
        replace(columns, setup_of=[1])
    monkeypatch.setattr(engine_module, "find_spec", lambda name: None)
    with pytest.raises(MissingDataError) as caught:
        simulate(columns, engine="numba")
    assert "prandial[risk]" in caught.value.hint
    assert len(simulate(columns, engine="auto")) == 1


def test_auto_takes_the_compiled_engine_for_many(monkeypatch: pytest.MonkeyPatch) -> None:
    assert engine_module.engine_for("auto", 1000) == "numpy"
    monkeypatch.setattr(engine_module, "find_spec", lambda name: object())
    assert engine_module.engine_for("auto", 200_000) == "numba"
    monkeypatch.setattr(engine_module, "find_spec", lambda name: None)
    assert engine_module.engine_for("auto", 200_000) == "numpy"
    assert engine_module.engine_for("numpy", 10**9) == "numpy"
