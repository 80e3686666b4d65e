"""Tables as people send them: CSV, TSV, Excel, Parquet, JSON lines, read whole."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

from prandial.batch.lines import read_lines
from prandial.batch.rows import Findings
from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.sources.workbooks import need_openpyxl

__all__ = ["FORMATS", "Sheet", "read_objects", "read_sheet"]

FORMATS: Final = (".csv", ".tsv", ".tab", ".xlsx", ".parquet", ".jsonl", ".ndjson")
_SEPARATORS: Final = (",", ";", "\t", "|")
_OBJECTS: Final = (".jsonl", ".ndjson")


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet:
    """A table: names of its columns, and rows of as many cells.

    ``labels`` name each row for errors: ``line 3`` of a text file, ``row 2`` of another.
    """

    path: Path
    header: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    labels: tuple[str, ...]

    def column(self, name: str) -> list[Any]:
        """Return the cells of a column."""
        at = self.header.index(name)
        return [row[at] for row in self.rows]


def read_sheet(path: Path) -> Sheet:
    """Read a table by its ending.

    Raises
    ------
    NotFoundError
        When the file is not there.
    InputError
        On another ending, an empty table, a column named twice or not at all, and a row of more
        or fewer cells than the header (named by line).
    SchemaError
        When it is not the kind of file its ending says.
    MissingDataError
        When a workbook is read without openpyxl.
    """
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise InputError(
            f"cannot tell the format of {path.name!r}",
            where=str(path),
            hint="known endings: " + ", ".join(FORMATS),
        )
    if not path.is_file():
        raise NotFoundError("no such file", where=str(path), hint="check the path")
    if suffix in _OBJECTS:
        return _sheet_of_objects(path, list(read_objects(path)))
    read = {".xlsx": _workbook, ".parquet": _parquet}.get(suffix, _delimited)
    header, rows = read(path)
    names = tuple(str(h if h is not None else "").strip() for h in header)
    _check_header(names, path)
    return _checked(path, names, rows)


def _check_header(names: Sequence[str], path: Path) -> None:
    for name in names:
        if not name or names.count(name) > 1:
            told = (
                f"column {name!r} is there {names.count(name)} times"
                if name
                else (f"column {names.index(name) + 1} has no name")
            )
            raise InputError(told, where=str(path), hint="name each column once, in the first row")
    if not names:
        raise InputError("the file is empty", where=str(path), hint="its first row names columns")


def _checked(path: Path, names: tuple[str, ...], rows: list[tuple[str, Sequence[Any]]]) -> Sheet:
    for label, cells in rows:
        if len(cells) != len(names):
            raise InputError(
                f"{len(cells)} cells, the header has {len(names)}",
                where=f"{path.name}, {label}",
                hint="give each row a cell for each column; put quotes round a text with commas",
            )
    if not rows:
        raise InputError("the table has no rows", where=str(path), hint="one row a meal")
    return Sheet(
        path=path,
        header=names,
        rows=tuple(tuple(cells) for _, cells in rows),
        labels=tuple(label for label, _ in rows),
    )


_Read = tuple[Sequence[Any], list[tuple[str, Sequence[Any]]]]


def _delimited(path: Path) -> _Read:
    lines = list(read_lines(path, Findings()))
    first = next((s for s in lines if s.strip()), "")
    separators = _SEPARATORS if path.suffix.lower() == ".csv" else ("\t",)
    separator = max(separators, key=first.count)
    reader = csv.reader(lines, delimiter=separator, strict=True)
    header: list[str] | None = None
    rows: list[tuple[str, Sequence[Any]]] = []
    start = 1
    try:
        for cells in reader:
            if cells and header is None:
                header = cells
            elif cells and (len(cells) > 1 or cells[0].strip()):
                rows.append((f"line {start}", cells))
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"not readable as a table: {error}",
            where=f"{path.name}, line {start}",
            hint="check the quotes around that line",
        ) from None
    return header or [], rows


def _workbook(path: Path) -> _Read:
    need_openpyxl(str(path))
    from openpyxl import load_workbook

    try:
        book = load_workbook(path, read_only=True, data_only=True)
        rows = [tuple(r) for r in book.worksheets[0].iter_rows(values_only=True)]
        book.close()
    except (BadZipFile, KeyError, ValueError, OSError) as error:
        raise SchemaError(
            f"not a readable workbook: {type(error).__name__}",
            where=str(path),
            hint="save it again as .xlsx",
        ) from None
    filled = [(i, r) for i, r in enumerate(rows, start=1) if any(c is not None for c in r)]
    if not filled:
        return [], []
    width = max(i for i, c in enumerate(filled[0][1], start=1) if c is not None)
    out: list[tuple[str, Sequence[Any]]] = []
    for i, cells in filled[1:]:
        row = list(cells)
        while len(row) > width and row[-1] is None:
            row.pop()
        out.append((f"row {i}", row + [None] * (width - len(row))))
    return filled[0][1][:width], out


def _parquet(path: Path) -> _Read:
    import duckdb

    literal = "".join(f"[{c}]" if c in "*?[" else c for c in str(path))
    with duckdb.connect(config={"threads": 1}) as con:
        try:
            found = con.execute("SELECT * FROM read_parquet(?)", [literal])
            names = [str(d[0]) for d in found.description or ()]
            rows = found.fetchall()
        except duckdb.Error as error:
            raise SchemaError(
                "not readable as Parquet", where=str(path), hint=str(error).splitlines()[0]
            ) from None
    return names, [(f"row {i}", r) for i, r in enumerate(rows, start=1)]


def read_objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield ``(line N, object)`` of a file of JSON lines.

    Raises
    ------
    InputError
        On a line that is no JSON object.
    """
    if not path.is_file():
        raise NotFoundError("no such file", where=str(path), hint="check the path")
    for number, line in enumerate(read_lines(path, Findings()), start=1):
        if not line.strip():
            continue
        try:
            body = json.loads(line)
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            raise InputError(
                "not a JSON object",
                where=f"{path.name}, line {number}",
                hint="write one object a line, for example with: jq -c '.[]'",
            )
        yield f"line {number}", body


def _sheet_of_objects(path: Path, objects: list[tuple[str, dict[str, Any]]]) -> Sheet:
    """Return flat objects as a table; a key that an object lacks is an empty cell."""
    names = tuple(dict.fromkeys(k for _, o in objects for k in o))
    if not objects:
        raise InputError("the file is empty", where=str(path), hint="one object a line")
    return Sheet(
        path=path,
        header=names,
        rows=tuple(tuple(o.get(n) for n in names) for _, o in objects),
        labels=tuple(label for label, _ in objects),
    )
