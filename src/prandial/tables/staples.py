"""Staple foods of countries, and how their surveys weigh them: two small tables.

``words/staples.csv`` says which food of a built-in table a country's everyday
word stands for; ``words/weighing.csv`` says which groups of foods a country's
food survey records by dry weight, whatever the words say. Both have a card.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Final, Literal

__all__ = ["EVERY", "Staple", "Weighing", "load_staples", "load_weighing"]

#: stands for every country that is stated
EVERY: Final = "*"
State = Literal["dry", "cooked", "eaten"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Staple:
    """One row of the table of staples.

    Attributes
    ----------
    line : int
        Line of the row in ``staples.csv``; line 1 is the heading.
    country : str
        ISO 3166 alpha-3 codes with ``|`` between them, or ``*``.
    words : str
        Words that must be said; ``a|b`` is one of several, ``-a`` must not be
        said, ``+a`` may be said too, and a lone ``*`` lets anything else be
        said too.
    group : str
        Group of foods, for the weighing habit.
    state : str
        ``dry``, ``cooked``, or ``eaten`` for a dish in its one usual state.
    table, food_id : str
        Food of a built-in table whose values are taken.
    factor : float
        Grams of that food in one gram as said.
    why : str
        Why this food stands for the words; where ``factor`` is not 1, the two
        table rows it follows from.
    """

    line: int
    country: str
    words: str
    group: str
    state: State
    table: str
    food_id: str
    factor: float
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Weighing:
    """One row of the table of weighing habits.

    ``state`` is ``dry`` or ``cooked``; ``over`` tells whether the habit holds
    ``always``, or only when the words do not state it (``unsaid``).
    """

    country: str
    group: str
    state: State
    over: Literal["always", "unsaid"]
    why: str


def _rows(name: str) -> list[dict[str, str]]:
    path = Path(str(resources.files("prandial").joinpath("tables", "words", name)))
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


@lru_cache(maxsize=1)
def load_staples() -> tuple[Staple, ...]:
    """Return the table of staples (read once)."""
    return tuple(
        Staple(
            line=line,
            country=row["country"],
            words=row["words"],
            group=row["group"],
            state=row["state"],  # type: ignore[arg-type]  # a test checks the values
            table=row["table"],
            food_id=row["id"],
            factor=float(row["factor"]),
            why=row["why"],
        )
        for line, row in enumerate(_rows("staples.csv"), start=2)
    )


@lru_cache(maxsize=1)
def load_weighing() -> dict[tuple[str, str], Weighing]:
    """Return (country, group) -> weighing habit (read once)."""
    return {
        (row["country"], row["group"]): Weighing(
            country=row["country"],
            group=row["group"],
            state=row["state"],  # type: ignore[arg-type]  # a test checks the values
            over=row["over"],  # type: ignore[arg-type]
            why=row["why"],
        )
        for row in _rows("weighing.csv")
    }
