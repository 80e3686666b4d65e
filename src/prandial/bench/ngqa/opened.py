"""A build that is there: its figures beside the paper's, and one question."""

from __future__ import annotations

import json
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from prandial.bench.ngqa.build import ALTERNATIVES
from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.graph import draw_png, draw_svg, question_graph, question_text, question_triples
from prandial.quiz import (
    TASKS,
    AlternativesQuestion,
    alternatives_stats,
    countings,
    read_dataset,
    reason_paths,
    row_id,
    stats_dict,
    unknown_needs,
)
from prandial.quiz import (
    question_text as task_text,
)
from prandial.quiz.split import leak_check
from prandial.tables.rules import read_rules
from prandial.tags import split_tag, thresholds

if TYPE_CHECKING:
    from prandial.records import QuizRow

__all__ = ["ShownQuestion", "TagAmount", "ngqa_stats", "show_question"]

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
        Tables 1 and 2; ``alternatives`` with what answers without a model score; ``splits``
        with the leak check; ``rules``, ``graph``, ``seed``.

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
        "alternatives": alternatives_stats(_alternatives(folder)),
        "published": published,
        "splits": leak_check(data.rows).to_dict(),
        "card": data.card,
    }


@dataclass(frozen=True, kw_only=True, slots=True)
class TagAmount:
    """Why a food has a tag: its amount (NaN unknown), the threshold, and where that is from."""

    tag: str
    amount: float
    unit: str
    per: str
    sign: str
    threshold: float
    source: str
    decides: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form; an unknown amount is None."""
        told = {name: getattr(self, name) for name in self.__slots__}
        return told | {"amount": self.amount if isfinite(self.amount) else None}


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
    tags: tuple[TagAmount, ...]
    reviewed: tuple[dict[str, str], ...]
    instead: AlternativesQuestion | None

    def svg(self, *, answers: bool = True) -> str:
        """Return the drawn graph.

        Without answers it is the graph with amounts in place of verdict edges, so that it can
        be given to annotators.
        """
        row = self.row
        if not answers:
            plain = question_graph(row.food, row.person, rules=self.rules, mode="no-verdict")
            return draw_svg(plain, f"{row.food.code}, {row.person.person}", self.questions["B"])
        return draw_svg(
            row.graph,
            row_id(row),
            self.questions["B"],
            [f"{task}: {text}" for task, text in self.answers.items()],
        )

    def triples(self) -> tuple[str, ...]:
        """Return the graph in words, an edge each."""
        return question_triples(self.row.graph)

    def draw(self, path: Path, *, answers: bool = True, replace: bool = False) -> None:
        """Write the drawn graph as .svg or .png.

        Parameters
        ----------
        path : Path
        answers : bool
            As for :meth:`svg`.
        replace : bool
            Write over a file that is there.

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
        if not path.parent.is_dir():
            raise InputError(
                "there is no such folder", where=str(path.parent), hint="make the folder first"
            )
        if path.exists() and not replace:
            raise InputError(
                "a file is there already", where=str(path), hint="name another, or add --replace"
            )
        svg = self.svg(answers=answers)
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
            "tags": [t.to_dict() for t in self.tags],
            "reviewed": list(self.reviewed),
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
        reasons=tuple(r.texts(rules) for r in reason_paths(row.food, row.person, rules=rules)),
        unknown=unknown_needs(row.food, row.person, rules=rules),
        counts={
            "nutrients_for": counted.nutrients_for,
            "nutrients_against": counted.nutrients_against,
            "edges_for": counted.edges_for,
            "edges_against": counted.edges_against,
        },
        tags=_amounts(row),
        reviewed=tuple(
            c for c in data.card.get("review", {}).get("changes", ()) if c["id"] == question
        ),
        instead=_instead(folder, row),
    )


def _amounts(row: QuizRow) -> tuple[TagAmount, ...]:
    """Return the food's tags with the amount and the threshold that each rests on."""
    found = []
    known = thresholds()  # what builds tag by: per 100 g
    for tag in row.food.tags:
        direction, nutrient = split_tag(tag)
        rule = known[nutrient]
        low = direction == "low"
        found.append(
            TagAmount(
                tag=tag,
                amount=row.food.per_100g.get(nutrient, nan),
                unit=rule.unit,
                per=rule.per,
                sign="<=" if low else ">=" if rule.high_includes else ">",
                threshold=rule.low if low else rule.high,
                source=rule.source,
                decides=tag in row.gold.tags,
            )
        )
    return tuple(found)


def _instead(folder: Path, row: QuizRow) -> AlternativesQuestion | None:
    """Return the build's question what of the same category would suit this person better."""
    if row.gold.verdict == "Yes":
        return None
    wanted = (row.person.person, row.food.category)
    for asked in _alternatives(folder):
        if (asked.person.person, asked.category) == wanted:
            return asked
    return None


def _alternatives(folder: Path) -> list[AlternativesQuestion]:
    """Return the questions of the fourth task of a build; none where it has no such file."""
    path = folder / ALTERNATIVES
    if not path.is_file():
        return []
    try:
        lines = path.read_text("utf-8").splitlines()
        return [AlternativesQuestion.from_dict(json.loads(line)) for line in lines]
    except (ValueError, KeyError, TypeError) as error:
        raise SchemaError(
            "not readable as questions on alternatives", where=str(path), hint="build again"
        ) from error
