"""The registry: which files the published NutriBench set has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from prandial.errors import NotFoundError
from prandial.tables.rules import read_rules

__all__ = ["MealFile", "load_meal_files"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MealFile:
    """One published file: a subset of a version.

    ``cycle``, ``table`` and ``file`` are what a fetch calls version, subset and place.
    """

    cycle: str
    table: str
    file: str
    url: str
    rows: int


@cache
def load_meal_files(version: str) -> tuple[MealFile, ...]:
    """Return the files of a version.

    Raises
    ------
    NotFoundError
        Naming the versions there are.
    """
    rows = read_rules("nutribench_files")
    found = tuple(
        MealFile(
            cycle=r["version"], table=r["subset"], file=r["file"], url=r["url"], rows=int(r["rows"])
        )
        for r in rows
        if r["version"] == version
    )
    if not found:
        known = dict.fromkeys(r["version"] for r in rows)
        raise NotFoundError(
            f"no NutriBench version {version!r}",
            where="version",
            hint="known: " + ", ".join(known),
        )
    return found
