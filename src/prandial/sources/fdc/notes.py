"""What a reading of FoodData Central met: rows, foods, repairs, oddities, all counted."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

__all__ = ["FdcNotes"]

#: places kept of each repair
_NAMED: Final = 5


class FdcNotes:
    """Counters that a reading fills.

    Attributes
    ----------
    rows : Counter
        Rows read, by table.
    foods : Counter
        Foods returned, by data type.
    left_out : Counter
        Rows left out, by reason.
    repairs : Counter
        What was repaired or taken for unknown, by what it was.
    flags : Counter
        Foods by flag.
    absent : list of str
        Tables that were not there and could be done without.
    """

    def __init__(self) -> None:
        self.rows: Counter[str] = Counter()
        self.foods: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()
        self.repairs: Counter[str] = Counter()
        self.flags: Counter[str] = Counter()
        self.absent: list[str] = []
        self._places: dict[str, list[str]] = {}

    def repair(self, what: str, place: str, times: int = 1) -> None:
        """Count a repair; its first places are kept."""
        self.repairs[what] += times
        places = self._places.setdefault(what, [])
        if len(places) < _NAMED:
            places.append(place)

    def leave_out(self, why: str, place: str) -> None:
        """Count a row left out; its first places are kept."""
        self.left_out[why] += 1
        places = self._places.setdefault(why, [])
        if len(places) < _NAMED:
            places.append(place)

    def places(self, what: str) -> tuple[str, ...]:
        """Return where something was met first."""
        return tuple(self._places.get(what, ()))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""

        def told(counts: Counter[str]) -> dict[str, Any]:
            return {w: {"count": n, "first": list(self.places(w))} for w, n in counts.items()}

        return {
            "rows": dict(self.rows),
            "foods": dict(self.foods),
            "left_out": told(self.left_out),
            "repairs": told(self.repairs),
            "flags": dict(self.flags),
            "absent": list(self.absent),
        }
