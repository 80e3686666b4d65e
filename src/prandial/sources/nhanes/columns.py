"""Columns of one raw table, as read: numbers with NaN for missing, or text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from prandial.errors import NotFoundError, SchemaError

__all__ = ["Column", "Columns", "FileKind"]

#: a column: float64 with NaN where missing, or text with ``""`` where blank
Column = npt.NDArray[np.float64] | tuple[str, ...]
FileKind = Literal["xpt", "parquet"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Columns:
    """Some columns of one file, in file order of rows.

    Parameters
    ----------
    names : tuple of str
        As asked for, or as in the file when all were asked for.
    values : mapping of str to ndarray of float64 or tuple of str, each of length ``rows``
        Raw codes; a SAS zero is 0, a missing number NaN, a blank text ``""``.
    rows : int
    path : Path
    kind : {'xpt', 'parquet'}
    """

    names: tuple[str, ...]
    values: Mapping[str, Column]
    rows: int
    path: Path
    kind: FileKind

    def __len__(self) -> int:
        return self.rows

    def __contains__(self, name: object) -> bool:
        return name in self.values

    def __getitem__(self, name: str) -> Column:
        """Return a column.

        Raises
        ------
        NotFoundError
            Naming the nearest columns.
        """
        try:
            return self.values[name]
        except KeyError:
            near = get_close_matches(name, self.names, 3) or list(self.names[:8])
            raise NotFoundError(
                f"no column {name!r} was read",
                where=str(self.path),
                hint="nearest: " + ", ".join(near),
            ) from None

    def numbers(self, name: str) -> npt.NDArray[np.float64]:
        """Return a column of numbers, shape (rows,).

        Raises
        ------
        NotFoundError
            When it was not read.
        SchemaError
            When it holds text.
        """
        column = self[name]
        if isinstance(column, tuple):
            raise SchemaError(f"{name} holds text, not numbers", where=str(self.path))
        return column

    def text(self, name: str) -> tuple[str, ...]:
        """Return a column of text.

        Raises
        ------
        NotFoundError
            When it was not read.
        SchemaError
            When it holds numbers.
        """
        column = self[name]
        if not isinstance(column, tuple):
            raise SchemaError(f"{name} holds numbers, not text", where=str(self.path))
        return column
