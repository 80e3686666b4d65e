"""Analyses of meals: wordings, spread, errors, and answers that are far off."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from prandial.answer.reading.plain import in_plain_writing, without_thinking
from prandial.bench.report.analyses import published_facts
from prandial.bench.report.cells import cut
from prandial.bench.report.lines import Line, lines_of
from prandial.bench.report.published import number, published
from prandial.bench.report.records import Cell, Column, Row, Table
from prandial.bench.report.sets import Part, QuestionSet
from prandial.errors import InputError
from prandial.nutrients import unit_of
from prandial.records.bench import MealQuestion, Prediction
from prandial.score.analyses.reasoning import FAULTS, FarAnswer, count_faults, far_answers
from prandial.score.analyses.spread import (
    GroupFigures,
    Shift,
    high_and_low_error,
    high_and_low_meals,
)
from prandial.score.analyses.wordings import WordingFigure, compare_wordings
from prandial.score.answers.meals import MealRules

__all__ = ["error_table", "far_tables", "spread_table", "wording_tables"]

#: replies shown in full of each run
_SHOWN: Final = 5
_BEYOND: Final = {"energy_kcal": 200.0}
_BEYOND_G: Final = 50.0
_PARAPHRASE: Final = re.compile(r"_p(\d+)$")


def _slug(s: QuestionSet) -> str:
    return s.name.replace(" ", "-")


def wording_tables(s: QuestionSet) -> list[Table]:
    """Return mean, SD and p over wordings (Table 9): ``NAME_p1``, ``NAME_p2`` ... of a model."""
    tables: list[Table] = []
    found: dict[tuple[str, str], list[Part]] = {}
    for part in s.parts:
        base = _PARAPHRASE.sub("", part.method)
        found.setdefault((part.model, base), []).append(part)
    for (model, base), parts in found.items():
        if not any(_PARAPHRASE.search(p.method) for p in parts) or len(parts) < 2:
            continue
        rules: MealRules
        for rules in ("ours", "published"):
            tables.append(_wordings(s, model, base, parts, rules, len(tables) + 1))
    return tables


def _wordings(
    s: QuestionSet, model: str, base: str, parts: Sequence[Part], rules: MealRules, k: int
) -> Table:
    unit = unit_of(s.key[0])
    columns = (
        Column(key="wording", heading="wording"),
        Column(key="acc", heading="right, of all run", form="share"),
        Column(key="mae", heading=f"mean absolute error, {unit}", form="amount"),
    )
    why = ""
    notes = [s.title]
    try:
        given = {p.label: list(_pairs(p, s)) for p in parts}
        figures = {f.metric.split("_")[0]: f for f in compare_wordings(given, rules=rules)}
    except InputError as error:
        figures, why = {}, error.what
        notes.append(f"not compared: {why}")
    takes: list[tuple[str, Callable[[WordingFigure], float]]] = [
        *((p.label, partial(_of_run, label=p.label)) for p in parts),
        ("mean", lambda f: f.mean),
        ("SD (divisor n, as printed)", lambda f: f.sd),
        ("SD (divisor n - 1)", lambda f: f.sd_sample),
    ]
    rows = [_wording_row(name, figures, take, why) for name, take in takes]
    for name, f in figures.items():
        notes.append(
            f"{name}: {f.test} {f.statistic:.2f}, p {f.p:.3g}, n={f.n} meals scored in every run,"
            f" {f.n_left_out} left out"
        )
    if rules == "published" and s.key[0] == "carb_g":
        rows += _printed_wordings()
        notes.append("published: Table 9; the paper does not name the test of its p")
    return Table(
        name=f"meals-{_slug(s)}-wordings-{k}",
        title=f"{s.name.capitalize()}: wordings of {model} · {base} (Table 9), rules {rules}",
        rules=rules,
        n=s.n,
        columns=columns,
        rows=tuple(rows),
        notes=tuple(notes),
    )


def _of_run(figure: WordingFigure, *, label: str) -> float:
    return figure.by_run[label]


def _wording_row(
    name: str,
    figures: dict[str, WordingFigure],
    take: Callable[[WordingFigure], float],
    why: str,
) -> Row:
    cells = {"wording": Cell(value=name)}
    for key in ("acc", "mae"):
        f = figures.get(key)
        cells[key] = Cell(value=take(f), n=f.n) if f else Cell(why=why or "no meal answered by all")
    return Row(cells=cells)


def _printed_wordings() -> list[Row]:
    rows = [
        Row(
            kind="published",
            cells={
                "wording": Cell(value=f"{r['model']} · {r['method']} · {r['slice']}"),
                "acc": Cell(value=number(r["acc"])),
                "mae": Cell(value=number(r["mae_g"])),
            },
        )
        for r in published("published_nutribench")
        if r["kind"] == "wording"
    ]
    facts = {f["figure"]: float(f["value"]) for f in published_facts("wordings")}
    for name, key in (("mean", "mean"), ("SD", "sd")):
        cells = {"acc": Cell(value=facts[f"acc_{key}"]), "mae": Cell(value=facts[f"mae_{key}"])}
        label = {"wording": Cell(value=f"GPT-4o mini · {name}")}
        rows.append(Row(kind="published", cells=label | cells))
    cells = {k: Cell(value=f"p {facts[f'{k}_p']:.2f}") for k in ("acc", "mae")}
    rows.append(Row(kind="published", cells={"wording": Cell(value="GPT-4o mini · p"), **cells}))
    return rows


def _pairs(part: Part, s: QuestionSet) -> list[tuple[MealQuestion, Prediction]]:
    found = {p.question: p for p in part.predictions}
    return [(q, found[q.id]) for q in s.questions if q.id in found]


def spread_table(s: QuestionSet) -> Table:
    """Return Levene's test of large against small meals of one food (appendix I)."""
    unit = unit_of(s.key[0])
    notes = ["above the third and below the first quartile of the label, meals of one food only"]
    rows: list[Row] = []
    try:
        found = high_and_low_meals(s.questions)
    except InputError as error:
        rows.append(Row(cells={"meals": Cell(value="this set"), "p": Cell(why=error.what)}))
    else:
        test = f"Levene's W {found.levene_w:.2f} about medians, n={found.n}"
        p = Cell(value=found.p, why=test)
        rows.append(_spread(f"above {found.q3:.2f} {unit}", found.high, p))
        rows.append(_spread(f"below {found.q1:.2f} {unit}", found.low, p))
    if s.key[0] == "carb_g":
        f = {x["figure"]: float(x["value"]) for x in published_facts("levene")}
        for end, words in (("high", "above"), ("low", "below")):
            cells = {
                "meals": Cell(value=f"{words} {f[f'{end}_limit']:.2f} g"),
                "n": Cell(value=int(f[f"{end}_n"])),
                "mean": Cell(value="not told"),
                "sd": Cell(value=f[f"{end}_sd"]),
                "p": Cell(value="< 0.05"),
            }
            rows.append(Row(kind="published", cells=cells))
        notes.append("published: appendix I, NutriBench v1")
    return Table(
        name=f"meals-{_slug(s)}-spread",
        title=f"{s.name.capitalize()}: spread of large and small meals of one food (appendix I)",
        n=s.n,
        columns=(
            Column(key="meals", heading="meals"),
            Column(key="n", heading="n", form="count"),
            Column(key="mean", heading=f"mean label, {unit}", form="amount"),
            Column(key="sd", heading=f"SD, {unit}", form="amount"),
            Column(key="p", heading="p of equal spread", form="p"),
        ),
        rows=tuple(rows),
        notes=tuple(notes),
    )


def _spread(name: str, group: GroupFigures, p: Cell) -> Row:
    return Row(
        cells={
            "meals": Cell(value=name),
            "n": Cell(value=group.n),
            "mean": Cell(value=group.mean),
            "sd": Cell(value=group.sd),
            "p": p,
        }
    )


def error_table(s: QuestionSet) -> Table:
    """Return what meals with large errors have more of (appendix J, Mann-Whitney U)."""
    unit = unit_of(s.key[0])
    rows = []
    for line in lines_of(s, rules="ours"):
        shifts = high_and_low_error(line.pairs(s.questions))
        rows += [_shift(x, line) for x in shifts]
        if not shifts:
            cells = {"what": Cell(why="no two groups of answered meals")}
            rows.append(Row(group=line.label, kind=line.kind, cells=cells))
    notes = ["absolute error above its third quartile against below its first; p two-sided"]
    if s.key[0] == "carb_g":
        f = {x["figure"]: float(x["value"]) for x in published_facts("mann_whitney")}
        for key, what in (("items", "items"), ("carb", "label")):
            cells = {
                "what": Cell(value=what),
                "high": Cell(value=f[f"{key}_high"], n=int(f["high_n"])),
                "low": Cell(value=f[f"{key}_low"], n=int(f["low_n"])),
                "p": Cell(value="< 0.05"),
            }
            group = "published: GPT-4o · cot, v1, appendix J"
            rows.append(Row(group=group, kind="published", cells=cells))
        notes.append(
            "published weights (268.37 g with large errors, 437.28 g with small ones) contradict"
            " the sentence they stand in, and are left out"
        )
    return Table(
        name=f"meals-{_slug(s)}-errors",
        title=f"{s.name.capitalize()}: meals with large and with small errors (appendix J)",
        rules="ours",
        n=s.n,
        columns=(
            Column(key="what", heading="property of the meal"),
            Column(key="high", heading=f"mean, large errors (label in {unit})", form="amount"),
            Column(key="low", heading="mean, small errors", form="amount"),
            Column(key="u", heading="U", form="amount"),
            Column(key="p", heading="p", form="p"),
            Column(key="left", heading="not told", form="count"),
        ),
        rows=tuple(rows),
        notes=tuple(notes),
    )


def _shift(x: Shift, line: Line) -> Row:
    return Row(
        group=line.label,
        kind=line.kind,
        cells={
            "what": Cell(value=x.name),
            "high": Cell(value=x.high.mean, n=x.high.n),
            "low": Cell(value=x.low.mean, n=x.low.n),
            "u": Cell(value=x.u),
            "p": Cell(value=x.p),
            "left": Cell(value=x.left_out),
        },
    )


def far_tables(s: QuestionSet) -> list[Table]:
    """Return far answers of methods that reason, by fault, and the farthest replies in words."""
    beyond = _BEYOND.get(s.key[0], _BEYOND_G)
    unit = unit_of(s.key[0])
    rows, shown = [], []
    for part in s.parts:
        if "cot" not in part.method or part.is_baseline:
            continue
        pairs = _pairs(part, s)
        found = far_answers(
            pairs, beyond=beyond, plain=lambda t: in_plain_writing(without_thinking(t))
        )
        answered = sum(p.reading.status == "answered" for _, p in pairs)
        rows.append(_faults(part, found, answered))
        shown += _replies(part, found[:_SHOWN], {q.id: (q, p) for q, p in pairs})
    if not rows:
        return []
    note = (
        "by rule, the first fault in the order of the work; a rule sees signs, not sense, and says"
        " where to look first"
    )
    printed = (
        "published (appendix J): of 100 such replies of GPT-4o · cot looked at by people, all had"
        " a wrong amount of some item and no other fault"
    )
    first = Table(
        name=f"meals-{_slug(s)}-far",
        title=f"{s.name.capitalize()}: answers more than {beyond:g} {unit} off, by fault",
        rules="ours",
        n=s.n,
        columns=(
            Column(key="run", heading="run"),
            Column(key="answers", heading="answers", form="count"),
            Column(key="far", heading="far off", form="count"),
            *(Column(key=f, heading=_FAULT_WORDS[f], form="count") for f in FAULTS),
        ),
        rows=tuple(rows),
        notes=(note, printed),
    )
    second = Table(
        name=f"meals-{_slug(s)}-far-replies",
        title=f"{s.name.capitalize()}: the {_SHOWN} farthest replies of each run",
        rules="ours",
        columns=(
            Column(key="question", heading="meal"),
            Column(key="error", heading=f"error, {unit}", form="amount"),
            Column(key="fault", heading="fault, and what shows it", form="long"),
            Column(key="meal", heading="meal in words", form="long"),
            Column(key="reply", heading="reply", form="long"),
        ),
        rows=tuple(shown),
    )
    return [first, second] if shown else [first]


_FAULT_WORDS: Final = {
    "parse": "parse: foods missing",
    "serving": "serving: an amount missing",
    "equation": "equation: a wrong sum",
    "value": "value of an item",
}


def _faults(part: Part, found: Sequence[FarAnswer], n: int) -> Row:
    counts = count_faults(found)
    return Row(
        kind=part.kind,
        cells={
            "run": Cell(value=part.label),
            "answers": Cell(value=n),
            "far": Cell(value=len(found)),
            **{f: Cell(value=counts[f]) for f in FAULTS},
        },
    )


def _replies(
    part: Part,
    found: Sequence[FarAnswer],
    pairs: dict[str, tuple[MealQuestion, Prediction]],
) -> list[Row]:
    return [
        Row(
            group=part.label,
            cells={
                "question": Cell(value=x.question),
                "error": Cell(value=x.error),
                "fault": Cell(value=f"{x.fault}: {x.because}"),
                "meal": Cell(value=cut(pairs[x.question][0].text, 300)),
                "reply": Cell(value=cut(pairs[x.question][1].raw_text, 500)),
            },
        )
        for x in found
    ]
