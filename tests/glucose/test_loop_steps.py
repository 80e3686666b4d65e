"""Loop function against every stored step of PyLoopKit, and its stored dosing cases."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.glucose.loop_files import dosing_cases, dosing_input, runs, step_input

from prandial.glucose.curves import remaining_share
from prandial.glucose.loop import (
    Correction,
    LoopOutput,
    Schedule,
    correction_for,
    recommend,
    recommend_bolus,
    recommend_temp_basal,
)
from prandial.glucose.loop.dosing import bolus_notice
from prandial.records import Quirks

PARTS = ("momentum", "ice", "insulin_effect", "carb_effect", "rc_effect", "predicted", "cob")


def compared(out: LoopOutput, step: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    ours: dict[str, Any] = {
        "momentum": (out.momentum.mg_dl, step["momentum_mgdl"]),
        "ice": (out.counteraction.mg_dl_per_min[-13:], step["ice_mgdl_per_min_last13"]),
        "insulin_effect": (out.insulin_effect.mg_dl, step["insulin_effect"]),
        "carb_effect": (out.carb_effect.mg_dl, step["carb_effect"]),
        "rc_effect": (out.retrospective_correction.mg_dl, step["rc_effect"]),
        "predicted": (out.prediction.mg_dl, step["predicted"]),
        "cob": ((out.cob_g,), [step["cob"]]),
    }
    return {name: (tuple(a), tuple(b or ())) for name, (a, b) in ours.items()}


def test_every_stored_step_alone(shared_dir: Path) -> None:
    """438 steps of six runs: each partial effect within 1e-4, and the same doses."""
    right: Counter[str] = Counter()
    worst = dict.fromkeys(PARTS, 0.0)
    steps = 0
    for _, run in runs(shared_dir):
        for step in run["steps"]:
            out = recommend(step_input(run, step))
            steps += 1
            for name, (ours, theirs) in compared(out, step).items():
                if len(ours) == len(theirs):
                    off = max((abs(a - b) for a, b in zip(ours, theirs, strict=True)), default=0.0)
                    worst[name] = max(worst[name], off)
                    right[name] += off < 1e-4
            for name, first in (
                ("insulin_effect", out.insulin_effect),
                ("carb_effect", out.carb_effect),
            ):
                kept = step[f"{name}_t0"]
                right[f"{name}_t0"] += kept is None or first.at_min[0] - step["t"] == kept
            temp = out.temp_basal
            said = None if temp is None else [temp.rate_u_per_h, temp.duration_min]
            right["temp_basal"] += said == step["recommended_temp_basal"]
            right["bolus"] += out.bolus_u == step["recommended_bolus"]
    print(f"\nsteps: {steps}; right:", dict(right), "; worst:", worst)
    assert steps == 438
    assert set(right.values()) == {steps}


def detail(correction: Correction) -> list[float | None]:
    if correction.kind == "suspend":
        return [correction.min_mg_dl]
    if correction.kind == "below_range":
        return [correction.min_mg_dl, correction.target_low_mg_dl, correction.units_u]
    if correction.kind == "above_range":
        low = correction.target_low_mg_dl
        return [correction.min_mg_dl, correction.corrected_mg_dl, low, correction.units_u]
    return []


def test_every_dosing_case(shared_dir: Path) -> None:
    """200 random predictions: class, detail, temp basal, bolus and notice."""
    notices = {
        None: None,
        "glucoseBelowSuspendThreshold": "glucose_below_suspend_threshold",
        "predictedGlucoseBelowTarget": "predicted_glucose_below_target",
    }
    cases = dosing_cases(shared_dir)
    right: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for case in cases:
        prediction, settings = dosing_input(case)
        correction = correction_for(
            prediction,
            now_min=0,
            isf_mg_dl_per_u=case["isf"],
            target_low_mg_dl=Schedule.constant(case["target"][0]),
            target_high_mg_dl=Schedule.constant(case["target"][1]),
            settings=settings,
        )
        temp = recommend_temp_basal(
            correction,
            now_min=0,
            basal_u_per_h=case["scheduled_basal"],
            settings=settings,
            quirks=Quirks(),
        )
        said = None if temp is None else pytest.approx([temp.rate_u_per_h, temp.duration_min])
        kinds[correction.kind] += 1
        right["class"] += correction.kind == case["correction"].removeprefix("entirely_")
        right["detail"] += detail(correction) == pytest.approx(case["correction_detail"], abs=1e-6)
        right["temp"] += case["temp_basal"] == said
        bolus = recommend_bolus(correction, settings=settings)
        right["bolus"] += bolus == pytest.approx(case["bolus"], abs=1e-9)
        right["notice"] += bolus_notice(correction) == notices[case["bolus_notice"]]
    print(f"\ndosing cases: {len(cases)}; right:", dict(right), "; kinds:", dict(kinds))
    assert right == dict.fromkeys(("class", "detail", "temp", "bolus", "notice"), 200)
    assert len(kinds) == 4


def test_curve_of_insulin(shared_dir: Path) -> None:
    """Share remaining, four insulin models, every five minutes, against the stored curves."""
    kept = json.loads((shared_dir / "data/glucose/loop_unit/curves.json").read_text())
    assert len(kept["loop_fraction_remaining"]) == 4
    for name, curve in kept["loop_fraction_remaining"].items():
        dia, peak = map(float, name.split("_"))
        ours = remaining_share(kept["grid_min"][: len(curve)], dia_min=dia, peak_min=peak)
        assert ours.tolist() == pytest.approx(curve, abs=1e-12)
