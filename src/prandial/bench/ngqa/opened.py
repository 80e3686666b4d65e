"""A build that is there: its figures beside the paper's, one question, and its review."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from prandial.bench.ngqa.build import ALTERNATIVES
from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.graph import draw_png, draw_svg, question_text
from prandial.quiz import (
    LEVELS,
    TASKS,
    Adjudicated,
    Agreement,
    AlternativesQuestion,
    adjudicate,
    agreement_of,
    countings,
    make_queue,
    read_dataset,
    read_reviews,
    reason_paths,
    row_id,
    stats_dict,
    unknown_needs,
    write_queue,
)
from prandial.quiz import (
    question_text as task_text,
)
from prandial.quiz.split import leak_check
from prandial.tables.rules import read_rules

if TYPE_CHECKING:
    from prandial.records import QuizRow

__all__ = [
    "ReviewReport",
    "ShownQuestion",
    "export_review",
    "import_review",
    "ngqa_stats",
    "show_question",
]

_FIGURES: Final = ("rows", "yes_ratio", "nodes", "edges", "node_snr", "tag_snr")


def ngqa_stats(folder: Path) -> dict[str, Any]:
    """Return the figures of a build beside the published ones.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    dict
        ``levels`` by level with ``rows``, ``yes_ratio``, ``nodes``, ``edges``, ``node_snr``,
        ``tag_snr`` and trivial baselines; ``published`` the same six figures of the paper's
        Tables 1 and 2; ``splits`` with the leak check; ``rules``, ``graph``, ``seed``.

    Raises
    ------
    NotFoundError, MissingDataError, ChecksumError, SchemaError
        When the folder is not a sound build.
    """
    data = read_dataset(folder)
    rules = data.card["rules"]
    published = {
        row["level"]: {k: float(row[k]) if k != "rows" else int(row[k]) for k in _FIGURES}
        for row in read_rules("published_levels")
    }
    return {
        "rules": rules,
        "graph": data.card["graph"],
        "seed": data.card["seed"],
        **stats_dict(data.rows),
        "published": published,
        "splits": leak_check(data.rows).to_dict(),
        "card": data.card,
    }


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownQuestion:
    """One question with all a person needs to follow it."""

    row: QuizRow
    rules: str
    mode: str
    questions: dict[str, str]
    answers: dict[str, str]
    reasons: tuple[tuple[str, ...], ...]
    unknown: tuple[str, ...]
    counts: dict[str, int]
    instead: AlternativesQuestion | None

    def svg(self) -> str:
        """Return the drawn graph."""
        return draw_svg(
            self.row.graph,
            row_id(self.row),
            self.questions["B"],
            [f"{task}: {text}" for task, text in self.answers.items()],
        )

    def draw(self, path: Path) -> None:
        """Write the drawn graph as .svg or .png.

        Raises
        ------
        InputError
            On another ending, or when the file cannot be written.
        """
        kind = path.suffix.lower()
        if kind not in (".svg", ".png"):
            raise InputError(
                f"no picture is written as {path.name!r}", where="--draw", hint="use .svg or .png"
            )
        svg = self.svg()
        picture = svg.encode("utf-8") if kind == ".svg" else draw_png(svg)
        try:
            path.write_bytes(picture)
        except OSError as error:
            raise InputError(
                "the picture cannot be written", where=str(path), hint=error.strerror or ""
            ) from error

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        row = self.row
        return {
            "id": row_id(row),
            "level": row.level,
            "split": row.split,
            "rules": self.rules,
            "graph": self.mode,
            "food": {"code": row.food.code, "name": row.food.name, "category": row.food.category},
            "person": {
                "seqn": row.person.person,
                "statuses": list(row.person.statuses),
                "unknown": list(row.person.unknown),
                "habits": list(row.person.habits),
            },
            "questions": self.questions,
            "answers": self.answers,
            "matches": list(row.gold.matches),
            "contradicts": list(row.gold.contradicts),
            "conflicts": list(row.gold.conflicts),
            "unknown_needs": list(self.unknown),
            "counts": self.counts,
            "reasons": [list(r) for r in self.reasons],
            "instead": None if self.instead is None else self.instead.to_dict(),
            "nodes": [[n.id, n.name, n.attr] for n in row.graph.nodes],
            "edges": [[e.source, e.relation, e.target] for e in row.graph.edges],
            "text": question_text(row.graph),
        }


def show_question(folder: Path, question: str) -> ShownQuestion:
    """Return one question of a build by its id.

    Raises
    ------
    NotFoundError
        Naming the nearest ids.
    """
    data = read_dataset(folder)
    by_id = {row_id(r): r for r in data.rows}
    if question not in by_id:
        near = get_close_matches(question, by_id, n=3, cutoff=0.5) or list(by_id)[:3]
        raise NotFoundError(
            f"no question {question!r}", where=str(folder), hint="such as: " + ", ".join(near)
        )
    row, rules = by_id[question], str(data.card["rules"])
    counted = countings(row.food, row.person, rules=rules)
    return ShownQuestion(
        row=row,
        rules=rules,
        mode=str(data.card["graph"]),
        questions={t: task_text(t, row.food.name, rules=rules) for t in TASKS},
        answers=dict(
            zip(
                TASKS,
                (row.gold.verdict, ", ".join(row.gold.tags), row.gold.sentence),
                strict=True,
            )
        ),
        reasons=tuple(r.texts() for r in reason_paths(row.food, row.person, rules=rules)),
        unknown=unknown_needs(row.food, row.person, rules=rules),
        counts={
            "nutrients_for": counted.nutrients_for,
            "nutrients_against": counted.nutrients_against,
            "edges_for": counted.edges_for,
            "edges_against": counted.edges_against,
        },
        instead=_instead(folder, row),
    )


def _instead(folder: Path, row: QuizRow) -> AlternativesQuestion | None:
    """Return the build's question what of the same category would suit this person better."""
    path = folder / ALTERNATIVES
    if row.gold.verdict == "Yes" or not path.is_file():
        return None
    wanted = (row.person.person, row.food.category)
    try:
        for line in path.read_text("utf-8").splitlines():
            told = json.loads(line)
            if (told["person"], told["category"]) == wanted:
                return AlternativesQuestion.from_dict(told, row.person)
    except (ValueError, KeyError, TypeError) as error:
        raise SchemaError(
            "not readable as questions on alternatives", where=str(path), hint="build again"
        ) from error
    return None


def export_review(
    folder: Path, output: Path, *, rows: int | None = None, seed: int = 0
) -> dict[str, Any]:
    """Write a queue for annotators: all questions, or so many of each level.

    Raises
    ------
    InputError
        When the file cannot be written.
    """
    data = read_dataset(folder)
    chosen = list(data.rows) if rows is None else _drawn(data.rows, rows, seed)
    items = make_queue(chosen, rules=data.card["rules"])
    write_queue(items, output)
    return {
        "rows": len(items),
        "output": str(output),
        "flagged": sum(bool(i.flags) for i in items),
        "columns_to_fill": ["annotator", "when", "review_verdict", "review_tags", "why"],
    }


def _drawn(rows: Sequence[QuizRow], count: int, seed: int) -> list[QuizRow]:
    """Draw rows, as evenly over the levels as there are."""
    draw = random.Random(seed)  # noqa: S311 - a repeatable draw, no secret
    by_level = {level: [r for r in rows if r.level == level] for level in LEVELS}
    for level in LEVELS:
        draw.shuffle(by_level[level])
    chosen: list[QuizRow] = []
    while len(chosen) < min(count, len(rows)):
        for level in LEVELS:
            if by_level[level] and len(chosen) < count:
                chosen.append(by_level[level].pop())
    return chosen


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewReport:
    """What annotators said: agreement, changes with who, when and why, what is open."""

    agreement: Agreement
    labels: Adjudicated
    problems: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "agreement": self.agreement.to_dict(),
            "labels": self.labels.to_dict(),
            "problems": list(self.problems),
        }


def import_review(
    folder: Path, files: Sequence[Path], decisions: Sequence[Path] = ()
) -> ReviewReport:
    """Read filled queues of one or more annotators, and the adjudicator's if there is one.

    Parameters
    ----------
    folder : Path
        The build the queues are of.
    files, decisions : sequence of Path
        Filled queues; those of the adjudicator settle what annotators differ on.

    Raises
    ------
    NotFoundError
        On a review of a question that the build does not hold.
    """
    data = read_dataset(folder)
    reviews, problems = [], []
    for path in files:
        found, wrong = read_reviews(path)
        reviews += found
        problems += [f"{path.name}: {w}" for w in wrong]
    decided = []
    for path in decisions:
        found, wrong = read_reviews(path)
        decided += found
        problems += [f"{path.name}: {w}" for w in wrong]
    items = make_queue(list(data.rows), rules=data.card["rules"])
    labels = adjudicate(items, reviews, decided)
    return ReviewReport(agreement=agreement_of(reviews), labels=labels, problems=tuple(problems))
