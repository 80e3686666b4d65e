"""Records of the compiled engine: plain tuples, which numba takes apart.

Kept by themselves so that they can be read without numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Curves", "Flags", "Given", "Ramp", "Row", "State"]

Floats = NDArray[np.float64]


class Row(NamedTuple):
    """Numbers of one simulation, as in :class:`prandial.glucose.plan.Columns`."""

    isf: float
    csf: float
    basal: float
    start: float
    entry: float
    absorption: float
    carb_delay: float
    carb_end: float
    low: float
    high: float
    suspend: float
    max_basal: float
    max_bolus: float
    per_unit: float
    accepts: bool


class Curves(NamedTuple):
    """Tables on the grid, as in :class:`prandial.glucose.curves.LoopTables`."""

    minutes: Floats
    used: Floats
    effect: Floats
    correcting: Floats
    target_rise: Floats
    momentum: Floats
    reading_at: Floats
    reading_spread: float
    decay: Floats


class Flags(NamedTuple):
    """Shape of the work, as in :class:`prandial.glucose.plan.Shape`."""

    before: int
    dynamic: bool
    correction: bool
    changes: int
    shift: int
    back_min: float
    group_min: float
    rounding: bool
    zero_by_run: bool
    without_delay: bool
    needs_carbs: bool
    runs_out: bool
    decide_last: bool


class State(NamedTuple):
    """Arrays of one simulation, used again for the next one."""

    used: Floats
    seen: Floats
    counter: Floats
    effect: Floats
    observed: Floats
    timeline: Floats
    complete: NDArray[np.int64]
    predicted: Floats
    scratch: Floats
    target: Floats
    sensed: Floats


class Ramp(NamedTuple):
    """Carbohydrate still to come: grams = base + pace * minutes since ``start``."""

    start: float
    minutes: float
    base: float
    pace: float
    too_little: bool
    timeline_end: float
    observed_g: float


class Given(NamedTuple):
    """What each simulation gives, each (73, rows)."""

    glucose: Floats
    delivered: Floats
    bolus: Floats
    temp: Floats
