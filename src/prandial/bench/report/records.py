"""What a report is made of: tables with cells that know their n, figures with their words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Cell", "Column", "Figure", "Form", "Report", "Row", "RowKind", "Section", "Table"]

#: how a number is written: ``share`` in per cent, ``ratio`` as 0.123, ``amount`` as 12.3
Form = Literal["text", "long", "count", "share", "ratio", "amount", "p"]
#: ``baseline``: needs no look at the meal or the graph; ``published``: another's figures
RowKind = Literal["run", "baseline", "published"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One cell of a table.

    Parameters
    ----------
    value : str, int or float, optional
        None is undefined, as the mean of nothing is.
    low, high : float, optional
        95 % interval.
    n : int, optional
        Questions the value rests on, where it is not the n of the row.
    why : str
        Why there is no value; or what must be known of it.
    """

    value: str | int | float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    why: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """A column: its key in the rows, its heading, how its numbers are written."""

    key: str
    heading: str
    form: Form = "text"


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A row; ``group`` is the heading it stands under, empty for none."""

    cells: Mapping[str, Cell]
    kind: RowKind = "run"
    group: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """A table of a report.

    Parameters
    ----------
    name : str
        Unique in a report: letters, digits and hyphens.
    title : str
    columns : tuple of Column
    rows : tuple of Row
    n : int, optional
        Questions behind the table, where that is one number.
    rules : str
        The one rule set its scores follow, empty where there are no scores.
    lead : tuple of str
        What must be read before the rows.
    notes : tuple of str
        What must be read after them.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    n: int | None = None
    rules: str = ""
    lead: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """A drawing: an Altair chart with the words that stand for it.

    ``alt`` says in a sentence or two what a reader would see.
    """

    name: str
    title: str
    alt: str
    chart: Any
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """Tables and figures under one heading, in order."""

    title: str
    parts: tuple[Table | Figure, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """A whole report.

    Parameters
    ----------
    title : str
    sections : tuple of Section
    notes : tuple of str
        What must be known before any figure is read.
    facts : mapping
        Runs, seed, versions: for the JSON form.
    """

    title: str
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables, in order."""
        return tuple(p for s in self.sections for p in s.parts if isinstance(p, Table))

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All figures, in order."""
        return tuple(p for s in self.sections for p in s.parts if isinstance(p, Figure))
