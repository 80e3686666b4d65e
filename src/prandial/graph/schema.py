"""Words of the merged graph: kinds of node, relations, and units in UCUM."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from prandial.tables.rules import read_rules

__all__ = ["KINDS", "ORDER", "RELATIONS", "Coding", "coding_systems", "codings", "unit_of"]

#: kinds of node, in the order in which nodes are listed
KINDS: Final[tuple[str, ...]] = (
    "person",
    "cycle",
    "condition",
    "diet",
    "habit",
    "measure",
    "food",
    "category",
    "ingredient",
    "nutrient",
    "tag",
    "rule",
)

#: relations, in the order in which the edges of one node are listed
RELATIONS: Final[tuple[str, ...]] = (
    "surveyed in",
    "has",
    "unknown whether has",
    "measured",
    "ate on day 1",
    "ate on day 2",
    "in category",
    "contains",
    "provides",
    "carries",
    "needs",
    "low in",
    "high in",
    "by rule",
    "asks for",
)

#: unit of a place in an order (a UCUM annotation: a number without dimension)
ORDER: Final = "{order}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Coding:
    """A name of the house in a standard vocabulary.

    Parameters
    ----------
    kind, name : str
        As in the graph; ``class`` and ``relation`` are the kinds of the schema's own words.
    system, code, display : str
        ``code`` is empty where none could be verified.
    match : str
        ``exact``, ``close``, ``broad`` or ``narrow``: what the code is of the house name.
    source : str
        Where the code was read.
    """

    kind: str
    name: str
    system: str
    code: str
    display: str
    match: str
    source: str


@cache
def codings() -> tuple[Coding, ...]:
    """Return the rows of the codings table that hold a code, but for the systems."""
    rows = (r for r in read_rules("codings") if r["code"] and r["kind"] != "system")
    return tuple(Coding(**r) for r in rows)


@cache
def coding_systems() -> dict[str, str]:
    """Return the IRI prefix of each coding system."""
    return {r["name"]: r["code"] for r in read_rules("codings") if r["kind"] == "system"}


@cache
def measure_names() -> tuple[str, ...]:
    """Return the measures of people that the graph can hold: those with a unit in the table."""
    return tuple(c.name for c in codings() if (c.kind, c.system) == ("measure", "UCUM"))


@cache
def unit_of(kind: str, name: str) -> str | None:
    """Return the UCUM unit of a nutrient (per 100 g of food) or a measure, None if not listed."""
    for coding in codings():
        if (coding.kind, coding.name, coding.system) == (kind, name, "UCUM"):
            return coding.code
    return None
