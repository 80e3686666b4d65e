"""Runs to a whole report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from prandial.bench.report.cases import case_tables
from prandial.bench.report.efficiency import efficiency_figure, efficiency_table
from prandial.bench.report.header import header_of
from prandial.bench.report.people import people_of
from prandial.bench.report.records import Figure, Report, Section, Table
from prandial.bench.report.sets import labels_of, sets_of
from prandial.bench.runs import Run
from prandial.errors import InputError

__all__ = ["SEED", "figures_of", "report_of", "tables_of"]

#: of every bootstrap of a report
SEED: Final = 20250101
_NOTICE: Final = (
    "Research use, not dosing advice. Figures of different sets of questions and of different"
    " rule sets are never put in one row group or one table: they must not be compared."
)


def report_of(runs: Sequence[Run], *, seed: int = SEED) -> Report:
    """Return tables and figures of runs, with published rows and baselines beside them.

    Parameters
    ----------
    runs : sequence of Run
        Of either benchmark, finished or not; people's too.
    seed : int
        Of the bootstrap.

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
    sections = [header_of(runs, sets)]
    meals = [s for s in sets if s.benchmark == "nutribench"]
    graphs = [s for s in sets if s.benchmark == "ngqa"]
    people = people_of(runs, seed=seed)
    sections += [people] if people else []
    if meals:
        sections.append(_section("NutriBench: time", [efficiency_table("meal-efficiency", meals)]))
    if graphs:
        parts = [
            efficiency_table("graph-efficiency", graphs),
            efficiency_figure("graph-speed", graphs),
        ]
        sections.append(_section("NGQA: time", parts))
        sections.append(_section("NGQA: one question across methods", case_tables(graphs)))
    return Report(
        title=_title(runs),
        sections=tuple(sections),
        notes=(_NOTICE,),
        facts={"seed": seed, "runs": _runs(runs)},
    )


def tables_of(runs: Sequence[Run], *, seed: int = SEED) -> tuple[Table, ...]:
    """Return the tables of :func:`report_of`."""
    return report_of(runs, seed=seed).tables


def figures_of(runs: Sequence[Run], *, seed: int = SEED) -> tuple[Figure, ...]:
    """Return the figures of :func:`report_of`, Altair charts with their words."""
    return report_of(runs, seed=seed).figures


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
