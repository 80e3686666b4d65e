"""Lines of a score table: the runs of a set and the floors under them, in the same order always."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prandial.bench.report.floors import floors_of
from prandial.bench.report.records import RowKind
from prandial.bench.report.sets import QuestionSet, statuses_of
from prandial.records.bench import Prediction

__all__ = ["Line", "lines_of"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """Who answered a set of questions, and what.

    ``about`` tells what a floor knows; empty for a run.
    """

    label: str
    kind: RowKind
    predictions: Mapping[str, Prediction]
    about: str = ""

    def pairs(self, questions: Sequence[Any]) -> list[tuple[Any, Prediction]]:
        """Return the questions that were asked, each with its answer."""
        found = self.predictions
        return [(q, found[q.id]) for q in questions if q.id in found]

    def statuses(self, questions: Sequence[Any]) -> dict[str, int]:
        """Count questions by what became of them."""
        return statuses_of(len(questions), [p for _, p in self.pairs(questions)])


def lines_of(s: QuestionSet, *, rules: str) -> tuple[Line, ...]:
    """Return the lines of a set: runs, then baselines that were run, then floors."""
    runs = [
        Line(
            label=part.label,
            kind=part.kind,
            predictions={p.question: p for p in part.predictions},
        )
        for part in s.parts
    ]
    floors = [
        Line(
            label=floor.label,
            kind="baseline",
            predictions={p.question: p for p in floor.predictions},
            about=floor.about,
        )
        for floor in floors_of(s, rules=rules)
    ]
    return (*sorted(runs, key=lambda r: r.kind == "baseline"), *floors)
