"""Insulin: what a dose gives beyond the scheduled basal, and what that does to glucose.

Exponential curve of Loop (Maksimovic): duration D and peak p give the share remaining;
its effect begins after a delay.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prandial.glucose.curves import remaining_share
from prandial.glucose.loop.inputs import Dose
from prandial.glucose.loop.outputs import Timeline
from prandial.glucose.loop.schedules import Schedule
from prandial.glucose.loop.times import STEP_MIN, TINY_MIN, grid
from prandial.records.glucose import LoopSettings, Quirks

__all__ = [
    "insulin_effect",
    "insulin_on_board",
    "net_units",
    "reconciled",
]

Floats = NDArray[np.float64]

#: doses not longer than this act as one impulse at their start, min
_IMPULSE_MIN: Final = 1.05 * STEP_MIN
#: unreported doses are whole parts of a unit
_PARTS_PER_U: Final = 20


def reconciled(doses: Sequence[Dose]) -> list[Dose]:
    """Return the doses by time, with no two basal rates at once.

    A basal rate ends where the next begins; one interrupted by a suspend goes on after it.
    """
    kept: list[Dose] = []
    running: Dose | None = None
    for dose in sorted(doses, key=lambda d: d.start_min):
        if dose.kind == "bolus":
            kept.append(dose)
            continue
        if running is not None:
            until = min(running.end_min, dose.start_min)
            stopped = dose.kind == "suspend"
            kept.append(
                _part(running, running.start_min, until)
                if stopped
                else replace(running, end_min=until)
            )
        rest = None
        if dose.kind == "suspend":
            kept.append(dose)
            if running is not None and running.end_min > dose.end_min:
                rest = _part(running, dose.end_min, running.end_min)
        else:
            rest = dose
        running = rest
    if running is not None:
        kept.append(running)
    return sorted(
        (d for d in kept if d.kind in ("bolus", "suspend") or d.end_min > d.start_min),
        key=lambda d: d.start_min,
    )


def net_units(dose: Dose, basal_u_per_h: float, quirks: Quirks) -> float:
    """Return the insulin of a dose beyond the scheduled basal, U.

    With the quirk ``zero_temp_by_run``, a dose that delivered nothing counts, like one of
    which no delivery is known, as planned, rounded to 1/20 U.
    """
    if dose.kind == "bolus":
        return dose.value if dose.delivered_u is None else dose.delivered_u
    hours = (dose.end_min - dose.start_min) * 60.0 / 3600.0
    if dose.kind == "basal" or hours <= 0:
        return 0.0
    if dose.delivered_u:
        return dose.delivered_u - basal_u_per_h * hours
    rate = 0.0 if dose.kind == "suspend" else dose.value
    if quirks.zero_temp_by_run:
        return round((rate - basal_u_per_h) * hours * _PARTS_PER_U) / _PARTS_PER_U
    if dose.delivered_u is not None:
        rate = 0.0
    return (rate - basal_u_per_h) * hours


def insulin_effect(
    doses: Sequence[Dose],
    *,
    start_min: float,
    end_min: float | None = None,
    isf_mg_dl_per_u: Schedule,
    basal_u_per_h: Schedule,
    settings: LoopSettings,
    quirks: Quirks,
    since_min: float | None = None,
) -> Timeline:
    """Return what the doses do to glucose, mg/dL, every five minutes.

    Parameters
    ----------
    doses : sequence of Dose
    start_min : float
        First time, rounded down to the grid.
    end_min : float, optional
        Last time; else until the last dose has acted in full.
    isf_mg_dl_per_u, basal_u_per_h : Schedule
        Sensitivity at the start of each dose, and the scheduled basal it replaces.
    settings, quirks
    since_min : float, optional
        Doses that ended before are passed over, and others are cut there.
    """
    taken = reconciled(doses)
    if since_min is not None:
        taken = [
            _part(d, max(d.start_min, since_min), max(d.end_min, since_min))
            for d in taken
            if d.end_min >= since_min - TINY_MIN
        ]
    if end_min is None:
        last = max((d.end_min for d in taken), default=start_min)
        end_min = last + settings.dia_min + settings.insulin_delay_min
    at = grid(start_min, max(end_min, start_min))
    pieces = _impulses(taken, basal_u_per_h, quirks, at[-1])
    total = np.zeros_like(at)
    if pieces:
        when = np.array([piece[0] for piece in pieces])
        weight = np.array([piece[1] * -isf_mg_dl_per_u.at(piece[2]) for piece in pieces])
        since = at[None, :] - when[:, None] - settings.insulin_delay_min
        left = remaining_share(since, dia_min=settings.dia_min, peak_min=settings.peak_min)
        total = (weight[:, None] * (1 - left)).sum(axis=0)
    return Timeline(at_min=tuple(at.tolist()), mg_dl=tuple(total.tolist()))


def insulin_on_board(
    doses: Sequence[Dose],
    *,
    at_min: float,
    basal_u_per_h: Schedule,
    settings: LoopSettings,
    quirks: Quirks,
) -> float:
    """Return the insulin given by then, beyond scheduled basal, that has not acted yet, U."""
    pieces = _impulses(reconciled(doses), basal_u_per_h, quirks, at_min)
    if not pieces:
        return 0.0
    since = at_min - np.array([piece[0] for piece in pieces]) - settings.insulin_delay_min
    left = remaining_share(since, dia_min=settings.dia_min, peak_min=settings.peak_min)
    return float((np.array([piece[1] for piece in pieces]) * left).sum())


def _part(dose: Dose, start_min: float, end_min: float) -> Dose:
    """Return a part of a dose, with its share of what was delivered."""
    if dose.kind == "bolus" or (start_min == dose.start_min and end_min == dose.end_min):
        return dose
    whole = dose.end_min - dose.start_min
    share = (end_min - start_min) / whole if whole > 0 else 1.0
    given = None if dose.delivered_u is None else dose.delivered_u * share
    return replace(dose, start_min=start_min, end_min=end_min, delivered_u=given)


def _impulses(
    doses: Sequence[Dose], basal: Schedule, quirks: Quirks, until_min: float
) -> list[tuple[float, float, float]]:
    """Return (minute, net units, start of its dose) of each piece that begins by then."""
    pieces: list[tuple[float, float, float]] = []
    for dose in doses:
        edges = [dose.start_min]
        if dose.kind != "bolus":
            edges += basal.changes(dose.start_min, dose.end_min)
        edges.append(dose.end_min)
        for first, last in pairwise(edges):
            part = _part(dose, first, last)
            units = net_units(part, basal.at(first), quirks)
            if units:
                pieces += [
                    (when, units * share, first)
                    for when, share in _split(first, last)
                    if when <= until_min + TINY_MIN
                ]
    return pieces


def _split(start_min: float, end_min: float) -> list[tuple[float, float]]:
    """Return (minute, share) of the five-minute pieces of a dose."""
    whole = end_min - start_min
    if whole <= _IMPULSE_MIN + TINY_MIN:
        return [(start_min, 1.0)]
    count = math.ceil((whole - TINY_MIN) / STEP_MIN)
    return [
        (start_min + STEP_MIN * k, (min(STEP_MIN * (k + 1), whole) - STEP_MIN * k) / whole)
        for k in range(count)
    ]
