"""Ask a Parquet file by SQL, whatever its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from prandial.errors import SchemaError

__all__ = ["ask", "stream"]


def ask(path: Path, what: str, rest: str = "", *, hint: str) -> list[tuple[Any, ...]]:
    """Return rows of a Parquet file.

    Parameters
    ----------
    path : Path
    what : str
        What is selected, in SQL.
    rest : str
        What follows the file, such as ``ORDER BY 1``.
    hint : str
        What to do when the file is damaged.

    Raises
    ------
    SchemaError
        When it is damaged or lacks a column.
    """
    import duckdb

    # no character of a path stands for several files
    literal = re.sub(r"([*?\[])", r"[\1]", str(path))
    with duckdb.connect() as con:
        con.execute("SET threads = 1")
        try:
            return con.execute(f"SELECT {what} FROM read_parquet(?) {rest}", [literal]).fetchall()  # noqa: S608
        except duckdb.Error as err:
            raise SchemaError(
                f"not the Parquet file it is named as: {str(err).splitlines()[0]}",
                where=str(path),
                hint=hint,
            ) from None


def stream(
    path: Path, what: str, *, hint: str, rows_at_once: int = 2048
) -> Iterator[tuple[Any, ...]]:
    """Yield rows of a Parquet file in its order; not more than some are held.

    Parameters
    ----------
    path : Path
    what : str
        What is selected, in SQL.
    hint : str
        What to do when the file is damaged.
    rows_at_once : int

    Raises
    ------
    SchemaError
        When it is damaged or lacks a column.
    """
    import duckdb

    literal = re.sub(r"([*?\[])", r"[\1]", str(path))
    with duckdb.connect(config={"threads": 1, "preserve_insertion_order": True}) as con:
        try:
            con.execute(f"SELECT {what} FROM read_parquet(?)", [literal])  # noqa: S608
            while rows := con.fetchmany(rows_at_once):
                yield from rows
        except duckdb.Error as err:
            raise SchemaError(
                f"not the Parquet file it is named as: {str(err).splitlines()[0]}",
                where=str(path),
                hint=hint,
            ) from None
