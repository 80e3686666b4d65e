"""The table of an Excel workbook: one sheet, values as they are shown."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from prandial.errors import InputError, PrandialError, SchemaError
from prandial.sources.workbooks import need_openpyxl

__all__ = ["Page", "read_book"]

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


def read_book(path: Path) -> Page:
    """Return the first filled sheet of a workbook, a sheet that is shown before hidden ones.

    A percentage is the text that is shown (``45 %``), so that nobody takes it for an amount.

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
            sheets = list(_sheets(path, data))
    except PrandialError:
        raise
    except Exception as error:  # noqa: BLE001  XML, ZIP and openpyxl errors alike
        raise InputError(
            f"the workbook is damaged: {type(error).__name__}",
            where=str(path),
            hint=f"open it, and {_SAVE}",
        ) from None
    filled = [(name, rows) for name, rows in sheets if rows]
    if not filled:
        return Page(name="", header=(), rows=[], others=())
    name, rows = filled[0]
    return _page(path, name, rows, tuple(n for n, _ in filled[1:]))


_Rows = list[tuple[int, list[Any]]]


def _sheets(path: Path, data: bytes) -> Iterator[tuple[str, _Rows]]:
    """Yield name and filled rows of each sheet, those that are shown first."""
    from openpyxl import load_workbook

    with (
        closing(load_workbook(BytesIO(data), read_only=True, data_only=True)) as book,
        closing(load_workbook(BytesIO(data), read_only=True, data_only=False)) as written,
    ):
        names = sorted(
            (s.title for s in book.worksheets), key=lambda n: book[n].sheet_state != "visible"
        )
        taken = ""
        for name in names:
            for sheet in (book[name], written[name]):
                # a program may have told a size that is not so
                sheet.reset_dimensions()
            if taken:
                is_filled = any(any(c is not None for c in r) for r in _plain(book[name]))
                yield name, [(1, [])] if is_filled else []
                continue
            rows = list(_filled(path, name, book[name], written[name]))
            taken = name if rows else ""
            yield name, rows


def _plain(sheet: Any) -> Iterator[tuple[Any, ...]]:
    yield from sheet.iter_rows(values_only=True)


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
    return value


def _page(path: Path, name: str, rows: _Rows, others: tuple[str, ...]) -> Page:
    number, first = rows[0]
    named = [i for i, c in enumerate(first, start=1) if c is not None]
    below = max((sum(c is not None for c in r) for _, r in rows[1:]), default=0)
    if len(named) == 1 and below > 1:
        raise InputError(
            f"row {number} holds one cell, {str(first[named[0] - 1])[:40]!r}: a title, no names of"
            " columns",
            where=f"{path.name}, sheet {name!r}",
            hint="delete the rows above the names of the columns",
        )
    width = named[-1]
    out: list[tuple[str, Sequence[Any]]] = []
    for i, cells in rows[1:]:
        row = list(cells)
        while len(row) > width and row[-1] is None:
            row.pop()
        out.append((f"row {i}", row + [None] * (width - len(row))))
    return Page(name=name, header=tuple(first[:width]), rows=out, others=others)
