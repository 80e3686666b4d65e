"""Parquet in and out, by DuckDB (imported only here and only when needed)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from prandial.batch.objects import as_text
from prandial.batch.rows import Columns, Findings, Row, columns_hint
from prandial.errors import InputError, NotFoundError, SchemaError

if TYPE_CHECKING:
    import duckdb

__all__ = ["ParquetFile", "write_parquet"]

_FETCH: Final = 1000
_INTEGERS: Final = frozenset(
    {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}
)


def _connect() -> duckdb.DuckDBPyConnection:
    import duckdb

    # one thread: rows stream in file order within a few row groups of memory
    return duckdb.connect(config={"threads": 1})


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise SchemaError(
            "not readable as Parquet", where=str(path), hint=str(error).splitlines()[0]
        ) from error


class ParquetFile:
    """A Parquet file of meals.

    Parameters
    ----------
    path : Path
    columns : Columns
        Wanted columns; ``text`` must be set.
    """

    def __init__(self, path: Path, columns: Columns) -> None:
        self._path = path
        self._columns = columns
        types = self._types()
        for name in columns.named():
            if name not in types:
                raise NotFoundError(
                    f"no column {name!r}",
                    where=str(path),
                    hint=columns_hint(name, types),
                )
        self.further = columns.further(types)
        is_integer = columns.id is not None and types[columns.id] in _INTEGERS
        self._id_type: Literal["text", "integer"] = "integer" if is_integer else "text"

    @property
    def id_type(self) -> Literal["text", "integer"]:
        """Type of the id column."""
        return self._id_type

    def rows(self, findings: Findings) -> Iterator[Row]:
        """Read the rows from the first on."""
        wanted = self._columns
        names = tuple(dict.fromkeys((*wanted.named(), *self.further)))
        picked = ", ".join(_identifier(n) for n in names)
        row = 0
        with _readable(self._path), _connect() as con:
            result = con.execute(f"SELECT {picked} FROM read_parquet(?)", [str(self._path)])  # noqa: S608
            while cells := result.fetchmany(_FETCH):
                for values in cells:
                    yield self._row(row, dict(zip(names, values, strict=True)), findings)
                    row += 1

    def _row(self, row: int, values: dict[str, object], findings: Findings) -> Row:
        wanted = self._columns
        notes = []
        texts: dict[str, str | None] = {}
        own = (wanted.text, wanted.id, wanted.country)
        for name, value in ((n, values[n]) for n in dict.fromkeys(own) if n is not None):
            try:
                texts[name] = as_text(value)
            except TypeError as error:
                if name == wanted.id:
                    texts[name] = str(value)
                    continue
                texts[name] = None
                notes.append(f"row {row}: {name!r} is a {error}, not text")
                findings.add(f"{name!r} is not text", row + 1)
        found = values[wanted.id] if wanted.id else None
        return Row(
            row=row,
            text=texts[wanted.text] or "" if wanted.text else "",
            id=found if type(found) is int else (texts[wanted.id] if wanted.id else None),
            country=(texts[wanted.country] or None) if wanted.country else None,
            note="; ".join(notes),
            cells={name: values[name] for name in self.further},
        )

    def _types(self) -> dict[str, str]:
        with _readable(self._path), _connect() as con:
            found = con.execute(
                "DESCRIBE SELECT * FROM read_parquet(?)", [str(self._path)]
            ).fetchall()
        return {str(r[0]): str(r[1]) for r in found}


def write_parquet(lines: Path, output: Path, types: Mapping[str, str]) -> None:
    """Turn lines of flat JSON objects into a Parquet file.

    Parameters
    ----------
    lines : Path
        One flat JSON object a line, all with the same keys.
    output : Path
        Parquet file to write (zstd).
    types : mapping of str to str
        Column to SQL type, in order.
    """
    import duckdb

    columns = ", ".join(f"{_literal(k)}: {_literal(v)}" for k, v in types.items())
    try:
        with _connect() as con:
            con.execute(
                "COPY (SELECT * FROM read_json(" + _literal(str(lines)) + ", "  # noqa: S608
                f"format = 'newline_delimited', columns = {{{columns}}}))"
                f" TO {_literal(str(output))} (FORMAT parquet, COMPRESSION zstd)"
            )
    except duckdb.Error as error:
        raise InputError(
            "the Parquet file could not be written",
            where=str(output),
            hint=str(error).splitlines()[0],
        ) from error
