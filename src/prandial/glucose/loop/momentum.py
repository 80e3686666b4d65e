"""Momentum: glucose goes on for a while as it went in the last readings."""

from __future__ import annotations

from collections.abc import Sequence

from prandial.glucose.loop.inputs import Reading
from prandial.glucose.loop.outputs import Timeline
from prandial.glucose.loop.times import STEP_MIN, TINY_MIN, grid

__all__ = ["momentum_effect", "slope_mg_dl_per_min"]


def slope_mg_dl_per_min(readings: Sequence[Reading]) -> float | None:
    """Return the least-squares slope of glucose, mg/dL per minute.

    None where there is none: fewer than three readings, a gap (they span more than five
    minutes each), a calibration, two devices, or all at one time.
    """
    count = len(readings)
    if count <= 2 or any(r.display_only for r in readings):
        return None
    if len({r.provenance for r in readings}) > 1:
        return None
    first = readings[0].at_min
    if readings[-1].at_min - first >= STEP_MIN * count - TINY_MIN:
        return None
    x = [r.at_min - first for r in readings]
    y = [r.glucose_mg_dl for r in readings]
    spread = count * sum(t * t for t in x) - sum(x) ** 2
    if spread <= TINY_MIN:
        return None
    return (count * sum(t * g for t, g in zip(x, y, strict=True)) - sum(x) * sum(y)) / spread


def momentum_effect(
    readings: Sequence[Reading],
    *,
    now_min: float | None = None,
    momentum_min: float = 15.0,
    duration_min: float | None = None,
) -> Timeline:
    """Return the change of glucose if the slope of the last readings goes on, mg/dL.

    Parameters
    ----------
    readings : sequence of Reading
        By time.
    now_min : float, optional
        Readings of the last ``momentum_min`` minutes before it are used; else all.
    momentum_min : float
    duration_min : float, optional
        How long the slope goes on after the last reading; else ``momentum_min``.
    """
    if now_min is not None:
        readings = [r for r in readings if r.at_min >= now_min - momentum_min - TINY_MIN]
    slope = slope_mg_dl_per_min(readings)
    if slope is None:
        return Timeline()
    last = readings[-1].at_min
    at = grid(last, last + (momentum_min if duration_min is None else duration_min)).tolist()
    return Timeline(at_min=tuple(at), mg_dl=tuple(max(0.0, t - last) * slope for t in at))
