"""A file as heading and cells, before any cell is understood."""

from __future__ import annotations

import csv
import io
import math
import shutil
import tempfile
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Final

from prandial.errors import SchemaError
from prandial.tables.user.sniff import kind_of, read_bytes
from prandial.tables.user.table import Problem
from prandial.tables.user.text import clean, decode

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from prandial.tables.user.notes import Notebook

__all__ = ["Cell", "RawTable", "read_raw"]

Cell = str | float
#: delimiters tried, with their names for the notes
_DELIMITERS: Final = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
#: lines one row may span before an open quotation mark is suspected
_LONG_ROW: Final = 25


@dataclass(frozen=True, kw_only=True, slots=True)
class RawTable:
    """Heading and rows of a file; ``rows`` are (line, cells)."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[Cell, ...]], ...]
    rows_read: int
    problems: tuple[Problem, ...]
    semicolons: bool


def _records(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the starting line and cells of every row that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    line = 1
    for cells in reader:
        if any(c.strip() for c in cells):
            yield line, cells
        line = reader.line_num + 1


def _header(text: str, delimiter: str) -> list[str]:
    first = next(_records(text, delimiter), (1, []))[1]
    return [clean(c)[0] for c in first]


def _delimiter(text: str, wanted: Collection[str], suffix: str) -> str:
    """Return the delimiter under which most wanted columns are in the heading."""
    usual = "\t" if suffix.lower() in (".tsv", ".tab") else ","

    def merit(delimiter: str) -> tuple[int, int, bool]:
        header = _header(text, delimiter)
        found = len(set(wanted) & {h.casefold() for h in header})
        return found, len(header), delimiter == usual

    return max(_DELIMITERS, key=merit)


def _text_rows(
    records: Iterator[tuple[int, list[str]]], header: Sequence[str], notes: Notebook
) -> tuple[list[tuple[int, tuple[Cell, ...]]], list[Problem], int]:
    rows: list[tuple[int, tuple[Cell, ...]]] = []
    problems: list[Problem] = []
    width = len(header)
    named = max((i for i, h in enumerate(header, start=1) if h), default=0)
    read = 0
    for line, cells in records:
        read += 1
        while len(cells) > width and not cells[-1].strip():
            cells.pop()
        if named <= len(cells) < width:  # only columns without a name are missing
            cells += [""] * (width - len(cells))
        long = max(c.count("\n") for c in cells) > _LONG_ROW
        suspect = "; perhaps a quotation mark is never closed" if long else ""
        if long:
            notes.count("rows with a cell of very many lines" + suspect, f"line {line}")
        if len(cells) != width:
            reason = f"has {len(cells)} cells where the heading has {width}" + suspect
            value = " | ".join(c.strip() for c in cells)
            problems.append(Problem(line=line, column="(row)", value=value, reason=reason))
            continue
        rows.append((line, tuple(cells)))
    return rows, problems, read


def _read_text(raw: bytes, path: Path, wanted: Collection[str], notes: Notebook) -> RawTable:
    decoded = decode(raw)
    if decoded.bad_bytes:
        notes.say(
            f"{decoded.bad_bytes} bytes are not UTF-8 and were read as Windows-1252 "
            f"(first on line {decoded.first_bad_line})"
        )
    try:
        delimiter = _delimiter(decoded.text, wanted, path.suffix)
        header = _header(decoded.text, delimiter)
        records = _records(decoded.text, delimiter)
        next(records)
        rows, problems, read = _text_rows(records, header, notes)
    except csv.Error as err:
        raise SchemaError(
            f"{path.name!r} cannot be split into cells: {err}",
            where=path.name,
            hint="look for a quotation mark that is never closed, and save the table as CSV again",
        ) from None
    notes.say(
        f"{read} rows and {len(header)} columns read; {_DELIMITERS[delimiter]}-separated "
        f"{decoded.encoding} text"
    )
    return RawTable(
        header=tuple(header),
        rows=tuple(rows),
        rows_read=read,
        problems=tuple(problems),
        semicolons=delimiter == ";",
    )


def _typed(value: object) -> Cell:
    """Return a Parquet value as a cell; null is the empty text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int | float | Decimal):
        number = float(value)
        return "" if math.isnan(number) else number
    if isinstance(value, bytes):
        return decode(value).text
    return str(value)


def _query(path: Path, wanted: Collection[str]) -> tuple[list[str], list[tuple[object, ...]]]:
    import duckdb  # a costly import, paid only for Parquet

    # A path with * or [ would be taken for a pattern: read such a file from a plainly named copy.
    with tempfile.TemporaryDirectory(prefix="prandial-") as folder, duckdb.connect() as con:
        plain = Path(folder) / "table.parquet"
        shutil.copyfile(path, plain)
        scan = con.read_parquet(str(plain), hive_partitioning=False)
        header = [str(name) for name in scan.columns]
        picked = [h for h in header if clean(h)[0].casefold() in wanted] or header[:1]
        rows = scan.select(*(duckdb.ColumnExpression(h) for h in picked)).fetchall()
    places = {h: i for i, h in enumerate(picked)}
    full = [tuple(r[places[h]] if h in places else None for h in header) for r in rows]
    return header, full


def _read_parquet(path: Path, wanted: Collection[str], notes: Notebook) -> RawTable:
    import duckdb

    try:
        header, rows = _query(path, wanted)
    except duckdb.Error as err:
        raise SchemaError(
            f"{path.name!r} cannot be read as Parquet: {str(err).splitlines()[0]}",
            where=path.name,
            hint="write the file again, or give the table as CSV",
        ) from None
    notes.say(f"{len(rows)} rows and {len(header)} columns read; Parquet")
    return RawTable(
        header=tuple(clean(h)[0] for h in header),
        rows=tuple((i, tuple(_typed(v) for v in row)) for i, row in enumerate(rows, start=1)),
        rows_read=len(rows),
        problems=(),
        semicolons=False,
    )


def read_raw(path: Path, wanted: Sequence[str], notes: Notebook) -> RawTable:
    """Read a file's heading and cells.

    Parameters
    ----------
    path : Path
        CSV, TSV or Parquet file.
    wanted : sequence of str
        Clean names of the columns hoped for; they decide between delimiters.
    notes : Notebook
        Receives what was assumed.

    Returns
    -------
    RawTable

    Raises
    ------
    InputError, NotFoundError, SchemaError
        When the file is missing or is no table.
    """
    raw = read_bytes(path)
    names = frozenset(w.casefold() for w in wanted)
    if kind_of(raw, path) == "parquet":
        return _read_parquet(path, names, notes)
    return _read_text(raw, path, names, notes)
