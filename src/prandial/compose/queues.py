"""Queues for people as files: rows out as CSV or JSON lines, filled ones back in.

In CSV a text that a spreadsheet would take for a formula gets an apostrophe, which is taken off
again; lists stand in one cell.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from prandial.errors import InputError, SchemaError
from prandial.sources.nutribench.rows import open_rows

__all__ = ["read_queue", "write_queue"]

_ENDINGS: Final = (".csv", ".jsonl")
_BETWEEN: Final = " | "
_FORMULA: Final = ("=", "+", "-", "@", "'")


def write_queue(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> int:
    """Write the rows of a queue.

    Parameters
    ----------
    path : Path
        ``.csv``, or ``.jsonl`` for one JSON object a line.
    columns : sequence of str
    rows : iterable of mapping
        Texts, numbers, lists of texts; None is unknown.

    Returns
    -------
    int
        Rows written.

    Raises
    ------
    InputError
        On another ending, or when the file cannot be written.
    """
    kind = path.suffix.lower()
    if kind not in _ENDINGS:
        raise InputError(f"no queue file: {path.name}", where=str(path), hint=".csv or .jsonl")
    number = 0
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            if kind == ".csv":
                writer.writeheader()
            for row in rows:
                number += 1
                if kind == ".csv":
                    writer.writerow({k: _cell(v) for k, v in row.items()})
                else:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
    except OSError as error:
        raise InputError(
            "the queue cannot be written", where=str(path), hint=error.strerror or ""
        ) from error
    return number


def _cell(value: object) -> object:
    if value is None:
        return ""
    text = _BETWEEN.join(map(str, value)) if isinstance(value, list | tuple) else value
    return f"'{text}" if isinstance(text, str) and text.startswith(_FORMULA) else text


def read_queue(path: Path, needed: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
    """Read some columns of a filled queue, each cell as a text without space around it.

    Parameters
    ----------
    path : Path
        As :func:`write_queue` wrote it; a spreadsheet may have parted a CSV otherwise.
    needed : sequence of str

    Returns
    -------
    list of (str, dict)
        Place in the file, and the cells.

    Raises
    ------
    NotFoundError, InputError
        When there is no such file, or it has another ending.
    SchemaError
        When it is no queue, or lacks a column.
    """
    try:
        rows = open_rows(path)
        absent = [c for c in needed if c not in rows.header]
        if absent:
            raise SchemaError(
                f"no column {', '.join(absent)}",
                where=str(path),
                hint="fill the queue as it was written, with all its columns",
            )
        return [
            (at, {c: _text(cells[c]) for c in needed}) for at, cells in rows.read(tuple(needed))
        ]
    except (UnicodeDecodeError, csv.Error) as error:
        raise SchemaError(
            "not readable as a queue", where=str(path), hint=f"save it as UTF-8: {error}"
        ) from error


def _text(cell: object) -> str:
    text = "" if cell is None else str(cell).strip()
    return text[1:] if text[:1] == "'" and text[1:].startswith(_FORMULA) else text
