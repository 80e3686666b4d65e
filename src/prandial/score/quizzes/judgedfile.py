"""Queue and judgements as files: CSV for spreadsheets, or one JSON object a line."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

from prandial.errors import InputError, NotFoundError, PrandialError, SchemaError
from prandial.score.quizzes.judged import JudgedItem, JudgedKey, Judgement, JudgingQueue

__all__ = ["read_judgements", "read_judging_queue", "write_judging_queue"]

_TEXTS: Final = ("id", "food", "question", "reply")
_LISTS: Final = ("statuses", "graph_tags")
_SHOWN: Final = ("id", "food", "statuses", "graph_tags", "question", "reply")
#: left empty for the person who judges
_ASKED: Final = ("annotator", "when", "factual", "contextual", "why")
_COLUMNS: Final = (*_SHOWN, *_ASKED)
_KEY: Final = ("id", "run", "question", "level", "kinds")
_BETWEEN: Final = " | "
_YES: Final = frozenset({"yes", "y", "true", "1", "x"})
_NO: Final = frozenset({"no", "n", "false", "0"})


def write_judging_queue(queue: JudgingQueue, path: Path, *, key: Path) -> None:
    """Write the items with empty columns for the person who judges, and the key to a second file.

    Parameters
    ----------
    queue : JudgingQueue
    path : Path
        ``.csv``, or ``.jsonl`` for one JSON object a line: what is given to people.
    key : Path
        ``.jsonl``: which run and question each item is, kept from them.

    Raises
    ------
    InputError
        On another ending, or when a file cannot be written.
    """
    path, key = Path(path), Path(key)
    kind = _kind(path)
    if key.suffix != ".jsonl":
        raise InputError(f"no key file: {key.name}", where=str(key), hint=".jsonl")
    cells = [
        {name: _cell(getattr(item, name)) for name in _SHOWN} | dict.fromkeys(_ASKED, "")
        for item in queue.items
    ]
    try:
        with key.open("w", encoding="utf-8", newline="") as file:
            file.writelines(json.dumps(k.to_dict(), ensure_ascii=False) + "\n" for k in queue.key)
        with path.open("w", encoding="utf-8", newline="") as file:
            if kind == ".jsonl":
                file.writelines(json.dumps(c, ensure_ascii=False) + "\n" for c in cells)
                return
            writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows({k: _joined(v) for k, v in c.items()} for c in cells)
    except OSError as error:
        raise InputError(
            "the file cannot be written", where=str(path), hint=error.strerror or ""
        ) from error


def read_judging_queue(path: Path, *, key: Path) -> JudgingQueue:
    """Read a queue and its key.

    Raises
    ------
    NotFoundError
        When there is no such file.
    SchemaError
        When a column is missing, a line is no JSON object, or the key is of another queue.
    """
    items = [
        JudgedItem(
            **{n: _text(c, n) for n in _TEXTS},
            statuses=_list(c, "statuses"),
            graph_tags=_list(c, "graph_tags"),
        )
        for _, c in _rows(Path(path), _COLUMNS)
    ]
    keys = {
        str(c["id"]): JudgedKey(
            **{n: str(c[n]) for n in _KEY if n != "kinds"}, kinds=_list(c, "kinds")
        )
        for _, c in _rows(Path(key), _KEY)
    }
    absent = [i.id for i in items if i.id not in keys]
    if absent:
        raise SchemaError(
            f"the key does not hold item {absent[0]}", where=str(key), hint="name this queue's key"
        )
    return JudgingQueue(items=tuple(items), key=tuple(keys[i.id] for i in items))


def read_judgements(
    path: Path, known: Collection[str] | None = None
) -> tuple[list[Judgement], list[str]]:
    """Read the judgements that were filled into a queue file.

    Rows in which nothing was filled in are passed over.

    Parameters
    ----------
    path : Path
    known : collection of str, optional
        Ids that can be judged; any when None.

    Returns
    -------
    judgements : list of Judgement
    problems : list of str
        What is wrong with rows that cannot be taken, each with its row.

    Raises
    ------
    NotFoundError, SchemaError
        As :func:`read_judging_queue`.
    """
    judgements, problems = [], []
    for number, cells in _rows(Path(path), _COLUMNS):
        if not any(_text(cells, n) for n in _ASKED):
            continue
        name = _text(cells, "id")
        if known is not None and name not in known:
            problems.append(f"row {number}: no item {name!r} in this queue")
            continue
        try:
            judgements.append(
                Judgement(
                    id=name,
                    annotator=_text(cells, "annotator"),
                    when=_text(cells, "when"),
                    factual=_told(cells, "factual"),
                    contextual=_told(cells, "contextual"),
                    why=_text(cells, "why"),
                )
            )
        except PrandialError as error:
            problems.append(f"row {number}: {error}")
    return judgements, problems


def _told(cells: dict[str, Any], name: str) -> bool:
    word = _text(cells, name).lower()
    if word in _YES or word in _NO:
        return word in _YES
    raise InputError(f"{name} is {word!r}", where=_text(cells, "id"), hint="yes or no")


def _kind(path: Path) -> str:
    if path.suffix not in (".csv", ".jsonl"):
        raise InputError(f"no queue file: {path.name}", where=str(path), hint=".csv or .jsonl")
    if not path.parent.is_dir():
        raise InputError(
            "there is no such folder", where=str(path.parent), hint="make the folder first"
        )
    return path.suffix


def _rows(path: Path, columns: Sequence[str]) -> list[tuple[int, dict[str, Any]]]:
    if not path.is_file():
        raise NotFoundError("no such file", where=str(path), hint="check the path")
    kind = _kind(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            if kind == ".csv":
                reader = csv.DictReader(file)
                found: list[Any] = list(reader)
                _refuse_header(path, reader.fieldnames or (), columns)
            else:
                found = [json.loads(line) for line in file if line.strip()]
    except (ValueError, csv.Error, RecursionError) as error:
        raise SchemaError("not readable as a queue", where=str(path), hint=str(error)) from error
    for number, cells in enumerate(found, start=1):
        _refuse_header(path, cells if isinstance(cells, dict) else (), columns, row=number)
    return list(enumerate(found, start=1))


def _refuse_header(
    path: Path, names: Collection[str], columns: Sequence[str], *, row: int | None = None
) -> None:
    absent = [c for c in columns if c not in names]
    if absent:
        raise SchemaError(
            f"{'not a queue' if row is None else f'row {row}'}: it lacks {', '.join(absent)}",
            where=str(path),
            hint="write the queue again",
        )


def _cell(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _joined(cell: object) -> str:
    text = _BETWEEN.join(cell) if isinstance(cell, list) else str(cell)
    # a spreadsheet would take these for a formula
    return "'" + text if text[:1] in ("=", "+", "-", "@") else text


def _text(cells: dict[str, Any], name: str) -> str:
    cell = cells[name]
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    text = str(cell if cell is not None else "").strip()
    return text[1:] if text[:2] in ("'=", "'+", "'-", "'@") else text


def _list(cells: dict[str, Any], name: str) -> tuple[str, ...]:
    cell = cells[name]
    if isinstance(cell, list):
        return tuple(map(str, cell))
    return tuple(p.strip() for p in _text(cells, name).split("|") if p.strip())
