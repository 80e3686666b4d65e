"""How long people take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from prandial.score.people.rated import Rated

__all__ = ["TimeRow", "time_rows"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeRow:
    """Minutes of one rater, or the mean of an arm's raters (``raters`` > 1).

    Where meals were timed one by one, those are counted (``timed``); else the minutes of the
    whole sheet. The paper's nutritionists took 43 minutes for 72 meals on average.
    """

    name: str
    arm: str
    raters: int
    meals: int
    timed: int
    minutes: float | None
    minutes_per_meal: float | None


def time_rows(rated: Sequence[Rated]) -> tuple[TimeRow, ...]:
    """Return a row for each rater, and for each arm of several raters the mean of those timed.

    Unknown times are None and counted nowhere.
    """
    rows = []
    for arm in dict.fromkeys(r.arm for r in rated):
        own = [_row(r) for r in rated if r.arm == arm]
        rows += own
        known = [r for r in own if r.minutes is not None and r.minutes_per_meal is not None]
        if len(own) > 1 and arm:
            rows.append(
                TimeRow(
                    name="mean of raters",
                    arm=arm,
                    raters=len(known),
                    meals=sum(r.meals for r in known),
                    timed=sum(r.timed for r in known),
                    minutes=fmean(r.minutes or 0.0 for r in known) if known else None,
                    minutes_per_meal=fmean(r.minutes_per_meal or 0.0 for r in known)
                    if known
                    else None,
                )
            )
    return tuple(rows)


def _row(rated: Rated) -> TimeRow:
    meals = len(rated.questions)
    noted = [s for q in rated.questions if (s := rated.seconds.get(q.id)) is not None]
    total, timed = rated.total_seconds, meals
    if (noted and len(noted) == meals) or total is None:
        total, timed = (sum(noted) if noted else None), len(noted)
    minutes = None if total is None else total / 60
    return TimeRow(
        name=rated.name,
        arm=rated.arm,
        raters=1,
        meals=meals,
        timed=timed,
        minutes=minutes,
        minutes_per_meal=minutes / timed if minutes is not None and timed else None,
    )
