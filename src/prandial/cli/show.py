"""Estimates, foods and tables as a person reads them."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from prandial.cli.plain import plain
from prandial.nutrients import LABELS, MAIN, unit_of

if TYPE_CHECKING:
    from prandial.checkup import DoctorReport, TableInfo
    from prandial.records import Band, Estimate, Food, MealItem

__all__ = [
    "NOT_ADVICE",
    "new_console",
    "new_table",
    "plain",
    "show_doctor",
    "show_estimate",
    "show_food",
    "show_foods",
    "show_tables",
]

NOT_ADVICE: Final = "research software: not dosing advice"
#: width when the output is no terminal and COLUMNS does not say
_WIDTH: Final = 80
_HEIGHT: Final = 25
#: narrower than this nothing can be read
_NARROWEST: Final = 20
#: nutrients that fit beside item, food and grams in 80 columns
_COLUMNS: Final = 4
#: FNDDS's name for the amount of somebody who did not say one
_UNSPECIFIED: Final = "Quantity not specified"
_HOW: Final = {
    "weighed": "weighed",
    "measure": "measure",
    "count": "count",
    "default": "usual amount",
}


def show_estimate(estimate: Estimate, nutrients: Sequence[str] | None = None) -> None:
    """Print an estimate: items, totals, notes and what it is not.

    Parameters
    ----------
    estimate : Estimate
    nutrients : sequence of str, optional
        Nutrients to show; the four main ones when None.
    """
    keys = [k for k in (nutrients or MAIN) if k in estimate.totals]
    console = new_console()
    table = new_table("item\n(status)", "food", "grams\nand how")
    for key in keys[:_COLUMNS]:
        table.add_column(f"{_label(key)}\n{unit_of(key)}", justify="right", no_wrap=True)
    for item in estimate.items:
        numbers = [_two_lines(k, item.nutrients.get(k)) for k in keys[:_COLUMNS]]
        table.add_row(
            Text(f"{plain(item.text)}\n({item.status})"),
            Text("no food found" if item.food is None else plain(item.food.name)),
            Text(_grams(item)),
            *numbers,
        )
    console.print(table)
    width = max(len(_label(k)) for k in keys)
    for key in keys:
        console.print(Text(f"total {_label(key):<{width}}  {_one_line(key, estimate)}"))
    for note in estimate.notes:
        console.print(Text(f"note: {plain(note)}"))
    if estimate.because is not None and estimate.ask is None:
        console.print(Text(f"wide range: {plain(estimate.because)}"))
    if estimate.ask is not None:
        console.print(Text(f"question: {plain(estimate.ask.text.split('?')[0])}?"))
        for k, choice in enumerate(estimate.ask.choices, start=1):
            value = _digits(estimate.ask.nutrient, choice.value)
            unit = f"{unit_of(estimate.ask.nutrient)} {_label(estimate.ask.nutrient)}"
            console.print(Text(f"  --answer {k}: {plain(choice.label)}, {value} {unit}"))
    if estimate.complete:
        console.print(Text("complete; ranges are meant to hold 90 (or 50) of 100 meals"))
    else:
        console.print(Text("incomplete: totals and ranges are of the items understood"))
    console.print(Text(f"carbohydrate: {estimate.carbohydrate_definition}"))
    console.print(Text(f"table: {estimate.release}; estimator: {estimate.estimator}"))
    console.print(Text(NOT_ADVICE))


def show_foods(foods: Sequence[tuple[Food, float]]) -> None:
    """Print foods that a search found."""
    table = new_table("id", "table", "name")
    for key in MAIN:
        table.add_column(f"{_label(key)}\n{unit_of(key)}", justify="right", no_wrap=True)
    for food, _ in foods:
        table.add_row(
            Text(plain(food.food_id)),
            Text(food.source.table),
            Text(plain(food.name)),
            *(_number(food.per_100g.get(k, math.nan)) for k in MAIN),
        )
    console = new_console()
    console.print(table)
    console.print(Text("nutrients per 100 g"))


def show_food(food: Food) -> None:
    """Print everything about one food."""
    console = new_console()
    console.print(Text(plain(food.name)))
    source = food.source
    console.print(Text(f"id {source.id} of {source.table} {source.release}"))
    console.print(Text(f"category: {plain(food.category) or 'none'}"))
    table = new_table("nutrient", "per 100 g", "unit")
    for key, value in food.per_100g.items():
        table.add_row(key, _number(value), unit_of(key))
    console.print(table)
    table = new_table("measure", "grams")
    for measure in food.measures:
        table.add_row(Text(plain(measure.name)), _number(measure.grams))
    console.print(table)


def show_tables(tables: Sequence[TableInfo]) -> None:
    """Print the tables at hand."""
    table = new_table("table", "kind", "rows", "what")
    table.columns[0].no_wrap = True
    for info in tables:
        rows = "unknown" if info.rows is None else str(info.rows)
        table.add_row(info.name, info.kind, rows, Text(plain(f"{info.title}; {info.licence}")))
    new_console().print(table)


def show_doctor(report: DoctorReport) -> None:
    """Print how an installation is."""
    console = new_console()
    for name, version in report.versions.items():
        console.print(Text(f"{name} {version}"))
    console.print(Text(f"Python {report.python} on {report.system}"))
    console.print(Text(f"estimator: {report.estimator}"))
    console.print(Text(f"user tables: {report.user_tables_home}"))
    show_tables(report.tables)
    if report.load_s is not None:
        console.print(
            Text(f"ready in {report.load_s:.2f} s; one estimate {report.estimate_ms:.1f} ms")
        )
    for problem in report.problems:
        console.print(Text(f"problem: {plain(problem)}"))
    console.print(Text("all is well" if report.ok else f"{len(report.problems)} problem(s)"))
    console.print(Text(NOT_ADVICE))


def new_console() -> Console:
    """Return the console that prints results: 80 columns where nobody says otherwise."""
    # no markup: square brackets in a text of a user's are text
    return Console(
        width=_width(),
        height=_HEIGHT,  # else rich reads COLUMNS by itself
        highlight=False,
        soft_wrap=False,
        markup=False,
        emoji=False,
    )


def _width() -> int:
    """Return what COLUMNS says, or the terminal, where either makes sense."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and len(told) < 6 and int(told) >= _NARROWEST:
        return int(told)
    try:
        found = os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else 0
    except (OSError, ValueError):
        found = 0
    return found if found >= _NARROWEST else _WIDTH


def new_table(*columns: str) -> Table:
    """Return a table in the one style of all verbs; long cells are folded."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _label(key: str) -> str:
    return LABELS.get(key, key.rsplit("_", 1)[0].replace("_", " "))


def _grams(item: MealItem) -> str:
    portion = item.portion
    if portion is None:
        return "unknown"
    grams = portion.grams
    how = _HOW[portion.basis]
    if portion.basis != "weighed":
        how += f": {portion.quantity.mid:g} x"
        how += "" if portion.measure == _UNSPECIFIED else f" {plain(portion.measure)}"
    return f"{_range(grams)} g\n{how}"


def _two_lines(key: str, band: Band | None) -> str:
    if band is None:
        return "unknown"
    low, mid, high = (_digits(key, v) for v in (band.low, band.mid, band.high))
    return f"{mid}\n{low}-{high}"


def _range(band: Band) -> str:
    if band.low == band.high:
        return f"{band.mid:.0f}"
    return f"{band.mid:.0f} ({band.low:.0f}-{band.high:.0f})"


def _one_line(key: str, estimate: Estimate) -> str:
    band, near = estimate.totals[key], estimate.totals_50.get(key)
    if band is None:
        return "unknown"
    low, mid, high = (_digits(key, v) for v in (band.low, band.mid, band.high))
    half = f"; 50 %: {_digits(key, near.low)}-{_digits(key, near.high)}" if near else ""
    return f"{mid} {unit_of(key)} (90 %: {low}-{high}{half})"


def _digits(key: str, value: float) -> str:
    """Return a value with the digits that mean something: whole kcal, else tenths below 100."""
    return f"{value:.0f}" if unit_of(key) == "kcal" or value >= 100 else f"{value:.1f}"


def _number(value: float) -> str:
    return "unknown" if math.isnan(value) else f"{value:g}"
