"""Rows of a file as foods: every cell understood, or its reason kept."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from prandial.nutrients import NUTRIENTS, unit_of
from prandial.tables.user.cells import (
    CellError,
    Decimal,
    Quantity,
    decimal_mark,
    read_energy,
    read_quantity,
)
from prandial.tables.user.table import Problem
from prandial.tables.user.text import clean
from prandial.tables.user.unitnames import factor_to_house

if TYPE_CHECKING:
    from prandial.tables.user.columns import Column
    from prandial.tables.user.notes import Notebook
    from prandial.tables.user.rawtable import Cell, RawTable

__all__ = ["Row", "read_rows"]

_INDEX = {key: i for i, key in enumerate(NUTRIENTS)}


@dataclass(slots=True)
class Row:
    """One food as the file declares it, not yet per 100 g.

    Attributes
    ----------
    values : ndarray of float64
        In the order and units of ``NUTRIENTS``; NaN unknown.
    energy_stated : bool
        Map, heading or cell says whether the energy is kcal or kJ.
    serving_g : float
        Grams of one serving; NaN unknown.
    cells : dict of str to str
        The cells as they stand, by house name.
    """

    line: int
    id: str
    name: str
    alt_names: str = ""
    category: str = ""
    serving_g: float = math.nan
    energy_stated: bool = False
    measures: list[tuple[str, float]] = field(default_factory=list)
    values: npt.NDArray[np.float64] = field(default_factory=lambda: np.full(len(NUTRIENTS), np.nan))
    cells: dict[str, str] = field(default_factory=dict)


def _cleaned(raw: RawTable, found: dict[str, Column], notes: Notebook) -> list[dict[str, Cell]]:
    """Return the mapped cells of every row, repaired, with the repairs noted."""
    out: list[dict[str, Cell]] = []
    for line, cells in raw.rows:
        row: dict[str, Cell] = {}
        for key, column in found.items():
            cell = cells[column.index]
            if isinstance(cell, str):
                text, repaired, stripped = clean(cell)
                place = f"line {line} column {column.header!r}"
                if repaired:
                    notes.count(
                        "cells whose text was encoded twice, repaired", f"{place}: {text!r}"
                    )
                if stripped:
                    notes.count("cells with control characters, removed", place)
                cell = text
            row[key] = cell
        out.append(row)
    return out


def _decimal(raw: RawTable, rows: list[dict[str, Cell]]) -> Decimal | None:
    numeric = (
        cell for row in rows for k, cell in row.items() if k in _INDEX and isinstance(cell, str)
    )
    return decimal_mark(numeric) or ("comma" if raw.semicolons else None)


def _text(cell: Cell) -> str:
    """Return a name or id as text; 1001.0 of a typed file is 1001."""
    if isinstance(cell, str):
        return cell
    return str(int(cell)) if cell.is_integer() else str(cell)


def _in_unit(key: str, quantity: Quantity, column: Column, line: int, notes: Notebook) -> float:
    """Return the value in the house unit and note what was met on the way."""
    place = f"line {line} column {column.header!r}"
    if quantity.remark == "trace":
        notes.count("cells that say trace, unknown", place)
    elif quantity.remark == "below limit":
        notes.count("cells below a limit of detection, unknown", place)
    unit = quantity.unit or column.unit
    if math.isnan(quantity.value) or unit is None:
        return quantity.value
    factor = factor_to_house(key, unit, where=place)
    if unit == "IU" and quantity.unit:
        told = "unknown" if math.isnan(factor) else f"{factor:g} µg per IU"
        form = ", if retinol" if "vitamin_a" in key or "retinol" in key else ""
        notes.count(f"cells of {key} in IU: {told}{form}", place)
    return quantity.value * factor


def _number(
    key: str, cell: Cell, column: Column, line: int, decimal: Decimal | None, notes: Notebook
) -> tuple[float, bool]:
    """Return a cell's value in the house unit, and whether its unit is stated.

    Raises
    ------
    CellError
        With the reason the cell cannot be used.
    """
    quantity = (read_energy if key == "energy_kcal" else read_quantity)(cell, decimal)
    if quantity.unit:
        house = unit_of(key)
        fits = quantity.unit in ("kcal", "kJ") if house == "kcal" else quantity.unit[-1] in "gU"
        if not fits:
            raise CellError(f"is in {quantity.unit}, but {key} is in {house}")
    value = _in_unit(key, quantity, column, line, notes)
    if value < 0:
        raise CellError("is negative")
    if quantity.remark == "decimal comma":
        place = f"line {line} column {column.header!r}: {cell!r} -> {quantity.value:g}"
        notes.count("numbers with a decimal comma", place)
    return value, bool(quantity.unit or column.unit)


def _measures(cell: str, decimal: Decimal | None) -> list[tuple[str, float]]:
    """Read ``1 cup=240; 1 slice=30``."""
    out = []
    for part in filter(None, (p.strip() for p in cell.split(";"))):
        name, equals, grams = part.rpartition("=")
        if not equals or not name.strip():
            raise CellError("is not of the form '1 cup=240; 1 slice=30'")
        quantity = read_quantity(grams.strip(), decimal)
        if quantity.unit not in (None, "g") or not quantity.value > 0:
            raise CellError(f"gives {name.strip()!r} no weight in grams above 0")
        out.append((name.strip(), quantity.value))
    return out


def _fill(
    row: Row,
    key: str,
    cell: Cell,
    column: Column,
    decimal: Decimal | None,
    notes: Notebook,
) -> None:
    if key == "name":
        row.name = _text(cell)
        if not row.name:
            raise CellError("is empty: a food needs a name")
    elif key == "id":
        row.id = _text(cell)
        if not row.id:
            raise CellError("is empty: every food needs its id")
    elif key == "alt_names":
        row.alt_names = _text(cell)
    elif key == "category":
        row.category = _text(cell)
    elif key == "measures":
        row.measures = _measures(_text(cell), decimal)
    else:
        value, stated = _number(key, cell, column, row.line, decimal, notes)
        if key == "serving_g":
            if value == 0:
                raise CellError("is no weight of a serving")
            row.serving_g = value
        else:
            row.values[_INDEX[key]] = value
            row.energy_stated |= stated and key == "energy_kcal"


def read_rows(
    raw: RawTable, found: dict[str, Column], notes: Notebook
) -> tuple[list[Row], list[Problem]]:
    """Read every row.

    Parameters
    ----------
    raw : RawTable
    found : dict of str to Column
    notes : Notebook

    Returns
    -------
    rows : list of Row
        Those without a problem.
    problems : list of Problem
        All reasons of all others.
    """
    cleaned = _cleaned(raw, found, notes)
    decimal = _decimal(raw, cleaned)
    rows: list[Row] = []
    problems: list[Problem] = []
    for number, ((line, _), cells) in enumerate(zip(raw.rows, cleaned, strict=True), start=1):
        row = Row(line=line, id=str(number), name="", cells={k: _text(c) for k, c in cells.items()})
        bad: list[Problem] = []
        for key, cell in cells.items():
            column = found[key]
            try:
                _fill(row, key, cell, column, decimal, notes)
            except CellError as err:
                bad.append(
                    Problem(line=line, column=column.header, value=row.cells[key], reason=str(err))
                )
        problems += bad
        if not bad:
            rows.append(row)
    return rows, problems
