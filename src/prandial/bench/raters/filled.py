"""A filled sheet, checked against the key row by row.

Nothing is guessed: a meal that was changed, a row that is not of this study, is there twice
or is gone is an error that names file, row and column.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from prandial.bench.raters.cells import cell_text, estimate_of, minutes_of
from prandial.bench.raters.instructions import TEXT_PAGE, WHOLE, column_of
from prandial.bench.raters.keyfile import Key, SheetKey
from prandial.bench.raters.texts import same_text, unescaped
from prandial.bench.risk.sheets import Sheet, read_sheet
from prandial.errors import InputError, SchemaError
from prandial.nutrients import unit_of
from prandial.records.bench import MealQuestion, Prediction

__all__ = ["FilledSheet", "read_filled"]

_SHOWN_CHARS: Final = 60
#: why of an estimate that was not written
_BLANK: Final = "left blank"
#: more than NutriBench's largest meals; a slip such as 4500 for 45.00 is above it
_MUCH: Final = {"g": 1000.0, "kcal": 10000.0}
#: two times of one sheet that differ by less are the same
_SLACK: Final = 0.1


@dataclass(frozen=True, kw_only=True, slots=True)
class FilledSheet:
    """What one rater did in one arm.

    Parameters
    ----------
    path : Path
    sha256 : str
        Of the file as it came back.
    sheet : SheetKey
    questions : tuple of MealQuestion
    predictions : tuple of Prediction
        In the order of the file; ``seconds`` are None where no minutes were noted.
    minutes : float, optional
        Of all meals: the sum where each has its own, else what the last row says.
    notes : tuple of str
        What was odd and did no harm.
    """

    path: Path
    sha256: str
    sheet: SheetKey
    questions: tuple[MealQuestion, ...]
    predictions: tuple[Prediction, ...]
    minutes: float | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Columns:
    """Names of the columns as they are written in the file."""

    row: str
    meal: str
    estimate: str
    minutes: str
    note: str | None


def read_filled(path: Path, key: Key) -> FilledSheet:
    """Read a filled sheet: CSV (any separator, UTF-8, UTF-16 or Windows-1252), xlsx, JSON lines.

    The file may have another name, and its rows another order.

    Raises
    ------
    NotFoundError
        When there is no such file.
    SchemaError
        When a column is missing, or asks for another unit.
    InputError
        On a row or a meal that is not of this sheet, twice or missing; on a cell that holds
        another unit, a date, or no time; and as any table of another kind.
    MissingDataError
        Workbooks without openpyxl.
    """
    table = read_sheet(path, fits=lambda names: "row" in [n.casefold() for n in names])
    columns = _columns(table, key)
    rows = [_Row(table, columns, i) for i in range(len(table.rows))]
    whole = [r for r in rows if r.code.casefold() == WHOLE]
    meals = [r for r in rows if r not in whole and not r.is_blank]
    sheet = _sheet_of(meals, key, path)
    _all_there(meals, sheet, path)
    asked = {code: key.question(name) for code, name in sheet.rows.items()}
    predictions = tuple(_prediction(r, asked[r.code], sheet, key.nutrient) for r in meals)
    minutes, notes = _minutes(predictions, whole)
    if all(p.reading.why == _BLANK for p in predictions):
        notes += (f"{path.name}: not one cell is filled in: is this the sheet as it was sent?",)
    notes += tuple(
        f"{r.where(columns.estimate)}: {p.raw_text[:_SHOWN_CHARS]!r} is much for one meal: a slip?"
        for r, p in zip(meals, predictions, strict=True)
        if (p.reading.value or 0.0) > _MUCH[unit_of(key.nutrient)]
    )
    notes += tuple(
        f"{r.where(columns.estimate)}: {p.raw_text[:_SHOWN_CHARS]!r} cannot be read:"
        f" {p.reading.why}"
        for r, p in zip(meals, predictions, strict=True)
        if p.reading.status == "unreadable"
    )
    changed = [r.code for r in meals if unescaped(r.meal) != unescaped(asked[r.code].text)]
    if changed:
        notes += (f"{path.name}: quotes or letters of {len(changed)} meals were saved otherwise",)
    return FilledSheet(
        path=path,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        sheet=sheet,
        questions=tuple(asked[r.code] for r in meals),
        predictions=predictions,
        minutes=minutes,
        notes=(*(() if table.others == (TEXT_PAGE,) else table.notes), *notes),
    )


class _Row:
    """One row of the file."""

    def __init__(self, table: Sheet, columns: _Columns, at: int) -> None:
        cells = dict(zip(table.header, table.rows[at], strict=True))
        self.label = table.labels[at]
        self.file = table.path.name
        self.columns = columns
        self.cells = cells
        self.code = cell_text(cells[columns.row])
        self.meal = str(cells[columns.meal] or "")
        self.note = cell_text(cells[columns.note]) if columns.note else ""

    @property
    def is_blank(self) -> bool:
        return not any(cell_text(c) for c in self.cells.values())

    def where(self, column: str = "") -> str:
        place = f"{self.file}, {self.label}"
        return f"{place}, column {column!r}" if column else place


def _columns(table: Sheet, key: Key) -> _Columns:
    names = {n.casefold(): n for n in table.header}
    wanted = {n: names.get(n.casefold()) for n in ("row", "meal", column_of(key.nutrient))}
    wanted["minutes"] = names.get("minutes")
    absent = [n for n, found in wanted.items() if found is None]
    if absent:
        other = [n for n in table.header if n.casefold().startswith("your_estimate")]
        raise SchemaError(
            f"no column {absent[0]!r}",
            where=table.place,
            hint=f"this sheet asks for another unit: {other[0]!r}"
            if other and absent[0] == column_of(key.nutrient)
            else "put the names of the columns back as they were: "
            + ", ".join(map(repr, (*wanted, "note"))),
        )
    row, meal, estimate, minutes = (str(n) for n in wanted.values())
    return _Columns(row, meal, estimate, minutes, names.get("note"))


def _sheet_of(meals: list[_Row], key: Key, path: Path) -> SheetKey:
    """Return the sheet the rows belong to."""
    of = {code: s for s in key.sheets for code in s.rows}
    first: SheetKey | None = None
    for row in meals:
        if row.code not in of:
            raise InputError(
                f"no row {row.code[:40]!r} was sent" if row.code else "a meal without a row code",
                where=row.where(row.columns.row),
                hint="is this the key of that study? rows keep the codes they were sent with",
            )
        first = first or of[row.code]
        if of[row.code] is not first:
            raise InputError(
                f"the row is of another sheet, {of[row.code].file}",
                where=row.where(row.columns.row),
                hint=f"keep one sheet a file; the rows above are of {first.file}",
            )
    if first is None:
        raise InputError("no row of a meal", where=str(path), hint="was this the sheet?")
    return first


def _all_there(meals: list[_Row], sheet: SheetKey, path: Path) -> None:
    seen: dict[str, _Row] = {}
    for row in meals:
        if row.code in seen:
            raise InputError(
                f"the row {row.code} is there twice, first on {seen[row.code].label}",
                where=row.where(row.columns.row),
                hint="keep one of them",
            )
        seen[row.code] = row
    gone = [code for code in sheet.rows if code not in seen]
    if gone:
        raise InputError(
            f"{len(gone)} of {len(sheet.rows)} rows are missing: {', '.join(gone[:5])}",
            where=str(path),
            hint="put them back; a meal without an estimate is left blank",
        )


def _prediction(row: _Row, question: MealQuestion, sheet: SheetKey, nutrient: str) -> Prediction:
    columns = row.columns
    if not same_text(question.text, row.meal):
        raise InputError(
            f"the meal was changed: {unescaped(row.meal)[:_SHOWN_CHARS]!r}",
            where=row.where(columns.meal),
            hint=f"it was sent as {unescaped(question.text)[:_SHOWN_CHARS]!r};"
            " an estimate of other words cannot be scored",
        )
    cell: Any = row.cells[columns.estimate]
    minutes = minutes_of(row.cells[columns.minutes], row.where(columns.minutes))
    detail = {"rater": sheet.rater, "arm": sheet.arm, "row": row.code}
    return Prediction(
        question=question.id,
        raw_text=cell_text(cell),
        reading=estimate_of(cell, nutrient, row.where(columns.estimate)),
        seconds=None if minutes is None else minutes * 60,
        detail=detail | ({"note": row.note} if row.note else {}),
    )


def _minutes(
    predictions: tuple[Prediction, ...], whole: list[_Row]
) -> tuple[float | None, tuple[str, ...]]:
    """Return the minutes of all meals, and what is odd about them."""
    noted = [p.seconds for p in predictions if p.seconds is not None]
    said = [minutes_of(r.cells[r.columns.minutes], r.where(r.columns.minutes)) for r in whole]
    total = next((m for m in said if m is not None), None)
    if len(noted) == len(predictions):
        each = sum(noted) / 60
        if total is None or abs(total - each) <= _SLACK * max(total, each):
            return each, ()
        return each, (
            f"minutes of the meals add up to {each:g}, the last row says {total:g}: the sum counts",
        )
    if noted and total is None:
        return None, (
            f"minutes of {len(noted)} of {len(predictions)} meals only: no time for the sheet",
        )
    return total, ()
