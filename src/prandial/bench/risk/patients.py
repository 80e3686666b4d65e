"""Virtual patients from a table of a user's, and back."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from prandial.bench.risk.numbers import one_number
from prandial.bench.risk.sheets import Sheet, read_sheet
from prandial.errors import InputError
from prandial.records import Patient

__all__ = ["patients_csv", "read_patients"]

#: field of a patient -> quantity of its bound, and the names its column may have
_COLUMNS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "isf_mg_dl_per_u": ("isf", ("isf_mg_dl_per_u", "isf")),
    "cir_g_per_u": ("cir", ("cir_g_per_u", "cir")),
    "basal_u_per_h": ("basal", ("basal_u_per_h", "basal")),
}
_NEEDED: Final = (
    "needed: isf (mg/dL per U), cir (g per U), basal (U/h), and name if wished; or"
    " isf_mg_dl_per_u, cir_g_per_u, basal_u_per_h"
)


#: patients that a table may hold
MAX_PATIENTS: Final = 10_000
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_COMMA: Final = re.compile(r"[+-]?[0-9]+,[0-9]+")


def read_patients(path: Path) -> tuple[Patient, ...]:
    """Read patients from a table with columns ``name`` (may lack), ``isf``, ``cir``, ``basal``.

    Capitals of column names do not count. A decimal comma is read where a semicolon or a tab
    separates the cells.

    Raises
    ------
    InputError
        When a column is not there (names those that are, and those needed) or by two names, when
        a value is no number or outside its bound, when a name is there twice (names the row), and
        on more than 10,000 patients, or a workbook with several filled sheets.
    """
    sheet = read_sheet(path)
    if sheet.others:
        raise InputError(
            f"the workbook has {1 + len(sheet.others)} filled sheets",
            where=sheet.place,
            hint="keep the patients' alone: there are also " + ", ".join(sheet.others),
        )
    if len(sheet.rows) > MAX_PATIENTS:
        raise InputError(
            f"{len(sheet.rows):,} patients are more than {MAX_PATIENTS:,}",
            where=str(path),
            hint="leave some out, or assess them in parts",
        )
    columns = {field: _column(sheet, known) for field, (_, known) in _COLUMNS.items()}
    names = _names(sheet)
    comma = sheet.separator in (";", "\t")
    at = {field: sheet.header.index(column) for field, column in columns.items()}
    patients = []
    for name, label, row in zip(names, sheet.labels, sheet.rows, strict=True):
        numbers = {}
        for field, column in columns.items():
            where = f"{path.name}, {label}, {column}"
            cell = _number(row[at[field]], where, comma=comma)
            numbers[field] = one_number(_COLUMNS[field][0], cell, where=where)
        patients.append(Patient(name=name, **numbers))
    return tuple(patients)


def _column(sheet: Sheet, known: Sequence[str]) -> str:
    there = [h for h in sheet.header if h.lower() in known]
    if not there:
        raise InputError(
            f"no column {known[1]!r}",
            where=sheet.place,
            hint=f"found: {', '.join(sheet.header)}; {_NEEDED}",
        )
    if len(there) > 1:
        raise InputError(
            f"the columns {there[0]!r} and {there[1]!r} are the same quantity",
            where=sheet.place,
            hint="keep one of them",
        )
    return there[0]


def _names(sheet: Sheet) -> list[str]:
    columns = [h for h in sheet.header if h.lower() == "name"]
    if not columns:
        return [f"patient{i + 1:02d}" for i in range(len(sheet.rows))]
    if len(columns) > 1:
        raise InputError(
            f"the columns {columns[0]!r} and {columns[1]!r} both name patients",
            where=sheet.place,
            hint="keep one of them",
        )
    names: dict[str, None] = {}
    for label, cell in zip(sheet.labels, sheet.column(columns[0]), strict=True):
        name = str(cell if cell is not None else "").strip()
        if not name or name in names:
            raise InputError(
                f"{name!r} is there twice" if name else "no name",
                where=f"{sheet.path.name}, {label}, {columns[0]}",
                hint="name each patient once, or leave the column out",
            )
        names[name] = None
    return list(names)


def _number(cell: Any, where: str, *, comma: bool) -> Any:
    """Return the number a text stands for; other cells as they are."""
    if not isinstance(cell, str):
        return cell
    text = cell.strip()
    if comma and _COMMA.fullmatch(text):
        text = text.replace(",", ".")
    if not _NUMBER.fullmatch(text):
        raise InputError(f"{cell[:40]!r} is no number", where=where, hint="write 0.8, with a point")
    return float(text)


def patients_csv(patients: Sequence[Patient]) -> str:
    """Return patients as the table that :func:`read_patients` reads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["name", *_COLUMNS])
    for p in patients:
        writer.writerow([p.name, *(repr(getattr(p, field)) for field in _COLUMNS)])
    return out.getvalue()
