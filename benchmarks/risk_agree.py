"""Counts of agreement with the reference data of the glucose room.

Traces through the batch form of ``prandial risk simulate``; steps, dosing cases and index
vectors through the public functions of the room.
"""

from __future__ import annotations

import importlib.util
import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tests.glucose.loop_files import dosing_cases, dosing_input, runs, step_input

from prandial import api
from prandial.glucose import risk_indices
from prandial.glucose.loop import (
    Schedule,
    correction_for,
    recommend,
    recommend_bolus,
    recommend_temp_basal,
)
from prandial.records import Quirks

__all__ = ["agreement"]


def agreement(shared: Path) -> dict[str, Any]:
    """Compare with every reference in the folder."""
    folder = shared / "data" / "glucose"
    return {
        "traces": [
            _traces(folder / "tidepool_sim" / f"traces_{name}.jsonl", engine)
            for name in ("manual", "loop", "random")
            for engine in ("numpy", "numba")
            if engine == "numpy" or importlib.util.find_spec("numba")
        ],
        "steps": _steps(shared),
        "dosing_cases": _dosing(shared),
        "risk_vectors": _vectors(folder / "risk" / "bgri_vectors.json"),
        "uva_padova": _uva(folder / "uva_padova" / "simglucose_traces.json"),
    }


def _traces(path: Path, engine: str) -> dict[str, Any]:
    told = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as work:
        out = Path(work) / "out.jsonl"
        api.risk_simulate_file(path, out, engine=engine)
        ours = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    apart = np.array(
        [np.abs(np.subtract(a["bg"], b["bg"])).max() for a, b in zip(told, ours, strict=True)]
    )
    return {
        "file": path.name,
        "engine": engine,
        "traces": len(told),
        "below_1e-5": int((apart < 1e-5).sum()),
        "below_1e-4": int((apart < 1e-4).sum()),
        "largest_mg_dl": float(f"{apart.max():.2e}"),
        "same_boluses": sum(a["bolus_U"] == b["bolus_U"] for a, b in zip(told, ours, strict=True)),
    }


def _steps(shared: Path) -> dict[str, Any]:
    right: Counter[str] = Counter()
    largest, steps = 0.0, 0
    for _, run in runs(shared):
        for step in run["steps"]:
            out = recommend(step_input(run, step))
            steps += 1
            ours, theirs = out.prediction.mg_dl, step["predicted"]
            off = max(abs(a - b) for a, b in zip(ours, theirs, strict=True))
            largest = max(largest, off)
            right["prediction_below_1e-4"] += off < 1e-4
            temp = out.temp_basal
            said = None if temp is None else [temp.rate_u_per_h, temp.duration_min]
            right["same_temp_basal"] += said == step["recommended_temp_basal"]
            right["same_bolus"] += out.bolus_u == step["recommended_bolus"]
    return {"steps": steps, **right, "largest_mg_dl": float(f"{largest:.2e}")}


def _dosing(shared: Path) -> dict[str, Any]:
    right: Counter[str] = Counter()
    cases = dosing_cases(shared)
    for case in cases:
        prediction, settings = dosing_input(case)
        correction = correction_for(
            prediction,
            now_min=0.0,
            isf_mg_dl_per_u=case["isf"],
            target_low_mg_dl=Schedule.constant(case["target"][0]),
            target_high_mg_dl=Schedule.constant(case["target"][1]),
            settings=settings,
        )
        temp = recommend_temp_basal(
            correction,
            now_min=0.0,
            basal_u_per_h=case["scheduled_basal"],
            settings=settings,
            quirks=Quirks(),
        )
        said = () if temp is None else (temp.rate_u_per_h, temp.duration_min)
        bolus = recommend_bolus(correction, settings=settings)
        right["same_class"] += correction.kind == case["correction"].removeprefix("entirely_")
        right["same_temp_basal"] += _equal(said, case["temp_basal"] or ())
        right["same_bolus"] += _equal((bolus,), (case["bolus"],))
    return {"cases": len(cases), **right}


def _equal(ours: Sequence[float], theirs: Sequence[float]) -> bool:
    return len(ours) == len(theirs) and np.allclose(ours, theirs, rtol=0, atol=1e-9)


def _vectors(path: Path) -> dict[str, Any]:
    largest, count = 0.0, 0
    for vector in json.loads(path.read_text("utf-8")).values():
        if not isinstance(vector, dict) or "bg_mgdl" not in vector:
            continue
        count += 1
        found = risk_indices(vector["bg_mgdl"], low=1, high=1000)
        for ours, key in zip(found, ("lbgi", "hbgi", "bgri"), strict=True):
            largest = max(largest, abs(float(np.squeeze(ours)) - vector[key]))
    return {"vectors": count, "largest": float(f"{largest:.1e}")}


def _uva(path: Path) -> dict[str, Any]:
    from prandial.errors import MissingDataError
    from prandial.glucose.uva import load_uva_patients, simulate_uva

    try:
        everybody = load_uva_patients()
    except MissingDataError as error:
        return {"not_run": error.what}
    told = json.loads(path.read_text("utf-8"))
    patients = everybody.named([t["name"] for t in told])
    found: dict[str, Any] = {"traces": len(told)}
    for step in (1.0, 0.5, 0.25):
        made = simulate_uva(
            patients,
            true_carb_g=[t["true_carbs"] for t in told],
            bolus_u=[t["bolus_U"] for t in told],
            step_min=step,
        )
        found[f"largest_mg_dl_at_{step:g}_min"] = {
            name: round(float(np.abs(ours - [t[key] for t in told]).max()), 5)
            for name, ours, key in (
                ("plasma", made.plasma_mg_dl, "plasma_mgdl"),
                ("subcutaneous", made.subcutaneous_mg_dl, "subcut_mgdl"),
            )
        }
    return found
