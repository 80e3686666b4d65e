"""What a batch reads: one row per meal, whatever the file's format."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

__all__ = ["MAX_NAMED", "Columns", "Findings", "Row", "RowFile", "columns_hint"]

#: how many lines or rows a message names before it only counts
MAX_NAMED = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One meal of a batch.

    ``row`` is the 0-based position among the input's rows. ``note`` says what
    was odd about the row itself; ``cut`` is True when the text may have lost
    its end (an unquoted comma), so that its estimate cannot be complete.
    ``cells`` are the cells of further columns as the file has them; one that the
    row lacks is left out.
    """

    row: int
    text: str
    id: str | int | None = None
    country: str | None = None
    note: str = ""
    cut: bool = False
    cells: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Columns:
    """Names of the input columns that a batch uses.

    ``more`` are further columns the file must have, ``maybe`` such as are read
    where the file has them.
    """

    text: str | None = None
    id: str | None = None
    country: str | None = None
    more: tuple[str, ...] = ()
    maybe: tuple[str, ...] = ()

    def named(self) -> tuple[str, ...]:
        """Return the names of the columns the file must have."""
        own = (c for c in (self.text, self.id, self.country) if c is not None)
        return tuple(dict.fromkeys((*own, *self.more)))

    def further(self, there: Iterable[str]) -> tuple[str, ...]:
        """Return the further columns that a file with some columns has."""
        have = set(there)
        return tuple(c for c in dict.fromkeys((*self.more, *self.maybe)) if c in have)


def columns_hint(name: str, there: Iterable[str], kind: str = "columns") -> str:
    """Return a hint for a column that is not there: the nearest names, then those there are."""
    have = list(there)
    near = difflib.get_close_matches(name, have, n=3)
    start = f"nearest: {', '.join(near)}; " if near else ""
    return f"{start}{kind}: " + ", ".join(have[:50])


@dataclass(kw_only=True, slots=True)
class Findings:
    """Oddities met while reading, counted and, for the first few, named."""

    counts: dict[str, int] = field(default_factory=dict)
    places: dict[str, list[int]] = field(default_factory=dict)

    def add(self, what: str, line: int) -> None:
        """Count an oddity met on a line (from 1)."""
        self.counts[what] = self.counts.get(what, 0) + 1
        places = self.places.setdefault(what, [])
        if len(places) < MAX_NAMED:
            places.append(line)

    def lines(self) -> tuple[str, ...]:
        """Return one sentence an oddity."""
        out = []
        for what, count in self.counts.items():
            places = self.places[what]
            more = ", ..." if count > len(places) else ""
            out.append(f"{what}: {count} (line {', '.join(map(str, places))}{more})")
        return tuple(out)


class RowFile(Protocol):
    """A file of meals that can be read again and again."""

    @property
    def id_type(self) -> Literal["text", "integer"]:
        """Type of the id column."""

    @property
    def further(self) -> tuple[str, ...]:
        """Further columns (``more`` and ``maybe``) that the file has."""

    def rows(self, findings: Findings) -> Iterator[Row]:
        """Read the rows from the first on; oddities go to ``findings``."""
