"""Simulations and assessments as a person reads them: what glucose did, no amount of insulin."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.text import Text

from prandial.bench.risk import NOTICE, outputs
from prandial.bench.risk.plots import check_plot, draw_surface, draw_table, save_chart
from prandial.bench.risk.report import RiskReport
from prandial.bench.risk.tables import (
    FLOOR,
    HEADINGS,
    PERFECT,
    SENSITIVITY_WORDS,
    SHOWN,
    TOLD_APART,
)
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
_CHOICES: Final = {
    "absorption_min, true/reported": "absorption, true/told, min",
    "loop_peak_min": "Loop: insulin peak, min",
    "loop_target_mg_dl": "Loop: target, mg/dL",
    "loop_suspend_mg_dl": "Loop: suspend below, mg/dL",
    "loop_correction_interval_min": "Loop: correction interval",
    "loop_configuration": "Loop",
    "loop_max_basal_u_per_h": "Loop: largest basal, U/h",
    "loop_max_bolus_u": "Loop: largest bolus, U",
    "window_mg_dl": "glucose clipped to, mg/dL",
    "start_glucose_mg_dl": "start, mg/dL",
    "abstain": "no answer",
}
_VALUES: Final = {"True": "true, 1 min", "20_600": "20-600", "1_401": "1-401"}
#: title, rows, columns
Short = tuple[str, Sequence[Mapping[str, Any]], Sequence[str]]
_HEADINGS: Final = {FLOOR: "<1\n%"}
_ENDS: Final = ("at_low", "at_estimate", "at_high", "best", "worst")
_MORE: Final = (
    "in --json and --output: more metrics, means by start glucose, intervals by meals and by"
    " patients alone"
)


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
    told = f"{value:.0f}" if value >= 1 else "below 1"
    return f"{told} ({trace.at_min[values.index(value)]:.0f})"


def show_file(report: FileReport) -> None:
    """Print what was done with a file of scenarios."""
    failed = f", {report.failed} failed (their lines say why)" if report.failed else ""
    console = new_console()
    console.print(
        Text(
            f"wrote {report.records} records to {plain(str(report.output))}: {report.simulated}"
            f" simulated{failed}; quirks {report.quirks}"
        )
    )
    console.print(Text(NOTICE))


def show_report(report: RiskReport) -> None:
    """Print the tables of a report in short, then its facts and notes."""
    console = new_console()
    console.print(Text(plain(report.title)))
    for name, rows in report.tables.items():
        for title, some, columns in _in_short(name, rows):
            _print_table(console, title, some, columns)
    console.print(Text(_MORE))
    for key, value in report.facts.items():
        console.print(Text(f"{plain(key)}: {plain(str(value))}"))
    for note in report.notes:
        console.print(Text(f"note: {plain(note)}"))
    console.print(Text(NOTICE))


def _in_short(name: str, rows: Sequence[Mapping[str, Any]]) -> list[Short]:
    """Return the part of a table that a terminal shows: titles, rows by label, columns."""
    if name == "estimators":
        setups = dict.fromkeys(row["setup"] for row in rows)
        return [
            (
                _setup_title(setup, rows),
                [{**row, "label": _with_error(row)} for row in rows if row["setup"] == setup],
                (*SHOWN[:5], FLOOR),
            )
            for setup in setups
        ]
    if name == "paired_differences":
        some = [{**row, "label": row["difference"]} for row in rows if row["setup"] == "all"]
        return [("paired differences, all setups", some, TOLD_APART)]
    if name == "if_insulin_followed_the_ends_of_the_range":
        index = HEADINGS["bgri_1_401"]
        some = [
            {**row, "label": f"{row['estimator']}, {_meals(row['n_meals'])}"}
            for row in rows
            if row["metric"] == index
        ]
        return [(f"BGRI {name.replace('_', ' ')}", some, _ENDS)]
    if name == "riskiest_estimates":
        some = [{**row, "label": f"{row['meal']}: {row['estimator']}"} for row in rows[:5]]
        return [("riskiest estimates", some, ("true_g", "estimate_g", *TOLD_APART[1:4]))]
    if name == "sensitivity":
        names = [k for k in rows[0] if k not in SENSITIVITY_WORDS]
        some = [{**row, "label": _said(row)} for row in rows]
        return [("sensitivity, BGRI", some, (*names, "order_changed"))]
    if name == "surface":
        errors = [e for e in dict.fromkeys(r["relative_error"] for r in rows) if _told_error(e)]
        some = [
            {
                "label": f"{csf:g}",
                **{
                    f"{100 * r['relative_error']:+.0f} %": r["bgri_1_401"]
                    for r in rows
                    if r["csf_mg_dl_per_g"] == csf and r["relative_error"] in errors
                },
            }
            for csf in dict.fromkeys(r["csf_mg_dl_per_g"] for r in rows)
        ]
        heads = [f"{100 * e:+.0f} %" for e in errors]
        return [("BGRI by CSF and relative error", some, heads)]
    if name == "second_patient":
        some = [{**row, "label": f"{row['metric']}: {row['estimator']}"} for row in rows]
        names = [k for k in rows[0] if k not in ("metric", "estimator", "kendall_tau")]
        return [("second patient", some, names)]
    return []


def _setup_title(setup: str, rows: Sequence[Mapping[str, Any]]) -> str:
    if setup != "all":
        return setup
    return "all setups" if len({row["setup"] for row in rows}) > 1 else "one setup"


def _with_error(row: Mapping[str, Any]) -> str:
    """Return an estimator with its error in grams and its meals."""
    meals = _meals(row["n_meals"])
    if row["estimator"] == PERFECT:
        return f"{PERFECT}\n{meals}"
    error = row["mae_g"]
    if math.isnan(error):
        return f"{row['estimator']}\nno answer\n{meals}"
    part = "" if row["n_answered"] == row["n_meals"] else f", {row['n_answered']} answered"
    told = f"MAE {error:.1f} g\nbias {row['bias_g']:+.1f} g"
    return f"{row['estimator']}\n{told}\n{meals}{part}"


def _told_error(error: float) -> bool:
    """Whether a column of the surface has room: every fifth of the truth."""
    return round(error * 10) % 4 == 0


def _said(row: Mapping[str, Any]) -> str:
    if row["choice"] == "base":
        return "base"
    choice, value = str(row["choice"]), str(row["value"])
    choice = _CHOICES.get(choice, choice.replace("_", " "))
    value = _VALUES.get(value, value.replace("_alone", "").replace("_", " "))
    return f"{choice}: {value}"


def _print_table(
    console: Console, title: str, rows: Sequence[Mapping[str, Any]], columns: Sequence[str]
) -> None:
    """Print a table that fits a terminal: an interval stands below its value."""
    table = new_table()
    table.add_column(Text(plain(title)), overflow="fold")
    for key in columns:
        heading = _HEADINGS.get(key) or HEADINGS.get(key, key.replace("_", " ")).replace(
            " [", "\n["
        )
        table.add_column(_lines(heading), justify="right", overflow="fold")
    for row in rows:
        table.add_row(_lines(str(row["label"])), *(Text(_value(row, k)) for k in columns))
    console.print(table)


def _lines(text: str) -> Text:
    return Text("\n".join(plain(line) for line in text.split("\n")))


def _meals(count: int) -> str:
    return f"{count} meal" if count == 1 else f"{count} meals"


def _tenths(value: float) -> str:
    """Return a number with one decimal, nothing below 0 that rounds to it."""
    return f"{round(value, 1) + 0.0:.1f}"


def _value(row: Mapping[str, Any], key: str) -> str:
    value, low, high = row.get(key), row.get(f"{key}_low"), row.get(f"{key}_high")
    if not isinstance(value, int | float):
        return "unknown" if value is None else plain(str(value))
    if math.isnan(value):
        return "unknown"
    if low is None or high is None or key == FLOOR:
        return _tenths(value)
    return f"{_tenths(value)}\n{_tenths(low)}, {_tenths(high)}"


def check_outputs(
    output: Path | None,
    plots: Sequence[Path | None],
    *,
    read: Sequence[Path | None] = (),
    replace: bool = False,
) -> None:
    """Refuse files that cannot be read or written, before the work."""
    drawn = [path for path in plots if path is not None]
    taken = [path for path in read if path is not None]
    for path in taken:
        outputs.check_input(path)
    written = drawn if output is None else [output, *drawn]
    outputs.check_outputs(written, read=taken, replace=replace)
    if output is not None:
        RiskReport.check(output, replace=replace)
    for path in drawn:
        check_plot(path, replace=replace)


def draw_report(
    report: RiskReport, plot: Path | None, surface: Path | None, *, replace: bool = False
) -> None:
    """Draw the main table and the surface of a report, and tell of each."""
    if plot is not None:
        lines = [f"{k}: {report.facts[k]}" for k in ("meals", "patients", "start glucose")]
        chart = draw_table(next(iter(report.tables.values()), ()), lines=lines)
        save_chart(chart, plot, replace=replace)
        _say_written(plot)
    if surface is not None:
        rows = report.tables.get("surface", ())
        lines = [f"typical meals of the file; setups: {report.facts['setups']}"]
        save_chart(draw_surface(rows, lines=lines), surface, replace=replace)
        _say_written(surface)


def _say_written(path: Path) -> None:
    sys.stderr.write(f"wrote {plain(str(path))}\n")
