"""Review of a build: a queue out, filled queues in, and reviewed labels into a new build."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from prandial.bench.ngqa.build import ALTERNATIVES, GRAPH, check_folder
from prandial.bench.ngqa.respondents import RESPONDENTS
from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.quiz import (
    CARD,
    LEVELS,
    PARQUET_NAME,
    Adjudicated,
    Agreement,
    Review,
    adjudicate,
    agreement_of,
    make_queue,
    read_dataset,
    read_reviews,
    reviewed_gold,
    row_id,
    write_dataset,
    write_queue,
)
from prandial.sources.fetch import file_entry
from prandial.tags import split_tag

if TYPE_CHECKING:
    from prandial.records import QuizRow

__all__ = ["REVIEW_LOG", "ReviewReport", "apply_review", "export_review", "import_review"]

#: the labels file of the review, kept within the reviewed build
REVIEW_LOG: Final = "review.json"


def export_review(
    folder: Path,
    output: Path,
    *,
    rows: int | None = None,
    seed: int = 0,
    blind: bool = False,
    replace: bool = False,
) -> dict[str, Any]:
    """Write a queue for annotators: all questions, or so many of each level.

    Parameters
    ----------
    folder, output : Path
        A build, and the queue to write: ``.csv`` or ``.jsonl``.
    rows : int, optional
        How many questions; all when None.
    seed : int
        Of the draw.
    blind : bool
        Leave out gold answers, reasons and flags, so that annotators agree with each other and
        not with them.
    replace : bool
        Write over a file that is there; it may hold somebody's answers.

    Raises
    ------
    InputError
        When the file is there already or cannot be written.
    """
    data = read_dataset(folder)
    refuse_taken(output, replace=replace)
    if output.exists() and output.resolve().parent == folder.resolve():
        raise InputError(
            "a file of the build itself", where=str(output), hint="write the queue elsewhere"
        )
    chosen = list(data.rows) if rows is None else _drawn(data.rows, rows, seed)
    items = make_queue(chosen, rules=data.card["rules"])
    write_queue(items, output, blind=blind)
    return {
        "rows": len(items),
        "output": str(output),
        "blind": blind,
        "flagged": sum(bool(i.flags) for i in items),
        "columns_to_fill": ["annotator", "when", "review_verdict", "review_tags", "why"],
    }


def refuse_taken(path: Path, *, replace: bool) -> None:
    """Refuse a file that is there unless it may be replaced.

    Raises
    ------
    InputError
        When it may not.
    """
    if path.exists() and not replace:
        raise InputError(
            "the file is there already",
            where=str(path),
            hint="name a new file, or --replace if nobody's answers are in it",
        )


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
    folder: Path, files: Sequence[Path], decisions: Sequence[Path] = (), *, reviewers: int = 2
) -> ReviewReport:
    """Read filled queues of one or more annotators, and the adjudicator's if there is one.

    A row that was filled in but cannot be taken, or whose question is not of this build, is
    named among the problems and left out.

    Parameters
    ----------
    folder : Path
        The build the queues are of.
    files, decisions : sequence of Path
        Filled queues; those of the adjudicator settle what annotators differ on.
    reviewers : int
        How many must agree for a label to change without a decision.

    Raises
    ------
    NotFoundError
        When no filled row of any file is of a question of the build.
    """
    data = read_dataset(folder)
    known = {row_id(r) for r in data.rows}
    problems: list[str] = []

    def read(paths: Sequence[Path]) -> list[Review]:
        found: list[Review] = []
        for path in paths:
            taken, wrong = read_reviews(path, known)
            found += taken
            problems.extend(f"{path.name}: {w}" for w in wrong)
        return found

    reviews, decided = read(files), read(decisions)
    strange = [p for p in problems if p.endswith("in this build")]
    if strange and not (reviews or decided):
        raise NotFoundError(
            f"no review is of a question of this build; {strange[0]}",
            where=str(folder),
            hint="name the build the queue was exported from",
        )
    items = make_queue(list(data.rows), rules=data.card["rules"])
    labels = adjudicate(items, reviews, decided, reviewers=reviewers)
    return ReviewReport(agreement=agreement_of(reviews), labels=labels, problems=tuple(problems))


def apply_review(folder: Path, labels: Path, out: Path) -> dict[str, Any]:
    """Write a new build whose changed rows carry the reviewed verdict and tags.

    Their sentence is rebuilt by template from the reviewed verdict and tags. Levels, graphs and
    the questions on alternatives stay those of the rules. ``questions.parquet`` marks the rows in
    a column ``reviewed``, the labels file lies beside as ``review.json``, and the card has all
    changes.

    Parameters
    ----------
    folder : Path
        The build that was reviewed.
    labels : Path
        What ``review import --output`` wrote.
    out : Path
        New folder.

    Returns
    -------
    dict
        ``folder``, ``rows``, ``changed`` (rows) and ``changes``.

    Raises
    ------
    NotFoundError
        When a changed row is not in the build.
    SchemaError
        When the labels file has another form, or an old label is not that of the build.
    InputError
        When the folder is not new.
    """
    data = read_dataset(folder)
    told, body = _labels(labels)
    check_folder(out, replace=False)
    rows = {row_id(r): r for r in data.rows}
    changed: dict[str, QuizRow] = {}
    for name in dict.fromkeys(c["id"] for c in told["changes"]):
        if name not in rows:
            raise NotFoundError(
                f"no question {name!r} in this build",
                where=str(labels),
                hint="name the build that was reviewed",
            )
        changed[name] = _reviewed(rows[name], told, labels, data.card["rules"])
    card = write_dataset(
        [changed.get(n, r) for n, r in rows.items()],
        out,
        rules=data.card["rules"],
        mode=data.card["graph"],
        seed=data.card["seed"],
        sources=data.card.get("sources", ()),
        notes=data.card.get("notes"),
        reviewed=changed,
    )
    for name in (ALTERNATIVES, RESPONDENTS):
        if (folder / name).is_file():
            shutil.copyfile(folder / name, out / name)
            card["files"][name] = file_entry(out / name)
    if (folder / GRAPH).is_dir():
        shutil.copytree(folder / GRAPH, out / GRAPH)
    (out / REVIEW_LOG).write_bytes(body)
    card["files"][REVIEW_LOG] = file_entry(out / REVIEW_LOG)
    if "alternatives" in data.card["counts"]:
        card["counts"]["alternatives"] = data.card["counts"]["alternatives"]
    if "merged_graph" in data.card:
        card["merged_graph"] = data.card["merged_graph"]
    card["review"] = {
        "rows_changed": len(changed),
        "of_questions": data.card["files"][PARQUET_NAME]["sha256"],
        "unchanged": "levels, graphs and questions on alternatives are those of the rules",
        "changes": told["changes"],
    }
    text = json.dumps(card, indent=1, ensure_ascii=False) + "\n"
    (out / CARD).write_text(text, encoding="utf-8")
    return {
        "folder": str(out),
        "rows": len(rows),
        "changed": len(changed),
        "changes": told["changes"],
    }


def _labels(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return the labels of a file that an import wrote, and its bytes."""
    if not path.is_file():
        raise NotFoundError("no such file", where=str(path), hint="check the path")
    body = path.read_bytes()
    try:
        told = json.loads(body)["labels"]
        for change in told["changes"]:
            texts = [change[k] for k in ("id", "label", "old", "new", "who", "when", "why")]
            if not all(isinstance(t, str) for t in texts):
                raise TypeError("a change that is no text")  # noqa: TRY301
            if told["verdicts"][change["id"]] not in ("Yes", "No"):
                raise ValueError("a verdict")  # noqa: TRY301
            for tag in told["tags"][change["id"]]:
                split_tag(tag)
    except (
        InputError, ValueError, KeyError, TypeError, AttributeError, RecursionError
    ) as error:  # fmt: skip
        raise SchemaError(
            "not a file of reviewed labels",
            where=str(path),
            hint="write it with: prandial ngqa review import DIR FILE... --output labels.json",
        ) from error
    return told, body


def _reviewed(row: QuizRow, told: Mapping[str, Any], path: Path, rules: str) -> QuizRow:
    """Return a row with its reviewed labels, once the old ones are found to be its own."""
    name = row_id(row)
    own = {"verdict": row.gold.verdict, "tags": ", ".join(row.gold.tags)}
    for change in told["changes"]:
        if change["id"] == name and own.get(change["label"]) != change["old"]:
            raise SchemaError(
                f"{name}: the {change['label']} changed was {change['old']!r}, here it is"
                f" {own.get(change['label'])!r}",
                where=str(path),
                hint="name the build that was reviewed",
            )
    gold = reviewed_gold(
        row.food, row.person, told["verdicts"][name], tuple(told["tags"][name]), rules=rules
    )
    return replace(row, gold=gold)
