"""Simulations and assessments as a person reads them: what glucose did, no amount of insulin."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.text import Text

from prandial.bench.risk import NOTICE
from prandial.bench.risk.plots import check_plot, draw_surface, draw_table, save_chart
from prandial.bench.risk.report import RiskReport, cells_of
from prandial.cli.show import new_console, new_table, plain

if TYPE_CHECKING:
    from prandial.bench.risk import FileReport, Simulation
    from prandial.records import GlucoseTrace

__all__ = ["check_outputs", "draw_report", "show_file", "show_report", "show_simulation"]

#: key of the metrics -> what it is
_TIMES: Final = {
    "tir": "time in range 70 to 180 mg/dL, %",
    "tbr": "time below 70 mg/dL, %",
    "tar": "time above 180 mg/dL, %",
}
_RISKS: Final = {
    "lbgi": "low blood glucose index, [1, 401]",
    "hbgi": "high blood glucose index, [1, 401]",
    "bgri": "blood glucose risk index, [1, 401]",
}
#: characters of a table that fit beside its labels
_WIDTH: Final = 78


def show_simulation(found: Simulation) -> None:
    """Print metrics and a summary of glucose of a simulation."""
    console = new_console()
    s = found.scenario
    p = s.patient
    say = console.print
    say(
        Text(
            f"a meal of {s.true_carb_g:g} g carbohydrate, estimated as {s.estimated_carb_g:g} g;"
            f" glucose begins at {s.start_glucose_mg_dl:g} mg/dL"
        )
    )
    say(
        Text(
            f"virtual patient: ISF {p.isf_mg_dl_per_u:g} mg/dL per U, CIR {p.cir_g_per_u:g} g"
            f" per U, basal {p.basal_u_per_h:g} U/h"
        )
    )
    say(Text(f"mode {s.setup.mode}, quirks {s.setup.quirks.name}"))
    table = new_table("in six hours")
    for name in (f"estimate\n{s.estimated_carb_g:g} g", f"perfect\n{s.true_carb_g:g} g"):
        table.add_column(name, justify="right", no_wrap=True)
    both = (found.metrics, found.perfect_metrics)
    for key, words in {**_TIMES, **_RISKS}.items():
        table.add_row(words, *(f"{m['metrics'][key]:.1f}" for m in both))
    table.add_row(
        "blood glucose risk index, [20, 600]",
        *(f"{m['metrics_20_600']['bgri']:.1f}" for m in both),
    )
    traces = (found.trace, found.perfect)
    table.add_row("lowest glucose, mg/dL (minute)", *(_end(t, lowest=True) for t in traces))
    table.add_row("highest glucose, mg/dL (minute)", *(_end(t, lowest=False) for t in traces))
    table.add_row("glucose at the end, mg/dL", *(f"{t.glucose_mg_dl[-1]:.0f}" for t in traces))
    say(table)
    if min(min(t.glucose_mg_dl) for t in traces) < 1:
        say(Text("the model is linear: glucose below 1 mg/dL means a danger, not a reading"))
    say(Text(NOTICE))


def _end(trace: GlucoseTrace, *, lowest: bool) -> str:
    values = trace.glucose_mg_dl
    value = min(values) if lowest else max(values)
    return f"{value:.0f} ({trace.at_min[values.index(value)]:.0f})"


def show_file(report: FileReport) -> None:
    """Print what was done with a file of scenarios."""
    failed = f", {report.failed} failed (their lines say why)" if report.failed else ""
    console = new_console()
    console.print(
        Text(
            f"wrote {report.records} records to {report.output}: {report.simulated}"
            f" simulated{failed}; quirks {report.quirks}"
        )
    )
    console.print(Text(NOTICE))


def show_report(report: RiskReport) -> None:
    """Print the tables of a report, then its facts and notes."""
    console = new_console()
    console.print(Text(report.title))
    for name, rows in report.tables.items():
        columns, cells = cells_of(rows)
        console.print(Text(f"\n{name.replace('_', ' ')}"))
        labels = [i for i, c in enumerate(columns) if any(isinstance(r.get(c), str) for r in rows)]
        for part in _parts(columns, cells, labels):
            table = new_table()
            for i in (*labels, *part):
                left = i in labels
                table.add_column(
                    plain(columns[i].replace("_", " ")),
                    justify="left" if left else "right",
                    overflow="fold",
                    no_wrap=not left,
                )
            for row in cells:
                table.add_row(*(Text(plain(row[i])) for i in (*labels, *part)))
            console.print(table)
    for key, value in report.facts.items():
        if isinstance(value, str | int | float):
            console.print(Text(f"{plain(key.replace('_', ' '))}: {plain(str(value))}"))
    for note in report.notes:
        console.print(Text(f"note: {plain(note)}"))
    console.print(Text(NOTICE))


def _parts(
    columns: Sequence[str], cells: Sequence[Sequence[str]], labels: Sequence[int]
) -> list[list[int]]:
    """Return the columns of numbers in groups that fit a terminal beside the labels."""

    def width(i: int) -> int:
        return 3 + max(len(columns[i]), *(len(row[i]) for row in cells))

    room = _WIDTH - sum(min(width(i), 24) for i in labels)
    parts: list[list[int]] = [[]]
    left = room
    for i in (k for k in range(len(columns)) if k not in labels):
        if parts[-1] and width(i) > left:
            parts.append([])
            left = room
        parts[-1].append(i)
        left -= width(i)
    return parts


def check_outputs(
    output: Path | None, plots: Sequence[Path | None], *, replace: bool = False
) -> None:
    """Refuse files that cannot be written, before the work."""
    if output is not None:
        RiskReport.check(output, replace=replace)
    for path in plots:
        if path is not None:
            check_plot(path, replace=replace)


def draw_report(
    report: RiskReport, plot: Path | None, surface: Path | None, *, replace: bool = False
) -> None:
    """Draw the main table and the surface of a report."""
    if plot is not None:
        save_chart(draw_table(next(iter(report.tables.values()), ())), plot, replace=replace)
    if surface is not None:
        rows = report.tables.get("surface", ())
        save_chart(draw_surface(rows), surface, replace=replace)
