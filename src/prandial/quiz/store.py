"""A built set of questions as a folder: Parquet, the published CSV form, and a data card.

The same rows give the same bytes: one thread, given order, fixed row groups, no clock.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from prandial.errors import ChecksumError, InputError, MissingDataError, NotFoundError, SchemaError
from prandial.graph.question import MODES
from prandial.quiz.published import CSV_NAME, write_published
from prandial.quiz.questions import TASKS, question_text
from prandial.quiz.rows import row_id
from prandial.records.quiz import Edge, FoodFacts, Gold, Node, PersonFacts, QuestionGraph, QuizRow
from prandial.sources.fetch import file_entry, file_sha256
from prandial.tables.parquetfile import write_columns
from prandial.tables.rules import load_needs

__all__ = [
    "CARD",
    "CSV_NAME",
    "PARQUET_NAME",
    "Dataset",
    "read_dataset",
    "write_dataset",
]

PARQUET_NAME: Final = "questions.parquet"
CARD: Final = "card.json"
#: files that a whole build has beside the questions
_BESIDE: Final = ("alternatives.jsonl", "people.parquet")
_FORM: Final = 1

#: what must stand on a card
_ON_CARD: Final = {"files": dict, "rules": str, "graph": str, "seed": int, "counts": dict}

_Cell = Callable[[QuizRow], object]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _amounts(food: FoodFacts) -> str:
    return _json({k: v if math.isfinite(v) else None for k, v in food.per_100g.items()})


#: column -> its cell of a row; lists are JSON texts
_CELLS: Final[dict[str, _Cell]] = {
    "id": row_id,
    "level": lambda r: r.level,
    "split": lambda r: r.split,
    "food_code": lambda r: r.food.code,
    "food": lambda r: r.food.name,
    "category": lambda r: r.food.category,
    "ingredients": lambda r: _json(r.food.ingredients),
    "food_tags": lambda r: _json(r.food.tags),
    "food_unknown": lambda r: _json(r.food.unknown),
    "per_100g": lambda r: _amounts(r.food),
    "person": lambda r: r.person.person,
    "statuses": lambda r: _json(r.person.statuses),
    "habits": lambda r: _json(r.person.habits),
    "statuses_unknown": lambda r: _json(r.person.unknown),
    "verdict": lambda r: r.gold.verdict,
    "gold_tags": lambda r: _json(r.gold.tags),
    "sentence": lambda r: r.gold.sentence,
    "matches": lambda r: _json(r.gold.matches),
    "contradicts": lambda r: _json(r.gold.contradicts),
    "conflicts": lambda r: _json(r.gold.conflicts),
    "nodes": lambda r: _json([[n.id, n.name, n.attr] for n in r.graph.nodes]),
    "edges": lambda r: _json([[e.source, e.relation, e.target] for e in r.graph.edges]),
}
_LISTS: Final = (
    "ingredients",
    "food_tags",
    "food_unknown",
    "statuses",
    "habits",
    "statuses_unknown",
    "gold_tags",
    "matches",
    "contradicts",
    "conflicts",
)
_INTEGERS: Final = frozenset({"food_code", "person"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Dataset:
    """Rows of a folder with its card."""

    rows: tuple[QuizRow, ...]
    card: dict[str, Any]


def write_dataset(
    rows: Sequence[QuizRow],
    directory: Path,
    *,
    rules: str,
    mode: str,
    seed: int,
    sources: Sequence[Mapping[str, Any]] = (),
    notes: Mapping[str, Any] | None = None,
    reviewed: Collection[str] | None = None,
) -> dict[str, Any]:
    """Write questions as ``questions.parquet``, ``NGQA_benchmark.csv`` and ``card.json``.

    Parameters
    ----------
    rows : sequence of QuizRow
    directory : Path
        Made when it is not there.
    rules, mode, seed
        What the rows were built with; they go on the card.
    sources : sequence of mapping
        Of the data: name, release, licence, citation, digest.
    notes : mapping, optional
        More for the card, such as ``{"people": "made up"}``.
    reviewed : collection of str, optional
        Ids of rows whose labels people changed; a column ``reviewed`` has 1 for them and 0 for
        the others. None leaves the column out.

    Returns
    -------
    dict
        The card.

    Raises
    ------
    InputError
        When a row stands twice or the folder cannot be written.
    """
    directory = Path(directory)
    if len({row_id(r) for r in rows}) != len(rows):
        raise InputError("a row stands twice", where=str(directory), hint="leave repeats out")
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            "the folder cannot be made", where=str(directory), hint=error.strerror or ""
        ) from error
    _write_parquet(rows, directory / PARQUET_NAME, rules, reviewed)
    write_published(rows, directory / CSV_NAME, rules=rules)
    card = {
        "title": "Questions whether a food suits a person, with graph and right answers",
        "form": _FORM,
        "rules": rules,
        "graph": mode,
        "seed": seed,
        "counts": _counts(rows),
        "files": {name: file_entry(directory / name) for name in (PARQUET_NAME, CSV_NAME)},
        "sources": [dict(s) for s in sources],
        "notes": dict(notes or {}),
        "use": "research only; a verdict is a rule over nutrients, not medical advice",
    }
    text = json.dumps(card, indent=1, ensure_ascii=False, sort_keys=False) + "\n"
    (directory / CARD).write_text(text, encoding="utf-8")
    return card


def _counts(rows: Sequence[QuizRow]) -> dict[str, Any]:
    levels = Counter(r.level for r in rows)
    splits = Counter(r.split or "none" for r in rows)
    return {
        "rows": len(rows),
        "foods": len({r.food.code for r in rows}),
        "people": len({r.person.person for r in rows}),
        "levels": {k: levels[k] for k in sorted(levels)},
        "splits": {k: splits[k] for k in sorted(splits)},
        "yes": sum(r.gold.verdict == "Yes" for r in rows),
    }


def _write_parquet(
    rows: Sequence[QuizRow], path: Path, rules: str, reviewed: Collection[str] | None
) -> None:
    columns: dict[str, Any] = {}
    for name, cell in _CELLS.items():
        kind = np.int64 if name in _INTEGERS else object
        columns[name] = np.array([cell(r) for r in rows], dtype=kind)
    for task in TASKS:
        asked = [question_text(task, r.food.name, rules=rules) for r in rows]
        columns[f"question_{task}"] = np.array(asked, dtype=object)
    if reviewed is not None:
        columns["reviewed"] = np.array([row_id(r) in reviewed for r in rows], dtype=np.int64)
    write_columns(path, columns)


def read_dataset(directory: Path, *, verify: bool = True) -> Dataset:
    """Read a folder written by :func:`write_dataset`.

    Parameters
    ----------
    directory : Path
    verify : bool
        Whether to compare each file's sha256 with the card's.

    Raises
    ------
    NotFoundError
        When there is no such folder.
    MissingDataError
        When it lacks the card or a file.
    ChecksumError
        When a file is not the one on the card.
    SchemaError
        When the card or the Parquet file has another form.
    """
    directory = Path(directory)
    if not directory.is_dir():
        raise NotFoundError("no such folder", where=str(directory), hint="check the path")
    card = _card(directory)
    unnamed = [n for n in _BESIDE if (directory / n).is_file() and n not in card["files"]]
    if unnamed:
        raise SchemaError(
            f"the card does not name {unnamed[0]}",
            where=str(directory / CARD),
            hint="build again: prandial ngqa build",
        )
    for name, stated in card["files"].items():
        path = directory / name
        if not path.is_file():
            raise MissingDataError(
                f"{name} is missing", where=str(directory), hint="prandial ngqa build"
            )
        if verify and file_sha256(path) != stated["sha256"]:
            raise ChecksumError(
                "not the file on its card", where=str(path), hint="build the questions again"
            )
    return Dataset(rows=tuple(_read(directory / PARQUET_NAME)), card=card)


def _card(directory: Path) -> dict[str, Any]:
    path = directory / CARD
    if not path.is_file():
        raise MissingDataError(
            f"{CARD} is missing", where=str(directory), hint="prandial ngqa build"
        )
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        right = card["form"] == _FORM and all(isinstance(card[k], t) for k, t in _ON_CARD.items())
        right = right and all(isinstance(f["sha256"], str) for f in card["files"].values())
        right = right and card["graph"] in MODES and {PARQUET_NAME, CSV_NAME} <= set(card["files"])
        right = right and not any(set(Path(f).parts) & {"..", "/"} for f in card["files"])
        load_needs(card["rules"])
    except (ValueError, KeyError, TypeError, InputError) as error:
        raise SchemaError(
            "not a card of questions", where=str(path), hint="build again: prandial ngqa build"
        ) from error
    if not right:
        raise SchemaError(
            "a card of another form", where=str(path), hint="build again: prandial ngqa build"
        )
    return card  # type: ignore[no-any-return]


def _read(path: Path) -> list[QuizRow]:
    import duckdb

    picked = ", ".join(f'"{n}"' for n in _CELLS)
    try:
        with duckdb.connect(config={"threads": 1}) as con:
            found = con.execute(f"SELECT {picked} FROM read_parquet(?)", [str(path)]).fetchall()  # noqa: S608
        return [_row(dict(zip(_CELLS, cells, strict=True))) for cells in found]
    except (duckdb.Error, ValueError, KeyError, TypeError) as error:
        raise SchemaError(
            "not readable as questions", where=str(path), hint=str(error).splitlines()[0]
        ) from error


def _row(cells: dict[str, Any]) -> QuizRow:
    lists = {name: tuple(json.loads(cells[name])) for name in _LISTS}
    amounts = json.loads(cells["per_100g"])
    food = FoodFacts(
        code=cells["food_code"],
        name=cells["food"],
        category=cells["category"],
        ingredients=lists["ingredients"],
        tags=lists["food_tags"],
        unknown=lists["food_unknown"],
        per_100g={k: np.nan if v is None else float(v) for k, v in amounts.items()},
    )
    person = PersonFacts(
        person=cells["person"],
        statuses=lists["statuses"],
        habits=lists["habits"],
        unknown=lists["statuses_unknown"],
    )
    gold = Gold(
        verdict=cells["verdict"],
        tags=lists["gold_tags"],
        sentence=cells["sentence"],
        matches=lists["matches"],
        contradicts=lists["contradicts"],
        conflicts=lists["conflicts"],
    )
    graph = QuestionGraph(
        tuple(Node(*n) for n in json.loads(cells["nodes"])),
        tuple(Edge(*e) for e in json.loads(cells["edges"])),
    )
    return QuizRow(
        level=cells["level"], food=food, person=person, graph=graph, gold=gold, split=cells["split"]
    )
