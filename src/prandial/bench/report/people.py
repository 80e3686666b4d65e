"""People against models: Table 10, who is nearest, where people disagree, time, in pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from prandial.bench.raters import rated_of
from prandial.bench.report.analyses import published_facts
from prandial.bench.report.floors import FLOOR, meal_floor
from prandial.bench.report.records import Cell, Column, Row, Section, Table
from prandial.bench.report.scored import Bootstrap, score_cell
from prandial.bench.runs import Run
from prandial.errors import InputError
from prandial.records.bench import MealQuestion, Score
from prandial.score.answers.bootstrap import Interval
from prandial.score.answers.meals import MealRules
from prandial.score.people import (
    Disagreement,
    PeopleRow,
    Rated,
    disagreement,
    paired_rows,
    published_rows,
    serving_rows,
    sweeps,
    time_rows,
    win_counts,
    with_ids_of,
)
from prandial.score.people.rated import common_meals

__all__ = ["PERSON", "people_of"]

PERSON: Final = "person/"
_ENDS: Final = 10
_RULES: Final[tuple[MealRules, ...]] = ("ours", "published")
_WHO: Final = Column(key="who", heading="who")
_ARM: Final = Column(key="arm", heading="arm")


def people_of(runs: Sequence[Run], *, boot: Bootstrap) -> list[Section]:
    """Return a section of people for each nutrient they were asked for, none without people.

    Models have a part in it with the meals they share with the people, label for label.
    """
    meals = [r for r in runs if r.record.benchmark == "nutribench" and r.questions]
    whole = [(r.record.model.startswith(PERSON), rated_of(r)) for r in meals]
    nutrients = sorted({q.nutrient for person, r in whole if person for q in r.questions})
    return [_section(whole, nutrient, boot) for nutrient in nutrients]


def _section(whole: Sequence[tuple[bool, Rated]], nutrient: str, boot: Bootstrap) -> Section:
    people = [_only(r, lambda q: q.nutrient == nutrient) for person, r in whole if person]
    people = [p for p in people if p.questions]
    asked = {(q.id, q.text, q.label, q.nutrient): q for p in people for q in p.questions}
    models = [
        _only(with_ids_of(r, people), lambda q: (q.id, q.text, q.label, q.nutrient) in asked)
        for person, r in whole
        if not person
    ]
    models = [m for m in models if m.questions]
    floor = _floor([asked[k] for k in sorted(asked)])
    slug = nutrient.replace("_", "-")
    parts: list[Table] = [_servings([*people, *models, floor], r, boot, slug) for r in _RULES]
    parts += [_wins(people, models, slug), *_ends(people, [*models, floor], slug)]
    parts += [_pairs(people, m, boot, f"{slug}-{k}") for k, m in enumerate([*models, floor], 1)]
    parts.append(_times([*people, *models], slug))
    return Section(
        title=f"People: {nutrient}",
        parts=tuple(p for p in parts if p.rows),
        notes=_notes(people, models),
    )


def _only(rated: Rated, keep: Callable[[MealQuestion], bool]) -> Rated:
    """Return somebody on some of the meals; the time of all is not that of some."""
    kept = tuple(q for q in rated.questions if keep(q))
    whole = len(kept) == len(rated.questions)
    return replace(rated, questions=kept, total_seconds=rated.total_seconds if whole else None)


def _floor(meals: Sequence[MealQuestion]) -> Rated:
    """Return the constant that is the median of these very labels."""
    floor = meal_floor(meals)
    return Rated(
        name=floor.label,
        questions=tuple(meals),
        readings={p.question: p.reading for p in floor.predictions},
    )


def _notes(people: Sequence[Rated], models: Sequence[Rated]) -> tuple[str, ...]:
    notes = [f"people: {len(people)} sheets; models asked meals of theirs: {len(models)}"]
    minutes = {f["figure"]: f for f in published_facts("people")}
    notes.append(
        f"published: raters took {minutes['minutes']['value']} minutes for 72 meals on average,"
        f" a model {minutes['model_minutes']['value']} minutes ({minutes['minutes']['place']})"
    )
    return tuple(notes)


def _servings(rated: Sequence[Rated], rules: MealRules, boot: Bootstrap, slug: str) -> Table:
    rows = [
        _serving_row(row)
        for row in serving_rows(rated, rules=rules, seed=boot.seed, draws=boot.draws)
    ]
    notes = [
        "n of a share: meals asked; of an error: meals answered; of several raters, those of each"
    ]
    if rules == "published":
        rows += [
            Row(
                kind="published",
                cells={
                    "who": Cell(value=p.method),
                    "arm": Cell(value=p.arm or "model"),
                    "all": Cell(value=_share(p.acc_all_percent), n=p.meals),
                    "metric": Cell(value=_share(p.acc_metric_percent)),
                    "natural": Cell(value=_share(p.acc_natural_percent)),
                    "mae": Cell(value="not told"),
                },
            )
            for p in published_rows()
        ]
        notes.append("published: NutriBench, Table 10; on the authors' 72 meals, not on these")
    return Table(
        name=f"people-{slug}-servings-{rules}",
        title=f"Accuracy of people and models by serving (Table 10), rules {rules}",
        rules=rules,
        columns=(
            _WHO,
            _ARM,
            Column(key="all", heading="right, all", form="share"),
            Column(key="metric", heading="right, metric", form="share"),
            Column(key="natural", heading="right, natural", form="share"),
            Column(key="mae", heading="mean absolute error", form="amount"),
        ),
        rows=tuple(rows),
        notes=tuple(notes),
    )


def _share(percent: float) -> float:
    return round(percent / 100, 6)


def _serving_row(row: PeopleRow) -> Row:
    found: dict[tuple[str, str], Score] = {(s.metric, s.slice): s for s in row.scores}
    mae = next((m for m, _ in found if m.startswith("mae")), "mae")
    places = {
        "all": ("acc_all", ""),
        "metric": ("acc_all", "serving=metric"),
        "natural": ("acc_all", "serving=natural"),
        "mae": (mae, ""),
    }
    cells = {
        k: score_cell(found.get(p), why="no such meal", total=k != "mae") for k, p in places.items()
    }
    return Row(
        kind="baseline" if row.name.startswith(FLOOR) else "run",
        cells={"who": Cell(value=row.name), "arm": Cell(value=row.arm or "model"), **cells},
    )


def _wins(people: Sequence[Rated], models: Sequence[Rated], slug: str) -> Table:
    everybody = [*people, *models]
    rows = [
        Row(
            cells={
                "who": Cell(value=w.name),
                "arm": Cell(value=w.arm or "model"),
                "wins": Cell(value=w.wins),
                "alone": Cell(value=w.alone),
                "answered": Cell(value=w.answered),
                "meals": Cell(value=w.meals),
            }
        )
        for w in win_counts(everybody)
    ]
    notes = ["counted over the meals that all of them were asked; a shared win is a part for each"]
    for model in models:
        for arm in sorted({p.arm for p in people}):
            s = sweeps([p for p in people if p.arm == arm], model)
            notes.append(
                f"{arm}: {s.model} is nearer than every person on {len(s.model_nearest)} of"
                f" {s.meals} meals, every person nearer than it on {len(s.people_nearer)}"
            )
    told = {f["figure"]: f["value"] for f in published_facts("people")}
    notes.append(
        f"published (appendix L): {told['model_wins']} and {told['people_win']} of 72 meals"
    )
    return Table(
        name=f"people-{slug}-wins",
        title="Who is nearest",
        n=len(common_meals(everybody)),
        columns=(
            _WHO,
            _ARM,
            Column(key="wins", heading="nearest", form="count"),
            Column(key="alone", heading="alone nearest", form="count"),
            Column(key="answered", heading="answered", form="count"),
            Column(key="meals", heading="meals", form="count"),
        ),
        rows=tuple(rows),
        notes=tuple(notes),
    )


def _ends(people: Sequence[Rated], models: Sequence[Rated], slug: str) -> list[Table]:
    """Return a table for each arm of the meals on which its people disagree most and least."""
    tables = []
    for arm in sorted({p.arm for p in people}):
        raters = [p for p in people if p.arm == arm]
        name = f"people-{slug}-disagreement-" + arm.replace(" ", "-")
        rows: list[Row] = []
        try:
            meals = len(common_meals([*raters, *models]))
            size = _ENDS if meals >= 4 * _ENDS else max(1, meals // 4)
            for end in disagreement(raters, models, count=size):
                rows += _end_rows(end)
        except InputError as error:
            # one rater has no variance: the table says so instead of standing away
            rows = [Row(cells={"who": Cell(value=arm), "mae": Cell(why=error.what)})]
        tables.append(
            Table(
                name=name,
                title=f"Where people disagree most and least: {arm}",
                rules="ours",
                columns=(
                    _WHO,
                    _ARM,
                    Column(key="right", heading="right", form="share"),
                    Column(key="mae", heading="mean absolute error", form="amount"),
                    Column(key="answered", heading="answered", form="count"),
                    Column(key="meals", heading="meals", form="count"),
                ),
                rows=tuple(rows),
                notes=(_published_ends(),),
            )
        )
    return tables


def _published_ends() -> str:
    told = {f["figure"]: f["value"] for f in published_facts("people")}
    ends = [
        f"{end} variance: GPT-4o {told[f'{end}_variance_model_mae']} g,"
        f" best rater {told[f'{end}_variance_people_mae']} g"
        for end in ("highest", "lowest")
    ]
    return f"published (appendix L), mean absolute error of ten meals, {'; '.join(ends)}"


def _end_rows(end: Disagreement) -> list[Row]:
    group = (
        f"{end.group} variance: {len(end.meals)} of {end.of} meals,"
        f" variance {end.low:.1f} to {end.high:.1f}"
    )
    return [
        Row(
            group=group,
            kind="baseline" if f.name.startswith(FLOOR) else "run",
            cells={
                "who": Cell(value=f.name),
                "arm": Cell(value=f.arm or "model"),
                "right": Cell(value=f.acc),
                "mae": Cell(value=f.mae, why="" if f.mae is not None else "no answer"),
                "answered": Cell(value=f.answered),
                "meals": Cell(value=f.meals),
            },
        )
        for f in end.figures
    ]


def _pairs(people: Sequence[Rated], model: Rated, boot: Bootstrap, slug: str) -> Table:
    asked = [p for p in people if common_meals([p, model])]
    rows = [
        Row(
            cells={
                "who": Cell(value=p.name),
                "arm": Cell(value=p.arm),
                "acc": _interval(p.acc_difference, p.meals),
                "acc_p": Cell(value=p.acc_p),
                "mae": _interval(p.error_difference, p.answered),
                "mae_p": Cell(value=p.error_p),
            }
        )
        for p in paired_rows(asked, model, seed=boot.seed, draws=boot.draws)
    ]
    return Table(
        name=f"people-pairs-{slug}",
        title=f"People less {model.name}, meal by meal",
        rules="ours",
        n=len(model.questions),
        columns=(
            _WHO,
            _ARM,
            Column(key="acc", heading="right: difference", form="share"),
            Column(key="acc_p", heading="p", form="p"),
            Column(key="mae", heading="mean absolute error: difference", form="amount"),
            Column(key="mae_p", heading="p", form="p"),
        ),
        rows=tuple(rows),
        notes=("above 0: people are right more often; their error is larger",),
    )


def _interval(found: Interval, n: int) -> Cell:
    return Cell(value=found.value, low=found.low, high=found.high, n=n)


def _times(rated: Sequence[Rated], slug: str) -> Table:
    rows = [
        Row(
            cells={
                "who": Cell(value=t.name),
                "arm": Cell(value=t.arm or "model"),
                "raters": Cell(value=t.raters),
                "meals": Cell(value=t.meals),
                "minutes": Cell(value=t.minutes, why="" if t.minutes is not None else "not noted"),
                "each": Cell(
                    value=None if t.minutes_per_meal is None else 60 * t.minutes_per_meal,
                    n=t.timed,
                    why="" if t.minutes_per_meal is not None else "not noted",
                ),
            }
        )
        for t in time_rows(rated)
    ]
    return Table(
        name=f"people-{slug}-time",
        title="Time",
        columns=(
            _WHO,
            _ARM,
            Column(key="raters", heading="raters", form="count"),
            Column(key="meals", heading="meals", form="count"),
            Column(key="minutes", heading="minutes", form="amount"),
            Column(key="each", heading="seconds a meal", form="amount"),
        ),
        rows=tuple(rows),
    )
