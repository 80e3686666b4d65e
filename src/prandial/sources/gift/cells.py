"""Rows of a GIFT file, Parquet or CSV, with the file's oddities read and counted.

CSV comes with commas, semicolons or tabs, with a byte order mark or without, in UTF-8, UTF-16
or a Windows code page, and, with semicolons, with decimal commas; line breaks stand in quotes.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.sources.longcells import long_cells
from prandial.sources.nutribench.rows import open_rows
from prandial.tables.rules import read_rules

__all__ = ["GiftFile", "open_gift"]

_AGAIN: Final = "get the survey again from the FAO/WHO GIFT platform and unpack it whole"
_EMPTY: Final = frozenset(("", "na", "n/a", "nan", "null", "none", "."))
_MOST_CHARS: Final = 1_000_000
_COMMA: Final = re.compile(r"^[+-]?\d*,\d+$")
#: first bytes of what is often named .csv
_OTHERS: Final = (
    (b"PK\x03\x04", "a zip or an Excel workbook", "unpack it, or save it as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook", "save it as CSV"),
    (b"PAR1", "a Parquet file", "name it .parquet"),
    (b"%PDF", "a PDF", _AGAIN),
    (b"<!DOCTYPE", "a web page", _AGAIN),
    (b"<html", "a web page", _AGAIN),
    (b"version https://git-lfs", "a pointer to a file kept elsewhere", _AGAIN),
)


@dataclass(kw_only=True)
class GiftFile:
    """A file's columns by house name, its rows, and what was odd.

    Parameters
    ----------
    path : Path
    columns : mapping of str to tuple of str
        House name -> the file's own columns that hold it, the first preferred.
    units : mapping of str to str
        The file's column -> unit of its cells.
    rows : iterator
        Number of each row, from 1, and its cells by column; to be gone through once.
    decimal_comma : bool
        Cells are written as ``12,5``.
    notes : list of str
    """

    path: Path
    columns: Mapping[str, tuple[str, ...]]
    units: Mapping[str, str]
    rows: Iterator[tuple[int, Mapping[str, Any]]]
    decimal_comma: bool = False
    notes: list[str] = field(default_factory=list)

    def text(self, cells: Mapping[str, Any], what: str) -> str:
        """Return the first cell of a thing that says something."""
        for column in self.columns.get(what, ()):
            text = _plain(cells[column])
            if text:
                return text
        return ""

    def number(self, cells: Mapping[str, Any], what: str, line: int) -> float | None:
        """Return the first number of a thing, None where every cell is empty.

        Raises
        ------
        SchemaError
            When a cell is no number.
        """
        for column in self.columns.get(what, ()):
            text = _plain(cells[column])
            if text:
                return self._number(text, column, line)
        return None

    def unit(self, what: str) -> str:
        """Return the unit of the column that is looked at first."""
        return self.units.get(self.columns[what][0], "") if self.columns.get(what) else ""

    def _number(self, text: str, column: str, line: int) -> float:
        written = text.replace(",", ".") if _COMMA.match(text) and self.decimal_comma else text
        try:
            number = float(written)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise SchemaError(
                f"{text[:40]!r} is no number",
                where=f"{self.path}, record {line}, column {column}",
                hint="leave a cell empty where the amount is unknown",
            )
        return number


def open_gift(path: Path, table: str, needed: tuple[str, ...], form: str = "") -> GiftFile:
    """Open a consumption or subject file.

    Parameters
    ----------
    path : Path
    table : {'consumption', 'subject'}
    needed : tuple of str
        House names that must have a column.

    Raises
    ------
    NotFoundError
        When there is no such file.
    InputError
        On another ending.
    SchemaError
        When it is not such a file; says which column is missing and what looks like it.
    """
    if not path.is_file():
        raise NotFoundError("no such file", where=str(path), hint="check the path")
    suffix = form or path.suffix.lower()
    if suffix not in (".parquet", ".csv", ".tsv", ".txt"):
        raise InputError(
            f"cannot tell the format of {path.name!r}", where=str(path), hint=".csv or .parquet"
        )
    notes: list[str] = []
    if suffix == ".parquet":
        held = open_rows(path, suffix)
        header = held.header
        columns, units = _columns(header, table, needed, path)
        wanted = tuple(dict.fromkeys(c for found in columns.values() for c in found))
        numbered = ((n, cells) for n, (_, cells) in enumerate(held.read(wanted), start=1))
        return GiftFile(path=path, columns=columns, units=units, rows=numbered, notes=notes)
    text = _decoded(path, notes)
    header, separator = _header(text, path)
    columns, units = _columns(header, table, needed, path)
    return GiftFile(
        path=path,
        columns=columns,
        units=units,
        rows=_delimited(text, header, separator, path),
        decimal_comma=separator != ",",
        notes=notes,
    )


def _plain(cell: Any) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    text = " ".join(str(cell).split())
    return "" if text.casefold() in _EMPTY else text


def _decoded(path: Path, notes: list[str]) -> str:
    data = path.read_bytes()
    for start, what, hint in _OTHERS:
        if data[: len(start)].lower() == start.lower():
            raise SchemaError(f"this is {what}, not CSV text", where=str(path), hint=hint)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        notes.append(f"{path.name}: read as UTF-16")
        return data.decode("utf-16", errors="replace")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        notes.append(f"{path.name}: not UTF-8 (byte {error.start}), read as Windows-1252")
        text = data.decode("cp1252", errors="replace")
    strange = text.count("\0")
    if strange:
        raise SchemaError(
            f"{strange} null characters: this is no text", where=str(path), hint=_AGAIN
        )
    return text


def _header(text: str, path: Path) -> tuple[tuple[str, ...], str]:
    first = next((line for line in io.StringIO(text) if line.strip()), "")
    separator = max(",;\t", key=first.count)
    with long_cells(_MOST_CHARS):
        header = next((r for r in csv.reader(io.StringIO(text), delimiter=separator) if r), [])
    names = tuple(h.strip() for h in header)
    low = [n.casefold() for n in names]
    twice = sorted({n for n in low if n and low.count(n) > 1})
    if twice:
        raise SchemaError(
            f"column {twice[0]!r} is there twice", where=str(path), hint="name each column once"
        )
    return names, separator


def _delimited(
    text: str, header: tuple[str, ...], separator: str, path: Path
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    with long_cells(_MOST_CHARS):
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        try:
            next(r for r in reader if r)
            number = 0
            for cells in reader:
                if not any(c.strip() for c in cells):
                    continue
                number += 1
                if len(cells) != len(header):
                    raise SchemaError(
                        f"{len(cells)} cells, the header has {len(header)}",
                        where=f"{path}, record {number} (ends in line {reader.line_num})",
                        hint="a cut file, or a text with separators that is not in quotes",
                    )
                yield number, dict(zip(header, cells, strict=True))
        except csv.Error as error:
            raise SchemaError(f"not CSV: {error}", where=str(path), hint=_AGAIN) from None


def _columns(
    header: tuple[str, ...], table: str, needed: tuple[str, ...], path: Path
) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """Return the file's columns by house name, and their units."""
    own = {h.casefold(): h for h in header}
    found: dict[str, tuple[str, ...]] = {}
    units: dict[str, str] = {}
    rules = [r for r in read_rules("gift_columns") if r["table"] in (table, "both")]
    for row in rules:
        name = own.get(row["column"])
        if name is not None:
            found[row["what"]] = (*found.get(row["what"], ()), name)
            units[name] = row["unit"]
    for what in needed:
        if what not in found:
            names = [r["column"] for r in rules if r["what"] == what]
            near = get_close_matches(names[0], list(own), n=3, cutoff=0.6)
            raise SchemaError(
                f"no column {' or '.join(n.upper() for n in names)}",
                where=str(path),
                hint=f"near it: {', '.join(near)}"
                if near
                else f"a GIFT {table} file is needed; columns here: {', '.join(header[:8])}",
            )
    return found, units
