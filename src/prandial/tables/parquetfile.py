"""Columns as a Parquet file, by DuckDB: the same columns give the same bytes.

One thread, given order, fixed row groups, no clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from prandial.errors import InputError

__all__ = ["ROW_GROUP", "write_columns"]

ROW_GROUP: Final = 2048
_INTEGERS: Final = "iu"
_FLOATS: Final = "f"


def write_columns(
    path: Path, columns: Mapping[str, Any], *, row_group: int = ROW_GROUP, null: bool = True
) -> None:
    """Write columns of equal length.

    Parameters
    ----------
    path : Path
        Replaced when it is there.
    columns : mapping of str to ndarray
        Whole numbers, floats, or text as objects.
    row_group : int
        Rows a group.
    null : bool
        Write NaN as null, which most readers take for unknown; else as NaN.

    Raises
    ------
    InputError
        When the file cannot be written.
    """
    import duckdb

    picked = ", ".join(_picked(n, v.dtype.kind, null=null) for n, v in columns.items())
    target = str(path).replace("'", "''")
    try:
        with duckdb.connect(config={"threads": 1, "preserve_insertion_order": True}) as con:
            con.register("given_columns", dict(columns))
            con.execute(
                f"COPY (SELECT {picked} FROM given_columns) TO '{target}'"  # noqa: S608
                f" (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {row_group})"
            )
    except duckdb.Error as error:
        raise InputError(
            "the Parquet file could not be written",
            where=str(path),
            hint=str(error).splitlines()[0],
        ) from error


def _picked(name: str, kind: str, *, null: bool) -> str:
    """Return a column by its type, so that also no rows at all have one."""
    column = '"' + name.replace('"', '""') + '"'
    if kind in _INTEGERS or (kind in _FLOATS and not null):
        return column
    if kind in _FLOATS:
        return f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END AS {column}"
    return f"CAST({column} AS VARCHAR) AS {column}"
