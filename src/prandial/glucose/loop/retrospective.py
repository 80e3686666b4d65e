"""Retrospective correction: what the last half hour showed beyond all known effects goes on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from prandial.glucose.loop.outputs import Timeline, Velocities
from prandial.glucose.loop.times import STEP_MIN, TINY_MIN, grid
from prandial.records.glucose import LoopSettings, Quirks

__all__ = [
    "RECENCY_MIN",
    "Retrospective",
    "correction_interval_min",
    "decay_effect",
    "discrepancies",
    "retrospective_correction",
    "summed",
]

#: an older last change gives no correction
RECENCY_MIN: Final = 15.0
#: the correction decays to nothing over this time
_DECAY_MIN: Final = 60.0
#: changes are summed over the grouping interval and a hundredth of it
_SLACK: Final = 1.01


@dataclass(frozen=True, kw_only=True, slots=True)
class Retrospective:
    """The correction: sum of the discrepancies, its speed, and the effect (glucose values)."""

    discrepancy_mg_dl: float
    mg_dl_per_min: float
    effect: Timeline


def correction_interval_min(settings: LoopSettings, quirks: Quirks) -> float:
    """Return the integration interval; ``True`` is one minute in PyLoopKit, else 30."""
    interval = settings.correction_interval_min
    if isinstance(interval, bool):
        return 1.0 if interval and quirks.true_is_one_minute else 30.0
    return float(interval)


def decay_effect(
    *, at_min: float, glucose_mg_dl: float, mg_dl_per_min: float, duration_min: float = _DECAY_MIN
) -> Timeline:
    """Return glucose as it moves at a speed that falls steadily to nothing, mg/dL."""
    at = grid(at_min, at_min + duration_min)[:-1].tolist()
    slope = -mg_dl_per_min / (duration_min - STEP_MIN)
    values = [glucose_mg_dl]
    for time in at[1:]:
        values.append(values[-1] + (mg_dl_per_min + slope * (time - at[1])) * STEP_MIN)
    return Timeline(at_min=tuple(at), mg_dl=tuple(values))


def discrepancies(counteraction: Velocities, carbs: Timeline) -> Timeline:
    """Return counteraction less carbohydrate effect per interval, at its end, mg/dL.

    PyLoopKit's pairing: each interval goes with the first change of the carbohydrate effect
    that ends at or after it and was not used yet. On the grid that is the next one.
    """
    if not len(counteraction) or not len(carbs):
        return Timeline()
    first_end = counteraction.end_min[0]
    known = [
        (t, v) for t, v in zip(carbs.at_min, carbs.mg_dl, strict=True) if t >= first_end - TINY_MIN
    ]
    if not known:
        return Timeline()
    intervals = [
        (end, speed * STEP_MIN)
        for end, speed in zip(counteraction.end_min, counteraction.mg_dl_per_min, strict=True)
        if end >= known[0][0] - TINY_MIN
    ]
    values: list[float] = []
    for (_, before), (at, after) in pairwise(known):
        if len(values) == len(intervals):
            break
        end, moved = intervals[len(values)]
        if end <= at + TINY_MIN:
            values.append(moved - (after - before))
    values += [moved for _, moved in intervals[len(values) :]]
    return Timeline(at_min=tuple(end for end, _ in intervals), mg_dl=tuple(values))


def summed(changes: Timeline, *, duration_min: float) -> Timeline:
    """Return for each change the sum of it and those up to ``duration_min`` before."""
    times, values = changes.at_min, changes.mg_dl
    sums = []
    for last, at in enumerate(times):
        total = 0.0
        for i in range(last, -1, -1):
            if at - times[i] > duration_min + TINY_MIN:
                break
            total += values[i]
        sums.append(total)
    return Timeline(at_min=times, mg_dl=tuple(sums))


def retrospective_correction(
    counteraction: Velocities,
    carbs: Timeline,
    *,
    now_min: float,
    last_at_min: float,
    last_mg_dl: float,
    settings: LoopSettings,
    quirks: Quirks,
) -> Retrospective | None:
    """Return the retrospective correction, or None where there is none.

    Parameters
    ----------
    counteraction : Velocities
    carbs : Timeline
        Effect of carbohydrate, mg/dL.
    now_min, last_at_min, last_mg_dl : float
        Time of the decision; time and glucose of the last reading.
    settings, quirks
        See :class:`prandial.records.Quirks` for ``correction_shifted`` and
        ``correction_needs_carbs``.
    """
    if not settings.retrospective_correction or not len(counteraction):
        return None
    if quirks.correction_needs_carbs and not len(carbs):
        return None
    if now_min - counteraction.end_min[-1] > RECENCY_MIN + TINY_MIN:
        return None
    group = settings.correction_group_min
    interval = correction_interval_min(settings, quirks)
    if not quirks.correction_shifted:
        total = _aligned(counteraction, carbs, min(interval, group))
    else:
        changes = discrepancies(counteraction, carbs)
        if not len(changes):
            if quirks.correction_needs_carbs:
                return None
            changes = _without_carbs(counteraction, last_at_min - interval)
        total = summed(changes, duration_min=group * _SLACK).mg_dl[-1]
    speed = total / group
    effect = decay_effect(at_min=last_at_min, glucose_mg_dl=last_mg_dl, mg_dl_per_min=speed)
    return Retrospective(discrepancy_mg_dl=total, mg_dl_per_min=speed, effect=effect)


def _without_carbs(counteraction: Velocities, since_min: float) -> Timeline:
    first = grid(since_min, since_min)[0] - TINY_MIN
    kept = [
        (end, speed * STEP_MIN)
        for end, speed in zip(counteraction.end_min, counteraction.mg_dl_per_min, strict=True)
        if end >= first
    ] or [(counteraction.end_min[-1], 0.0)]
    return Timeline(at_min=tuple(e for e, _ in kept), mg_dl=tuple(v for _, v in kept))


def _aligned(counteraction: Velocities, carbs: Timeline, interval_min: float) -> float:
    """Return counteraction less carbohydrate effect over the same last intervals, mg/dL."""
    ends = np.array(counteraction.end_min)
    last = ends > ends[-1] - interval_min + TINY_MIN
    starts, ends = np.array(counteraction.start_min)[last], ends[last]
    moved = float((np.array(counteraction.mg_dl_per_min)[last] * (ends - starts)).sum())
    if not len(carbs):
        return moved
    by_carbs = np.interp(ends, carbs.at_min, carbs.mg_dl) - np.interp(
        starts, carbs.at_min, carbs.mg_dl
    )
    return moved - float(by_carbs.sum())
