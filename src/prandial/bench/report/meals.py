"""The main tables of NutriBench: every run under one rule set, floors and published rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from prandial.bench.report.charts import points
from prandial.bench.report.lines import Line, lines_of
from prandial.bench.report.published import number, published
from prandial.bench.report.records import Cell, Column, Figure, Form, Row, Table
from prandial.bench.report.scored import Bootstrap, score_cell
from prandial.bench.report.sets import STATUSES, QuestionSet
from prandial.nutrients import unit_of
from prandial.records.bench import MealQuestion, Score
from prandial.score.answers.meals import MealRules, score_meals
from prandial.score.numbers import LIMITS

__all__ = ["Scored", "main_table", "published_table", "scatter", "scored_lines", "scored_set"]

_OURS: Final[tuple[tuple[str, str, Form], ...]] = (
    ("acc_all", "right, of all run", "share"),
    ("acc_answered", "right, of answered", "share"),
    ("mae", "mean absolute error", "amount"),
    ("median_error", "median error", "amount"),
    ("bias", "bias", "amount"),
    ("answer_rate", "answer rate", "share"),
)
_PUBLISHED: Final[tuple[tuple[str, str, Form], ...]] = (
    ("acc_all", "right", "share"),
    ("mae", "mean absolute error", "amount"),
    ("answer_rate", "answer rate", "share"),
)
_RULES: Final = {
    "ours": "a refusal or an unreadable reply is no answer: it is counted, is not right, and has"
    " no error; right is at most {limit:g} {unit} off",
    "published": "as the published code scores: a refusal or an unreadable reply is the amount -1;"
    " right is less than {limit:g} {unit} off; the first amount found counts",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """A line and its scores, by metric without the unit at its end."""

    line: Line
    scores: Mapping[str, Score]


def scored_set(s: QuestionSet, rules: MealRules, *, boot: Bootstrap) -> tuple[Scored, ...]:
    """Score every run and floor of a set."""
    return scored_lines(lines_of(s, rules=rules), s.questions, rules, boot=boot)


def scored_lines(
    lines: Sequence[Line], questions: Sequence[MealQuestion], rules: MealRules, *, boot: Bootstrap
) -> tuple[Scored, ...]:
    """Score lines on some questions of one nutrient."""
    unit = unit_of(questions[0].nutrient)
    return tuple(
        Scored(
            line=line,
            scores={
                x.metric.removesuffix(f"_{unit}"): x
                for x in score_meals(
                    line.pairs(questions), rules=rules, seed=boot.seed, draws=boot.draws
                )
            },
        )
        for line in lines
    )


def main_table(s: QuestionSet, rules: MealRules, scored: Sequence[Scored]) -> Table:
    """Return scores of all runs and floors of a set under one rule set.

    Published rows stand in the table of their own rules only, and only for carbohydrate,
    which is what has been published.
    """
    nutrient = s.key[0]
    unit = unit_of(nutrient)
    rows = [_row(x, s, rules) for x in scored]
    notes = [_RULES[rules].format(limit=LIMITS[nutrient], unit=unit)]
    notes += [f"{x.line.label}: {x.line.about}" for x in scored if x.line.about]
    if rules == "published" and nutrient == "carb_g":
        rows += _published_rows()
        notes.append(_ELSEWHERE)
    return Table(
        name=f"meals-{_slug(s.name)}-{rules}",
        title=f"{s.name.capitalize()}, {nutrient}: scores by the rules {rules}",
        rules=rules,
        n=s.n,
        columns=(
            Column(key="run", heading="run"),
            *(
                Column(key=k, heading=f"{h}, {unit}" if f == "amount" else h, form=f)
                for k, h, f in (_OURS if rules == "ours" else _PUBLISHED)
            ),
            *(Column(key=k, heading=k, form="count") for k in STATUSES),
            *([Column(key="source", heading="source")] if rules == "published" else []),
        ),
        rows=tuple(rows),
        notes=tuple(notes),
    )


def _slug(name: str) -> str:
    return name.replace(" ", "-")


def _row(x: Scored, s: QuestionSet, rules: MealRules) -> Row:
    wanted = _OURS if rules == "ours" else _PUBLISHED
    return Row(
        group=s.title,
        kind=x.line.kind,
        cells={
            "run": Cell(value=x.line.label),
            **{k: score_cell(x.scores.get(k)) for k, _, _ in wanted},
            **{k: Cell(value=v) for k, v in x.line.statuses(s.questions).items()},
        },
    )


_ELSEWHERE: Final = (
    "published: on the whole of the set named, which is not this one; which of these sources scored"
    " refusals as amounts is not always told"
)


def _published_rows() -> list[Row]:
    return [_published_row(r) for r in published("published_nutribench") if r["kind"] in _KINDS]


_KINDS: Final = ("model", "baseline", "ceiling")


def _published_row(r: dict[str, str]) -> Row:
    n = int(r["n"]) if r["n"] else None
    name = " · ".join(x for x in (r["model"], r["method"], r["data"], r["slice"]) if x)

    def told(key: str) -> Cell:
        value = number(r[key])
        return Cell(value=value, n=n) if value is not None else Cell(value="not told")

    source = f"{r['source']}, {r['place']}" + (f" ({r['note']})" if r["note"] else "")
    return Row(
        kind="published",
        group="measured for this project, on other questions"
        if r["source"].startswith("measured")
        else "published figures, on other questions",
        cells={
            "run": Cell(value=name),
            "acc_all": told("acc"),
            "mae": told("mae_g"),
            "answer_rate": told("answer_rate"),
            "source": Cell(value=source),
        },
    )


def published_table() -> Table:
    """Return the published figures of carbohydrate in a table of their own."""
    return Table(
        name="meals-published",
        title="Figures that others have published, carb_g",
        rules="as each source scored",
        columns=(
            Column(key="run", heading="model, method, set"),
            Column(key="acc_all", heading="right", form="share"),
            Column(key="mae", heading="mean absolute error, g", form="amount"),
            Column(key="answer_rate", heading="answer rate", form="share"),
            Column(key="source", heading="source"),
        ),
        rows=tuple(_published_rows()),
        notes=(_ELSEWHERE,),
    )


def scatter(s: QuestionSet, rules: MealRules, scored: Sequence[Scored]) -> Figure | None:
    """Return accuracy against answer rate (Figure 2), None when nothing was answered.

    What never answers, such as the floor of -1, is left to the table.
    """
    unit = unit_of(s.key[0])
    rows: list[dict[str, Any]] = []
    for x in scored:
        right, rate = x.scores["acc_all"].value, x.scores["answer_rate"].value
        if right is not None and rate:
            named = {"name": x.line.label, "kind": x.line.kind}
            rows.append({"right": right, "rate": rate, **named})
    if not rows:
        return None
    best = max(rows, key=lambda r: float(r["right"]))
    if rules == "published" and s.key[0] == "carb_g":
        for r in published("published_nutribench"):
            right, rate = number(r["acc"]), number(r["answer_rate"])
            if r["kind"] == "model" and right is not None and rate is not None:
                name = f"{r['model']} · {r['method']} ({r['data']})"
                row = {"right": right, "rate": rate, "name": name, "kind": "published, other meals"}
                rows.append(row)
    limit = f"{LIMITS[s.key[0]]:g} {unit}"
    return Figure(
        name=f"meals-scatter-{_slug(s.name)}-{rules}",
        title=f"{s.name.capitalize()}: accuracy and answer rate (Figure 2), rules {rules}",
        alt=f"Points of {len(rows)} runs and baselines, n={s.n}, share within {limit} by answer"
        f" rate; the most accurate of this set is {best['name']} with {100 * best['right']:.1f} %"
        f" right and {100 * best['rate']:.1f} % answered.",
        chart=points(
            rows,
            x="right",
            y="rate",
            name="name",
            kind="kind",
            x_title=f"share within {limit}, of all run",
            y_title="answer rate",
        ),
    )
