"""Reference files of the Loop function, read into its records."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from prandial.glucose.loop import Timeline
from prandial.records import LoopSettings

KINDS = {"tempbasal": "temp_basal"}


def runs(shared_dir: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and content of each run of which every step is kept."""
    for path in sorted((shared_dir / "data/glucose/loop_unit").glob("steps_*.json.gz")):
        yield path.name, json.loads(gzip.decompress(path.read_bytes()))


def dosing_cases(shared_dir: Path) -> list[dict[str, Any]]:
    path = shared_dir / "data/glucose/loop_unit/dosing_cases.json"
    cases: list[dict[str, Any]] = json.loads(path.read_text())
    return cases


def dosing_input(case: dict[str, Any]) -> tuple[Timeline, LoopSettings]:
    """Prediction and settings of a stored dosing case."""
    values = case["prediction_5min"]
    settings = LoopSettings(
        dia_min=case["dia"],
        peak_min=case["peak"],
        suspend_mg_dl=case["suspend_threshold"],
        max_basal_u_per_h=case["max_basal"],
        max_bolus_u=case["max_bolus"],
        step_u=case["rounder"],
    )
    at_min = tuple(5.0 * k for k in range(len(values)))
    return Timeline(at_min=at_min, mg_dl=tuple(values)), settings


def delivered(kind: str, value: float, start: float, end: float, kept: float) -> float:
    """What a dose delivered; the files keep six decimals, which times ISF would show."""
    planned = value if kind == "bolus" else value * (end - start) / 60
    return planned if abs(planned - kept) < 1e-6 else kept


def step_input(run: dict[str, Any], step: dict[str, Any]) -> dict[str, Any]:
    """One stored step as the JSON form of the Loop function's input."""
    now, patient = step["t"], run["patient"]
    before = [{"at_min": -5.0 * k, "glucose_mg_dl": run["bg0"]} for k in range(136, 0, -1)]
    seen = [
        {"at_min": s["t"], "glucose_mg_dl": s["bg_seen"]} for s in run["steps"] if s["t"] <= now
    ]
    entry = {"at_min": 0, "carb_g": run["est_carbs"], "absorption_min": 180}
    return {
        "now_min": now,
        "glucose": before + seen,
        "doses": [
            {
                "kind": KINDS.get(kind, kind),
                "value": value,
                "start_min": now + start,
                "end_min": now + end,
                "delivered_u": delivered(kind, value, start, end, kept),
            }
            for kind, value, start, end, kept in step["doses"]
        ],
        "carb_entries": [entry] if run["est_carbs"] else [],
        "isf_mg_dl_per_u": patient["isf"],
        "cir_g_per_u": patient["cir"],
        "basal_u_per_h": patient["basal"],
    }


class Fixtures:
    """Files of a folder, times as minutes since a midnight, and which of them were used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.who = ""
        self.used: dict[str, set[str]] = {}
        self.places = {
            p.name: p for p in sorted(folder.rglob("*.json")) if not p.name.startswith("expected")
        }

    def rows(self, name: str, user: str) -> list[dict[str, Any]]:
        self.used.setdefault(name, set()).add(user)
        rows: list[dict[str, Any]] = json.loads(self.places[name].read_text())
        return rows


def day_minutes(text: str, *, offset_s: int = 0) -> float:
    """Minutes since the first midnight of the year's month, wall clock of the text."""
    time = datetime.fromisoformat(text.replace(" +0000", "+00:00")).replace(tzinfo=None)
    time += timedelta(seconds=offset_s)
    return (time - time.replace(day=1, hour=0, minute=0, second=0)).total_seconds() / 60
