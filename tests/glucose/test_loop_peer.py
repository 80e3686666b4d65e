"""Loop function against opsb-pyloopkit, which runs in its own environment.

Name its Python in PRANDIAL_PYLOOPKIT_PYTHON:

    python -m venv PEER && PEER/bin/pip install opsb-pyloopkit==0.1.0 'numpy<2'
    PRANDIAL_PYLOOPKIT_PYTHON=PEER/bin/python PRANDIAL_FULL=1 pytest tests/glucose/test_loop_peer.py

The package is older than the reference: it does not take momentum and correction out of the
prediction for a bolus. So boluses are compared on the prediction of the temp basal, for every
step, and as recommended where neither pushes up.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.glucose.loop_files import runs, step_input

from prandial.glucose.loop import LoopInput, LoopOutput, recommend, recommend_bolus

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def peer() -> str:
    python = os.environ.get("PRANDIAL_PYLOOPKIT_PYTHON")
    if not python:
        pytest.skip("PRANDIAL_PYLOOPKIT_PYTHON names no Python that has opsb-pyloopkit")
    return python


def asked(peer: str, repo: Path, tmp_path: Path, steps: list[dict[str, Any]]) -> dict[str, Any]:
    file = tmp_path / "steps.json"
    file.write_text(json.dumps(steps))
    done = subprocess.run(
        [peer, str(repo / "benchmarks/loop_peer.py"), str(file)],
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def compare(
    peer: str, repo: Path, tmp_path: Path, inputs: list[LoopInput], name: str
) -> Counter[str]:
    theirs = asked(peer, repo, tmp_path, [one.to_dict() for one in inputs])
    began = time.process_time()
    ours = [recommend(one) for one in inputs]
    cpu = (time.process_time() - began) / len(inputs)
    right: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    worst = 0.0
    for one, out, said in zip(inputs, ours, theirs["answers"], strict=True):
        temp = out.temp_basal
        mine = None if temp is None else [temp.rate_u_per_h, temp.duration_min]
        right["temp_basal"] += mine == said["temp_basal"]
        values = said["prediction_mg_dl"]
        same_length = len(values) == len(out.prediction)
        off = max(
            (abs(a - b) for a, b in zip(out.prediction.mg_dl, values, strict=False)), default=0.0
        )
        worst = max(worst, off)
        right["prediction"] += same_length and off < 1e-6
        kinds[out.correction.kind] += 1
        on_same = recommend_bolus(out.correction, settings=one.settings)
        right["bolus on the same prediction"] += on_same == said["bolus_u"]
        if not pushed_up(out):
            right["boluses compared"] += 1
            right["bolus"] += out.bolus_u == said["bolus_u"]
    print(
        f"\n{name}: {len(inputs)} steps; same:",
        dict(right),
        dict(kinds),
        f"; prediction off by {worst:.1e} at most; CPU per step: {theirs['peer']} "
        f"{1e3 * theirs['cpu_s_per_step']:.1f} ms, prandial {1e3 * cpu:.1f} ms",
    )
    return right


def pushed_up(out: LoopOutput) -> bool:
    return (
        out.momentum.change_mg_dl > 0
        or out.retrospective_correction.change_mg_dl > 0
        or len(out.prediction) != len(out.prediction_for_bolus)
    )


def random_input(rng: random.Random) -> LoopInput:
    """A step with readings on or off the grid, boluses, temp basals, one or two entries."""
    count = rng.randint(8, 60)
    late = rng.choice([0.0, 0.0, 0.25, 1.5, 4.75])
    level = rng.uniform(60, 300)
    glucose = []
    for k in range(count, -1, -1):
        level = min(max(level + rng.gauss(0, 7), 40), 400)
        glucose.append({"at_min": -5.0 * k + late, "glucose_mg_dl": round(level)})
    basal = rng.choice([0.3, 0.7, 1.0, 1.9])
    now = late + rng.choice([0.0, 0.25])
    doses: list[dict[str, Any]] = []
    for _ in range(rng.randint(0, 3)):
        at, units = -5.0 * rng.randint(0, 66) - rng.choice([0, 0.5, 2]), rng.randint(1, 120) / 20
        doses.append({"kind": "bolus", "start_min": at, "end_min": at, "value": units})
    start = -300.0
    while start < now - 40:
        length, rate = rng.choice([5.0, 10.0, 15.0, 30.0, 27.5]), rng.choice([0.0, 0.5, 1.2, 3.05])
        if rng.random() < 0.5:
            doses.append(
                {
                    "kind": "temp_basal",
                    "start_min": start,
                    "end_min": start + length,
                    "value": rate,
                    "delivered_u": rate * length / 60,
                }
            )
        start += length
    entries = [
        {
            "at_min": -5.0 * rng.randint(0, 34) - rng.choice([0, 0.5, 3]),
            "carb_g": rng.randint(5, 120),
            "absorption_min": rng.choice([120.0, 180.0, 240.0]),
        }
        for _ in range(rng.randint(0, 2))
    ]
    isf = rng.choice([12, 40, 90, 200])
    return LoopInput.from_dict(
        {
            "now_min": now,
            "glucose": glucose,
            "doses": doses,
            "carb_entries": entries,
            "isf_mg_dl_per_u": isf,
            "cir_g_per_u": rng.choice([4, 8, 15, 25]),
            "basal_u_per_h": basal,
            "settings": {
                "peak_min": rng.choice([55, 65, 75]),
                "correction_interval_min": rng.choice([30, True]),
                "dynamic_carbs": rng.random() < 0.8,
                "suspend_mg_dl": rng.choice([60, 70, 80]),
            },
        }
    )


def test_every_stored_step(peer: str, repo: Path, shared_dir: Path, tmp_path: Path) -> None:
    inputs = [
        LoopInput.from_dict(step_input(run, step))
        for _, run in runs(shared_dir)
        for step in run["steps"]
    ]
    right = compare(peer, repo, tmp_path, inputs, "stored steps")
    assert right["temp_basal"] == right["prediction"] == len(inputs) == 438
    assert right["bolus on the same prediction"] == len(inputs)
    assert right["bolus"] == right["boluses compared"] > 0


def test_random_steps(peer: str, repo: Path, tmp_path: Path) -> None:
    rng = random.Random(20240904)
    inputs = [random_input(rng) for _ in range(400)]
    right = compare(peer, repo, tmp_path, inputs, "random steps")
    assert right["temp_basal"] == right["prediction"] == len(inputs)
    assert right["bolus on the same prediction"] == len(inputs)
    assert right["bolus"] == right["boluses compared"] > 0
