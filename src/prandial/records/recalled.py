"""Records of food recalls: what a survey noted, as columns, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["FoodRecords", "RecallCounts"]

_Numbers = npt.NDArray[np.float64]
_Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class FoodRecords:
    """Individual food records of one survey cycle, as columns; row ``i`` is one food eaten.

    Parameters
    ----------
    cycle : str
        Such as ``2017-2018``.
    person, day, line : ndarray of int64, shape (n,)
        Respondent, recall day from 1, and the record's number within person and day.
    minute : ndarray of float64, shape (n,)
        Of the day, from midnight; NaN unknown.
    occasion, code, status : ndarray of float64, shape (n,)
        The survey's codes of eating occasion, food and reliability; NaN unknown.
    grams : ndarray of float64, shape (n,)
        NaN unknown.
    stated : mapping of str to ndarray of float64, shape (n,)
        What the record itself says the grams hold (``carb_g``, ``energy_kcal``, ...), NaN
        unknown; a nutrient that the files lack is absent.
    """

    cycle: str
    person: _Whole
    day: _Whole
    line: _Whole
    minute: _Numbers
    occasion: _Numbers
    code: _Numbers
    grams: _Numbers
    status: _Numbers
    stated: Mapping[str, _Numbers] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.person)


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallCounts:
    """What became of a cycle's food records and meals.

    Parameters
    ----------
    cycle : str
    people, people_kept : int
        With any record; with any meal.
    records, records_kept : int
    records_dropped : mapping of str to int
        By the first reason that holds, see table ``recall_exclusions``.
    meals_found, meals_kept : int
    meals_dropped : mapping of str to int
        By the reason of all their records; ``several_reasons`` where these differ.
    meals_short : int
        Kept, though a record of theirs was dropped.
    meals_natural : int
        Kept, and every item has a household serving.
    items_served : int
        Kept records with a household serving.
    carb_stated : int
        Kept records that state their own carbohydrate.
    carb_stated_off_g : float
        Sum over those of the absolute difference from the reference's carbohydrate.
    """

    cycle: str
    people: int
    people_kept: int
    records: int
    records_kept: int
    records_dropped: Mapping[str, int]
    meals_found: int
    meals_kept: int
    meals_dropped: Mapping[str, int]
    meals_short: int
    meals_natural: int
    items_served: int
    carb_stated: int
    carb_stated_off_g: float

    @classmethod
    def summed(cls, counts: Iterable[RecallCounts], cycle: str = "all") -> RecallCounts:
        """Return the counts of several cycles together; no person is in two of them."""
        every = list(counts)
        return cls(
            cycle=cycle,
            records_dropped=_added(c.records_dropped for c in every),
            meals_dropped=_added(c.meals_dropped for c in every),
            carb_stated_off_g=sum(c.carb_stated_off_g for c in every),
            **{name: sum(getattr(c, name) for c in every) for name in _COUNTED},
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "cycle": self.cycle,
            **{name: getattr(self, name) for name in _COUNTED},
            "records_dropped": dict(self.records_dropped),
            "meals_dropped": dict(self.meals_dropped),
            "carb_stated_off_g": round(self.carb_stated_off_g, 2),
        }


_COUNTED = (
    "people",
    "people_kept",
    "records",
    "records_kept",
    "meals_found",
    "meals_kept",
    "meals_short",
    "meals_natural",
    "items_served",
    "carb_stated",
)


def _added(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    out: dict[str, int] = {}
    for part in parts:
        for reason, n in part.items():
            out[reason] = out.get(reason, 0) + n
    return out
