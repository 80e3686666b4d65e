"""Dosing: the correction a prediction asks for, as a temp basal and as a bolus.

Research use, not dosing advice.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Final

import numpy as np

from prandial.errors import InputError
from prandial.glucose.curves import remaining_share
from prandial.glucose.loop.inputs import RunningTemp
from prandial.glucose.loop.outputs import Correction, Notice, TempBasal, Timeline
from prandial.glucose.loop.schedules import Schedule
from prandial.glucose.loop.times import TINY_MIN
from prandial.records.glucose import LoopSettings, Quirks

__all__ = [
    "TEMP_BASAL_MIN",
    "bolus_notice",
    "correction_for",
    "recommend_bolus",
    "recommend_temp_basal",
    "target_mg_dl",
]

#: a temp basal is set for this long
TEMP_BASAL_MIN: Final = 30.0
_EPS: Final = sys.float_info.epsilon


def target_mg_dl(fraction: float, suspend_mg_dl: float, mid_mg_dl: float) -> float:
    """Return the target at a share of insulin's duration.

    The suspend threshold for the first half, then in a line to the middle of the range.
    """
    if fraction <= 0.5:
        return suspend_mg_dl
    if fraction >= 1:
        return mid_mg_dl
    return suspend_mg_dl + (mid_mg_dl - suspend_mg_dl) / 0.5 * (fraction - 0.5)


@dataclass(kw_only=True, slots=True)
class _Scan:
    """What a walk along the prediction has found: points as (minute, mg/dL)."""

    lowest: tuple[float, float]
    last: tuple[float, float]
    corrected_mg_dl: float | None = None
    units_u: float | None = None


def correction_for(
    prediction: Timeline,
    *,
    now_min: float,
    isf_mg_dl_per_u: float,
    target_low_mg_dl: Schedule,
    target_high_mg_dl: Schedule,
    settings: LoopSettings,
) -> Correction:
    """Return how the prediction lies to the target and the insulin that would correct it.

    Parameters
    ----------
    prediction : Timeline
        Points from now until insulin given now has acted are used.
    now_min, isf_mg_dl_per_u : float
        Time of the decision and sensitivity then.
    target_low_mg_dl, target_high_mg_dl : Schedule
        Taken at the time of each point.
    settings : LoopSettings

    Raises
    ------
    InputError
        When the prediction has no point in that time.
    """
    points = [
        (time, value)
        for time, value in zip(prediction.at_min, prediction.mg_dl, strict=True)
        if now_min - TINY_MIN <= time <= now_min + settings.dia_min + TINY_MIN
    ]
    if not points:
        raise InputError(
            f"the prediction has no point within {settings.dia_min:g} min of now",
            where="prediction",
            hint="give a last reading nearer to now",
        )
    for _, value in points:
        if value < settings.suspend_mg_dl:
            return Correction(kind="suspend", min_mg_dl=value)
    low, high = target_low_mg_dl, target_high_mg_dl
    scan = _scan(points, now_min, isf_mg_dl_per_u, low, high, settings)
    time, least = scan.lowest
    if least < low.at(time) and scan.last[1] < low.at(time):
        acted = max(_EPS, 1 - _left(time - now_min, settings))
        mid = (low.at(time) + high.at(time)) / 2
        return Correction(
            kind="below_range",
            min_mg_dl=least,
            target_low_mg_dl=low.at(time),
            units_u=(least - mid) / (isf_mg_dl_per_u * acted),
        )
    time, eventual = scan.last
    if eventual > high.at(time) and scan.units_u is not None:
        return Correction(
            kind="above_range",
            min_mg_dl=least,
            corrected_mg_dl=scan.corrected_mg_dl,
            target_low_mg_dl=low.at(time),
            units_u=scan.units_u,
        )
    return Correction(kind="in_range")


def recommend_temp_basal(
    correction: Correction,
    *,
    now_min: float,
    basal_u_per_h: float,
    settings: LoopSettings,
    quirks: Quirks,
    running: RunningTemp | None = None,
) -> TempBasal | None:
    """Return the temp basal that makes the correction in half an hour, or None.

    None where the scheduled rate is wanted and runs. Where it is wanted and a temp basal
    runs, that one is cancelled, or, by the quirk ``temp_runs_out``, left to run out.
    """
    rate, most = 0.0, settings.max_basal_u_per_h
    if correction.kind != "suspend":
        rate = correction.units_u / (TEMP_BASAL_MIN / 60) + basal_u_per_h
    if _dips(correction):
        most = basal_u_per_h
    rate = _rounded(min(most, max(0.0, rate)), settings.step_u)
    if abs(rate - basal_u_per_h) >= _EPS:
        return TempBasal(rate_u_per_h=rate, duration_min=TEMP_BASAL_MIN)
    runs = running is not None and running.until_min > now_min + TINY_MIN
    if runs and not quirks.temp_runs_out:
        return TempBasal(rate_u_per_h=basal_u_per_h, duration_min=0.0, action="cancel")
    return None


def recommend_bolus(correction: Correction, *, settings: LoopSettings) -> float:
    """Return the bolus that makes the correction, U; 0 unless glucose will be above range."""
    if correction.kind != "above_range":
        return 0.0
    return _rounded(min(settings.max_bolus_u, max(0.0, correction.units_u)), settings.step_u)


def bolus_notice(correction: Correction) -> Notice | None:
    """Return the remark that goes with a bolus, if any."""
    if correction.kind == "suspend":
        return "glucose_below_suspend_threshold"
    return "predicted_glucose_below_target" if _dips(correction) else None


def _dips(correction: Correction) -> bool:
    """Tell whether glucose will be above range, and below the target before that."""
    least, low = correction.min_mg_dl, correction.target_low_mg_dl
    return (
        correction.kind == "above_range" and least is not None and low is not None and least < low
    )


def _rounded(amount: float, step: float | None) -> float:
    """Round to pump steps, a half to the even one."""
    if not step:
        return amount
    per_unit = 1 / step
    return round(amount * per_unit) / per_unit


def _left(since_min: float, settings: LoopSettings) -> float:
    return float(remaining_share(since_min, dia_min=settings.dia_min, peak_min=settings.peak_min))


def _scan(
    points: list[tuple[float, float]],
    now_min: float,
    isf: float,
    low: Schedule,
    high: Schedule,
    settings: LoopSettings,
) -> _Scan:
    since = np.array([time for time, _ in points]) - now_min
    left = remaining_share(since, dia_min=settings.dia_min, peak_min=settings.peak_min)
    scan = _Scan(lowest=points[0], last=points[-1])
    for (time, value), after, sensitivity in zip(
        points, since.tolist(), ((1 - left) * isf).tolist(), strict=True
    ):
        if value < scan.lowest[1]:
            scan.lowest = (time, value)
        if sensitivity <= 0:
            continue
        mid = (high.at(time) + low.at(time)) / 2
        target = target_mg_dl(after / settings.dia_min, settings.suspend_mg_dl, mid)
        units = (value - target) / sensitivity
        if units > 0 and (scan.units_u is None or units < scan.units_u):
            scan.units_u, scan.corrected_mg_dl = units, value
    return scan
