"""Drawn patients, settings, quirks and meals, for laws of the engines.

Numbers are given an odd factor, so that no rate lies on an exact tie between two pump steps:
there the order of a sum may decide, and the oracle sums in another order.
"""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
from hypothesis import strategies as st

from prandial.records import LoopSettings, Patient, Quirks, Scenario, Setup

LOOP_MODES = ("loop_accept", "loop_temp", "loop_userbolus")
QUIRKS = tuple(f.name for f in fields(Quirks))
ODD = 1.0003719


def numbers(low: float, high: float) -> st.SearchStrategy[float]:
    return st.integers(0, 9973).map(lambda i: (low + (high - low) * i / 9973) * ODD)


patients = st.builds(
    Patient,
    name=st.just("drawn"),
    isf_mg_dl_per_u=numbers(10, 400),
    cir_g_per_u=numbers(3, 50),
    # some rates are whole pump steps: only those may equal what Loop wants
    basal_u_per_h=st.one_of(numbers(0.05, 3), st.integers(2, 40).map(lambda i: i / 20)),
)

quirk_sets = st.builds(Quirks, **{name: st.booleans() for name in QUIRKS})


@st.composite
def loop_settings(draw: st.DrawFn) -> LoopSettings:
    dia = 5.0 * draw(st.integers(36, 80))
    low = draw(numbers(70, 140))
    return LoopSettings(
        dia_min=dia,
        peak_min=draw(numbers(40, min(0.45 * dia, 120))),
        insulin_delay_min=draw(st.sampled_from([1.0, 5.0, 10.0, 12.0, 15.0])),
        carb_delay_min=draw(st.sampled_from([1.0, 5.0, 10.0, 13.0, 20.0])),
        target_low_mg_dl=low,
        target_high_mg_dl=low + draw(st.sampled_from([0.0, 7.7, 20.3])),
        suspend_mg_dl=draw(numbers(55, 100)),
        max_basal_u_per_h=draw(numbers(0.5, 30)),
        max_bolus_u=draw(numbers(0.5, 30)),
        step_u=draw(st.sampled_from([0.05, 0.025, 0.1, None])),
        momentum_min=draw(st.sampled_from([10.0, 15.0, 17.0, 30.0, 60.0])),
        retrospective_correction=draw(st.booleans() | st.just(True)),
        correction_interval_min=draw(st.sampled_from([True, 1.0, 15.0, 30.0, 32.0, 60.0])),
        correction_group_min=draw(st.sampled_from([15.0, 30.0, 60.0])),
        dynamic_carbs=draw(st.booleans() | st.just(True)),
    )


setups = st.builds(
    Setup, mode=st.sampled_from(LOOP_MODES), settings=loop_settings(), quirks=quirk_sets
)

grams = st.one_of(st.just(0.0), numbers(1, 160))
scenarios = st.builds(
    Scenario,
    patient=patients,
    setup=setups,
    true_carb_g=grams,
    estimated_carb_g=grams,
    start_glucose_mg_dl=numbers(60, 300),
    true_absorption_min=st.integers(25, 400).map(float),
    reported_absorption_min=st.integers(25, 400).map(float),
)


def random_scenarios(many: int, seed: int, **quirks: bool) -> list[Scenario]:
    """Plain Loop settings, random patients and meals: for cases that shall be likely."""
    rng = np.random.default_rng(seed)
    out = []
    for i in range(many):
        isf = rng.uniform(15, 200)
        true = rng.uniform(5, 120)
        out.append(
            Scenario(
                patient=Patient(
                    name=str(i),
                    isf_mg_dl_per_u=isf,
                    cir_g_per_u=isf / rng.uniform(2.5, 5.5),
                    basal_u_per_h=round(rng.uniform(0.2, 2) * 20) / 20,
                ),
                setup=Setup(
                    mode=LOOP_MODES[i % 3],
                    settings=LoopSettings(correction_interval_min=True if i % 5 == 4 else 30.0),
                    quirks=replace(Quirks(), **quirks),
                ),
                true_carb_g=0.0 if i % 9 == 8 else true,
                estimated_carb_g=0.0 if i % 7 == 6 else true * rng.uniform(0.4, 1.8),
                start_glucose_mg_dl=rng.uniform(80, 200),
            )
        )
    return out
