"""The published CSV form: nine columns, the last two Python literals of nodes and edges."""

from __future__ import annotations

import ast
import csv
import json
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TextIO

from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.quiz.questions import TASKS, question_text
from prandial.records.quiz import Edge, Level, Node, QuestionGraph, QuizRow

__all__ = [
    "COLUMNS",
    "CSV_NAME",
    "DIFFICULTY",
    "PublishedFile",
    "PublishedRow",
    "RowProblem",
    "published_row",
    "read_published",
    "write_published",
]

#: name of the file in this form within a build
CSV_NAME: Final = "NGQA_benchmark.csv"
COLUMNS: Final = (
    "difficulty",
    "question_easy",
    "answer_easy",
    "question_medium",
    "answer_medium",
    "question_hard",
    "answer_hard",
    "node_list",
    "edge_list",
)
#: how the published file names the question levels
DIFFICULTY: Final[dict[Level, str]] = {"sparse": "easy", "standard": "medium", "complex": "hard"}
#: a cell of the released file has at most some ten thousand characters
_MOST_CHARS: Final = 131_072
_PARQUET: Final = b"PAR1"
_MOST_NODES: Final = 2_000
_MOST_EDGES: Final = 10_000


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One row as it stands: data row from 1, texts by column, and its graph."""

    row: int
    texts: dict[str, str]
    graph: QuestionGraph


@dataclass(frozen=True, slots=True)
class RowProblem:
    """A row that cannot be read: data row from 1, column (empty for the whole row), and why."""

    row: int
    column: str
    what: str


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """All rows that can be read and the problems of those that cannot."""

    rows: tuple[PublishedRow, ...]
    problems: tuple[RowProblem, ...]


class _Malformed(ValueError):  # noqa: N818 - the state of a row, told as its problem
    def __init__(self, column: str, what: str) -> None:
        super().__init__(what)
        self.column = column
        self.what = what


def published_row(row: QuizRow, *, rules: str) -> dict[str, str]:
    """Return a row's nine texts as the published file has them.

    Raises
    ------
    InputError
        On an unknown rule set.
    """
    answers = (row.gold.verdict, ", ".join(row.gold.tags), row.gold.sentence)
    texts = {"difficulty": DIFFICULTY[row.level]}
    for task, name, answer in zip(TASKS, DIFFICULTY.values(), answers, strict=True):
        texts[f"question_{name}"] = question_text(task, row.food.name, rules=rules)
        texts[f"answer_{name}"] = answer
    texts["node_list"] = node_text(row.graph)
    texts["edge_list"] = edge_text(row.graph)
    return texts


def node_text(graph: QuestionGraph) -> str:
    """Return the nodes as a Python literal."""
    return repr([[n.id, {"name": n.name, "attr": n.attr}] for n in graph.nodes])


def edge_text(graph: QuestionGraph) -> str:
    """Return the edges as a Python literal."""
    return repr([[e.source, e.relation, e.target] for e in graph.edges])


def write_published(rows: Iterable[QuizRow], path: Path, *, rules: str) -> int:
    """Write rows in the published form (UTF-8, line feeds) and return how many.

    Raises
    ------
    InputError
        When the file cannot be written, or on an unknown rule set.
    """
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            return _write(rows, file, rules)
    except OSError as error:
        raise InputError(
            "the file cannot be written", where=str(path), hint=error.strerror or ""
        ) from error


def _write(rows: Iterable[QuizRow], file: TextIO, rules: str) -> int:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    count = 0
    for row in rows:
        texts = published_row(row, rules=rules)
        writer.writerow([texts[c] for c in COLUMNS])
        count += 1
    return count


def read_published(path: Path) -> PublishedFile:
    """Read a file in the published form.

    Literals are parsed, never run. A row that cannot be read becomes a problem with its
    number; the others are read all the same.

    Raises
    ------
    NotFoundError
        When there is no such file.
    SchemaError
        When it is not UTF-8 text with commas, or lacks a column.
    """
    path = Path(path)
    _refuse_other_kind(path)
    rows: list[PublishedRow] = []
    problems: list[RowProblem] = []
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            _read(file, str(path), rows, problems)
    except UnicodeDecodeError as error:
        raise SchemaError(
            f"not UTF-8 text (byte {error.start})", where=str(path), hint="save it as UTF-8"
        ) from error
    return PublishedFile(tuple(rows), tuple(problems))


def _refuse_other_kind(path: Path) -> None:
    """Refuse what is no text file, naming what to give instead."""
    beside = path if path.is_dir() else path.parent
    try_this = f"try {beside / CSV_NAME}" if (beside / CSV_NAME).is_file() else ""
    if path.is_dir():
        raise NotFoundError(
            "a folder, not a file",
            where=str(path),
            hint=try_this or "name a file in the published CSV form",
        )
    if not path.is_file():
        raise NotFoundError("no such file", where=str(path), hint="check the path")
    try:
        with path.open("rb") as file:
            start = file.read(len(_PARQUET))
    except OSError as error:
        raise InputError(
            "the file cannot be read", where=str(path), hint=error.strerror or ""
        ) from error
    if start == _PARQUET:
        raise SchemaError(
            "a Parquet file, not CSV", where=str(path), hint=try_this or f"such as {CSV_NAME}"
        )


def _separator(header: list[str]) -> str | None:
    """Return what stands between columns in place of commas, if something does."""
    for separator, word in (("\t", "tabs"), (";", "semicolons")):
        if set(COLUMNS) <= {c.strip() for line in header for c in line.split(separator)}:
            return word
    return None


def _read(file: TextIO, where: str, rows: list[PublishedRow], problems: list[RowProblem]) -> None:
    reader = csv.reader(file)
    header = next(_cells(reader), None)
    if not isinstance(header, list):
        raise SchemaError("no header row", where=where, hint="columns: " + ", ".join(COLUMNS))
    absent = [c for c in COLUMNS if c not in header]
    separator = _separator(header) if absent else None
    if separator is not None:
        raise SchemaError(
            f"columns are separated by {separator}", where=where, hint="save it with commas"
        )
    if absent:
        raise SchemaError(
            "missing columns: " + ", ".join(absent),
            where=where,
            hint="the published form has: " + ", ".join(COLUMNS),
        )
    for number, cells in enumerate(_cells(reader), start=1):
        try:
            rows.append(_parsed(number, cells, header))
        except _Malformed as error:
            problems.append(RowProblem(number, error.column, error.what))


def _cells(reader: Iterator[list[str]]) -> Iterator[list[str] | csv.Error]:
    """Yield each row that is not blank; an error of one row does not end the file."""
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield error
            continue
        if cells:
            yield cells


def _parsed(number: int, cells: list[str] | csv.Error, header: list[str]) -> PublishedRow:
    if isinstance(cells, csv.Error):
        raise _Malformed("", str(cells))
    if len(cells) != len(header):
        raise _Malformed("", f"{len(cells)} cells, the header has {len(header)}")
    texts = dict(zip(header, cells, strict=True))
    nodes = _nodes(_literal("node_list", texts["node_list"], _MOST_NODES))
    edges = _edges(_literal("edge_list", texts["edge_list"], _MOST_EDGES), {n.id for n in nodes})
    return PublishedRow(number, {c: texts[c] for c in COLUMNS}, QuestionGraph(nodes, edges))


def _literal(column: str, text: str, most: int) -> list[Any]:
    if len(text) > _MOST_CHARS:
        raise _Malformed(column, f"{len(text)} characters, at most {_MOST_CHARS}")
    try:
        value = literal(text)
    except ValueError as error:
        raise _Malformed(column, str(error)) from error
    if not isinstance(value, list):
        raise _Malformed(column, f"a {type(value).__name__}, not a list")
    if len(value) > most:
        raise _Malformed(column, f"{len(value)} entries, at most {most}")
    return value


def literal(text: str) -> Any:
    """Return the value of a Python literal; nothing is run.

    Text without double quotes and backslashes is JSON once its quotes are changed, which
    is read several times faster.

    Raises
    ------
    ValueError
        When it is no literal.
    """
    if '"' not in text and "\\" not in text:
        try:
            return json.loads(text.replace("'", '"'), parse_constant=_no_constant)
        except (ValueError, RecursionError):
            pass  # not JSON, perhaps still a literal
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError("not a Python literal") from error


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no literal")


def _nodes(entries: list[Any]) -> tuple[Node, ...]:
    nodes = []
    for entry in entries:
        match entry:
            case [int(at), {"name": int() | str() as name, "attr": str(attr), **rest}] if (
                not rest and bool not in (type(at), type(name))
            ):
                nodes.append(Node(at, name, attr))
            case _:
                raise _Malformed("node_list", f"no node: {_short(entry)}")
    if len({n.id for n in nodes}) != len(nodes):
        raise _Malformed("node_list", "two nodes with the same id")
    return tuple(nodes)


def _edges(entries: list[Any], known: set[int]) -> tuple[Edge, ...]:
    edges = []
    for entry in entries:
        match entry:
            case [int(source), str(relation), int(target)] if bool not in (
                type(source),
                type(target),
            ):
                edges.append(Edge(source, relation, target))
            case _:
                raise _Malformed("edge_list", f"no edge: {_short(entry)}")
        if not {source, target} <= known:
            raise _Malformed("edge_list", f"an edge to a node that is not there: {_short(entry)}")
    return tuple(edges)


def _short(entry: object) -> str:
    text = repr(entry)
    return text if len(text) <= 80 else text[:77] + "..."
