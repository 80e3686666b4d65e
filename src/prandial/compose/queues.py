"""Queues for people as files: rows out as CSV or JSON lines, filled ones back in.

In CSV a text that a spreadsheet would take for a formula gets an apostrophe, which is taken off
again; lists stand in one cell.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeVar

from prandial.errors import InputError, SchemaError
from prandial.sources.nutribench.rows import open_rows
from prandial.tables.user.text import decode

__all__ = ["latest_words", "read_queue", "write_queue"]

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
        As :func:`write_queue` wrote it; a spreadsheet may have parted a CSV otherwise, or
        written it as UTF-16 or Windows-1252.
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
        rows = open_rows(path, decode=lambda raw: decode(raw).text)
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


_Word = TypeVar("_Word")


def latest_words(
    words: Iterable[_Word],
    *,
    of: Callable[[_Word], tuple[str, str]],
    said: Callable[[_Word], object],
    when: Callable[[_Word], str],
) -> tuple[list[_Word], list[str]]:
    """Return one word of each reviewer on each row: of several that differ the newest.

    Parameters
    ----------
    words : iterable
    of : callable
        Row and reviewer of a word.
    said : callable
        What it says; words that say the same are one.
    when : callable
        Its date.

    Returns
    -------
    words : list
        In the order they came.
    problems : list of str
        Rows on which a reviewer says two things, and the dates do not tell which came last;
        none of these words is taken.
    """
    held: dict[tuple[str, str], list[_Word]] = {}
    for word in words:
        held.setdefault(of(word), []).append(word)
    out: list[_Word] = []
    problems: list[str] = []
    for (row, reviewer), several in held.items():
        if len({said(w) for w in several}) == 1:
            out.append(several[0])
            continue
        dated = [(_day(when(w)), w) for w in several]
        known = [day for day, _ in dated if day is not None]
        last = [w for day, w in dated if known and day == max(known)]
        if len(known) == len(several) and len({said(w) for w in last}) == 1:
            out.append(last[0])
            continue
        problems.append(
            f"{row}: {reviewer or 'somebody'} says two things of it, and the dates (such as"
            " 2026-03-01) do not tell which came last; leave one"
        )
    return out, problems


def _day(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.strip()).replace(tzinfo=None)
    except ValueError:
        return None


def _text(cell: object) -> str:
    text = "" if cell is None else str(cell).strip()
    return text[1:] if text[:1] == "'" and text[1:].startswith(_FORMULA) else text
