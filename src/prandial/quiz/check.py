"""Check of a file in the published form: rebuild each row from its own food and person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, Literal

from prandial.errors import NotFoundError, PrandialError, SchemaError
from prandial.quiz.across import rows_apart
from prandial.quiz.facts import facts_of, mode_of
from prandial.quiz.problems import label_problems, problem_words, verdict_problems
from prandial.quiz.published import (
    COLUMNS,
    DIFFICULTY,
    PublishedFile,
    PublishedRow,
    published_row,
    read_published,
)
from prandial.quiz.questions import question_text
from prandial.quiz.rows import level_of, make_row
from prandial.records.quiz import Edge, Node
from prandial.tables.rules import load_needs

__all__ = ["RULE_SETS", "CheckReport", "Difference", "Found", "check_file", "rules_of_file"]

RULE_SETS: Final = ("as-published", "default")
#: how a rule set was found: it was given, the questions are worded so, rows follow from it, or
#: nothing tells
Found = Literal["given", "wording", "rows", "nothing"]
_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell that is not what follows from the row's own facts; data row from 1."""

    row: int
    column: str
    expected: str
    found: str

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "row": self.row,
            "column": self.column,
            "expected": self.expected,
            "found": self.found,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckReport:
    """What a check found.

    Parameters
    ----------
    rules : {'as-published', 'default'}
    rules_by : {'given', 'wording', 'rows', 'nothing'}
        How the rule set was found.
    rows : int
        Rows of the file, also those that cannot be read.
    rows_equal : int
        Rows whose level, questions, answers, nodes and edges are all rebuilt equal.
    rows_same_text : int
        Of these, rows whose node and edge lists are also written with the same characters.
    differences : tuple of Difference
    problems : mapping of str to tuple of int
        Label problem -> rows that have it.
    not_checked : tuple of str
        Problems that need data which was not given.
    """

    rules: str
    rules_by: Found
    rows: int
    rows_equal: int
    rows_same_text: int
    differences: tuple[Difference, ...]
    problems: Mapping[str, tuple[int, ...]]
    not_checked: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form; of the rows of each problem the first 20 are named."""
        words = problem_words(self.rules)
        return {
            "rules": self.rules,
            "rules_by": self.rules_by,
            "rows": self.rows,
            "rows_equal": self.rows_equal,
            "rows_same_text": self.rows_same_text,
            "differences": [d.to_dict() for d in self.differences],
            "problems": {
                name: {"rows": len(at), "what": words[name], "first": list(at[:_SHOWN])}
                for name, at in self.problems.items()
            },
            "not_checked": list(self.not_checked),
        }


def check_file(
    path: Path,
    *,
    rules: str = "auto",
    amounts: Mapping[int, Mapping[str, float]] | None = None,
) -> CheckReport:
    """Check a file of questions in the published form.

    Each row is rebuilt from the statuses, habits and food that stand in its own nodes, and
    compared cell by cell; known label problems are counted. A row whose graph gives amounts is
    rebuilt as ``no-verdict``, any other as ``published``; ``merged`` files hold no facts.

    Parameters
    ----------
    path : Path
    rules : {'auto', 'as-published', 'default'}
        The rule set the file claims to follow; ``auto`` finds it (see :func:`rules_of_file`).
    amounts : mapping of int to mapping, optional
        Food code -> amount per 100 g by tag nutrient; needed for problems of thresholds.

    Raises
    ------
    NotFoundError
        When there is no such file.
    SchemaError
        When it is not in the published form at all, or has no rows.
    InputError
        On an unknown rule set.
    """
    if rules != "auto":
        load_needs(rules)  # refuses an unknown rule set before any row is read
    file = _some_rows(path)
    rules_by: Found = "given"
    if rules == "auto":
        rules, rules_by = _rules_of(file)
    found: dict[str, list[int]] = {name: [] for name in problem_words(rules)}
    differences = [Difference(p.row, p.column or "row", "a row that can be read", p.what)
                   for p in file.problems]  # fmt: skip
    found["malformed"] = [p.row for p in file.problems]
    in_graph = any(mode_of(r.graph) == "no-verdict" for r in file.rows)
    equal = same_text = 0
    seen: set[tuple[str, object, object]] = set()
    apart = rows_apart(file.rows)
    for row in file.rows:
        wrong, names = _checked(row, rules, amounts)
        names += apart.get(row.row, ())
        key = _key(row)
        if key in seen:
            names.append("repeated_row")
        seen.add(key)
        differences += wrong
        for name in names:
            found[name].append(row.row)
        equal += not wrong
        same_text += not wrong and "other_text" not in names
    return CheckReport(
        rules=rules,
        rules_by=rules_by,
        rows=len(file.rows) + len(file.problems),
        rows_equal=equal,
        rows_same_text=same_text,
        differences=tuple(sorted(differences, key=lambda d: d.row)),
        problems={name: tuple(at) for name, at in found.items()},
        not_checked=() if amounts or in_graph else ("low_carb_most_energy",),
    )


def rules_of_file(path: Path) -> tuple[str, Found]:
    """Return the rule set that a file follows, and what tells so.

    The wording of the questions tells; where it is of neither set, the rows do that follow from
    their own facts; where none does, ``as-published`` is taken and nothing tells.

    Raises
    ------
    NotFoundError, SchemaError
        As :func:`check_file`.
    """
    return _rules_of(_some_rows(path))


def _some_rows(path: Path) -> PublishedFile:
    file = read_published(path)
    if not file.rows and not file.problems:
        raise SchemaError("no rows", where=str(path), hint="only the header row is there")
    if file.rows and all(not r.graph.edges for r in file.rows):
        raise SchemaError(
            "the rows hold no graph: questions over one merged graph carry no facts of their own",
            where=str(path),
            hint="check a build of --graph published or no-verdict",
        )
    return file


def _rules_of(file: PublishedFile) -> tuple[str, Found]:
    worded = {s: sum(_worded(r, s) for r in file.rows) for s in RULE_SETS}
    best = max(RULE_SETS, key=worded.__getitem__)
    if worded[best]:
        return best, "wording"
    rebuilt = {s: sum(_same_graph(r, s) for r in file.rows) for s in RULE_SETS}
    best = max(RULE_SETS, key=rebuilt.__getitem__)
    return best, "rows" if rebuilt[best] else "nothing"


def _worded(row: PublishedRow, rules: str) -> bool:
    food = next((n.attr for n in row.graph.nodes if n.id == 1), "")
    return row.texts["question_easy"] == question_text("B", food, rules=rules)


def _same_graph(row: PublishedRow, rules: str) -> bool:
    try:
        food, person = facts_of(row.graph)
        built = make_row(food, person, level="sparse", rules=rules, mode=mode_of(row.graph))
    except PrandialError:
        return False
    return built.graph == row.graph


def _key(row: PublishedRow) -> tuple[str, object, object]:
    ids = {n.id: n.name for n in row.graph.nodes if n.id in (0, 1)}
    return (row.texts["difficulty"], ids.get(1), ids.get(0))


def _checked(
    row: PublishedRow, rules: str, amounts: Mapping[int, Mapping[str, float]] | None
) -> tuple[list[Difference], list[str]]:
    try:
        food, person = facts_of(row.graph)
        built = make_row(food, person, level="sparse", rules=rules, mode=mode_of(row.graph))
    except PrandialError as error:
        kind = "unknown_status" if isinstance(error, NotFoundError) else "malformed"
        return [Difference(row.row, "node_list", "facts to rebuild from", str(error))], [kind]
    expected = published_row(built, rules=rules)
    level = level_of(built.gold)
    expected["difficulty"] = DIFFICULTY[level] if level else "none: no tag decides"
    wrong = [
        Difference(row.row, column, expected[column], row.texts[column])
        for column in COLUMNS[:-2]
        if expected[column] != row.texts[column]
    ]
    ours, theirs = built.graph, row.graph
    for column, first in (
        ("node_list", _first_unequal(ours.nodes, theirs.nodes)),
        ("edge_list", _first_unequal(ours.edges, theirs.edges)),
    ):
        if first is not None:
            wrong.append(Difference(row.row, column, *first))
    names = label_problems(food, person, row.graph, amounts.get(food.code) if amounts else None)
    names += verdict_problems(food, person, built.gold, rules)
    names = [n for n in names if n in problem_words(rules)]
    if wrong:
        names.append("not_rebuilt")
    elif any(expected[c] != row.texts[c] for c in COLUMNS[-2:]):
        names.append("other_text")
    return wrong, names


def _first_unequal(
    ours: Sequence[Node | Edge], theirs: Sequence[Node | Edge]
) -> tuple[str, str] | None:
    for one, other in zip_longest(ours, theirs):
        if one != other:
            return _entry(one), _entry(other)
    return None


def _entry(entry: Node | Edge | None) -> str:
    if entry is None:
        return "nothing more"
    if isinstance(entry, Node):
        return repr([entry.id, {"name": entry.name, "attr": entry.attr}])
    return repr([entry.source, entry.relation, entry.target])
