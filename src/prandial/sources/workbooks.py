"""USDA's "FNDDS At A Glance" workbooks: foods with categories, nutrients and ingredients.

A workbook is ``2019-2020 FNDDS At A Glance - FNDDS Ingredients.xlsx`` and the like; its
sheet starts with a title, and the row that holds ``Food code`` names the columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

from prandial.errors import MissingDataError, SchemaError
from prandial.tables.rules import read_rules

__all__ = [
    "FOODS",
    "INGREDIENTS",
    "PORTIONS",
    "find_workbooks",
    "need_openpyxl",
    "nutrient_headings",
    "read_workbook",
]

#: house name -> heading, of the workbook "Foods and Beverages"
FOODS: Final[dict[str, str]] = {
    "food_code": "food code",
    "description": "main food description",
    "category": "wweia category description",
}
#: house name -> heading, of the workbook "FNDDS Ingredients"
INGREDIENTS: Final[dict[str, str]] = {
    "food_code": "food code",
    "seq": "seq num",
    "ingredient": "ingredient description",
}
#: house name -> heading, of the workbook "Portions and Weights"
PORTIONS: Final[dict[str, str]] = {
    "food_code": "food code",
    "description": "portion description",
    "grams": "portion weight (g)",
}
_NAME: Final = re.compile(
    r"(\d{4}-\d{4}) FNDDS At A Glance - "
    r"(Foods and Beverages|FNDDS Nutrient Values|FNDDS Ingredients|Portions and Weights)\.xlsx",
    re.IGNORECASE,
)
_KINDS: Final = {
    "foods and beverages": "foods",
    "fndds nutrient values": "nutrients",
    "fndds ingredients": "ingredients",
    "portions and weights": "portions",
}
_AGAIN: Final = "get it again: prandial data get foods"
#: rows searched for the one with the headings
_TITLE_ROWS: Final = 10


def find_workbooks(folder: Path) -> dict[tuple[str, str], Path]:
    """Return the workbooks of a folder.

    Returns
    -------
    dict
        ``(release, kind)`` to path; release such as ``2019-2020``, kind ``foods``,
        ``nutrients``, ``ingredients`` or ``portions``.
    """
    found = {}
    for path in sorted(folder.iterdir()):
        match = _NAME.fullmatch(path.name)
        if match is not None:
            found[match[1], _KINDS[match[2].lower()]] = path
    return found


def nutrient_headings(keys: Iterable[str]) -> dict[str, str]:
    """Return house name to heading of the workbook "FNDDS Nutrient Values", the code first."""
    known = {r["nutrient"]: r["heading"].lower() for r in read_rules("fndds_headings")}
    return {"food_code": "food code"} | {k: known[k] for k in keys}


def _heading(cell: Any) -> str:
    return " ".join(str(cell or "").split()).lower()


def _places(rows: Iterator[Sequence[Any]], headings: dict[str, str], path: Path) -> list[int]:
    """Consume rows up to the headings; return the place of each column."""
    for _ in range(_TITLE_ROWS):
        row = [_heading(c) for c in next(rows, ())]
        if "food code" in row:
            lacking = [h for h in headings.values() if h not in row]
            if lacking:
                raise SchemaError(
                    f"no column {lacking[0]!r}",
                    where=str(path),
                    hint="columns: " + ", ".join(h for h in row if h),
                )
            return [row.index(h) for h in headings.values()]
    raise SchemaError(
        "no row of headings with 'Food code'",
        where=str(path),
        hint="use the workbook as USDA publishes it, at ars.usda.gov/nea/bhnrc/fsrg",
    )


def need_openpyxl(where: str) -> None:
    """Refuse to go on without the package that reads workbooks.

    Raises
    ------
    MissingDataError
    """
    try:
        import openpyxl  # noqa: F401
    except ImportError:
        raise MissingDataError(
            "workbooks need the package openpyxl",
            where=where,
            hint="pip install 'prandial[ngqa]'",
        ) from None


def _sheet(path: Path) -> Iterator[Sequence[Any]]:
    need_openpyxl(str(path))
    from openpyxl import load_workbook

    with path.open("rb") as file:
        if not file.read(4).startswith(b"PK"):
            raise SchemaError("not a workbook (xlsx)", where=str(path), hint=_AGAIN)
        file.seek(0)
        try:
            book = load_workbook(file, read_only=True, data_only=True)
            yield from book.worksheets[0].iter_rows(values_only=True)
            book.close()
        except BadZipFile:
            raise SchemaError(
                "looks like a workbook that was cut", where=str(path), hint=_AGAIN
            ) from None
        except GeneratorExit:
            raise
        except Exception as err:  # noqa: BLE001  XML and openpyxl errors alike
            raise SchemaError(
                f"not a readable workbook: {type(err).__name__}", where=str(path), hint=_AGAIN
            ) from None


def read_workbook(path: Path, headings: dict[str, str]) -> list[tuple[Any, ...]]:
    """Read columns of a workbook's first sheet.

    Parameters
    ----------
    path : Path
    headings : dict
        House name to heading in lower case, such as :data:`FOODS`; the first is the code.

    Returns
    -------
    list of tuple
        One a row with a food code, cells in the order of the headings; texts squeezed, the
        code (and any other whole number) an int.

    Raises
    ------
    MissingDataError
        When openpyxl is absent.
    SchemaError
        When the file is no workbook or lacks a column.
    """
    rows = _sheet(path)
    places = _places(rows, headings, path)
    out = []
    for row in rows:
        cells = [row[p] if p < len(row) else None for p in places]
        code = _cell(cells[0])
        if isinstance(code, int):
            out.append((code, *(_cell(c) for c in cells[1:])))
    return out


def _cell(cell: Any) -> Any:
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    if isinstance(cell, str):
        text = " ".join(cell.split())
        return int(text) if text.isdecimal() else text
    return cell
