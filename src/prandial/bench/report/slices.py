"""Meals by serving, by number of foods, by size, by country: tables, drawings, the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from prandial.bench.report.charts import bars, differences, lines, world
from prandial.bench.report.lines import lines_of
from prandial.bench.report.meals import Scored, scored_lines
from prandial.bench.report.published import country_name, published
from prandial.bench.report.records import Cell, Column, Figure, Row, Table
from prandial.bench.report.scored import Bootstrap, score_cell
from prandial.bench.report.sets import QuestionSet
from prandial.nutrients import unit_of
from prandial.records.bench import MealQuestion
from prandial.score.analyses.countries import CountryCount, count_countries
from prandial.score.answers.meals import MealRules
from prandial.score.answers.slices import SLICES, UNKNOWN, slices_of

__all__ = [
    "ScoredSlice",
    "country_counts",
    "scored_slices",
    "slice_figures",
    "slice_table",
    "told_slices",
]

_TITLES: Final = {
    "serving": "natural against metric servings",
    "items": "by foods in the meal (Figure 5)",
    "band": "by size of the meal",
    "single": "by size, meals of one food (Figure 7, left)",
    "country": "by country (Figure 7, right)",
    "language": "by language",
}
_RULES: Final[MealRules] = "ours"


def told_slices(s: QuestionSet) -> list[str]:
    """Return the slices of which the questions of a set tell more than one value."""
    told = [n for n in SLICES if len(slices_of(s.questions, n).keys() - {UNKNOWN}) > 1]
    if len(slices_of(_singles(s), "band")) > 1 and len(_singles(s)) < s.n:
        told.insert(told.index("band") + 1 if "band" in told else len(told), "single")
    return told


def _singles(s: QuestionSet) -> list[MealQuestion]:
    return [q for q in s.questions if q.items == 1]


def _parts(s: QuestionSet, name: str) -> dict[str, list[MealQuestion]]:
    questions = _singles(s) if name == "single" else list(s.questions)
    places = slices_of(questions, "band" if name == "single" else name)
    return {value: [questions[i] for i in found] for value, found in places.items()}


def _named(name: str, value: str, s: QuestionSet) -> str:
    if value == UNKNOWN:
        return "not told"
    if name == "country":
        return f"{country_name(value)} ({value})"
    unit = unit_of(s.key[0])
    return f"{value} {unit}" if name in ("band", "single") else value


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoredSlice:
    """The questions of one slice and every line's scores there."""

    code: str
    name: str
    questions: tuple[MealQuestion, ...]
    scored: tuple[Scored, ...]


def scored_slices(s: QuestionSet, name: str, *, boot: Bootstrap) -> tuple[ScoredSlice, ...]:
    """Score all runs and floors of a set in each slice, by the rules ``ours``."""
    lines_here = lines_of(s, rules=_RULES)
    return tuple(
        ScoredSlice(
            code=value,
            name=_named(name, value, s),
            questions=tuple(questions),
            scored=scored_lines(lines_here, questions, _RULES, boot=boot),
        )
        for value, questions in _parts(s, name).items()
    )


def slice_table(s: QuestionSet, name: str, slices: Sequence[ScoredSlice]) -> Table:
    """Return scores of all runs and floors in each slice of a set, by the rules ``ours``."""
    unit = unit_of(s.key[0])
    rows: list[Row] = []
    for part in slices:
        mean, n = fmean(q.label for q in part.questions), len(part.questions)
        group = f"{part.name}: n={n}, mean label {mean:.1f} {unit}"
        rows += [_row(x, n, group) for x in part.scored]
    return Table(
        name=f"meals-{s.name.replace(' ', '-')}-{name}",
        title=f"{s.name.capitalize()}, {s.key[0]}: {_TITLES[name]}",
        rules=_RULES,
        n=sum(len(part.questions) for part in slices),
        columns=(
            Column(key="run", heading="run"),
            Column(key="acc_all", heading="right, of all run", form="share"),
            Column(key="mae", heading=f"mean absolute error, {unit}", form="amount"),
            Column(key="answer_rate", heading="answer rate", form="share"),
            Column(key="scored", heading="scored", form="count"),
            Column(key="unscored", heading="unscored", form="count"),
        ),
        rows=tuple(rows),
        lead=(s.title,),
        notes=tuple(_published_notes(name)),
    )


def _row(x: Scored, asked: int, group: str) -> Row:
    scored = x.scores["mae"].n_scored
    return Row(
        group=group,
        kind=x.line.kind,
        cells={
            "run": Cell(value=x.line.label),
            **{k: score_cell(x.scores[k]) for k in ("acc_all", "mae", "answer_rate")},
            "scored": Cell(value=scored),
            "unscored": Cell(value=asked - scored),
        },
    )


def _published_notes(name: str) -> list[str]:
    if name != "country":
        return []
    return [
        f"published ({r['source']}, {r['place']}; {r['model']} · {r['method']}, {r['data']}):"
        f" {country_name(r['slice'])} {r['mae_g']} g, the {r['note']}"
        for r in published("published_nutribench")
        if r["kind"] == "country"
    ]


def country_counts(s: QuestionSet) -> Table | None:
    """Return meals by country, Table 1 of the paper beside them; None when none is told."""
    parts = _parts(s, "country")
    if not parts.keys() - {UNKNOWN}:
        return None
    printed = {r["country"]: r for r in published("published_countries")}
    counted = {c.country: c for c in count_countries(s.questions)}
    rows = [_country(code, c, printed.get(code)) for code, c in counted.items()]
    rows += [
        _country(code, None, printed[code]) for code in sorted(printed.keys() - counted.keys())
    ]
    unit = unit_of(s.key[0])
    return Table(
        name=f"meals-{s.name.replace(' ', '-')}-countries",
        title=f"{s.name.capitalize()}: meals by country (Table 1)",
        n=s.n,
        columns=(
            Column(key="country", heading="country"),
            Column(key="meals", heading="meals", form="count"),
            Column(key="groups", heading="different meals", form="count"),
            Column(key="natural", heading="natural", form="count"),
            Column(key="metric", heading="metric", form="count"),
            Column(key="items", heading="foods a meal", form="amount"),
            Column(key="label", heading=f"mean label, {unit}", form="amount"),
            Column(key="published_meals", heading="published: meals", form="count"),
            Column(key="published_foods", heading="published: different foods", form="count"),
        ),
        rows=tuple(rows),
        notes=(
            "published: NutriBench v1, Table 1, meals of FAO/WHO GIFT; it does not count the USA",
            "different meals: natural, metric and translated versions of a meal are one",
        ),
    )


def _country(code: str, counted: CountryCount | None, printed: dict[str, str] | None) -> Row:
    c, given = counted, printed or {}
    none = Cell(value="no meal")
    told = (
        Cell(value=c.mean_items, why="" if c.mean_items is not None else "not told") if c else none
    )
    name = "not told" if code == UNKNOWN else f"{country_name(code)} ({code})"
    return Row(
        kind="run" if c else "published",
        cells={
            "country": Cell(value=name),
            "meals": Cell(value=c.questions if c else 0),
            "groups": Cell(value=c.meals if c else 0),
            "natural": Cell(value=c.natural if c else 0),
            "metric": Cell(value=c.metric if c else 0),
            "items": told,
            "label": Cell(value=c.mean_label) if c else none,
            **{
                f"published_{k}": Cell(value=int(given[k])) if given else Cell(value="–")
                for k in ("meals", "foods")
            },
        },
    )


def slice_figures(s: QuestionSet, name: str, slices: Sequence[ScoredSlice]) -> list[Figure]:
    """Return the drawings of a slice; none where no run has an error there."""
    rows = _errors(slices)
    if not rows:
        return []
    unit = unit_of(s.key[0])
    title = f"{s.name.capitalize()}: mean absolute error {_TITLES[name]}"
    stem = f"meals-{s.name.replace(' ', '-')}-{name}"
    worst = max(rows, key=lambda r: float(r["value"]))
    alt = (
        f"Mean absolute error of {len({r['run'] for r in rows})} runs {_TITLES[name]}; the largest"
        f" is {worst['value']:.1f} {unit}: {worst['run']}, {worst['slice']}"
        f" (n={worst['answered']})."
    )
    said = f"mean absolute error, {unit}"
    if name in ("items", "band", "single"):
        chart = lines(
            rows,
            x="slice",
            value="value",
            colour="run",
            x_title="foods in the meal" if name == "items" else f"{s.key[0]} of the meal",
            value_title=said,
            n="n",
        )
        return [Figure(name=f"{stem}-figure", title=title, alt=alt, chart=chart)]
    if name == "country":
        return _countries(s, rows, stem, unit)
    chart = bars(
        rows, x="slice", value="value", colour="run", x_title=None, value_title=said, n="n"
    )
    out = [Figure(name=f"{stem}-figure", title=title, alt=alt, chart=chart)]
    return out + (_servings(s, rows, stem, unit) if name == "serving" else [])


def _errors(slices: Sequence[ScoredSlice]) -> list[dict[str, Any]]:
    out = []
    for part in slices:
        for x in part.scored if part.code != UNKNOWN else ():
            mae = x.scores["mae"]
            if mae.value is not None:
                place = {"slice": part.name, "code": part.code, "n": len(part.questions)}
                who = {"run": x.line.label, "kind": x.line.kind, "answered": mae.n_scored}
                numbers = {"value": mae.value, "low": mae.low, "high": mae.high}
                out.append({**place, **who, **numbers})
    return out


def _servings(s: QuestionSet, rows: list[dict[str, Any]], stem: str, unit: str) -> list[Figure]:
    """Return the difference natural minus metric of each run (Figure 4)."""
    found: dict[str, dict[str, float]] = {}
    for r in rows:
        found.setdefault(r["run"], {})[r["code"]] = r["value"]
    drawn = [
        {
            "run": run,
            "difference": v["natural"] - v["metric"],
            "kind": "metric is nearer" if v["natural"] > v["metric"] else "natural is nearer",
        }
        for run, v in found.items()
        if v.keys() >= {"natural", "metric"}
    ]
    if not drawn:
        return []
    nearer = sum(r["kind"] == "natural is nearer" for r in drawn)
    return [
        Figure(
            name=f"{stem}-difference",
            title=f"{s.name.capitalize()}: natural minus metric (Figure 4)",
            alt=f"Difference of mean absolute errors, natural minus metric, of {len(drawn)} runs"
            f" and baselines; {nearer} of them are nearer on natural servings.",
            chart=differences(
                drawn,
                name="run",
                value="difference",
                title=f"mean absolute error, natural minus metric, {unit}",
                kind="kind",
            ),
        )
    ]


def _countries(s: QuestionSet, rows: list[dict[str, Any]], stem: str, unit: str) -> list[Figure]:
    """Return the map and bars of the run with the smallest error over all."""
    chosen = _best(rows)
    own = sorted((r for r in rows if r["run"] == chosen), key=lambda r: float(r["value"]))
    labels = {v: fmean(q.label for q in qs) for v, qs in _parts(s, "country").items()}
    low, high = own[0], own[-1]
    alt = (
        f"Mean absolute error of {chosen} in {len(own)} countries: from {low['value']:.1f} {unit}"
        f" in {low['slice']} (n={low['answered']}) to {high['value']:.1f} {unit} in"
        f" {high['slice']} (n={high['answered']})."
    )
    pairs = [
        {"country": r["code"], "value": v, "what": what, "low": lo, "high": hi}
        for r in own
        for what, v, lo, hi in (
            ("mean absolute error", r["value"], r["low"], r["high"]),
            ("mean label", labels[r["code"]], None, None),
        )
    ]
    title = f"{s.name.capitalize()}: mean absolute error by country, {chosen}"
    return [
        Figure(
            name=f"{stem}-map",
            title=f"{title} (Figures 3 and 7, right)",
            alt=f"World map. {alt}",
            chart=world(own, code="code", value="value", title=f"error, {unit}"),
            notes=("outlines: Natural Earth, public domain; a dot marks each country with meals",),
        ),
        Figure(
            name=f"{stem}-bars",
            title=f"{title}, beside the mean label",
            alt=f"Bars by country. {alt}",
            chart=bars(
                pairs,
                x="country",
                value="value",
                colour="what",
                x_title=None,
                value_title=unit,
            ),
        ),
    ]


def _best(rows: list[dict[str, Any]]) -> str:
    """Return the run with the smallest error over all meals; a baseline only without a run.

    A run that answered less than half of what another did is not finished, or answers what
    is easy: it is not chosen.
    """
    runs = [r for r in rows if r["kind"] == "run"] or rows
    answered: Counter[str] = Counter()
    for r in runs:
        answered[r["run"]] += int(r["answered"])
    runs = [r for r in runs if 2 * answered[r["run"]] >= max(answered.values())]
    totals: dict[str, list[tuple[float, int]]] = {}
    for r in runs:
        totals.setdefault(r["run"], []).append((float(r["value"]), int(r["answered"])))
    return min(
        totals, key=lambda k: sum(v * n for v, n in totals[k]) / sum(n for _, n in totals[k])
    )
