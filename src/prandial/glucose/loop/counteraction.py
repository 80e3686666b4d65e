"""Counteraction: how fast glucose moved beyond what insulin explains."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from prandial.glucose.loop.inputs import Reading
from prandial.glucose.loop.outputs import Timeline, Velocities
from prandial.glucose.loop.times import TINY_MIN

__all__ = ["counteraction_effect"]

#: readings nearer than this to the last one taken are passed over, min
_TOO_NEAR_MIN: Final = 4.0


def counteraction_effect(readings: Sequence[Reading], insulin: Timeline) -> Velocities:
    """Return the speed of glucose between readings less that of the insulin effect.

    The insulin effect is taken at the first points of its grid at or after the two readings.
    Readings of two devices, and calibrations, are not compared.

    Parameters
    ----------
    readings : sequence of Reading
        By time.
    insulin : Timeline
        Effect of insulin over the time of the readings, mg/dL.
    """
    starts: list[float] = []
    ends: list[float] = []
    speeds: list[float] = []
    before: Reading | None = None
    searched = 0
    for reading in readings:
        if before is None:
            before = reading
            continue
        apart = reading.at_min - before.at_min
        if apart <= _TOO_NEAR_MIN + TINY_MIN:
            continue
        if before.display_only or reading.display_only or before.provenance != reading.provenance:
            before = reading
            continue
        first = bisect_left(insulin.at_min, before.at_min - TINY_MIN, lo=searched)
        last = bisect_left(insulin.at_min, reading.at_min - TINY_MIN, lo=first + 1)
        if last >= len(insulin):
            break
        searched = last
        by_insulin = insulin.mg_dl[last] - insulin.mg_dl[first]
        moved = reading.glucose_mg_dl - before.glucose_mg_dl
        starts.append(before.at_min)
        ends.append(reading.at_min)
        speeds.append((moved - by_insulin) / apart)
        before = reading
    return Velocities(start_min=tuple(starts), end_min=tuple(ends), mg_dl_per_min=tuple(speeds))
