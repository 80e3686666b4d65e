"""The NumPy engine against one slow simulation written out in plain Python."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from tests.glucose.drawn import QUIRKS, random_scenarios, scenarios
from tests.glucose.loop_slow import simulate as closed_loop
from tests.glucose.slow_loop import slow_simulation

from prandial.glucose.arrays import Scenarios, Traces
from prandial.glucose.engine import simulate
from prandial.records import LoopSettings, Patient, Quirks, Scenario, Setup

CLOSE = 1e-9
#: cannot show in a trace: the one bolus is asked for at 0 min, where the effect of the 0 U
#: dose reaches beyond the duration of action
INVISIBLE = "bolus_prediction_short"


def assert_equals_slow(traces: Traces, row: int, scenario: Scenario) -> None:
    slow = slow_simulation(scenario)
    temp = np.array([np.nan if rate is None else rate for rate in slow.temp])
    np.testing.assert_allclose(traces.temp_basal_u_per_h[row], temp, atol=CLOSE)
    np.testing.assert_allclose(traces.bolus_u[row], slow.bolus, atol=CLOSE)
    np.testing.assert_allclose(traces.basal_delivered_u[row], slow.delivered, atol=CLOSE)
    np.testing.assert_allclose(traces.iob_u[row], slow.iob, atol=CLOSE)
    np.testing.assert_allclose(traces.glucose_mg_dl[row], slow.glucose, rtol=1e-9, atol=CLOSE)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(scenarios)
def test_drawn_patients_settings_modes_and_quirks(scenario: Scenario) -> None:
    traces = simulate(Scenarios.of([scenario]), engine="numpy")
    assert_equals_slow(traces, 0, scenario)


@pytest.mark.parametrize("quirk", QUIRKS)
def test_each_quirk_repaired_alone(quirk: str) -> None:
    kept = random_scenarios(60, 7)
    repaired = random_scenarios(60, 7, **{quirk: False})
    before = simulate(Scenarios.of(kept), engine="numpy").glucose_mg_dl
    traces = simulate(Scenarios.of(repaired), engine="numpy")
    moved = np.abs(traces.glucose_mg_dl - before).max(axis=1)
    if quirk == INVISIBLE:
        assert np.array_equal(traces.glucose_mg_dl, before)
    else:
        assert moved.max() > 0.1
    for row in np.argsort(-moved)[:2]:
        assert_equals_slow(traces, int(row), repaired[row])


def test_all_quirks_repaired() -> None:
    repaired = random_scenarios(12, 11, **dict.fromkeys(QUIRKS, False))
    traces = simulate(Scenarios.of(repaired), engine="numpy")
    for row in range(0, 12, 4):
        assert_equals_slow(traces, row, repaired[row])


#: absorption told to Loop, delay of carbohydrate, min: 1.5 T + 2 x delay is beyond the last date
#: of the effect, ceil5(1.7 T + delay)
SHORT = [(25, 10), (35, 10), (47, 10), (30, 15), (60, 30), (90, 30)]


@pytest.mark.parametrize(("told", "delay"), SHORT)
@pytest.mark.parametrize("mode", ["loop_accept", "loop_temp", "loop_userbolus"])
def test_the_carb_effect_ends_with_its_dates(mode: str, told: float, delay: float) -> None:
    """Short absorption: against the slow version, and a closed loop of the one-step function."""
    patient = {"isf": 50, "cir": 13, "basal": 0.5}
    run = {
        "patient": patient,
        "mode": mode,
        "true_carbs": 40,
        "est_carbs": 130,
        "bg0": 160,
        "true_absorption_min": 180,
        "reported_absorption_min": told,
    }
    scenario = Scenario(
        patient=Patient(name="p", isf_mg_dl_per_u=50, cir_g_per_u=13, basal_u_per_h=0.5),
        setup=Setup(mode=mode, settings=LoopSettings(carb_delay_min=delay)),  # type: ignore[arg-type]
        true_carb_g=40,
        estimated_carb_g=130,
        start_glucose_mg_dl=160,
        reported_absorption_min=told,
    )
    traces = simulate(Scenarios.of([scenario]), engine="numpy")
    assert_equals_slow(traces, 0, scenario)
    by_steps = closed_loop(run, Quirks(), settings=scenario.setup.settings)["bg"]
    assert traces.glucose_mg_dl[0] == pytest.approx(by_steps, abs=1e-6)
    if find_spec("numba"):
        compiled = simulate(Scenarios.of([scenario]), engine="numba")
        assert np.array_equal(compiled.glucose_mg_dl, traces.glucose_mg_dl)
