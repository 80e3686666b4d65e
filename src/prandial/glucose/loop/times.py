"""Time in the Loop function: minutes as floats, a grid of five minutes, datetimes at the edge."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prandial.errors import InputError

__all__ = ["DAY_MIN", "STEP_MIN", "TINY_MIN", "ceil_step", "floor_step", "grid", "minutes"]

#: minutes between two points of an effect
STEP_MIN: Final = 5.0
#: minutes of a day, after which schedules repeat
DAY_MIN: Final = 1440.0
#: times nearer than this are the same time
TINY_MIN: Final = 1e-6


def floor_step(at_min: float) -> float:
    """Return the last point of the grid at or before a time, min."""
    return STEP_MIN * math.floor((at_min + TINY_MIN) / STEP_MIN)


def ceil_step(at_min: float) -> float:
    """Return the first point of the grid at or after a time, min."""
    return STEP_MIN * math.ceil((at_min - TINY_MIN) / STEP_MIN)


def grid(start_min: float, end_min: float) -> NDArray[np.float64]:
    """Return the points of the grid that span two times, both rounded outwards."""
    first, last = floor_step(start_min), ceil_step(end_min)
    count = round((last - first) / STEP_MIN) + 1
    return first + STEP_MIN * np.arange(max(count, 0), dtype=np.float64)


def minutes(time: Any, *, origin: datetime | None, where: str) -> float:
    """Return a time in minutes.

    Parameters
    ----------
    time : float, str or datetime
        Minutes as a number, or a date and time (ISO 8601 as text).
    origin : datetime, optional
        Midnight from which dates are counted; None where times are numbers.
    where : str
        Field and row, for the message.

    Raises
    ------
    InputError
        When the time is neither, is not finite, or dates and numbers are mixed.
    """
    if isinstance(time, str):
        try:
            time = datetime.fromisoformat(time)
        except ValueError:
            raise InputError(
                f"no time: {time!r}", where=where, hint="minutes or ISO 8601, 2026-01-31T12:05:00"
            ) from None
    if isinstance(time, datetime):
        if origin is None or (time.tzinfo is None) != (origin.tzinfo is None):
            raise InputError(
                f"the date {time.isoformat()} does not go with the other times",
                where=where,
                hint="give all times as minutes, or all as dates, with or without a time zone",
            )
        return (time - origin).total_seconds() / 60.0
    if isinstance(time, bool) or not isinstance(time, int | float) or not math.isfinite(time):
        raise InputError(f"no time: {time!r}", where=where, hint="minutes, a finite number")
    if origin is not None:
        raise InputError(
            f"{time!r} min stands among dates", where=where, hint="give all times as dates"
        )
    return float(time)
