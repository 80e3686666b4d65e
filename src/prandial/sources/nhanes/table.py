"""Read one raw table: SAS transport or Parquet, only the wanted columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from prandial.errors import SchemaError
from prandial.sources.nhanes.columns import Column, Columns
from prandial.sources.nhanes.sniff import sniff
from prandial.sources.nhanes.xpt import read_xpt, xpt_header

if TYPE_CHECKING:
    import duckdb

__all__ = ["read_table"]

_Answer = TypeVar("_Answer")
_SCHEMA: Final = "select name from parquet_schema(?) where num_children is null"
_COUNT: Final = "select sum(num_rows)::bigint from parquet_file_metadata(?)"


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    import duckdb

    return duckdb.connect(config={"threads": 1})


def _query(path: Path, sql: str, fetch: Callable[[duckdb.DuckDBPyConnection], _Answer]) -> _Answer:
    """Ask a Parquet file; cursors of one connection may be used from several threads."""
    import duckdb

    try:
        with _connection().cursor() as cursor:
            return fetch(cursor.execute(sql, [_literal(path)]))
    except duckdb.Error as error:
        first = str(error).splitlines()[0]
        raise SchemaError(
            f"looks like a Parquet file, but is damaged: {first}",
            where=str(path),
            hint="get the file again",
        ) from None


def _literal(path: Path) -> str:
    """Return a path in which no character stands for several files."""
    return re.sub(r"([*?\[])", r"[\1]", str(path))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _read_parquet(path: Path, names: Sequence[str]) -> dict[str, Column]:
    if not names:
        return {}
    listed = ", ".join(map(_quoted, names))
    sql = f"select {listed} from read_parquet(?)"  # noqa: S608
    raw = _query(path, sql, lambda answer: answer.fetchnumpy())
    return {name: _column(path, name, raw[name]) for name in names}


def _column(path: Path, name: str, cells: npt.NDArray[Any]) -> Column:
    """Return numbers as float64 and text as a tuple; dates and bytes are neither."""
    if cells.dtype.kind in "fiub":
        return np.ma.filled(cells.astype(np.float64), np.nan)
    filled = np.ma.filled(cells, "").tolist() if cells.dtype == object else [None]
    if not all(isinstance(c, str) for c in filled):
        raise SchemaError(
            f"{name} holds neither numbers nor text",
            where=str(path),
            hint="write the Parquet file again, with codes as numbers and text as strings",
        )
    return tuple(filled)


def _chosen(
    path: Path, there: Sequence[str], wanted: Sequence[str], optional: Sequence[str]
) -> dict[str, str]:
    """Map each wanted name to its spelling in the file; the case of a name does not matter."""
    spelling = {name.upper(): name for name in reversed(there)}
    lacking = [n for n in wanted if n.upper() not in spelling]
    if lacking:
        near = get_close_matches(lacking[0].upper(), list(spelling), 3)
        raise SchemaError(
            "lacks the column " + ", ".join(lacking),
            where=str(path),
            hint=("nearest: " + ", ".join(spelling[n] for n in near))
            if near
            else f"it has {len(there)} columns, such as " + ", ".join(there[:8]),
        )
    both = dict.fromkeys([*wanted, *optional])
    return {n: spelling[n.upper()] for n in both if n.upper() in spelling}


def read_table(
    path: Path | str,
    columns: Sequence[str] | None = None,
    *,
    optional: Sequence[str] = (),
) -> Columns:
    """Read a raw table.

    Parameters
    ----------
    path : Path or str
        A SAS transport file (version 5) or a Parquet file.
    columns : sequence of str, optional
        Wanted columns, in any case, named in the result as named here; None reads all.
    optional : sequence of str
        Further columns, left out when the file lacks them.

    Returns
    -------
    Columns
        Raw codes: a SAS zero is 0, a missing number NaN, a blank text ``""``.

    Raises
    ------
    SchemaError
        When the file is of another form, cut or damaged, or lacks a wanted column.
    MissingDataError
        When there is no such file, or the reader is not installed.
    """
    path = Path(path)
    kind = sniff(path)
    if kind == "xpt":
        header = xpt_header(path)
        there, rows = header.names, header.rows
        chosen = _chosen(path, there, there if columns is None else columns, optional)
        read = read_xpt(path, header, list(dict.fromkeys(chosen.values())))
    else:
        about = _query(path, _SCHEMA, lambda answer: answer.fetchall())
        there = tuple(r[0] for r in about)
        rows = int(_query(path, _COUNT, lambda answer: answer.fetchall())[0][0] or 0)
        chosen = _chosen(path, there, there if columns is None else columns, optional)
        read = _read_parquet(path, list(dict.fromkeys(chosen.values())))
    return Columns(
        names=tuple(chosen),
        values={name: read[raw] for name, raw in chosen.items()},
        rows=rows,
        path=path,
        kind=kind,
    )
