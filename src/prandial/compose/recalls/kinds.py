"""Kinds of household measures: which are said, and in how many and which parts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from prandial.errors import SchemaError
from prandial.tables.rules import read_rules

__all__ = ["TWELFTHS", "Kind", "Times", "kind_of", "times_said"]

#: numbers of a measure are counted in twelfths: halves, thirds and quarters are whole ones
TWELFTHS = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """A kind of measure, see table ``serving_kinds``.

    ``costs`` holds, for each number of twelfths that may be said, how far another wording is
    preferred; parts of a measure lighter than ``parts_from_g`` are not said.
    """

    name: str
    said: bool
    costs: dict[int, int]
    parts_from_g: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Times:
    """How a number of twelfths of a measure is said, see table ``serving_times``."""

    twelfths: int
    words: str
    spelled: str
    cost: int


@cache
def times_said() -> dict[int, Times]:
    """Return the numbers of a measure that are said, by twelfths."""
    return {
        int(r["twelfths"]): Times(
            twelfths=int(r["twelfths"]),
            words=r["words"],
            spelled=r["spelled"] or r["words"],
            cost=int(r["cost"]),
        )
        for r in read_rules("serving_times")
    }


@cache
def _kinds() -> tuple[tuple[re.Pattern[str], Kind], ...]:
    out = []
    for row in read_rules("serving_kinds"):
        parts = {int(p) for p in row["parts"].split()}
        most, extra = int(row["most"]), int(row["cost"])
        costs = {
            t.twelfths: t.cost + extra
            for t in times_said().values()
            if t.twelfths in parts or (t.twelfths % TWELFTHS == 0 and t.twelfths <= most * TWELFTHS)
        }
        kind = Kind(
            name=row["kind"],
            said=row["said"] == "yes",
            costs=costs,
            parts_from_g=float(row["parts_from_g"]),
        )
        out.append((re.compile(row["pattern"], re.IGNORECASE), kind))
    return tuple(out)


@lru_cache(maxsize=10_000)
def kind_of(measure: str) -> Kind:
    """Return the kind of a measure by its name.

    Raises
    ------
    SchemaError
        When the table of kinds leaves the name out.
    """
    for pattern, kind in _kinds():
        if pattern.search(measure):
            return kind
    raise SchemaError(
        f"no kind of measure for {measure!r}",
        where="table serving_kinds",
        hint="its last row takes every name",
    )
