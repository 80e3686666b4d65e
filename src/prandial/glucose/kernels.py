"""Closed-form kernels of the patient: insulin by Palerm, carbohydrate by Cescon.

Both are linear and do not change with time, so that a trace is a sum of kernels:
``BG(t) = BG0 + CSF * carb * A(t) - ISF * sum u_k F(t - t_k)``.

Sources: Palerm et al. 2011 (two time constants, 55 and 70 min) and Cescon et al. 2009
(delay of 20 min), as parametrised in Tidepool's data-science-models 772a143.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "GRID_MIN",
    "INSULIN_TAU_MIN",
    "MEAL_DELAY_MIN",
    "N_POINTS",
    "STEP_MIN",
    "absorbed_fraction",
    "absorption_tau_min",
    "insulin_activity",
    "insulin_used_fraction",
]

Floats = NDArray[np.float64]

#: minutes between two points
STEP_MIN: Final = 5
#: points of a trace: 0 to 360 min, both ends
N_POINTS: Final = 73
#: minutes of each point, shape (73,)
GRID_MIN: Final[Floats] = STEP_MIN * np.arange(N_POINTS, dtype=np.float64)
#: the two time constants of insulin, min
INSULIN_TAU_MIN: Final[tuple[float, float]] = (55.0, 70.0)
#: minutes before carbohydrate reaches the blood
MEAL_DELAY_MIN: Final = 20.0


def insulin_activity(minutes: int) -> Floats:
    """Return insulin activity per minute at 0, 1, ..., ``minutes``; unit 1/min."""
    fast, slow = INSULIN_TAU_MIN
    at = np.arange(minutes + 1, dtype=np.float64)
    activity: Floats = (np.exp(-at / slow) - np.exp(-at / fast)) / (slow - fast)
    return activity


@cache
def _used(minutes: int) -> Floats:
    used = np.cumsum(insulin_activity(minutes))
    used.setflags(write=False)
    return used


def insulin_used_fraction(at_min: ArrayLike) -> Floats:
    """Return the share F of an impulse of insulin that has acted by then.

    A rectangular sum of whole minutes, not the integral: F(240) = 0.89596, F(360) = 0.97813.

    Parameters
    ----------
    at_min : array_like
        Whole minutes since the impulse; negative ones give 0.
    """
    at = np.asarray(at_min, dtype=np.int64)
    used = _used(max(int(at.max(initial=0)), 0))
    return np.where(at < 0, 0.0, used[np.maximum(at, 0)])


def absorption_tau_min(absorption_min: ArrayLike) -> Floats:
    """Return the time constant of absorption, min: whole steps, rounded down (180 gives 34)."""
    steps = STEP_MIN * np.floor(np.asarray(absorption_min, dtype=np.float64) / STEP_MIN)
    tau: Floats = np.floor((steps - MEAL_DELAY_MIN) / math.log(100))
    return tau


def absorbed_fraction(at_min: ArrayLike, absorption_min: ArrayLike = 180.0) -> Floats:
    """Return the share A of a meal's carbohydrate that has reached the blood by then.

    Parameters
    ----------
    at_min, absorption_min : array_like
        Minutes since the meal, and until 99 % is absorbed (25 to 595); broadcast together.
    """
    since = np.asarray(at_min, dtype=np.float64) - MEAL_DELAY_MIN
    tau = absorption_tau_min(absorption_min)
    return np.where(since >= 0, -np.expm1(-np.maximum(since, 0.0) / tau), 0.0)
