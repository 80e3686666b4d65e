"""One CSV table of a download, row by row: tolerant of how it was written, strict on columns."""

from __future__ import annotations

import codecs
import csv
import io
import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from operator import itemgetter
from typing import IO, Final

from prandial.errors import SchemaError
from prandial.sources.fdc.archive import AGAIN, Download
from prandial.sources.fdc.notes import FdcNotes
from prandial.tables.user.cells import CellError, Decimal, Quantity, read_energy, read_quantity
from prandial.tables.user.text import clean, decode
from prandial.units import KJ_PER_KCAL, MASS_G

__all__ = ["Table", "number", "open_table", "words"]

_DELIMITERS: Final = ",;\t|"
#: lines a heading or a row may span before an open quotation mark is suspected
_LONG: Final = 25
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
#: surrogates that are not undecoded bytes
_HALVES: Final = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_NO_NUMBER: Final = "cells that are no number, unknown"
#: kcal in one unit of energy, grams in one unit of mass
_ENERGY: Final = {"kcal": 1.0, "kJ": 1.0 / KJ_PER_KCAL}
_MASS: Final = {"g": 1.0, "mg": MASS_G["mg"], "µg": MASS_G["mcg"]}
_QUOTE: Final = "look for a quotation mark that is never closed, or " + AGAIN


class Table:
    """Rows of chosen columns.

    Parameters
    ----------
    lines : iterator of str
        The table, heading first.
    columns : sequence of str
        What is wanted of each row, in this order.
    optional : sequence of str
        Wanted too, an empty text where there is no such column.
    """

    def __init__(
        self,
        lines: Iterator[str],
        name: str,
        where: str,
        columns: Sequence[str],
        optional: Sequence[str],
        notes: FdcNotes,
    ) -> None:
        self.name, self.where, self.notes = name, where, notes
        heading = _heading(lines, where)
        delimiter = _delimiter(heading, [*columns, *optional])
        self.semicolons = delimiter == ";"
        self._last = ""
        self._reader = csv.reader(
            chain(heading.splitlines(keepends=True), self._passed(lines)), delimiter=delimiter
        )
        header = [clean(c)[0].casefold() for c in next(self._reader)]
        self._width = len(header)
        self._get = _picker(header, columns, optional, where)

    def _passed(self, lines: Iterator[str]) -> Iterator[str]:
        for line in lines:
            self._last = line
            yield line

    @property
    def line(self) -> str:
        """Place of the row last read, for notes and errors."""
        return f"{self.name} line {self._reader.line_num}"

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield the cells wanted of every row that has as many as the heading.

        Raises
        ------
        SchemaError
            When the text cannot be split into cells.
        """
        width, get, reader = self._width, self._get, self._reader
        read, before, spans = 0, reader.line_num, 1
        try:
            for cells in reader:
                spans, before = reader.line_num - before, reader.line_num
                if spans > _LONG:
                    raise self._open_quote(spans)
                if len(cells) != width and not self._mended(cells):
                    continue
                read += 1
                yield get(cells)
            if spans > 1 and self._last.count('"') % 2 == 0:
                raise self._open_quote(spans)  # the last line closes no quotation mark
        except csv.Error as error:
            raise SchemaError(
                f"cannot be split into cells: {error}",
                where=f"{self.where}, line {self._reader.line_num}",
                hint=_QUOTE,
            ) from None
        finally:
            self.notes.rows[self.name] += read

    def _mended(self, cells: list[str]) -> bool:
        """Drop empty cells at the end of a row; a row of another length is left out."""
        while len(cells) > self._width and not cells[-1].strip():
            cells.pop()
        if len(cells) == self._width:
            return True
        if any(c.strip() for c in cells):
            self.notes.leave_out("rows of another length than the heading", self.line)
        return False

    def _open_quote(self, lines: int) -> SchemaError:
        return SchemaError(
            f"a row of {lines} lines: a quotation mark seems never to be closed",
            where=f"{self.where}, line {self._reader.line_num - lines + 1}",
            hint=_QUOTE,
        )


def _heading(lines: Iterator[str], where: str) -> str:
    """Return the heading; line breaks within its quotes are part of it."""
    out = next(lines, "")
    for _ in range(_LONG):
        if out.count('"') % 2 == 0:
            break
        out += next(lines, "")
    if not out.strip():
        raise SchemaError("the table is empty", where=where, hint=AGAIN)
    return out


def _delimiter(heading: str, wanted: Sequence[str]) -> str:
    """Return the delimiter under which most wanted columns are in the heading."""

    def merit(delimiter: str) -> tuple[int, bool]:
        rows = csv.reader(heading.splitlines(keepends=True), delimiter=delimiter)
        return len({clean(c)[0].casefold() for c in next(rows)} & set(wanted)), delimiter == ","

    return max(_DELIMITERS, key=merit)


def _picker(
    header: Sequence[str], columns: Sequence[str], optional: Sequence[str], where: str
) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """Return what takes the cells wanted out of a row."""
    lacking = [c for c in columns if c not in header]
    if lacking:
        raise SchemaError(
            f"no column {lacking[0]!r}",
            where=where,
            hint="columns: " + ", ".join(h for h in header if h),
        )
    wanted = (*columns, *optional)
    twice = [c for c in wanted if header.count(c) > 1]
    if twice:
        raise SchemaError(
            f"the column {twice[0]!r} is there twice", where=where, hint="keep one of them"
        )
    places = [header.index(c) if c in header else -1 for c in wanted]
    if len(places) > 1 and -1 not in places:
        return itemgetter(*places)
    return lambda cells: tuple("" if p < 0 else cells[p] for p in places)


@contextmanager
def open_table(
    download: Download,
    name: str,
    columns: Sequence[str],
    notes: FdcNotes,
    *,
    optional: Sequence[str] = (),
) -> Iterator[Table]:
    """Open a table of a download.

    A byte-order mark is no part of the first column's name; bytes that are not UTF-8 come as
    lone surrogates, which :func:`words` repairs and counts; commas, semicolons, tabs and bars
    are told by the heading; columns are found by name, wherever they stand.

    Raises
    ------
    SchemaError
        When it is missing, empty, cut, or lacks a column.
    """
    with download.open(name) as raw:
        start = _peek(raw)
        coded = "utf-16" if start.startswith(_UTF16) else "utf-8-sig"
        if start.startswith(codecs.BOM_UTF8):
            notes.repair("byte-order mark removed", name)
        errors = "replace" if coded == "utf-16" else "surrogateescape"
        with io.TextIOWrapper(raw, encoding=coded, errors=errors, newline="") as text:
            yield Table(iter(text), name, download.where(name), columns, optional, notes)


def _peek(raw: IO[bytes]) -> bytes:
    peek = getattr(raw, "peek", None)
    return bytes(peek(4)[:4]) if peek is not None else b""


def words(cell: str, notes: FdcNotes, place: str) -> str:
    """Return a text cell on one line; what was repaired is counted."""
    if cell.isascii() and cell.isprintable():
        return " ".join(cell.split())
    halves = _HALVES.sub("\ufffd", cell)
    if halves != cell:
        notes.repair("halves of characters, replaced", place)
    decoded = decode(halves.encode("utf-8", "surrogateescape"))
    if decoded.bad_bytes:
        notes.repair("bytes that are not UTF-8, read as Windows-1252", place, decoded.bad_bytes)
    text, repaired, stripped = clean(decoded.text)
    if repaired:
        notes.repair("texts encoded twice", place)
    if stripped:
        notes.repair("texts with control characters, removed", place)
    return text


def number(cell: str, table: Table, unit: str = "") -> float:
    """Return a number; NaN where the cell says none.

    A decimal comma, a stray comma before the number, "Tr" and "< 0.5" are understood and
    counted, and so is a unit of its own (``627,31 kcal``, ``176 kJ (42 kcal)``); anything else
    that is no number is unknown, and counted.

    Parameters
    ----------
    cell : str
    table : Table
    unit : str
        House spelling of the unit the number is wanted in, empty for none.
    """
    try:
        value = float(cell)
    except ValueError:
        return _odd_number(cell, table, unit)
    if math.isfinite(value):
        return value
    if math.isinf(value):
        table.notes.repair(_NO_NUMBER, f"{table.line}: {cell!r}")
    return math.nan


def _odd_number(cell: str, table: Table, unit: str) -> float:
    text = clean(cell)[0]
    if not text:
        return math.nan
    decimal: Decimal | None = "comma" if table.semicolons else None
    read = read_energy if unit in _ENERGY else read_quantity
    try:
        found = read(text, decimal)
        value = _in_unit(found, unit)
    except CellError as error:
        table.notes.repair(_NO_NUMBER, f"{table.line}: {text[:40]!r} {error}")
        return math.nan
    if found.remark == "decimal comma":
        table.notes.repair("numbers with a decimal comma", f"{table.line}: {text!r}")
    elif found.remark:
        table.notes.repair("traces and amounts below a limit, unknown", f"{table.line}: {text!r}")
    return value


def _in_unit(found: Quantity, unit: str) -> float:
    """Return what a cell says in the unit of its column."""
    if not unit or found.unit in (None, unit):
        return found.value
    for scale in (_ENERGY, _MASS):
        if unit in scale and found.unit in scale:
            return found.value * scale[found.unit] / scale[unit]
    raise CellError(f"is in {found.unit}, not in {unit}")
