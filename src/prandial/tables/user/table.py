"""What a user's food table is once read: foods, problems and notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

__all__ = ["Floats", "Problem", "UserTable", "UserTableInfo"]

Floats = npt.NDArray[np.float32]

#: the longest part of a cell that a problem quotes
_QUOTED = 80


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """One reason why a row was left out.

    Attributes
    ----------
    line : int
        Line of the text file on which the row starts (the header is line 1),
        or the row number, from 1, in a Parquet file.
    column : str
        Column as the file names it; ``(row)`` when the whole row is meant.
    value : str
        The cell as it stands, cut after 80 characters.
    reason : str
        Why it cannot be used.
    """

    line: int
    column: str
    value: str
    reason: str

    def __post_init__(self) -> None:
        if len(self.value) > _QUOTED:
            object.__setattr__(self, "value", self.value[: _QUOTED - 1] + "…")

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column!r}: {self.value!r} {self.reason}"


@dataclass(frozen=True, kw_only=True, eq=False)
class UserTable:
    """Foods a user brought, per 100 g.

    Row ``i`` of every food-long field is the food ``ids[i]``. A food without
    other names or a category has an empty text there; a nutrient that is not
    known is NaN.

    Attributes
    ----------
    name : str
        The table's name.
    nutrient_keys : tuple of str
        House names of the columns of ``per_100g``; the unit ends the name.
    per_100g : ndarray of float32, shape (foods, nutrients)
        Read-only.
    measures : tuple of (int, str, float)
        Food row, household measure, grams.
    rows_read, rows_kept : int
        Rows with any content in the file, and rows in this table.
    problems : tuple of Problem
        Every reason for which a row was left out.
    notes : tuple of str
        What was assumed, repaired or converted.
    """

    name: str
    ids: tuple[str, ...]
    names: tuple[str, ...]
    alt_names: tuple[str, ...]
    categories: tuple[str, ...]
    nutrient_keys: tuple[str, ...]
    per_100g: Floats
    measures: tuple[tuple[int, str, float], ...]
    rows_read: int
    rows_kept: int
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class UserTableInfo:
    """A stored table as its card describes it.

    ``state`` is ``damaged`` when the card cannot be read; the counts are None
    then.
    """

    name: str
    state: Literal["ok", "damaged"]
    source_file: str | None = None
    source_sha256: str | None = None
    nutrients: tuple[str, ...] = ()
    rows_read: int | None = None
    rows_kept: int | None = None
    problems: int | None = None
    notes: tuple[str, ...] = ()
