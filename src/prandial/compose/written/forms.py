"""A build's rows as JSON lines, CSV and Parquet, row by row: the same rows give the same bytes.

Rows go to JSON lines (and CSV) as they come; DuckDB turns the lines into Parquet as a stream, by
one thread, in the given order, with fixed row groups and no clock.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from prandial.compose.written.columns import COLUMNS, LISTS
from prandial.errors import InputError, SchemaError
from prandial.sources.longcells import long_cells
from prandial.sources.parquet import stream

__all__ = ["FORMS", "join_files", "json_line", "parquet_of_lines", "read_rows", "write_lines"]

#: form -> name of the file
FORMS: Final = {"parquet": "meals.parquet", "csv": "meals.csv", "jsonl": "meals.jsonl"}
#: rows of a row group: a whole number of DuckDB's vectors, about 25 MB before it is packed
ROW_GROUP: Final = 16_384
_JSON: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_AGAIN: Final = "build it again"
_MOST_BYTES: Final = 64 << 20
#: bytes of a row as JSON; DuckDB holds several times as many
_MOST_LINE: Final = 4 << 20
_WHOLE: Final = frozenset(n for n, kind in COLUMNS.items() if kind == "BIGINT")
_FLOATS: Final = frozenset(n for n, kind in COLUMNS.items() if kind == "DOUBLE")
#: empty cells of these are unknown in a CSV, of the others an empty text
_NULLABLE: Final = _WHOLE | _FLOATS


def json_line(row: Mapping[str, Any]) -> str:
    """Return a row as a line of JSON."""
    return _JSON.encode(row) + "\n"


def _cell(name: str, value: Any) -> Any:
    if name in LISTS:
        return _JSON.encode(value)
    return "" if value is None else value


def write_lines(
    rows: Iterable[Mapping[str, Any]],
    lines: Path,
    table: Path | None,
    *,
    seen: Callable[[Mapping[str, Any]], object],
) -> None:
    """Write rows as JSON lines, and as CSV with lists as JSON where a path is given.

    Parameters
    ----------
    rows : iterable of mapping
        Each with all columns.
    lines, table : Path
        The CSV has no header here: it is one part of the file.
    seen : callable
        Called with each row.
    """
    with ExitStack() as stack:
        out = stack.enter_context(lines.open("w", encoding="utf-8", newline="\n"))
        writer = None
        if table is not None:
            file = stack.enter_context(table.open("w", encoding="utf-8", newline=""))
            writer = csv.writer(file, lineterminator="\n")
        for row in rows:
            out.write(json_line(row))
            if writer is not None:
                writer.writerow([_cell(n, v) for n, v in row.items()])
            seen(row)


def join_files(parts: Iterable[Path], path: Path, *, header: bool = False) -> None:
    """Write files one behind the other, behind the header of the CSV form if wanted."""
    with path.open("wb") as out:
        if header:
            out.write((",".join(COLUMNS) + "\n").encode("utf-8"))
        for part in parts:
            with part.open("rb") as file:
                shutil.copyfileobj(file, out, 1 << 20)


def parquet_of_lines(lines: Sequence[Path], path: Path) -> None:
    """Write the Parquet form of files of JSON lines, in their order.

    Raises
    ------
    InputError
        When the file cannot be written, or an id stands twice.
    """
    import duckdb

    kinds = ", ".join(f"{name}: '{kind}'" for name, kind in COLUMNS.items())
    target = str(path).replace("'", "''")
    try:
        with duckdb.connect(config={"threads": 1, "preserve_insertion_order": True}) as con:
            con.execute(
                "COPY (SELECT * FROM read_json(?, format = 'newline_delimited',"  # noqa: S608
                f" maximum_object_size = {_MOST_LINE}, columns = {{{kinds}}}))"
                f" TO '{target}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {ROW_GROUP})",
                [[_literal(part) for part in lines]],
            )
            twice = con.execute(
                "SELECT id FROM read_parquet($1) WHERE hash(id) IN (SELECT hash(id) FROM"
                " read_parquet($1) GROUP BY 1 HAVING count(*) > 1)"
                " GROUP BY id HAVING count(*) > 1 ORDER BY id LIMIT 1",
                [_literal(path)],
            ).fetchone()
    except duckdb.Error as error:
        raise InputError(
            "the Parquet file could not be written",
            where=str(path),
            hint=str(error).splitlines()[0],
        ) from error
    if twice is not None:
        raise InputError(
            f"the meal {twice[0]!r} stands twice", where=str(path.parent), hint="leave repeats out"
        )


def _literal(path: Path) -> str:
    """Return a path in which no character stands for several files."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in str(path))


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Read the rows of a build's file in any of its forms, one by one.

    Raises
    ------
    SchemaError
        When it is not such a file.
    """
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return _from_parquet(path)
    return _from_csv(path) if suffix == ".csv" else _from_lines(path)


def _from_parquet(path: Path) -> Iterator[dict[str, Any]]:
    for cells in stream(path, ", ".join(COLUMNS), hint=_AGAIN):
        yield dict(zip(COLUMNS, cells, strict=True))


def _from_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                body = json.loads(line)
                yield {name: body[name] for name in COLUMNS}
            except (ValueError, KeyError, TypeError) as error:
                raise _foreign(path, f"line {number}: {error}") from None


def _from_csv(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as file, long_cells(_MOST_BYTES):
        reader = csv.reader(file)
        if tuple(next(reader, ())) != tuple(COLUMNS):
            raise _foreign(path, "the columns are others")
        for cells in reader:
            try:
                pairs = zip(COLUMNS, cells, strict=True)
                yield {name: _of_cell(name, cell) for name, cell in pairs}
            except ValueError as error:
                raise _foreign(path, f"line {reader.line_num}: {error}") from None


def _of_cell(name: str, cell: str) -> Any:
    if name in LISTS:
        return json.loads(cell)
    if name in _NULLABLE and not cell:
        return None
    if name in _WHOLE:
        return int(cell)
    return float(cell) if name in _FLOATS else cell


def _foreign(path: Path, why: str) -> SchemaError:
    return SchemaError(f"not readable as the meals of a build: {why}", where=str(path), hint=_AGAIN)
