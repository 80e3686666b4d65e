"""Queue and reviews as files: CSV for spreadsheets, or one JSON object a line."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

from prandial.errors import InputError, NotFoundError, PrandialError, SchemaError
from prandial.quiz.review import Opinion, Review, ReviewItem

__all__ = ["read_queue", "read_reviews", "write_queue"]

_LISTS: Final = ("statuses", "food_tags", "tags", "because", "flags")
_TEXTS: Final = ("id", "level", "food", "category", "question", "verdict", "sentence")
_MODEL: Final = ("model_verdict", "model_tags", "model_note")
#: left empty for the reviewer
_REVIEW: Final = ("annotator", "when", "review_verdict", "review_tags", "why")
#: what tells the answer, left empty in a blind queue
_GOLD: Final = ("verdict", "tags", "sentence", "because", "flags", *_MODEL)
_BETWEEN: Final = " | "
_COLUMNS: Final = (
    "id", "level", "food", "category", "statuses", "food_tags", "question", "verdict", "tags",
    "sentence", "because", "flags", *_MODEL, *_REVIEW,
)  # fmt: skip


def write_queue(items: Sequence[ReviewItem], path: Path, *, blind: bool = False) -> None:
    """Write items with empty columns for the reviewer: who, when, verdict, tags and why.

    Parameters
    ----------
    items : sequence of ReviewItem
    path : Path
        ``.csv``, or ``.jsonl`` for one JSON object a line.
    blind : bool
        Leave empty what tells the answer, and put items in the order of their ids: what
        reviewers agree on is then their own.

    Raises
    ------
    InputError
        On another ending, or when the file cannot be written.
    """
    path = Path(path)
    kind = _kind(path)
    if not path.parent.is_dir():
        raise InputError(
            "there is no such folder", where=str(path.parent), hint="make the folder first"
        )
    ordered = sorted(items, key=lambda i: i.id) if blind else items
    rows = [_cells(i, blind=blind) for i in ordered]
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            if kind == ".jsonl":
                file.writelines(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)
                return
            writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows({k: _joined(v) for k, v in r.items()} for r in rows)
    except OSError as error:
        raise InputError(
            "the file cannot be written", where=str(path), hint=error.strerror or ""
        ) from error


def _kind(path: Path) -> str:
    if path.suffix not in (".csv", ".jsonl"):
        raise InputError(f"no queue file: {path.name}", where=str(path), hint=".csv or .jsonl")
    return path.suffix


def _cells(item: ReviewItem, *, blind: bool) -> dict[str, Any]:
    said = item.opinion
    cells = {name: getattr(item, name) for name in _TEXTS}
    cells |= {name: list(getattr(item, name)) for name in _LISTS}
    cells |= {
        "model_verdict": said.verdict if said else "",
        "model_tags": list(said.tags) if said else [],
        "model_note": said.note if said else "",
    }
    if blind:
        cells |= {name: [] if isinstance(cells[name], list) else "" for name in _GOLD}
    cells |= dict.fromkeys(_REVIEW, "")
    return {name: cells[name] for name in _COLUMNS}


def _joined(cell: object) -> str:
    text = _BETWEEN.join(cell) if isinstance(cell, list) else str(cell)
    # a spreadsheet would take these for a formula
    return "'" + text if text[:1] in ("=", "+", "-", "@") else text


def read_queue(path: Path) -> list[ReviewItem]:
    """Read the items of a queue file.

    Raises
    ------
    NotFoundError
        When there is no such file.
    SchemaError
        When a column is missing or a line is no JSON object.
    """
    return [_item(cells) for _, cells in _rows(Path(path))]


def _item(cells: dict[str, Any]) -> ReviewItem:
    model = Opinion(
        verdict=_text(cells, "model_verdict"),
        note=_text(cells, "model_note"),
        tags=_list(cells, "model_tags"),
    )
    parts: dict[str, Any] = {name: _text(cells, name) for name in _TEXTS}
    parts |= {name: _list(cells, name) for name in _LISTS}
    return ReviewItem(**parts, opinion=model if model != Opinion(verdict="") else None)


def read_reviews(
    path: Path, known: Collection[str] | None = None
) -> tuple[list[Review], list[str]]:
    """Read the reviews that were filled into a queue file.

    Rows without an annotator and a verdict were not reviewed and are passed over.

    Parameters
    ----------
    path : Path
    known : collection of str, optional
        Ids of the questions that can be reviewed; any when None.

    Returns
    -------
    reviews : list of Review
    problems : list of str
        What is wrong with rows that were filled in but cannot be taken, each with its row.

    Raises
    ------
    NotFoundError, SchemaError
        As :func:`read_queue`.
    """
    reviews, problems = [], []
    for number, cells in _rows(Path(path)):
        verdict, annotator = _text(cells, "review_verdict"), _text(cells, "annotator")
        if not verdict and not annotator:
            continue
        tags = _list(cells, "review_tags")
        name = _text(cells, "id")
        if known is not None and name not in known:
            problems.append(f"row {number}: no question {name!r} in this build")
            continue
        try:
            reviews.append(
                Review(
                    id=name,
                    annotator=annotator,
                    when=_text(cells, "when"),
                    verdict=verdict.capitalize(),
                    why=_text(cells, "why"),
                    tags=tags or None,
                )
            )
        except PrandialError as error:
            problems.append(f"row {number}: {error}")
    return reviews, problems


def _rows(path: Path) -> list[tuple[int, dict[str, Any]]]:
    if not path.is_file():
        raise NotFoundError("no such file", where=str(path), hint="check the path")
    kind = _kind(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            found: list[Any]
            if kind == ".csv":
                reader = csv.DictReader(file)
                found = list(reader)
                _refuse_header(path, reader.fieldnames or ())
            else:
                found = [json.loads(line) for line in file if line.strip()]
    except (ValueError, csv.Error, RecursionError) as error:
        raise SchemaError("not readable as a queue", where=str(path), hint=str(error)) from error
    for number, cells in enumerate(found, start=1):
        absent = [c for c in _COLUMNS if c not in cells] if isinstance(cells, dict) else ["all"]
        if absent:
            raise SchemaError(
                f"row {number} lacks: {', '.join(absent)}",
                where=str(path),
                hint="export the queue again",
            )
    return list(enumerate(found, start=1))


def _refuse_header(path: Path, names: Sequence[str]) -> None:
    """Refuse a table without the queue's columns, also where it has no rows."""
    absent = [c for c in _COLUMNS if c not in names]
    if absent:
        raise SchemaError(
            f"not a queue: it lacks the columns {', '.join(absent[:3])}"
            + (f" and {len(absent) - 3} more" if len(absent) > 3 else ""),
            where=str(path),
            hint="write a queue with: prandial ngqa review export",
        )


def _text(cells: dict[str, Any], name: str) -> str:
    text = str(cells[name] if cells[name] is not None else "").strip()
    return text[1:] if text[:2] in ("'=", "'+", "'-", "'@") else text


def _list(cells: dict[str, Any], name: str) -> tuple[str, ...]:
    cell = cells[name]
    if isinstance(cell, list):
        return tuple(map(str, cell))
    text = _text(cells, name)
    # reviewers write tags with commas, the export with bars
    parts = text.split("|" if "|" in text or name not in ("review_tags", "tags") else ",")
    return tuple(p.strip() for p in parts if p.strip())
