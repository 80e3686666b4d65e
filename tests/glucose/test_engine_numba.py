"""The compiled engine gives the bits of the NumPy engine."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.glucose.drawn import LOOP_MODES, QUIRKS, random_scenarios, scenarios

from prandial.glucose import engine as engine_module
from prandial.glucose.arrays import Scenarios, Traces
from prandial.glucose.engine import simulate, simulate_glucose
from prandial.records import LoopSettings, Quirks, Scenario, Setup

pytest.importorskip("numba", reason="the compiled engine needs numba")


def assert_same_bits(many: list[Scenario]) -> None:
    columns = Scenarios.of(many)
    one, other = simulate(columns, engine="numpy"), simulate(columns, engine="numba")
    for f in fields(Traces):
        np.testing.assert_array_equal(getattr(one, f.name), getattr(other, f.name), f.name)


@settings(max_examples=60, deadline=None)
@given(st.lists(scenarios, min_size=1, max_size=4))
def test_drawn_patients_settings_modes_and_quirks(many: list[Scenario]) -> None:
    assert_same_bits(many)


@pytest.mark.parametrize("quirk", [None, *QUIRKS])
def test_each_quirk_repaired_alone(quirk: str | None) -> None:
    assert_same_bits(random_scenarios(300, 3, **({quirk: False} if quirk else {})))


@pytest.mark.parametrize(
    "changed",
    [
        {"dynamic_carbs": False},
        {"retrospective_correction": False},
        {"step_u": None},
        {"peak_min": 55.0},
        {"dia_min": 300.0, "peak_min": 65.0},
        {"insulin_delay_min": 1.0, "carb_delay_min": 1.0},
    ],
    ids=str,
)
def test_settings_that_change_the_work(changed: dict[str, float]) -> None:
    many = [
        replace(s, setup=replace(s.setup, settings=replace(s.setup.settings, **changed)))
        for s in random_scenarios(150, 5)
    ]
    assert_same_bits(many)


def test_whole_numbers_where_ties_are_likely() -> None:
    setups = [
        Setup(mode=mode, settings=LoopSettings(step_u=step), quirks=quirks)
        for mode in LOOP_MODES
        for step in (0.05, 0.1)
        for quirks in (Quirks(), Quirks.named("exact"))
    ]
    rng = np.random.default_rng(1)
    n = 600
    columns = Scenarios(
        isf_mg_dl_per_u=rng.choice([12, 25, 40, 50, 100, 200], n),
        cir_g_per_u=rng.choice([4, 5, 10, 15, 20], n),
        basal_u_per_h=rng.choice([0.3, 0.5, 0.8, 1.0, 1.9], n),
        true_carb_g=rng.choice([0, 15, 30, 60], n),
        estimated_carb_g=rng.choice([0, 15, 45, 60], n),
        start_glucose_mg_dl=rng.choice([70, 80, 100, 110, 120, 160], n),
        setups=setups,
        setup_of=rng.integers(0, len(setups), n),
    )
    np.testing.assert_array_equal(
        simulate_glucose(columns, engine="numpy"), simulate_glucose(columns, engine="numba")
    )


def test_threads_keep_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = Scenarios.of(random_scenarios(90, 31))
    whole = simulate_glucose(columns, engine="numpy")
    told: list[int] = []
    monkeypatch.setattr(engine_module, "BLOCK", 4)
    monkeypatch.setattr(engine_module, "_workers", lambda: 3)
    parts = simulate_glucose(columns, engine="numba", progress=told.append)
    np.testing.assert_array_equal(whole, parts)
    assert sum(told) == 90
