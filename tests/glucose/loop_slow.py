"""A slow simulation that can be read: one scenario, one step after the other, no arrays.

The patient is the closed form of the specification; each decision asks the Loop function
with all that happened before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from prandial.glucose.kernels import GRID_MIN, absorbed_fraction, insulin_used_fraction
from prandial.glucose.loop import CarbEntry, Dose, LoopInput, Reading, Schedule, recommend
from prandial.glucose.loop.inputs import RunningTemp
from prandial.records import LoopSettings, Quirks

STEP = 5.0
TEMP_MIN = 30.0


@dataclass
class Pump:
    """The scheduled rate, at most one temp basal, and all doses given so far."""

    basal_u_per_h: float
    rate_u_per_h: float | None = None
    since_min: float = 0.0
    doses: list[Dose] = field(default_factory=list)

    def known(self, now: float) -> tuple[Dose, ...]:
        """Doses as Loop sees them: the running temp basal ends now."""
        return (*self.doses, *self.running(now))

    def running(self, now: float) -> list[Dose]:
        if self.rate_u_per_h is None or now <= self.since_min:
            return []
        given = self.rate_u_per_h * (now - self.since_min) / 60
        return [
            Dose(
                kind="temp_basal",
                start_min=self.since_min,
                end_min=now,
                value=self.rate_u_per_h,
                delivered_u=given,
            )
        ]

    def stop(self, now: float) -> None:
        self.doses += self.running(now)
        self.rate_u_per_h = None

    def bolus(self, now: float, units: float) -> None:
        self.doses.append(
            Dose(kind="bolus", start_min=now, end_min=now, value=units, delivered_u=units)
        )


def settings_of(kept: dict[str, Any]) -> LoopSettings:
    """Settings of a stored run."""
    dia, peak = kept["model"]
    low, high = kept["target_range"]
    return LoopSettings(
        dia_min=dia,
        peak_min=peak,
        target_low_mg_dl=low,
        target_high_mg_dl=high,
        suspend_mg_dl=kept["suspend_threshold"],
        max_basal_u_per_h=kept["max_basal_rate"],
        max_bolus_u=kept["max_bolus"],
        step_u=kept["rate_rounder"],
        correction_interval_min=kept["retrospective_correction_integration_interval"],
        dynamic_carbs=kept["dynamic_carb_absorption_enabled"],
    )


def simulate(
    run: dict[str, Any], quirks: Quirks, *, settings: LoopSettings | None = None
) -> dict[str, list[Any]]:
    """Glucose, delivered basal and temp basal of one scenario in the form of the traces."""
    patient, mode = run["patient"], run["mode"]
    isf, cir, basal = patient["isf"], patient["cir"], patient["basal"]
    settings = settings_of(run["settings"]) if settings is None else settings
    absorbed = absorbed_fraction(GRID_MIN, run["true_absorption_min"])
    used = insulin_used_fraction(GRID_MIN)
    pump = Pump(basal_u_per_h=basal)
    beyond: list[float] = []  # insulin beyond scheduled basal, U, at each point
    due = 0.0  # bolus the patient gets at this point
    out: dict[str, list[Any]] = {"bg": [], "basal": [], "temp": [], "bolus": []}
    readings = [Reading(at_min=-STEP * k, glucose_mg_dl=run["bg0"]) for k in range(136, 0, -1)]
    entries = (
        (
            CarbEntry(
                at_min=0, carb_g=run["est_carbs"], absorption_min=run["reported_absorption_min"]
            ),
        )
        if run["est_carbs"]
        else ()
    )
    pump.bolus(0.0, 0.0)
    if mode == "loop_userbolus":
        due = run["est_carbs"] / cir
        pump.bolus(0.0, due)
    for n, now in enumerate(GRID_MIN.tolist()):
        rate = basal if pump.rate_u_per_h is None or n == 0 else pump.rate_u_per_h
        given = rate * STEP / 60
        beyond.append(given - basal * STEP / 60 + due)
        if due and n > 0:
            pump.bolus(now, due)
        if pump.rate_u_per_h is not None and now >= pump.since_min + TEMP_MIN:
            pump.stop(now)
        fall = sum(u * used[n - k] for k, u in enumerate(beyond))
        glucose = run["bg0"] + isf / cir * run["true_carbs"] * absorbed[n] - isf * fall
        readings.append(
            Reading(at_min=now, glucose_mg_dl=float(min(max(round(float(glucose)), 40), 400)))
        )
        until = pump.since_min + TEMP_MIN
        said = recommend(
            LoopInput(
                now_min=now,
                glucose=tuple(readings),
                doses=pump.known(now),
                carb_entries=entries,
                isf_mg_dl_per_u=Schedule.constant(isf),
                cir_g_per_u=Schedule.constant(cir),
                basal_u_per_h=Schedule.constant(basal),
                running_temp=(
                    None
                    if pump.rate_u_per_h is None
                    else RunningTemp(rate_u_per_h=pump.rate_u_per_h, until_min=until)
                ),
                settings=settings,
                quirks=quirks,
            )
        )
        out["bolus"].append(due)
        due = 0.0
        temp = said.temp_basal
        if mode == "loop_accept" and n == 0 and said.bolus_u > 0:
            due, temp = said.bolus_u, None
        if temp is not None:
            pump.stop(now)
            if temp.action == "set":
                pump.rate_u_per_h, pump.since_min = temp.rate_u_per_h, now
        out["bg"].append(float(glucose))
        out["basal"].append(given)
        out["temp"].append(pump.rate_u_per_h)
    return out
