"""The NumPy engine against one slow simulation written out in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from tests.glucose.drawn import QUIRKS, random_scenarios, scenarios
from tests.glucose.slow_loop import slow_simulation

from prandial.glucose.arrays import Scenarios, Traces
from prandial.glucose.engine import simulate
from prandial.records import Scenario

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
