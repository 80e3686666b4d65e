"""People's word on the texts of a build: a queue out, decisions in, a reviewed build.

In the queue are texts that fail their verification or are in doubt, and those of a model that
never came into the build. Decisions keep, reject or correct; a corrected text is verified again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from prandial.bench.nutribench.by_model import read_journal
from prandial.compose.datacard import write_data_card
from prandial.compose.describe import (
    Decision,
    DecisionAgreement,
    ItemToState,
    ReviewRow,
    Settled,
    Verification,
    agreement_of_decisions,
    items_to_state,
    read_decisions,
    review_rows,
    settle,
    verify_described,
    write_review,
)
from prandial.compose.queues import latest_words
from prandial.compose.written import meal_of, open_build, write_build
from prandial.errors import InputError
from prandial.records.composed import DescribedMeal

__all__ = ["Exported", "Reviewed", "export_texts", "import_texts"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Exported:
    """What was put into the queue."""

    output: Path
    rows: int
    failing: int
    looked_at: int

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "output": str(self.output),
            "rows": self.rows,
            "failing": self.failing,
            "looked_at": self.looked_at,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Reviewed:
    """What came of decisions.

    Parameters
    ----------
    decisions : int
    problems : tuple of str
        Rows that were filled in but could not be taken, and why.
    settled : Settled
    agreement : DecisionAgreement
    out : Path, optional
        The reviewed build, when one was written.
    rows, left_out : int, optional
        Of it, and of the build that stand in it no more: rejected, or failing and not settled.
    """

    decisions: int
    problems: tuple[str, ...]
    settled: Settled
    agreement: DecisionAgreement
    out: Path | None = None
    rows: int | None = None
    left_out: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        settled = self.settled
        return {
            "decisions": self.decisions,
            "problems": list(self.problems),
            "kept_or_corrected": len(settled.texts),
            "rejected": list(settled.rejected),
            "open": list(settled.open),
            "unreviewed": len(settled.unreviewed),
            "still_failing": {k: list(v) for k, v in settled.failing.items()},
            "agreement": self.agreement.to_dict(),
            "out": None if self.out is None else str(self.out),
            "rows": self.rows,
            "left_out": self.left_out,
        }


_Looked = tuple[str, Sequence[ItemToState], Verification]


def _left_out(folder: Path) -> Iterator[DescribedMeal]:
    """Yield the texts of a model that failed and so are not in the build."""
    for entry in read_journal(folder):
        if entry["status"] == "faulty":
            yield meal_of(entry["row"], entry["id"])


def _looked(meals: Iterable[DescribedMeal]) -> Iterator[_Looked]:
    for meal in meals:
        name = f"{meal.meal.id}#{meal.serving_type}"
        yield name, items_to_state(meal), verify_described(meal)


def _queue(folder: Path, *, doubts: bool) -> tuple[list[ReviewRow], dict[str, _Looked], int]:
    """Return the rows of the queue, what each must state, and how many texts were looked at."""
    held: dict[str, _Looked] = {}
    number = 0
    for one in _looked(chain(open_build(folder).meals(), _left_out(folder))):
        number += 1
        if not one[2].passed or (doubts and one[2].doubts):
            held[one[0]] = one
    return review_rows(held.values(), doubts=doubts), held, number


def export_texts(
    folder: Path, output: Path, *, doubts: bool = True, replace_old: bool = False
) -> Exported:
    """Write the texts of a build that deserve a look, with room for a reviewer's word.

    Parameters
    ----------
    folder : Path
        Of a build.
    output : Path
        ``.csv`` or ``.jsonl``.
    doubts : bool
        Whether texts without faults but with doubts are among them.
    replace_old : bool
        Write over a file that is there.

    Raises
    ------
    InputError
        When the file is there already, or has another ending.
    PrandialError
        As :func:`prandial.compose.written.open_build`.
    """
    if output.exists() and not replace_old:
        raise InputError(
            "the file is there already", where=str(output), hint="name a new file, or --replace"
        )
    rows, _, number = _queue(folder, doubts=doubts)
    write_review(rows, output)
    failing = sum(r.state == "failed" for r in rows)
    return Exported(output=output, rows=len(rows), failing=failing, looked_at=number)


def import_texts(
    folder: Path,
    files: Sequence[Path],
    *,
    prandial_version: str,
    out: Path | None = None,
    replace_old: bool = False,
) -> Reviewed:
    """Read filled queues, and write a reviewed build when a folder for it is named.

    Of the reviewed build, rows that were not in question stay as they are; kept and corrected
    texts stand in it, rejected ones, and those that are open or were not looked at and fail, do
    not.

    Parameters
    ----------
    folder : Path
        The build that was reviewed.
    files : sequence of Path
        Filled queues, one or more reviewers.
    prandial_version : str
    out : Path, optional
    replace_old : bool
        Replace a build that is there.

    Raises
    ------
    PrandialError
        On a file or build that cannot be read.
    """
    build = open_build(folder)
    for path in files:
        read_decisions(path)  # a file that is none is told before every text is looked at
    rows, held, _ = _queue(folder, doubts=True)
    decisions: list[Decision] = []
    problems: list[str] = []
    for path in files:
        some, wrong = read_decisions(path, known={r.id: r.text for r in rows})
        decisions += some
        problems += [f"{path.name}, {p}" for p in wrong]
    decisions, wrong = latest_words(
        decisions,
        of=lambda d: (d.id, d.reviewer),
        said=lambda d: (d.decision, d.text),
        when=lambda d: d.when,
    )
    problems += wrong
    settled = settle(rows, decisions, {k: one[1] for k, one in held.items()})
    found = Reviewed(
        decisions=len(decisions),
        problems=tuple(problems),
        settled=settled,
        agreement=agreement_of_decisions(decisions),
    )
    if out is None:
        return found
    if out.resolve() == folder.resolve():
        raise InputError("the build that was reviewed", where=str(out), hint="name a new folder")
    failing = {k for k, one in held.items() if not one[2].passed}
    away = set(settled.rejected) | (failing - set(settled.texts))

    def meals() -> Iterator[DescribedMeal]:
        for meal in chain(build.meals(), _left_out(folder)):
            name = f"{meal.meal.id}#{meal.serving_type}"
            if name not in away:
                text = settled.texts.get(name, meal.text)
                yield meal if text == meal.text else replace(meal, text=text)

    card = build.card
    summed = {k: v for k, v in found.to_dict().items() if k not in ("out", "rows", "left_out")}
    made = write_build(
        meals(),
        out,
        seed=card["seed"],
        arguments=card["arguments"],
        prandial_version=prandial_version,
        sources=card["sources"],
        notes={**card.get("notes", {}), "reviewed": summed, "rows_left_out": len(away)},
        forms=[name.rpartition(".")[2] for name in card["files"]],
        replace=replace_old,
    )
    changes = [
        {"id": d.id, "reviewer": d.reviewer, "when": d.when, "decision": d.decision,
         "text": d.text, "why": d.why}
        for d in decisions
    ]  # fmt: skip
    text = json.dumps(changes, ensure_ascii=False, indent=1) + "\n"
    (out / "reviewed.json").write_text(text, encoding="utf-8")
    write_data_card(out)
    return replace(found, out=out, rows=made["counts"]["rows"], left_out=len(away))
