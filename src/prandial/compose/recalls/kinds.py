"""Kinds of household measures: which are said, and in how many and which parts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final

from prandial.errors import SchemaError
from prandial.tables.rules import read_rules

__all__ = ["STEPS", "Kind", "Times", "kind_of", "spoons_of", "times_said"]

#: numbers of a measure are counted in ninety-sixths: halves, thirds, quarters and spoons of a
#: cup are whole numbers of them
STEPS: Final = 96


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """A kind of measure, see table ``serving_kinds``.

    ``costs`` holds, for each number of steps that may be said, how far another wording is
    preferred; parts of a measure lighter than ``parts_from_g`` are not said.
    """

    name: str
    said: bool
    costs: Mapping[int, int]
    parts_from_g: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Times:
    """How a number of a measure is said, see tables ``serving_times`` and ``spoons``."""

    words: str
    spelled: str
    cost: int


def _steps(times: str) -> int:
    steps = Fraction(times) * STEPS
    if steps.denominator != 1:
        raise SchemaError(
            f"{times} of a measure is no whole number of 1/{STEPS}",
            where="tables serving_times, serving_kinds, spoons",
            hint="halves, thirds, quarters, sixths and spoons of a cup are",
        )
    return int(steps)


@cache
def times_said() -> Mapping[int, Times]:
    """Return the numbers of a measure that are said, by steps."""
    return {
        _steps(r["times"]): Times(
            words=r["words"], spelled=r["spelled"] or r["words"], cost=int(r["cost"])
        )
        for r in read_rules("serving_times")
    }


@cache
def spoons_of(kind: str) -> Mapping[int, Times]:
    """Return the parts of a kind of vessel that are said in spoons, by steps."""
    return {
        _steps(r["times"]): Times(words=r["words"], spelled=r["words"], cost=int(r["cost"]))
        for r in read_rules("spoons")
        if r["vessel"] == kind
    }


@cache
def _kinds() -> tuple[tuple[re.Pattern[str], Kind], ...]:
    out = []
    for row in read_rules("serving_kinds"):
        parts = {_steps(p) for p in row["parts"].split()}
        most, extra = int(row["most"]) * STEPS, int(row["cost"])
        costs = {
            steps: times.cost + extra
            for steps, times in times_said().items()
            if steps in parts or (steps % STEPS == 0 and steps <= most)
        }
        costs |= {steps: spoon.cost for steps, spoon in spoons_of(row["kind"]).items()}
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
