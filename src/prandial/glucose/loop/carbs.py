"""Carbohydrate: its effect on glucose, and what is still to come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from prandial.glucose.loop.absorption import (
    Absorption,
    linear_fraction,
    observed_absorption,
    parabolic_fraction,
)
from prandial.glucose.loop.inputs import CarbEntry
from prandial.glucose.loop.outputs import Timeline, Velocities
from prandial.glucose.loop.schedules import Schedule
from prandial.glucose.loop.times import STEP_MIN, TINY_MIN, ceil_step, floor_step, grid

__all__ = [
    "CARB_HISTORY_MIN",
    "absorbed_g",
    "carb_effect",
    "carb_effect_of",
    "carbs_on_board",
    "unabsorbed_g",
]

#: older entries are passed over: twice Loop's default for slow absorption, min
CARB_HISTORY_MIN: Final = 480.0
#: the effect ends after this many times the absorption time, when counteraction is used
_LONGEST_EFFECT: Final = 1.7
_LONGEST_ON_BOARD: Final = 1.5


def carb_effect(
    entries: Sequence[CarbEntry],
    *,
    start_min: float,
    counteraction: Velocities,
    isf_mg_dl_per_u: Schedule,
    cir_g_per_u: Schedule,
    delay_min: float = 10.0,
    without_delay: bool = True,
) -> Timeline:
    """Return the effect of carbohydrate on glucose, mg/dL, every five minutes.

    Without any counteraction it is the static parabola.

    Parameters
    ----------
    entries : sequence of CarbEntry
    start_min : float
        First time, rounded down; entries more than eight hours older are passed over.
    counteraction : Velocities
        May be empty.
    isf_mg_dl_per_u, cir_g_per_u : Schedule
    delay_min : float
    without_delay : bool
        The quirk ``absorption_without_delay``: see :func:`absorbed_g`.
    """
    taken = _recent(entries, start_min)
    if not taken:
        return Timeline()
    found = _found(taken, counteraction, isf_mg_dl_per_u, cir_g_per_u, delay_min)
    scaler = _LONGEST_EFFECT if len(counteraction) else 1.0
    return carb_effect_of(
        found,
        start_min=start_min,
        end_min=_end(taken, scaler, delay_min),
        delay_min=delay_min,
        without_delay=without_delay,
    )


def carb_effect_of(
    found: Sequence[Absorption],
    *,
    start_min: float,
    end_min: float,
    delay_min: float,
    without_delay: bool,
) -> Timeline:
    """Return the effect of entries whose absorption is known; see :func:`carb_effect`."""
    at = grid(start_min, end_min).tolist()
    values = [
        sum(
            a.csf_mg_dl_per_g * absorbed_g(a, t, delay_min=delay_min, without_delay=without_delay)
            for a in found
        )
        for t in at
    ]
    return Timeline(at_min=tuple(at), mg_dl=tuple(values))


def carbs_on_board(
    entries: Sequence[CarbEntry],
    *,
    at_min: float,
    counteraction: Velocities,
    isf_mg_dl_per_u: Schedule,
    cir_g_per_u: Schedule,
    delay_min: float = 10.0,
    without_delay: bool = True,
) -> float:
    """Return the carbohydrate still to be absorbed at the grid point at or before a time, g."""
    taken = _recent(entries, at_min - STEP_MIN)
    if not taken:
        return 0.0
    found = _found(taken, counteraction, isf_mg_dl_per_u, cir_g_per_u, delay_min)
    last = _end(taken, _LONGEST_ON_BOARD if len(counteraction) else 1.0, delay_min)
    if last < floor_step(at_min - STEP_MIN):
        return 0.0
    at = min(floor_step(at_min), last)
    return sum(unabsorbed_g(a, at, delay_min=delay_min, without_delay=without_delay) for a in found)


def absorbed_g(
    absorption: Absorption, at_min: float, *, delay_min: float, without_delay: bool = True
) -> float:
    """Return what of an entry is absorbed by then, g.

    ``without_delay`` keeps PyLoopKit's way: what is still to come, beyond what was seen,
    starts at once, even before the delay after the entry has passed.
    """
    entry = absorption.entry
    since = at_min - entry.at_min
    if since < -TINY_MIN or not absorption.observed:
        return entry.carb_g * parabolic_fraction(since - delay_min, entry.absorption_min)
    if absorption.slow:
        whole = absorption.end_min - entry.at_min + absorption.left_min
        return entry.carb_g * linear_fraction(since - delay_min, whole)
    if not absorption.timeline or at_min > absorption.timeline[-1][1] + TINY_MIN:
        begins = _begins(absorption, delay_min, without_delay)
        rest = entry.carb_g - absorption.clamped_g
        share = linear_fraction(at_min - begins, absorption.left_min)
        return absorption.clamped_g + rest * share
    seen = sum(
        grams for start, _, grams in absorption.timeline if start + STEP_MIN <= at_min + TINY_MIN
    )
    return min(seen, absorption.seen_g)


def unabsorbed_g(
    absorption: Absorption, at_min: float, *, delay_min: float, without_delay: bool = True
) -> float:
    """Return what of an entry is on board, g; 0 more than five minutes before the entry."""
    entry = absorption.entry
    since = at_min - entry.at_min
    if since < -STEP_MIN - TINY_MIN:
        return 0.0
    if not absorption.observed:
        share = parabolic_fraction(since - delay_min, entry.absorption_min)
        return entry.carb_g * (1 - share) if since >= 0 else 0.0
    if absorption.slow:
        whole = absorption.end_min - entry.at_min + absorption.left_min
        return entry.carb_g * (1 - linear_fraction(since - delay_min, whole))
    if not absorption.timeline or at_min > absorption.timeline[-1][1] + TINY_MIN:
        begins = _begins(absorption, delay_min, without_delay)
        rest = entry.carb_g - absorption.clamped_g
        return rest * (1 - linear_fraction(at_min - begins, absorption.left_min))
    seen = sum(grams for _, end, grams in absorption.timeline if end <= at_min + TINY_MIN)
    return max(entry.carb_g - seen, 0.0)


def _recent(entries: Sequence[CarbEntry], start_min: float) -> list[CarbEntry]:
    oldest = start_min - CARB_HISTORY_MIN - TINY_MIN
    return sorted((e for e in entries if e.at_min >= oldest), key=lambda e: e.at_min)


def _end(entries: Sequence[CarbEntry], scaler: float, delay_min: float) -> float:
    return ceil_step(max(e.at_min + e.absorption_min * scaler + delay_min for e in entries))


def _found(
    entries: Sequence[CarbEntry],
    counteraction: Velocities,
    isf: Schedule,
    cir: Schedule,
    delay_min: float,
) -> list[Absorption]:
    if len(counteraction):
        return observed_absorption(
            entries,
            counteraction,
            isf_mg_dl_per_u=isf,
            cir_g_per_u=cir,
            delay_min=delay_min,
        )
    return [
        Absorption(
            entry=entry,
            csf_mg_dl_per_g=isf.at(entry.at_min) / cir.at(entry.at_min),
            longest_min=entry.absorption_min,
            observed=False,
        )
        for entry in entries
    ]


def _begins(absorption: Absorption, delay_min: float, without_delay: bool) -> float:
    if without_delay:
        return absorption.end_min
    return max(absorption.end_min, absorption.entry.at_min + delay_min)
