"""A user table as two Parquet files: foods, and their measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from prandial.errors import SchemaError
from prandial.nutrients import NUTRIENTS

if TYPE_CHECKING:
    from pathlib import Path

    from prandial.tables.user.table import Floats, UserTable

__all__ = ["read_foods", "read_measures", "write_foods", "write_measures"]

_TEXTS = ("id", "name", "alt_names", "category")


def _objects(values: tuple[str, ...]) -> Any:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def _write(columns: dict[str, Any], texts: tuple[str, ...], path: Path) -> None:
    """Write named arrays of one length; names are the house's own."""
    import duckdb  # a costly import, paid once and only here

    with duckdb.connect() as con:
        con.execute("SET threads = 1")  # one thread keeps the order of rows
        con.register("columns", columns)
        # an empty column of texts has no type of its own
        typed = (f'CAST("{k}" AS VARCHAR) AS "{k}"' if k in texts else f'"{k}"' for k in columns)
        con.table("columns").project(", ".join(typed)).write_parquet(str(path), compression="zstd")


def write_foods(table: UserTable, path: Path) -> None:
    """Write ``id``, ``name``, ``alt_names``, ``category`` and the nutrients per 100 g."""
    texts = (table.ids, table.names, table.alt_names, table.categories)
    columns = {key: _objects(values) for key, values in zip(_TEXTS, texts, strict=True)}
    for k, key in enumerate(table.nutrient_keys):
        columns[key] = np.ascontiguousarray(table.per_100g[:, k])
    _write(columns, _TEXTS, path)


def write_measures(table: UserTable, path: Path) -> None:
    """Write ``row`` (of the foods file), ``name`` and ``grams``."""
    columns = {
        "row": np.array([m[0] for m in table.measures], dtype=np.int32),
        "name": _objects(tuple(m[1] for m in table.measures)),
        "grams": np.array([m[2] for m in table.measures], dtype=np.float64),
    }
    _write(columns, ("name",), path)


def _read(path: Path) -> dict[str, Any]:
    import duckdb

    try:
        with duckdb.connect() as con:
            con.execute("SET threads = 1")
            columns: dict[str, Any] = con.read_parquet(
                str(path), hive_partitioning=False
            ).fetchnumpy()
    except duckdb.Error as err:
        raise SchemaError(
            f"{path.name} cannot be read: {str(err).splitlines()[0]}",
            where=path.name,
            hint="add the table again",
        ) from None
    return columns


def _need(columns: dict[str, Any], wanted: tuple[str, ...], path: Path) -> None:
    lacking = [key for key in wanted if key not in columns]
    if lacking:
        raise SchemaError(
            f"{path.name} lacks the column {lacking[0]!r}",
            where=path.name,
            hint="add the table again",
        )


def read_foods(path: Path) -> tuple[dict[str, tuple[str, ...]], Floats]:
    """Read the foods file.

    Returns
    -------
    texts : dict of str to tuple of str
    per_100g : ndarray of float32, shape (foods, nutrients)
        Read-only; NaN unknown.
    """
    columns = _read(path)
    _need(columns, _TEXTS, path)
    n = len(columns["id"])
    per_100g = np.full((n, len(NUTRIENTS)), np.nan, dtype=np.float32)
    for k, key in enumerate(NUTRIENTS):
        if key in columns:
            per_100g[:, k] = np.ma.filled(np.ma.asarray(columns[key], dtype=np.float32), np.nan)
    per_100g.setflags(write=False)
    return {key: tuple(str(v) for v in columns[key]) for key in _TEXTS}, per_100g


def read_measures(path: Path) -> tuple[tuple[int, str, float], ...]:
    """Read the measures file as (food row, measure, grams)."""
    columns = _read(path)
    _need(columns, ("row", "name", "grams"), path)
    rows, names, grams = (columns[k].tolist() for k in ("row", "name", "grams"))
    return tuple(zip(rows, names, grams, strict=True))
