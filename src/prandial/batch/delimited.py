"""Reading CSV and TSV files as people send them.

* The separator of a ``.csv`` file is the first of comma, semicolon, tab and
  bar under which the header has the wanted column.
* A blank line is not a row, except between the rows of a file with one column:
  there it is a meal without words.
* A row with too few cells is kept; without its text cell it has no text. A row
  with too many is kept and marked as possibly cut. Both are named by line.
* A quote that is never closed would swallow the rest of the file: an error.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final, Literal

from prandial.batch.lines import read_lines
from prandial.batch.rows import Columns, Findings, Row, columns_hint
from prandial.errors import InputError, NotFoundError

__all__ = ["DelimitedFile", "find_columns"]

_SEPARATORS: Final[dict[str, tuple[str, ...]]] = {
    ".csv": (",", ";", "\t", "|"),
    ".tsv": ("\t",),
    ".tab": ("\t",),
}
#: a cell spread over more lines than this is taken for an open quote
_MAX_LINES_A_ROW: Final = 20_000
_MAX_CELL_CHARS: Final = 64_000_000
#: a line of its own behind the last one; found inside a cell, that cell was never closed
_END: Final = "\x00end of file\x00"


def find_columns(header: list[str], columns: Columns, where: str) -> dict[str, int]:
    """Return the position of each wanted column.

    Raises
    ------
    NotFoundError
        When a column is not there; the hint names those that are.
    InputError
        When a column is there twice.
    """
    found = {}
    for name in dict.fromkeys((*columns.named(), *columns.further(header))):
        count = header.count(name)
        if count == 0:
            raise NotFoundError(f"no column {name!r}", where=where, hint=columns_hint(name, header))
        if count > 1:
            raise InputError(
                f"column {name!r} is there {count} times",
                where=where,
                hint="rename all but one of them",
            )
        found[name] = header.index(name)
    return found


class _CountedLines:
    """Lines for the csv reader, remembering those of the row being read."""

    def __init__(self, lines: Iterator[str], where: str) -> None:
        self._lines = chain(lines, (_END,))
        self._where = where
        self.number = 0
        self.current: list[str] = []

    def __iter__(self) -> _CountedLines:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        self.current.append(line)
        if len(self.current) > _MAX_LINES_A_ROW:
            raise self.open_quote()
        return line

    def open_quote(self) -> InputError:
        """Return the error for a quote that is never closed."""
        first = self.number - len(self.current) + 1
        return InputError(
            "a quoted cell is never closed",
            where=f"{self._where}, line {first}",
            hint='close the quote, or write a quote inside a cell as ""',
        )


class DelimitedFile:
    """A CSV or TSV file with a header.

    Parameters
    ----------
    path : Path
        File ending in ``.csv``, ``.tsv`` or ``.tab``.
    columns : Columns
        Wanted columns; ``text`` must be set.
    """

    id_type: Literal["text"] = "text"

    def __init__(self, path: Path, columns: Columns) -> None:
        self._path = path
        self._columns = columns
        self._separator, header = self._find_separator()
        find_columns(header, columns, str(path))
        self.further = columns.further(header)

    def rows(self, findings: Findings) -> Iterator[Row]:
        """Read the rows from the first on."""
        records = self._records(self._separator, findings)
        _, header = next(records)
        at = find_columns(header, self._columns, str(self._path))
        width = len(header)
        for row, (line, cells) in enumerate(records):
            note, cut = "", False
            usable = cells
            if len(cells) != width:
                kind = "few" if len(cells) < width else "many"
                findings.add(f"rows with too {kind} cells", line)
                note = f"line {line} has {len(cells)} cells, the header {width}"
                cut = kind == "many"
                if cut:
                    # behind an unquoted separator in the text every cell is out of place
                    usable = cells[: at[self._columns.text] + 1] if self._columns.text else cells
                    note += "; the text may be cut at an unquoted separator, later cells not used"
            text = self._cell(cells, at, self._columns.text)
            if text is None:
                note += "; no text cell"
            yield Row(
                row=row,
                text=text or "",
                id=self._cell(usable, at, self._columns.id),
                country=self._cell(usable, at, self._columns.country) or None,
                note=note,
                cut=cut,
                cells={
                    name: cell
                    for name in self.further
                    if (cell := self._cell(usable, at, name)) is not None
                },
            )

    @staticmethod
    def _cell(cells: list[str], at: dict[str, int], name: str | None) -> str | None:
        if name is None or at[name] >= len(cells):
            return None
        return cells[at[name]]

    def _find_separator(self) -> tuple[str, list[str]]:
        separators = _SEPARATORS[self._path.suffix.lower()]
        best: tuple[str, list[str]] = (separators[0], [])
        for separator in separators:
            header = next(self._records(separator, Findings()), (1, []))[1]
            if self._columns.text in header:
                return separator, header
            if len(header) > len(best[1]):
                best = (separator, header)
        if not best[1]:
            raise InputError(
                "the file is empty", where=str(self._path), hint="its first line must name columns"
            )
        find_columns(best[1], self._columns, str(self._path))
        return best

    def _records(self, separator: str, findings: Findings) -> Iterator[tuple[int, list[str]]]:
        """Yield (line number of its first line, cells) of the header and every row."""
        lines = _CountedLines(read_lines(self._path, findings), str(self._path))
        before = csv.field_size_limit(_MAX_CELL_CHARS)
        width, blank = 0, []
        try:
            for cells in csv.reader(lines, delimiter=separator):
                if cells and _END in cells[-1]:
                    if cells != [_END]:
                        raise lines.open_quote()
                    return
                first = lines.number - len(lines.current) + 1
                lines.current.clear()
                if not cells:
                    blank.append(first)
                    continue
                if width == 1:
                    yield from ((line, [""]) for line in blank)
                blank.clear()
                width = width or len(cells)
                yield first, cells
        except csv.Error as error:
            raise InputError(
                f"not readable as a table: {error}",
                where=f"{self._path}, line {lines.number}",
                hint="check the quotes around that line",
            ) from error
        finally:
            csv.field_size_limit(before)
