"""The table of an Excel workbook: one sheet, values as they are shown."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from prandial.errors import InputError, PrandialError, SchemaError
from prandial.sources.workbooks import need_openpyxl

__all__ = ["Page", "no_title", "one_line", "read_book"]

#: text of a number format that is shown as it is
_LITERAL: Final = re.compile(r'"[^"]*"|\\.')
_SAVE: Final = "save it again as .xlsx"
#: how workbooks of before 2007, and those with a password, begin
_OLE: Final = b"\xd0\xcf\x11\xe0"


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """A sheet: its name, the names of its columns, its rows by ``row N``.

    ``others`` are the further sheets that are filled.
    """

    name: str
    header: tuple[Any, ...]
    rows: list[tuple[str, Sequence[Any]]]
    others: tuple[str, ...]


def one_line(name: Any) -> str:
    """Return the name of a column without breaks of lines or spaces around."""
    return " ".join(str(name).split()) if name is not None else ""


def read_book(path: Path, fits: Callable[[Sequence[str]], bool] | None = None) -> Page:
    """Return the first filled sheet of a workbook that fits, else the first.

    Hidden sheets count only where no other is filled.

    A percentage is the text that is shown (``45 %``), so that nobody takes it for an amount. A
    blank text is an empty cell.

    Parameters
    ----------
    path : Path
    fits : callable, optional
        Whether names of columns are those that are meant.

    Raises
    ------
    SchemaError
        When the file is no workbook of this kind.
    InputError
        When it is damaged, a formula has no value, or the first row is a title.
    MissingDataError
        Without openpyxl.
    """
    need_openpyxl(str(path))
    data = path.read_bytes()
    if not data.startswith(b"PK"):
        old = data.startswith(_OLE)
        raise SchemaError(
            "a workbook of the old kind, or with a password" if old else "not a workbook (xlsx)",
            where=str(path),
            hint=f"{_SAVE}, without a password" if old else _SAVE,
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = _sheet(path, data, fits)
    except PrandialError:
        raise
    except Exception as error:  # noqa: BLE001  XML, ZIP and openpyxl errors alike
        raise InputError(
            f"the workbook is damaged: {type(error).__name__}",
            where=str(path),
            hint=f"open it, and {_SAVE}",
        ) from None
    if found is None:
        return Page(name="", header=(), rows=[], others=())
    return _page(path, *found)


_Rows = list[tuple[int, list[Any]]]


def _sheet(
    path: Path, data: bytes, fits: Callable[[Sequence[str]], bool] | None
) -> tuple[str, _Rows, tuple[str, ...]] | None:
    """Return name and filled rows of the sheet to read, and the names of other filled ones."""
    from openpyxl import load_workbook

    with (
        closing(load_workbook(BytesIO(data), read_only=True, data_only=True)) as book,
        closing(load_workbook(BytesIO(data), read_only=True, data_only=False)) as written,
    ):
        heads: dict[str, Sequence[Any]] = {}
        shown = []
        for sheet in (*book.worksheets, *written.worksheets):
            # a program may have told a size that is not so
            sheet.reset_dimensions()
        for sheet in (*book.worksheets, *written.worksheets):
            # the values of a formula that was never computed are told below
            row = next((r for r in _plain(sheet) if any(map(_is_filled, r))), None)
            if row is None or sheet.title in heads:
                continue
            heads[sheet.title] = row
            if sheet.sheet_state == "visible":
                shown.append(sheet.title)
        if not heads:
            return None
        names = [n for n in heads if n in shown] + [n for n in heads if n not in shown]
        fit = [n for n in shown or names if fits and fits([one_line(c) for c in heads[n]])]
        for name in dict.fromkeys((*fit, *names)):
            if rows := list(_filled(path, name, book[name], written[name])):
                return name, rows, tuple(n for n in names if n != name)
        return None


def _plain(sheet: Any) -> Iterator[tuple[Any, ...]]:
    yield from sheet.iter_rows(values_only=True)


def _is_filled(value: Any) -> bool:
    return value is not None and (not isinstance(value, str) or bool(value.strip()))


def _filled(path: Path, name: str, values: Any, formulas: Any) -> Iterator[tuple[int, list[Any]]]:
    both = zip(values.iter_rows(), formulas.iter_rows(), strict=True)
    for number, (cells, sources) in enumerate(both, start=1):
        row = []
        for cell, source in zip(cells, sources, strict=True):
            # an empty text that a formula gave is typed; a value never computed is not
            if cell.value is None and source.data_type == "f" and cell.data_type != "str":
                raise InputError(
                    f"the formula in {source.coordinate} has no value",
                    where=f"{path.name}, sheet {name!r}, {source.coordinate}",
                    hint="open and save the workbook in Excel first, so that it is computed",
                )
            row.append(_shown(cell))
        if any(c is not None for c in row):
            yield number, row


def _shown(cell: Any) -> Any:
    value = cell.value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and "%" in _LITERAL.sub("", cell.number_format or ""):
        return f"{100 * value:g} %"
    return value if _is_filled(value) else None


def no_title(first: Sequence[Any], below: Sequence[Sequence[Any]], label: str, where: str) -> None:
    """Refuse a first row of one cell above rows of several.

    Raises
    ------
    InputError
        Names the row and the cell.
    """
    named = [c for c in first if _is_filled(c)]
    widest = max((sum(map(_is_filled, r)) for r in below), default=0)
    if len(named) == 1 and widest > 1:
        raise InputError(
            f"{label} holds one cell, {str(named[0])[:40]!r}: a title, no names of columns",
            where=where,
            hint="delete the rows above the names of the columns",
        )


def _page(path: Path, name: str, rows: _Rows, others: tuple[str, ...]) -> Page:
    number, first = rows[0]
    named = [i for i, c in enumerate(first, start=1) if c is not None]
    no_title(first, [r for _, r in rows[1:]], f"row {number}", f"{path.name}, sheet {name!r}")
    width = named[-1]
    out: list[tuple[str, Sequence[Any]]] = []
    for i, cells in rows[1:]:
        row = list(cells)
        while len(row) > width and row[-1] is None:
            row.pop()
        out.append((f"row {i}", row + [None] * (width - len(row))))
    return Page(name=name, header=tuple(first[:width]), rows=out, others=others)
