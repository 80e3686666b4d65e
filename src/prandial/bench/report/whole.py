"""Runs to a whole report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from prandial.bench.report.cases import case_tables
from prandial.bench.report.compared import paired_graphs, paired_meals
from prandial.bench.report.efficiency import efficiency_figures, efficiency_table
from prandial.bench.report.evidence import error_table as wrong_table
from prandial.bench.report.evidence import (
    retrieval_figure,
    retrieval_table,
    review_table,
    scored_retrieval,
)
from prandial.bench.report.graphs import (
    TASKS,
    GraphRules,
    accuracy_figure,
    score_table,
    scored_graphs,
)
from prandial.bench.report.header import records_section, runs_section
from prandial.bench.report.meals import main_table, published_table, scatter, scored_set
from prandial.bench.report.people import PERSON, people_of
from prandial.bench.report.records import Figure, Report, Section, Table
from prandial.bench.report.scored import Bootstrap
from prandial.bench.report.sets import QuestionSet, labels_of, sets_of
from prandial.bench.report.slices import (
    country_counts,
    scored_slices,
    slice_figures,
    slice_table,
    told_slices,
)
from prandial.bench.report.studies import (
    error_table,
    far_tables,
    spread_table,
    wording_tables,
)
from prandial.bench.runs import Run
from prandial.errors import InputError
from prandial.score.answers.bootstrap import DRAWS
from prandial.score.answers.meals import MealRules
from prandial.score.quizzes import BertScorer

__all__ = ["SEED", "figures_of", "report_of", "tables_of"]

#: of every bootstrap of a report
SEED: Final = 20250101
_NOTICE: Final = (
    "Research use, not dosing advice. Figures of different sets of questions and of different"
    " rule sets are never put in one row group or one table: they must not be compared."
)


def report_of(
    runs: Sequence[Run],
    *,
    seed: int = SEED,
    draws: int = DRAWS,
    bert: BertScorer | None = None,
) -> Report:
    """Return tables and figures of runs, with published rows and baselines beside them.

    Parameters
    ----------
    runs : sequence of Run
        Of either benchmark, finished or not; people's too.
    seed, draws : int
        Of every bootstrap.
    bert : BertScorer, optional
        For BERTScore of NGQA's sentences.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        Without runs.
    MissingDataError
        When altair is absent.
    """
    if not runs:
        raise InputError("no runs to report", where="runs", hint="name the folders of runs")
    sets = sets_of(runs)
    models = _without_people(sets)
    meals = [s for s in models if s.benchmark == "nutribench"]
    graphs = [s for s in models if s.benchmark == "ngqa"]
    sections = [runs_section(runs, sets)]
    boot = Bootstrap(seed=seed, draws=draws)
    sections += _meal_sections(meals, boot)
    sections += people_of(runs, boot=boot)
    sections += _graph_sections(graphs, boot, bert)
    sections.append(records_section(runs))
    return Report(
        title=_title(runs),
        sections=tuple(s for s in sections if s.parts),
        notes=(_NOTICE,),
        facts={"seed": seed, "draws": draws, "runs": _runs(runs)},
    )


def tables_of(runs: Sequence[Run], *, seed: int = SEED, draws: int = DRAWS) -> tuple[Table, ...]:
    """Return the tables of :func:`report_of`."""
    return report_of(runs, seed=seed, draws=draws).tables


def figures_of(runs: Sequence[Run], *, seed: int = SEED, draws: int = DRAWS) -> tuple[Figure, ...]:
    """Return the figures of :func:`report_of`, Altair charts with their words."""
    return report_of(runs, seed=seed, draws=draws).figures


def _without_people(sets: Sequence[QuestionSet]) -> list[QuestionSet]:
    """Return the sets with their models only: people have a section of their own."""
    kept = [(s, tuple(p for p in s.parts if not p.model.startswith(PERSON))) for s in sets]
    return [replace(s, parts=parts) for s, parts in kept if parts]


def _meal_sections(sets: Sequence[QuestionSet], boot: Bootstrap) -> list[Section]:
    if not sets:
        return []
    sections = []
    rules: MealRules
    for rules in ("ours", "published"):
        parts: list[Table | Figure | None] = []
        for s in sets:
            scored = scored_set(s, rules, boot=boot)
            parts += [main_table(s, rules, scored), scatter(s, rules, scored)]
        sections.append(_section(f"NutriBench: scores, rules {rules}", parts))
    if any(s.key[0] == "carb_g" for s in sets):
        sections.append(_section("NutriBench: published figures", [published_table()]))
    sliced: list[Table | Figure | None] = []
    studies: list[Table | Figure | None] = []
    for s in sets:
        for name in told_slices(s):
            slices = scored_slices(s, name, boot=boot)
            sliced += [slice_table(s, name, slices), *slice_figures(s, name, slices)]
        sliced.append(country_counts(s))
        studies.append(paired_meals(s, "ours", boot=boot))
        studies += [*wording_tables(s), spread_table(s), error_table(s), *far_tables(s)]
    sections.append(_section("NutriBench: slices", sliced))
    sections.append(_section("NutriBench: analyses", studies))
    time = _time("meal", sets)
    sections.append(_section("NutriBench: time", time))
    return sections


def _graph_sections(
    sets: Sequence[QuestionSet], boot: Bootstrap, bert: BertScorer | None
) -> list[Section]:
    if not sets:
        return []
    sections = []
    tasks = [t for t in TASKS if any(s.key[0] == t for s in sets)]
    rules: GraphRules
    for rules in ("strict", "published"):
        parts: list[Table | Figure | None] = []
        for task in tasks:
            own = [s for s in sets if s.key[0] == task]
            scored = scored_graphs(own, rules, boot=boot, bert=bert)
            parts.append(score_table(task, scored, rules, bert=bert))
            parts += [accuracy_figure(task, scored)] if rules == "strict" else []
        sections.append(_section(f"NGQA: scores, rules {rules}", parts))
    retrieved = scored_retrieval(sets, boot=boot)
    retrieval = [
        retrieval_table(retrieved, "strict"),
        retrieval_figure(retrieved),
        retrieval_table(retrieved, "published"),
    ]
    time = _time("graph", sets)
    wrong = [wrong_table(sets), review_table(sets)]
    pairs = [paired_graphs(s, "strict", boot=boot) for s in sets]
    sections.append(_section("NGQA: runs in pairs", pairs))
    sections.append(_section("NGQA: retrieval", retrieval))
    sections.append(_section("NGQA: time", time))
    sections.append(_section("NGQA: wrong answers", wrong))
    sections.append(_section("NGQA: one question across methods", case_tables(sets)))
    return sections


def _time(stem: str, sets: Sequence[QuestionSet]) -> list[Table | Figure | None]:
    return [efficiency_table(f"{stem}-efficiency", sets), *efficiency_figures(stem, sets)]


def _section(title: str, parts: Sequence[Table | Figure | None]) -> Section:
    return Section(title=title, parts=tuple(p for p in parts if p is not None))


def _title(runs: Sequence[Run]) -> str:
    named = {"nutribench": "NutriBench", "ngqa": "NGQA"}
    found = [n for b, n in named.items() if any(r.record.benchmark == b for r in runs)]
    return f"{' and '.join(found)}: report of {len(runs)} run{'s' if len(runs) > 1 else ''}"


def _runs(runs: Sequence[Run]) -> list[dict[str, Any]]:
    return [
        {
            "label": label,
            "run": r.record.run,
            "folder": r.folder.name,
            "benchmark": r.record.benchmark,
            "model": r.record.model,
            "method": r.record.method,
        }
        for label, r in zip(labels_of(runs), runs, strict=True)
    ]
