"""Runs in pairs, question by question."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from prandial.bench.report.floors import FLOOR
from prandial.bench.report.lines import Line, lines_of
from prandial.bench.report.records import Cell, Column, Row, Table
from prandial.bench.report.scored import Bootstrap
from prandial.bench.report.sets import QuestionSet
from prandial.nutrients import unit_of
from prandial.score.answers.meals import MealRules
from prandial.score.answers.paired import Discordance, PairedDifference, compare_meals
from prandial.score.quizzes import compare_quizzes
from prandial.score.quizzes.compared import QuizRules

__all__ = ["paired_graphs", "paired_meals"]

#: runs are compared with each other up to this many, then with the first only
_ALL_PAIRS: Final = 5
_NOTES: Final = (
    "p of no difference, two-sided, by turning the signs of whole groups (of meals, of foods)",
    "p is not corrected for the number of comparisons",
    "better: where the interval leaves out 0",
)
_COLUMNS: Final = (
    Column(key="metric", heading="figure"),
    Column(key="first", heading="first", form="ratio"),
    Column(key="second", heading="second", form="ratio"),
    Column(key="difference", heading="second minus first", form="ratio"),
    Column(key="p", heading="p", form="p"),
    Column(key="pairs", heading="scored in both", form="count"),
    Column(key="left", heading="left out", form="count"),
    Column(key="better", heading="better"),
)


def paired_meals(s: QuestionSet, rules: MealRules, *, boot: Bootstrap) -> Table | None:
    """Return the differences of runs, meal by meal; None with nothing to compare.

    Every run is compared with the floor; then runs with each other, or where there are many,
    with the first.
    """
    rows = []
    for one, two in _couples(s, rules):
        found = compare_meals(
            one.pairs(s.questions),
            two.pairs(s.questions),
            rules=rules,
            seed=boot.seed,
            draws=boot.draws,
        )
        rows += _rows(one, two, found.differences, found.right, found.not_run)
    if not rows:
        return None
    unit = unit_of(s.key[0])
    return Table(
        name=f"meals-{s.name.replace(' ', '-')}-paired-{rules}",
        title=f"{s.name.capitalize()}, {s.key[0]}: runs in pairs, rules {rules}",
        rules=rules,
        n=s.n,
        columns=_COLUMNS,
        rows=tuple(rows),
        lead=(s.title,),
        notes=(*_NOTES, f"shares are of 1; errors in {unit}, over meals both answered"),
    )


def paired_graphs(s: QuestionSet, rules: QuizRules, *, boot: Bootstrap) -> Table | None:
    """Return the differences of runs, question by question; None with nothing to compare."""
    rows = []
    for one, two in _couples(s, rules):
        found = compare_quizzes(
            one.pairs(s.questions),
            two.pairs(s.questions),
            rules=rules,
            seed=boot.seed,
            draws=boot.draws,
        )
        rows += _rows(one, two, found.differences, found.right.get(s.key[0]), found.not_run)
    if not rows:
        return None
    return Table(
        name=f"graphs-{s.name.replace(' ', '-')}-paired-{rules}",
        title=f"{s.name.capitalize()}, task {s.key[0]}, {s.key[1]}: runs in pairs, rules {rules}",
        rules=rules,
        n=s.n,
        columns=_COLUMNS,
        rows=tuple(rows),
        lead=(s.title,),
        notes=_NOTES,
    )


def _couples(s: QuestionSet, rules: str) -> list[tuple[Line, Line]]:
    lines = lines_of(s, rules=rules)
    ran = [x for x in lines if not x.label.startswith(FLOOR)]
    floor = next((x for x in lines if x.label.startswith(FLOOR)), None)
    couples = [(floor, x) for x in ran if floor is not None and x.kind == "run"]
    if len(ran) <= _ALL_PAIRS:
        return couples + list(combinations(ran, 2))
    return couples + [(ran[0], x) for x in ran[1:]]


def _rows(
    one: Line,
    two: Line,
    differences: Sequence[PairedDifference],
    right: Discordance | None,
    not_run: Sequence[str],
) -> list[Row]:
    told = f"first: {one.label}; second: {two.label}"
    if right is not None:
        p = "undefined" if right.p is None else f"{right.p:.3g}"
        told += (
            f"; right: only the first {right.only_first}, only the second {right.only_second}, both"
            f" {right.both}, neither {right.neither} (McNemar p {p}, as if every question"
            " were drawn alone)"
        )
    if not_run:
        told += f"; failed in one or both: {len(not_run)}"
    return [Row(group=told, kind=two.kind, cells=_difference(d)) for d in differences]


def _difference(d: PairedDifference) -> dict[str, Cell]:
    why = "" if d.difference is not None else "nothing scored in both"
    better = ""
    if d.low is not None and d.high is not None and d.low * d.high > 0:
        better = "second" if (d.low > 0) == d.higher_is_better else "first"
    return {
        "metric": Cell(value=d.metric),
        "first": Cell(value=d.first, why=why),
        "second": Cell(value=d.second, why=why),
        "difference": Cell(value=d.difference, low=d.low, high=d.high, why=why),
        "p": Cell(value=d.p, why=why),
        "pairs": Cell(value=d.n_pairs),
        "left": Cell(value=d.n_left_out),
        "better": Cell(value=better or "cannot be told"),
    }
