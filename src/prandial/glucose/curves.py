"""Curves of Loop: insulin by Maksimovic's exponential model, carbohydrate by a parabola.

Source: LoopKit's ``ExponentialInsulinModel`` and ``CarbMath``, as ported in Tidepool's
PyLoopKit 9136221. Times in minutes, shares without a unit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from prandial.glucose.kernels import STEP_MIN

__all__ = [
    "LoopTables",
    "effect_share",
    "loop_tables",
    "momentum_shares",
    "parabolic_share",
    "remaining_share",
]

Floats = NDArray[np.float64]

#: retrospective correction dies away linearly over this time, min
DECAY_MIN = 60


def remaining_share(at_min: ArrayLike, *, dia_min: float, peak_min: float) -> Floats:
    """Return the share R of a dose's effect still to come.

    Parameters
    ----------
    at_min : array_like
        Minutes since the dose; 1 before it, 0 after ``dia_min``.
    dia_min, peak_min : float
        Duration of action and maximum of activity; the peak lies before half the duration.
    """
    at = np.asarray(at_min, dtype=np.float64)
    tau = peak_min * (1 - peak_min / dia_min) / (1 - 2 * peak_min / dia_min)
    a = 2 * tau / dia_min
    scale = 1 / (1 - a + (1 + a) * np.exp(-dia_min / tau))
    t = np.clip(at, 0.0, dia_min)
    rise = (t**2 / (tau * dia_min * (1 - a)) - t / tau - 1) * np.exp(-t / tau) + 1
    inside = 1 - scale * (1 - a) * rise
    return np.where(at <= 0, 1.0, np.where(at > dia_min, 0.0, inside))


def effect_share(at_min: ArrayLike, *, dia_min: float, peak_min: float, delay_min: float) -> Floats:
    """Return the share G of a dose's effect that has come, which begins after a delay."""
    since = np.asarray(at_min, dtype=np.float64) - delay_min
    return 1 - remaining_share(since, dia_min=dia_min, peak_min=peak_min)


def parabolic_share(since_min: ArrayLike, absorption_min: ArrayLike) -> Floats:
    """Return the share of carbohydrate absorbed in Loop's static model.

    The rate rises linearly to half the absorption time and falls linearly to its end
    (Scheiner's form, LoopKit ``CarbMath``).
    """
    time = np.asarray(absorption_min, dtype=np.float64)
    x = np.clip(np.asarray(since_min, dtype=np.float64), 0.0, time)
    rising = 2 * x**2 / time**2
    falling = -1 + (4 / time) * (x - x**2 / (2 * time))
    return np.where(x <= time / 2, rising, falling)


def momentum_shares(momentum_min: float) -> tuple[int, Floats]:
    """Return how many readings make the slope, and its weight at each point to come.

    The first point (now) has no increment; the weight falls linearly from 1 at the next
    point to 0 at the last.
    """
    readings = int(momentum_min // STEP_MIN) + 1
    points = int(-(-momentum_min // STEP_MIN)) + 1
    k = np.arange(1, points, dtype=np.float64)
    return readings, (points - 1 - k) / (points - 2)


@dataclass(frozen=True, kw_only=True, slots=True)
class LoopTables:
    """All curves on the grid of 5 min, for one insulin model and one momentum.

    Parameters
    ----------
    effect : array
        G at 0, 5, ...; the last value is 1.
    correcting : array, shape (horizon + 1,)
        Share of a dose that corrects by then, without the delay; 0 at now.
    target_rise : array, shape (horizon + 1,)
        How far the target has come from the suspend threshold to the middle of the range,
        as share of the duration after its half.
    momentum : array
        Weight of momentum at the points to come.
    reading_at : array
        Steps of the latest readings (oldest first) from their mean time; the slope of a step
        is their product with the readings over ``reading_spread``.
    decay : array, shape (11,)
        Minutes of the velocity of retrospective correction that count at each point.
    """

    effect: Floats
    correcting: Floats
    target_rise: Floats
    momentum: Floats
    reading_at: Floats
    reading_spread: float
    decay: Floats

    @property
    def horizon(self) -> int:
        """Points ahead of now within the duration of action."""
        return self.correcting.size - 1


def loop_tables(
    *, dia_min: float, peak_min: float, delay_min: float, momentum_min: float
) -> LoopTables:
    """Return the tables for one insulin model; ``dia_min`` lies on the grid."""
    horizon = round(dia_min / STEP_MIN)
    last = max(int((dia_min + delay_min) // STEP_MIN) + 1, horizon + 1)
    ahead = STEP_MIN * np.arange(last + 1, dtype=np.float64)
    effect = effect_share(ahead, dia_min=dia_min, peak_min=peak_min, delay_min=delay_min)
    within = ahead[: horizon + 1]
    correcting = 1 - remaining_share(within, dia_min=dia_min, peak_min=peak_min)
    readings, momentum = momentum_shares(momentum_min)
    at = np.arange(readings, dtype=np.float64) - (readings - 1) / 2
    points = DECAY_MIN // STEP_MIN - 1
    decay = STEP_MIN * (1 - np.arange(points) / points)
    return LoopTables(
        effect=effect,
        correcting=correcting,
        target_rise=np.maximum(within / dia_min - 0.5, 0.0),
        momentum=momentum,
        reading_at=at,
        reading_spread=float(np.sum(at**2)),
        decay=decay,
    )
