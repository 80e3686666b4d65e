"""Steps of Loop carried out by opsb-pyloopkit, inside its own environment.

Run by the Python of that environment, which need not have prandial:

    PEER/bin/python benchmarks/loop_peer.py [FILE] [--repeat N] > answer.json

FILE (else standard input) is a JSON list of inputs of the Loop function, as written by
`LoopInput.to_dict`. Answer: versions, CPU seconds per step (conversion not counted), and for
each step temp basal, bolus and prediction. The package takes insulin of a temp basal NET of
the scheduled rate, so it is given that; where nothing was delivered it is given nothing, and
rounds the planned amount as PyLoopKit does. Where no dose is known it is given one of 0 U.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import platform
import sys
import time
from datetime import datetime, timedelta
from datetime import time as clock
from importlib.metadata import version

DAY = datetime(2026, 1, 2)  # noqa: DTZ001
END = clock(23, 59, 59, 999999)


def rows(schedule):
    return [[0.0, schedule]] if isinstance(schedule, int | float) else schedule


def starts(schedule):
    return [clock(int(m) // 60, int(m) % 60) for m, _ in rows(schedule)]


def ends(schedule):
    return [*starts(schedule)[1:], END]


def values(schedule):
    return [value for _, value in rows(schedule)]


def constant(step):
    names = ("isf_mg_dl_per_u", "cir_g_per_u", "basal_u_per_h")
    targets = ("target_low_mg_dl", "target_high_mg_dl")
    return all(len(rows(step[n])) == 1 for n in names) and not any(step.get(n) for n in targets)


def net(dose, basal):
    """Units beyond the scheduled basal; None lets the peer work them out from the rate."""
    given = dose.get("delivered_u")
    if dose["kind"] == "bolus":
        return dose["value"] if given is None else given
    if not given:
        return None
    at = dose["start_min"] % 1440
    rate = [value for start, value in rows(basal) if start <= at][-1]
    return given - rate * (dose["end_min"] - dose["start_min"]) / 60


def peer_input(step, dose_types):
    """The peer's input. With constant settings the step is moved to noon: the peer compares
    times of the day, and its window of six hours must not pass midnight."""
    shift = 720 - 5 * math.floor(step["now_min"] / 5) if constant(step) else 0

    def date(minutes):
        return DAY + timedelta(minutes=minutes + shift)

    kinds = {
        "bolus": dose_types.bolus,
        "temp_basal": dose_types.tempbasal,
        "suspend": dose_types.suspend,
        "basal": dose_types.basal,
    }
    now, settings = step["now_min"], step["settings"]
    doses = sorted(step["doses"], key=lambda d: d["start_min"]) or [
        {"kind": "bolus", "start_min": now, "end_min": now, "value": 0.0, "delivered_u": 0.0}
    ]
    entries = sorted(step["carb_entries"], key=lambda e: e["at_min"])
    isf, cir, basal = step["isf_mg_dl_per_u"], step["cir_g_per_u"], step["basal_u_per_h"]
    low = step.get("target_low_mg_dl") or settings["target_low_mg_dl"]
    high = step.get("target_high_mg_dl") or settings["target_high_mg_dl"]
    return {
        "time_to_calculate_at": date(now),
        "glucose_dates": [date(r["at_min"]) for r in step["glucose"]],
        "glucose_values": [r["glucose_mg_dl"] for r in step["glucose"]],
        "dose_types": [kinds[d["kind"]] for d in doses],
        "dose_start_times": [date(d["start_min"]) for d in doses],
        "dose_end_times": [date(d["end_min"]) for d in doses],
        "dose_values": [d["value"] for d in doses],
        "dose_delivered_units": [net(d, basal) for d in doses],
        "carb_dates": [date(e["at_min"]) for e in entries],
        "carb_values": [e["carb_g"] for e in entries],
        "carb_absorption_times": [e["absorption_min"] for e in entries],
        "sensitivity_ratio_start_times": starts(isf),
        "sensitivity_ratio_end_times": ends(isf),
        "sensitivity_ratio_values": values(isf),
        "carb_ratio_start_times": starts(cir),
        "carb_ratio_values": values(cir),
        "basal_rate_start_times": starts(basal),
        "basal_rate_values": values(basal),
        "basal_rate_minutes": [start for start, _ in rows(basal)],
        "target_range_start_times": starts(low),
        "target_range_end_times": ends(low),
        "target_range_minimum_values": values(low),
        "target_range_maximum_values": values(high),
        "last_temporary_basal": None,
        "settings_dictionary": {
            "model": [settings["dia_min"], settings["peak_min"]],
            "momentum_data_interval": settings["momentum_min"],
            "suspend_threshold": settings["suspend_mg_dl"],
            "dynamic_carb_absorption_enabled": settings["dynamic_carbs"],
            "retrospective_correction_enabled": settings["retrospective_correction"],
            "retrospective_correction_integration_interval": settings["correction_interval_min"],
            "retrospective_correction_grouping_interval": settings["correction_group_min"],
            "recency_interval": 15,
            "default_absorption_times": [120.0, 180.0, 240.0],
            "max_basal_rate": settings["max_basal_u_per_h"],
            "max_bolus": settings["max_bolus_u"],
            "rate_rounder": settings["step_u"],
            "insulin_delay": settings["insulin_delay_min"],
            "carb_delay": settings["carb_delay_min"],
        },
    }


def answer(said):
    if not said:
        return {"refused": True}
    temp = said["recommended_temp_basal"]
    return {
        "temp_basal": None if temp is None else [float(temp[0]), float(temp[1])],
        "bolus_u": float(said["recommended_bolus"][0]),
        "prediction_mg_dl": [float(v) for v in said["predicted_glucose_values"]],
    }


def main():
    parser = argparse.ArgumentParser(description="Loop steps by opsb-pyloopkit; JSON in and out")
    parser.add_argument("file", nargs="?", default="-")
    parser.add_argument("--repeat", type=int, default=1, help="times each step is carried out")
    chosen = parser.parse_args()
    from pyloopkit.dose import DoseType
    from pyloopkit.loop_data_manager import update

    text = sys.stdin.read() if chosen.file == "-" else open(chosen.file).read()  # noqa: SIM115, PTH123
    given = [peer_input(step, DoseType) for step in json.loads(text)]
    said = []
    with contextlib.redirect_stdout(sys.stderr):
        began = time.process_time()
        for _ in range(chosen.repeat):
            said = [update(step) for step in given]
        seconds = time.process_time() - began
    json.dump(
        {
            "peer": "opsb-pyloopkit " + version("opsb-pyloopkit"),
            "python": platform.python_version(),
            "steps": len(given),
            "cpu_s_per_step": seconds / max(len(given) * chosen.repeat, 1),
            "answers": [answer(one) for one in said],
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
