"""Tables as people send them: CSV, TSV, Excel, Parquet, JSON lines, read whole."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from prandial.batch.lines import read_lines
from prandial.batch.rows import Findings
from prandial.bench.risk.books import no_title, one_line, read_book
from prandial.bench.risk.objects import document_error, read_objects
from prandial.errors import InputError, NotFoundError, SchemaError

__all__ = ["FORMATS", "Sheet", "read_sheet"]

FORMATS: Final = (".csv", ".tsv", ".tab", ".xlsx", ".parquet", ".jsonl", ".ndjson")
_SEPARATORS: Final = (",", ";", "\t", "|")
_OBJECTS: Final = (".jsonl", ".ndjson")
_PACKED: Final = (".gz", ".zip", ".bz2", ".xz", ".zst", ".7z")
_WORKBOOKS: Final = (".xls", ".xlsm", ".xlsb", ".ods", ".numbers")
#: the first line by which Excel tells its separator
_SEP: Final = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_START_BYTES: Final = 4096


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet:
    """A table: names of its columns, and rows of as many cells.

    ``labels`` name each row for errors: ``line 3`` of a text file, ``row 2`` of another.
    ``page`` is the sheet of a workbook, ``others`` its further filled sheets, ``separator`` that
    of a text file; ``notes`` tell what was odd.
    """

    path: Path
    header: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    labels: tuple[str, ...]
    page: str = ""
    others: tuple[str, ...] = ()
    separator: str = ""
    notes: tuple[str, ...] = ()

    def column(self, name: str) -> list[Any]:
        """Return the cells of a column."""
        at = self.header.index(name)
        return [row[at] for row in self.rows]

    @property
    def place(self) -> str:
        """File, and sheet of a workbook."""
        return f"{self.path}, sheet {self.page!r}" if self.page else str(self.path)

    @property
    def is_objects(self) -> bool:
        """Whether it was read from lines of JSON objects."""
        return self.path.suffix.lower() in _OBJECTS


def read_sheet(path: Path, *, fits: Callable[[Sequence[str]], bool] | None = None) -> Sheet:
    """Read a table by its ending.

    Names of columns have no space around them, and one within.

    Parameters
    ----------
    path : Path
    fits : callable, optional
        Whether a sheet of a workbook with these names of columns is the one that is meant.

    Raises
    ------
    NotFoundError
        When the file is not there.
    InputError
        On another ending, what is no file of its own (a folder, a pipe), an empty table, a column
        named twice or not at all, a row of more or fewer cells than the header (named by line),
        UTF-16 without its mark, and a damaged workbook.
    SchemaError
        When it is not the kind of file its ending says.
    MissingDataError
        When a workbook is read without openpyxl.
    """
    _check_kind(path)
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        page = read_book(path, fits)
        notes: tuple[str, ...] = ()
        if page.others:
            more = ", ".join(map(repr, page.others))
            notes = (f"{path.name}: the sheet {page.name!r} is read; not read: {more}",)
        found = _Read(page.header, page.rows, page=page.name, others=page.others, notes=notes)
    elif suffix == ".parquet":
        found = _parquet(path)
    else:
        _check_text(path)
        found = _objects(path) if suffix in _OBJECTS else _delimited(path)
    names, found = _without_empty(tuple(one_line(h) for h in found.header), found)
    _check_index(names, found, path)
    _check_header(names, path)
    return _checked(path, names, found)


def _check_kind(path: Path) -> None:
    """Refuse what is no file that can be read here, and say what it is."""
    suffix = path.suffix.lower()
    what, hint = "", ""
    if str(path) == "-":
        what = "estimates are not read from stdin"
        hint = "write them into a file first, and name it"
    elif path.is_dir():
        inside = sorted(islice((p.name for p in path.iterdir() if _is_known(p)), 100))[:5]
        what = "this is a folder"
        hint = "name a file" + (f" in it: {', '.join(inside)}" if inside else "")
    elif path.exists() and not path.is_file():
        what = "this is a pipe or a device, no file"
        hint = "write it into a file first, such as: COMMAND > estimates.csv"
    elif suffix in _PACKED:
        what = f"{path.name!r} is compressed"
        hint = f"unpack it first: gunzip -k {path.name}" if suffix == ".gz" else "unpack it first"
    elif suffix in _WORKBOOKS:
        what, hint = f"{path.name!r} is a workbook of another kind", "save it as .xlsx or .csv"
    elif suffix == ".json" and path.is_file():
        raise document_error(path)
    elif suffix not in FORMATS:
        what = f"cannot tell the format of {path.name!r}"
        hint = "known endings: " + ", ".join(FORMATS)
    if what:
        raise InputError(what, where=str(path), hint=hint)
    if not path.is_file():
        raise NotFoundError("no such file", where=str(path), hint="check the path")


def _is_known(path: Path) -> bool:
    return path.suffix.lower() in FORMATS


def _check_text(path: Path) -> None:
    with path.open("rb") as file:
        start = file.read(_START_BYTES)
    if start.startswith(b"PK\x03\x04"):
        raise InputError(
            "no text: this is a workbook, or another archive",
            where=str(path),
            hint="this is a workbook: name it .xlsx",
        )
    if b"\0" in start and not start.startswith(_UTF16):
        raise InputError(
            "no text: it holds zero bytes, as UTF-16 without its mark (BOM) does",
            where=str(path),
            hint="save it as UTF-8",
        )


def _without_empty(names: tuple[str, ...], found: _Read) -> tuple[tuple[str, ...], _Read]:
    """Drop the columns that hold nothing, no name either."""
    empty = {i for i, name in enumerate(names) if not name}
    if any(len(cells) != len(names) for _, cells in found.rows):
        return names, found
    empty = {i for i in empty if all(_is_empty(cells[i]) for _, cells in found.rows)}
    if not empty:
        return names, found
    kept = [i for i in range(len(names)) if i not in empty]
    rows: list[tuple[str, Sequence[Any]]] = [
        (label, [cells[i] for i in kept]) for label, cells in found.rows
    ]
    return tuple(names[i] for i in kept), replace(found, rows=rows)


def _is_empty(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _check_index(names: Sequence[str], found: _Read, path: Path) -> None:
    """Refuse the numbers of rows that pandas writes as a column of its own."""
    if not names or names[0] not in ("", "Unnamed: 0"):
        return
    first = [str(cells[0]).strip() for _, cells in found.rows if cells]
    if first == [str(i) for i in range(len(found.rows))]:
        raise InputError(
            "column 1 has no name, and counts the rows",
            where=str(path),
            hint="an index of pandas: write with index=False",
        )


def _check_header(names: Sequence[str], path: Path) -> None:
    counts = Counter(names)
    for at, name in enumerate(names, start=1):
        if not name or counts[name] > 1:
            told = (
                f"column {name!r} is there {counts[name]} times"
                if name
                else f"column {at} has no name"
            )
            raise InputError(told, where=str(path), hint="name each column once, in the first row")
    if not names:
        raise InputError("the file is empty", where=str(path), hint="its first row names columns")


def _checked(path: Path, names: tuple[str, ...], found: _Read) -> Sheet:
    rows = found.rows
    for label, cells in rows:
        if len(cells) != len(names):
            raise InputError(
                f"{len(cells)} cells, the header has {len(names)}",
                where=f"{path.name}, {label}",
                hint="give each row a cell for each column; put quotes round a text with commas",
            )
    if not rows:
        raise InputError(
            "the table has no rows", where=str(path), hint="one row a meal, or a patient"
        )
    return Sheet(
        path=path,
        header=names,
        rows=tuple(tuple(cells) for _, cells in rows),
        labels=tuple(label for label, _ in rows),
        page=found.page,
        others=found.others,
        separator=found.separator,
        notes=found.notes,
    )


@dataclass(frozen=True, slots=True)
class _Read:
    header: Sequence[Any]
    rows: list[tuple[str, Sequence[Any]]]
    page: str = ""
    others: tuple[str, ...] = ()
    separator: str = ""
    notes: tuple[str, ...] = ()


def _notes(findings: Findings, path: Path) -> tuple[str, ...]:
    return tuple(f"{path.name}: {line}" for line in findings.lines())


def _delimited(path: Path) -> _Read:
    findings = Findings()
    lines = list(read_lines(path, findings))
    said = _SEP.fullmatch(lines[0]) if lines else None
    above = 1 if said else 0
    lines = lines[above:]
    separators = _SEPARATORS if path.suffix.lower() == ".csv" else ("\t",)
    filled = (s for s in lines if s.strip())
    first = next((s for s in islice(filled, 5) if any(map(s.count, separators))), "")
    separator = said[1] if said else max(separators, key=first.count)
    reader = csv.reader(lines, delimiter=separator, strict=True)
    header: list[str] | None = None
    rows: list[tuple[str, Sequence[Any]]] = []
    start = top = above + 1
    try:
        for cells in reader:
            is_filled = any(c.strip() for c in cells)
            if is_filled and header is None:
                header, top = cells, start
            elif is_filled:
                rows.append((f"line {start}", cells))
            start = above + reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"not readable as a table: {error}",
            where=f"{path.name}, line {start}",
            hint="check the quotes around that line",
        ) from None
    no_title(header or [], [c for _, c in rows], f"line {top}", str(path))
    return _Read(header or [], rows, separator=separator, notes=_notes(findings, path))


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
    return _Read(names, [(f"row {i}", r) for i, r in enumerate(rows, start=1)])


def _objects(path: Path) -> _Read:
    """Return objects as a table; a key that an object lacks is an empty cell."""
    findings = Findings()
    objects = []
    for label, body in read_objects(path, findings):
        named = {one_line(k): v for k, v in body.items()}
        if len(named) != len(body):
            raise InputError(
                "a key is there twice, with and without spaces",
                where=f"{path.name}, {label}",
                hint="keep one of them",
            )
        objects.append((label, named))
    if not objects:
        raise InputError("the file is empty", where=str(path), hint="one object a line")
    names = tuple(dict.fromkeys(k for _, o in objects for k in o))
    rows: list[tuple[str, Sequence[Any]]] = [
        (label, tuple(o.get(n) for n in names)) for label, o in objects
    ]
    return _Read(names, rows, notes=_notes(findings, path))
