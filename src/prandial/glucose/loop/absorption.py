"""Absorption of carbohydrate as counteraction shows it, entry by entry.

Carbohydrate is taken to be absorbed in the order it was eaten, at a speed between a lowest
one (the entry over ``overrun`` times its absorption time) and what counteraction shows.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from prandial.glucose.loop.inputs import CarbEntry
from prandial.glucose.loop.outputs import Velocities
from prandial.glucose.loop.schedules import Schedule
from prandial.glucose.loop.times import STEP_MIN, TINY_MIN

__all__ = ["OVERRUN", "Absorption", "linear_fraction", "observed_absorption", "parabolic_fraction"]

#: absorption is thought to last at most this many times the time told
OVERRUN: Final = 1.5
_EPS: Final = sys.float_info.epsilon


def linear_fraction(at_min: float, absorption_min: float) -> float:
    """Return the share absorbed at a steady speed; 0 up to 0 min."""
    if at_min <= 0:
        return 0.0
    return at_min / absorption_min if at_min < absorption_min else 1.0


def parabolic_fraction(at_min: float, absorption_min: float) -> float:
    """Return the share absorbed when speed rises to half of the time and falls again."""
    if at_min < 0:
        return 0.0
    if at_min <= absorption_min / 2:
        return 2 / absorption_min**2 * at_min**2
    if at_min < absorption_min:
        return -1 + 4 / absorption_min * (at_min - at_min**2 / (2 * absorption_min))
    return 1.0


@dataclass(kw_only=True, slots=True)
class Absorption:
    """What was seen of the absorption of one entry; times in min, amounts in g.

    ``slow`` says that less was seen than the lowest speed gives; ``end_min`` is when all was
    absorbed, or how far counteraction is known; ``left_min`` how long the rest will take.
    """

    entry: CarbEntry
    csf_mg_dl_per_g: float
    longest_min: float
    #: start, end, grams of each interval until the entry is absorbed
    timeline: list[tuple[float, float, float]] = field(default_factory=list)
    seen_mg_dl: float = 0.0
    done_min: float | None = None
    seen_g: float = 0.0
    clamped_g: float = 0.0
    end_min: float = 0.0
    left_min: float = 0.0
    slow: bool = False
    #: without counteraction nothing is seen, and the static curve holds
    observed: bool = True

    @property
    def lowest_g_per_min(self) -> float:
        """Speed at which the entry is absorbed at least."""
        return self.entry.carb_g / self.longest_min

    def latest_min(self, delay_min: float) -> float:
        """Return when the entry is absorbed at the latest, min."""
        return self.entry.at_min + self.longest_min + delay_min

    def see(self, effect_mg_dl: float, start_min: float, end_min: float) -> None:
        """Add the effect of one interval."""
        self.seen_mg_dl += effect_mg_dl
        if self.done_min is not None:
            return
        self.timeline.append((start_min, end_min, effect_mg_dl / self.csf_mg_dl_per_g))
        if self.seen_mg_dl + _EPS >= self.entry.carb_g * self.csf_mg_dl_per_g:
            self.done_min = end_min

    def finish(self, known_until_min: float, delay_min: float) -> None:
        """Work out the rest from what was seen."""
        entry = self.entry
        last = min(self.latest_min(delay_min), known_until_min)
        last = max(last, entry.at_min)
        lowest = entry.carb_g * linear_fraction(last - entry.at_min - delay_min, self.longest_min)
        self.seen_g = self.seen_mg_dl / self.csf_mg_dl_per_g
        self.clamped_g = min(entry.carb_g, max(lowest, self.seen_g))
        self.end_min = last if self.done_min is None else self.done_min
        speed = self.lowest_g_per_min
        self.left_min = (entry.carb_g - self.clamped_g) / speed if speed > 0 else 0.0
        self.slow = bool(self.timeline) and self.seen_g < lowest


def observed_absorption(
    entries: Sequence[CarbEntry],
    counteraction: Velocities,
    *,
    isf_mg_dl_per_u: Schedule,
    cir_g_per_u: Schedule,
    delay_min: float = 10.0,
    overrun: float = OVERRUN,
) -> list[Absorption]:
    """Return what counteraction shows of each entry's absorption.

    Effect is shared among the entries being absorbed by their lowest speeds; what is left
    over goes to the last of them.

    Parameters
    ----------
    entries : sequence of CarbEntry
        By time.
    counteraction : Velocities
        One interval at least.
    isf_mg_dl_per_u, cir_g_per_u : Schedule
        Taken at the time of each entry.
    delay_min, overrun : float
    """
    found = [
        Absorption(
            entry=entry,
            csf_mg_dl_per_g=isf_mg_dl_per_u.at(entry.at_min) / cir_g_per_u.at(entry.at_min),
            longest_min=entry.absorption_min * overrun,
        )
        for entry in entries
    ]
    for start, end, speed in zip(
        counteraction.start_min,
        counteraction.end_min,
        counteraction.mg_dl_per_min,
        strict=True,
    ):
        if start < end:
            _share(found, start, end, max(0.0, speed) * STEP_MIN, delay_min)
    for absorption in found:
        absorption.finish(counteraction.end_min[-1], delay_min)
    return found


def _share(
    found: Sequence[Absorption], start: float, end: float, effect: float, delay_min: float
) -> None:
    active = [
        a for a in found if a.entry.at_min - TINY_MIN <= start < a.latest_min(delay_min) - TINY_MIN
    ]
    speeds = sum(a.lowest_g_per_min for a in active)
    for absorption in active:
        whole = absorption.entry.carb_g * absorption.csf_mg_dl_per_g
        part = 0.0
        if speeds != 0 and effect != 0:
            part = min(
                max(whole - absorption.seen_mg_dl, 0.0),
                absorption.lowest_g_per_min / speeds * effect,
            )
        speeds -= absorption.lowest_g_per_min
        effect -= part
        absorption.see(part, start, end)
    if active and effect > _EPS:
        active[-1].see(effect, start, end)
