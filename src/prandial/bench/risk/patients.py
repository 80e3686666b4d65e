"""Virtual patients from a table of a user's, and back."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from prandial.bench.risk.numbers import first_of, one_number
from prandial.bench.risk.sheets import Sheet, read_sheet
from prandial.errors import InputError
from prandial.records import Patient

__all__ = ["patients_csv", "read_patients"]

#: field of a patient -> quantity of its bound, and the names its column may have
_COLUMNS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "isf_mg_dl_per_u": ("isf", ("isf_mg_dl_per_u", "isf", "ISF")),
    "cir_g_per_u": ("cir", ("cir_g_per_u", "cir", "CIR")),
    "basal_u_per_h": ("basal", ("basal_u_per_h", "basal", "BASAL")),
}
_NEEDED: Final = (
    "needed: isf (mg/dL per U), cir (g per U), basal (U/h), and name if wished; or"
    " isf_mg_dl_per_u, cir_g_per_u, basal_u_per_h"
)


def read_patients(path: Path) -> tuple[Patient, ...]:
    """Read patients from a table with columns ``name`` (may lack), ``isf``, ``cir``, ``basal``.

    Raises
    ------
    InputError
        When a column is not there (names those that are, and those needed), when a value is no
        number or outside its bound, and when a name is there twice: names the row.
    """
    sheet = read_sheet(path)
    columns = {}
    for field, (_, known) in _COLUMNS.items():
        column = first_of(known, sheet.header)
        if column is None:
            raise InputError(
                f"no column {known[1]!r}",
                where=str(path),
                hint=f"found: {', '.join(sheet.header)}; {_NEEDED}",
            )
        columns[field] = column
    names = _names(sheet)
    patients = []
    for i, label in enumerate(sheet.labels):
        where = f"{path.name}, {label}"
        numbers = {
            field: one_number(
                _COLUMNS[field][0],
                _number(sheet.column(column)[i], f"{where}, {column}"),
                where=f"{where}, {column}",
            )
            for field, column in columns.items()
        }
        patients.append(Patient(name=names[i], **numbers))
    return tuple(patients)


def _names(sheet: Sheet) -> list[str]:
    if "name" not in sheet.header:
        return [f"patient{i + 1:02d}" for i in range(len(sheet.rows))]
    names = [str(c if c is not None else "").strip() for c in sheet.column("name")]
    for i, name in enumerate(names):
        problem = "no name" if not name else f"{name!r} is there twice"
        if not name or names.index(name) < i:
            raise InputError(
                problem,
                where=f"{sheet.path.name}, {sheet.labels[i]}, name",
                hint="name each patient once, or leave the column out",
            )
    return names


def _number(cell: object, where: str) -> object:
    """Return the number a text stands for; other cells as they are."""
    if cell is None or not isinstance(cell, str):
        return float(cell) if hasattr(cell, "__float__") and not isinstance(cell, bool) else cell
    try:
        return float(cell)
    except ValueError:
        raise InputError(
            f"{cell[:40]!r} is no number", where=where, hint="write 0.8, with a point"
        ) from None


def patients_csv(patients: Sequence[Patient]) -> str:
    """Return patients as the table that :func:`read_patients` reads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["name", *_COLUMNS])
    for p in patients:
        writer.writerow([p.name, *(repr(getattr(p, field)) for field in _COLUMNS)])
    return out.getvalue()
