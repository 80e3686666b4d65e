"""UVA/Padova against simglucose: kept traces, and its own patient run side by side."""

from __future__ import annotations

import json
import os
import subprocess
import time

import numpy as np
import pytest
from tests.glucose.uva_made import published_patients

from prandial.glucose.uva import simulate_uva, uva_design

#: largest difference of plasma glucose by step, mg/dL (kept traces have five digits)
WITHIN = {1.0: 0.05, 0.5: 0.005, 0.25: 0.001}


@pytest.mark.parametrize("step", sorted(WITHIN, reverse=True))
def test_kept_traces(shared_dir, step):
    """Kept traces of simglucose 0.2.11: six patients, two meals each."""
    patients = published_patients()
    kept = json.loads((shared_dir / "data/glucose/uva_padova/simglucose_traces.json").read_text())
    ours = simulate_uva(
        patients.named([trace["name"] for trace in kept]),
        true_carb_g=[trace["true_carbs"] for trace in kept],
        bolus_u=[trace["bolus_U"] for trace in kept],
        step_min=step,
    )
    plasma = np.abs(ours.plasma_mg_dl - [trace["plasma_mgdl"] for trace in kept]).max()
    skin = np.abs(ours.subcutaneous_mg_dl - [trace["subcut_mgdl"] for trace in kept]).max()
    print(f"{len(kept)} kept traces, step {step:g} min: plasma {plasma:.6f}, skin {skin:.6f}")
    assert len(kept) == 12
    assert plasma < WITHIN[step]
    assert skin < WITHIN[step]


def test_a_design_gives_the_kept_traces(shared_dir):
    """The same numbers by the other door: the bolus is estimate / own ratio."""
    patients = published_patients()
    kept = json.loads((shared_dir / "data/glucose/uva_padova/simglucose_traces.json").read_text())
    names = list(dict.fromkeys(trace["name"] for trace in kept))
    (block,) = uva_design(patients.named(names), [[45, 60]], [60, 45], ["own"])
    for trace in kept:
        meal = [60, 45].index(trace["true_carbs"])
        ours = block.glucose_mg_dl[0, names.index(trace["name"]), 0, meal]
        assert np.abs(ours - trace["plasma_mgdl"]).max() < 0.05


def _level_state(patients, row, level):
    """Start state at a level: tissue glucose by halving, insulin as it is."""
    state = [float(patients[f"x0_{i:>2}"][row]) for i in range(1, 14)]
    p = {name: float(values[row]) for name, values in patients.columns.items()}
    low, high = 0.0, 10_000.0
    for _ in range(200):
        mid = (low + high) / 2
        net = p["k1"] * level * p["Vg"] - p["k2"] * mid - p["Vm0"] * mid / (p["Km0"] + mid)
        low, high = (mid, high) if net > 0 else (low, mid)
    state[3], state[4], state[12] = level * p["Vg"], low, level * p["Vg"]
    return state


@pytest.mark.full
def test_side_by_side_with_its_own_patient(repo):
    """All 30 patients, meals of every size, own state and given levels, big overdoses."""
    python = os.environ.get("PRANDIAL_SIMGLUCOSE_PYTHON")
    if not python:
        pytest.skip(
            "SIMGLUCOSE ABSENT: set PRANDIAL_SIMGLUCOSE_PYTHON to the Python of an environment "
            "with 'setuptools<81' and simglucose==0.2.11"
        )
    patients = published_patients()
    rng = np.random.default_rng(2009)
    row = np.concatenate([np.arange(30)] * 3)
    carb = np.concatenate([rng.uniform(3, 40, 30), rng.uniform(40, 120, 30), np.full(30, 90.0)])
    estimate = np.concatenate([carb[:60] * rng.uniform(0.4, 1.8, 60), np.full(30, 250.0)])
    bolus = estimate / patients.cr_g_per_u[row]
    level = np.tile([80.0, 120.0, 160.0, 200.0], 23)[:90]
    own = np.arange(90) < 30
    runs = [
        {
            "name": patients.names[row[i]],
            "true_carb_g": float(carb[i]),
            "bolus_u": float(bolus[i]),
            "state": None if own[i] else _level_state(patients, row[i], level[i]),
        }
        for i in range(90)
    ]
    done = subprocess.run(
        [python, str(repo / "benchmarks" / "uva_peer.py")],
        input=json.dumps(runs),
        capture_output=True,
        text=True,
        check=True,
    )
    theirs = json.loads(done.stdout)
    start = np.where(own, patients.own_glucose_mg_dl[row], level)
    worst = {}
    for step in sorted(WITHIN, reverse=True):
        ours = simulate_uva(
            patients.take(row),
            true_carb_g=carb,
            bolus_u=bolus,
            start_glucose_mg_dl=start,
            step_min=step,
        )
        worst[step] = [
            np.abs(ours.plasma_mg_dl - [t["plasma_mg_dl"] for t in theirs]).max(),
            np.abs(ours.subcutaneous_mg_dl - [t["subcutaneous_mg_dl"] for t in theirs]).max(),
        ]
    begin = time.process_time()
    n = sum(
        block.glucose_mg_dl[..., 0].size
        for block in uva_design(
            patients.take(slice(0, 20)),
            rng.uniform(5, 150, (8, 70)),
            rng.uniform(5, 150, 70),
            [80.0, 120.0, 160.0, 200.0],
        )
    )
    ours_s = (time.process_time() - begin) / n
    theirs_s = float(np.mean([t["cpu_s"] for t in theirs]))
    lowest = min(min(t["plasma_mg_dl"]) for t in theirs)
    print(f"\n90 runs side by side, lowest glucose {lowest:.3f}: largest difference by step")
    for step, (plasma, skin) in worst.items():
        print(f"  {step:g} min: plasma {plasma:.6f}, subcutaneous {skin:.6f} mg/dL")
    print(f"CPU: {n:,} runs {n * ours_s:.2f} s; simglucose {theirs_s:.2f} s a run")
    print(f"ratio {theirs_s / ours_s:,.0f}")
    for step, differences in worst.items():
        assert max(differences) < WITHIN[step]
