"""Reading plain lines (.txt) and lines of JSON objects (.jsonl, .ndjson)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal

from prandial.batch.lines import read_lines
from prandial.batch.rows import Columns, Findings, Row, columns_hint
from prandial.errors import InputError, NotFoundError

__all__ = ["JsonLinesFile", "TextFile", "as_text"]

_LOOK_AHEAD: Final = 100


def as_text(value: object) -> str | None:
    """Return a cell's text: numbers as written, None for a missing value.

    Raises
    ------
    TypeError
        For a list, an object or another value that is no text.
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode("utf-8", errors="replace")
    if isinstance(value, str | int | float):
        return str(value)
    raise TypeError(type(value).__name__)


class TextFile:
    """A text file with one meal a line; a blank line is a meal without words.

    Parameters
    ----------
    path : Path
    """

    id_type: Literal["text"] = "text"
    further: tuple[str, ...] = ()

    def __init__(self, path: Path) -> None:
        self._path = path

    def rows(self, findings: Findings) -> Iterator[Row]:
        """Read the rows from the first on."""
        for row, line in enumerate(read_lines(self._path, findings)):
            yield Row(row=row, text=line.rstrip("\r\n"))


class JsonLinesFile:
    """A file with one JSON object a line; blank lines are not rows.

    Parameters
    ----------
    path : Path
    columns : Columns
        Wanted keys; ``text`` must be set.
    """

    id_type: Literal["text"] = "text"

    def __init__(self, path: Path, columns: Columns) -> None:
        self._path = path
        self._columns = columns
        self.further = columns.further(self._check_keys())

    def rows(self, findings: Findings) -> Iterator[Row]:
        """Read the rows from the first on."""
        lines = ((n, s) for n, s in enumerate(read_lines(self._path, findings), start=1))
        for row, (number, line) in enumerate(x for x in lines if x[1].strip()):
            record, problem = _parse(line)
            if problem:
                findings.add(f"lines that are {problem}", number)
                yield Row(row=row, text="", note=f"line {number} is {problem}")
                continue
            yield self._row(row, number, record, findings)

    def _row(self, row: int, number: int, record: dict[str, Any], findings: Findings) -> Row:
        cells: dict[str, str | None] = {}
        notes = []
        own = (self._columns.text, self._columns.id, self._columns.country)
        for name in (n for n in own if n is not None):
            try:
                cells[name] = as_text(record.get(name))
            except TypeError as error:
                cells[name] = None
                notes.append(f"line {number}: {name!r} is a {error}, not text")
                findings.add(f"{name!r} is not text", number)
            if name == self._columns.text and name not in record:
                notes.append(f"line {number} has no {name!r}")
                findings.add(f"objects without {name!r}", number)
        wanted = self._columns
        found = record.get(wanted.id) if wanted.id else None
        return Row(
            row=row,
            text=cells[wanted.text] or "" if wanted.text else "",
            id=found if type(found) is int else cells[wanted.id] if wanted.id else None,
            country=(cells[wanted.country] or None) if wanted.country else None,
            note="; ".join(notes),
            cells={name: record[name] for name in self.further if name in record},
        )

    def _check_keys(self) -> dict[str, None]:
        """Look for the wanted keys in the first objects; return the keys they have."""
        keys: dict[str, None] = {}
        seen = False
        for line in islice(read_lines(self._path, Findings()), _LOOK_AHEAD):
            if not seen and line.lstrip().startswith("["):
                raise InputError(
                    "this is one JSON array, not lines of JSON objects",
                    where=str(self._path),
                    hint="write one object a line, for example with: jq -c '.[]'",
                )
            seen = seen or bool(line.strip())
            record, problem = _parse(line)
            if not problem:
                keys.update(dict.fromkeys(record))
        for name in self._columns.named():
            if keys and name not in keys:
                raise NotFoundError(
                    f"no key {name!r} in the first {_LOOK_AHEAD} lines",
                    where=str(self._path),
                    hint=columns_hint(name, keys, "keys"),
                )
        return keys


def _parse(line: str) -> tuple[dict[str, Any], str]:
    """Return the object of a line, or what is wrong with it."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}, "not JSON"
    if not isinstance(record, dict):
        return {}, "not a JSON object"
    return record, ""
