"""Values that change with the time of day and repeat every day."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prandial.errors import InputError
from prandial.glucose.loop.times import DAY_MIN, TINY_MIN

__all__ = ["Schedule"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Schedule:
    """A value for each part of the day: a ratio or a rate, in the unit of its field.

    Parameters
    ----------
    start_min : tuple of float
        Minutes since midnight at which each value begins to hold; the first is 0.
    value : tuple of float
        A value holds from its start, included, to the next start, excluded.

    Raises
    ------
    InputError
        On unequal lengths, a first start other than 0, starts out of order or of the day,
        and values that are no numbers: the message names the row.
    """

    start_min: tuple[float, ...]
    value: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.start_min) != len(self.value) or not self.value:
            raise InputError(
                f"{len(self.start_min)} starts for {len(self.value)} values",
                where="schedule",
                hint="one start, minutes since midnight, for each value",
            )
        for row, (start, value) in enumerate(zip(self.start_min, self.value, strict=True), 1):
            where = f"schedule, row {row}"
            if not (math.isfinite(start) and math.isfinite(value)):
                raise InputError(f"no number: {start}, {value}", where=where, hint="finite numbers")
            if row == 1 and start != 0:
                raise InputError(f"begins at {start:g} min", where=where, hint="begin at midnight")
            if row > 1 and not self.start_min[row - 2] < start < DAY_MIN:
                raise InputError(
                    f"start {start:g} min is out of order", where=where, hint="0 to 1440, ascending"
                )

    @classmethod
    def constant(cls, value: float) -> Schedule:
        """Return the schedule of a value that never changes."""
        return cls(start_min=(0.0,), value=(float(value),))

    @classmethod
    def of(cls, given: Any, *, where: str) -> Schedule:
        """Return a schedule from a number, pairs ``[start_min, value]``, or a mapping.

        Raises
        ------
        InputError
            When it has another form, or the schedule is not whole; names ``where``.
        """
        try:
            if isinstance(given, Schedule):
                return given
            if isinstance(given, Mapping):
                return cls(
                    start_min=tuple(map(float, given["start_min"])),
                    value=tuple(map(float, given["value"])),
                )
            if isinstance(given, Sequence) and not isinstance(given, str):
                return cls(
                    start_min=tuple(float(pair[0]) for pair in given),
                    value=tuple(float(pair[1]) for pair in given),
                )
            return cls.constant(float(given))
        except InputError as error:
            raise InputError(
                error.what, where=error.where.replace("schedule", where), hint=error.hint
            ) from None
        except (TypeError, ValueError, KeyError, IndexError):
            raise InputError(
                f"no schedule: {given!r}",
                where=where,
                hint="a number, or pairs [minutes since midnight, value]",
            ) from None

    def at(self, at_min: float) -> float:
        """Return the value that holds at a time (minutes since some midnight)."""
        if len(self.value) == 1:
            return self.value[0]
        return self.value[bisect_right(self.start_min, (at_min + TINY_MIN) % DAY_MIN) - 1]

    def changes(self, start_min: float, end_min: float) -> list[float]:
        """Return the times strictly between two times at which a new value begins, min."""
        if len(self.value) == 1:
            return []
        days = range(math.floor(start_min / DAY_MIN), math.floor(end_min / DAY_MIN) + 1)
        times = [day * DAY_MIN + start for day in days for start in self.start_min]
        return [t for t in times if start_min + TINY_MIN < t < end_min - TINY_MIN]

    def to_list(self) -> float | list[list[float]]:
        """Return the JSON form: a number, or pairs ``[start_min, value]``."""
        if len(self.value) == 1:
            return self.value[0]
        return [list(pair) for pair in zip(self.start_min, self.value, strict=True)]
