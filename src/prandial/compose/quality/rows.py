"""Rows that are checked: of a build, or of any NutriBench file; with items where it has them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from prandial.countries import as_alpha3
from prandial.errors import SchemaError
from prandial.sources.nutribench import LABELS, MealColumns
from prandial.sources.nutribench.rows import open_rows
from prandial.sources.parquet import stream

__all__ = ["CheckedMeal", "checked_meals", "set_name"]

_LIST: Final = {
    "names": "item_descriptions",
    "grams": "item_grams",
    **{label: f"item_{label}" for label in LABELS},
}
_SINGLE: Final = {"cycle": ("cycle",), "occasion": ("occasion", "eating_occasion")}
_US: Final = "wweia"
_NOTHING: Final = frozenset({"", "na", "n/a", "nan", "none", "null", "-"})
_DAMAGED: Final = "get the file again, or check how it was written"

_Numbers = tuple[float | None, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedMeal:
    """A row as the quality rules see it; what the file does not tell is None or empty.

    Parameters
    ----------
    id : str
        The row's own, else of the set's name and its other columns or its place.
    text : str
    labels : mapping of str to float
        Of the whole meal; unknown ones are absent.
    serving, country, cycle, occasion : str
    items : int, optional
        Foods in the meal.
    names : tuple of str, optional
    grams : tuple of (float or None), optional
    item_labels : mapping
        Nutrient to its amounts, item by item.
    """

    id: str
    text: str
    labels: Mapping[str, float]
    serving: str = ""
    country: str = ""
    cycle: str = ""
    occasion: str = ""
    items: int | None = None
    names: tuple[str, ...] | None = None
    grams: _Numbers | None = None
    item_labels: Mapping[str, _Numbers] = field(default_factory=dict)


def set_name(path: Path) -> str:
    """Return ``v2`` of ``nutribench_v2.parquet``, else the file's own name."""
    return path.stem.removeprefix("nutribench_") or path.stem


def checked_meals(
    path: Path, *, name: str = "", columns: Mapping[str, str] | None = None
) -> Iterator[CheckedMeal]:
    """Yield the rows of a file, one by one.

    Parameters
    ----------
    path : Path
        CSV, TSV, JSON lines or Parquet, with columns named as in NutriBench files or as told.
    name : str
        Ids of rows without an id of their own begin with it; made of the file's name when empty.
    columns : mapping, optional
        As for :func:`prandial.sources.nutribench.read_meals`.

    Raises
    ------
    PrandialError
        As :func:`prandial.sources.nutribench.read_meals`; lists of items of unequal length.
    """
    opened = open_rows(path)
    meal = MealColumns.of(opened.header, str(path), columns)
    lists = {what: column for what, column in _LIST.items() if column in opened.header}
    single = {w: next((n for n in names if n in opened.header), "") for w, names in _SINGLE.items()}
    needed = tuple(dict.fromkeys([*meal.needed, *lists.values(), *filter(None, single.values())]))
    prefix = name or set_name(path)
    reader = _Reader(meal, lists, single, prefix)
    rows = _parquet(path, needed) if path.suffix.lower() == ".parquet" else opened.read(needed)
    for number, (place, cells) in enumerate(rows):
        yield reader.meal(cells, number, f"{path}, {place}")


def _parquet(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    picked = ", ".join('"' + c.replace('"', '""') + '"' for c in columns)
    for number, cells in enumerate(stream(path, picked, hint=_DAMAGED), start=1):
        yield f"row {number}", dict(zip(columns, cells, strict=True))


@dataclass(frozen=True, slots=True)
class _Reader:
    columns: MealColumns
    lists: Mapping[str, str]
    single: Mapping[str, str]
    prefix: str

    def meal(self, cells: Mapping[str, Any], number: int, where: str) -> CheckedMeal:
        columns = self.columns
        labels = {n: _number(cells[c], where) for n, c in columns.labels.items()}
        lists = {w: _list(cells[c], where, c) for w, c in self.lists.items()}
        known = {what: cell for what, cell in lists.items() if cell is not None}
        if len({len(cell) for cell in known.values()}) > 1:
            raise SchemaError(
                "lists of items of unequal length", where=where, hint="one entry an item"
            )
        numbers = {w: tuple(_number(v, where) for v in c) for w, c in known.items() if w != "names"}
        items = _number(cells[columns.items], where) if columns.items else None
        names = known.get("names")
        if items is None and known:
            items = float(len(next(iter(known.values()))))
        return CheckedMeal(
            id=self._id(cells, number),
            text=str(cells[columns.text] or ""),
            labels={n: v for n, v in labels.items() if v is not None},
            serving=_text(cells, columns.serving).casefold(),
            country=self._country(cells),
            cycle=_text(cells, self.single["cycle"]),
            occasion=_text(cells, self.single["occasion"]).casefold(),
            items=None if items is None else int(items),
            names=None if names is None else tuple(str(n) for n in names),
            grams=numbers.pop("grams", None),
            item_labels=numbers,
        )

    def _id(self, cells: Mapping[str, Any], number: int) -> str:
        told = "-".join(_text(cells, c) for c in self.columns.ids)
        if self.columns.ids == ("id",):
            return told
        return f"{self.prefix}-{told or number}"

    def _country(self, cells: Mapping[str, Any]) -> str:
        if self.columns.source and _text(cells, self.columns.source).casefold() == _US:
            return "USA"
        return as_alpha3(_text(cells, self.columns.country)) or ""


def _text(cells: Mapping[str, Any], column: str) -> str:
    cell = cells[column] if column else None
    return "" if cell is None else str(cell).strip()


def _number(cell: Any, where: str) -> float | None:
    if type(cell) is float:
        return cell if math.isfinite(cell) else None
    if cell is None or (isinstance(cell, str) and cell.strip().casefold() in _NOTHING):
        return None
    try:
        value = float(cell)
    except (TypeError, ValueError):
        raise SchemaError(
            f"{str(cell)[:40]!r} is no number", where=where, hint="leave it empty if unknown"
        ) from None
    return value if math.isfinite(value) else None


def _list(cell: Any, where: str, column: str) -> list[Any] | None:
    """Return the entries of a list, also of one written as JSON; None where there is none."""
    if isinstance(cell, list):
        return cell
    if isinstance(cell, str):
        if cell.strip().casefold() in _NOTHING:
            return None
        try:
            cell = json.loads(cell)
        except ValueError:
            cell = 0
    if cell is None:
        return None
    if not isinstance(cell, list | tuple):
        raise SchemaError(
            "no list of items", where=f"{where}, column {column}", hint='such as ["rice", "beans"]'
        )
    return list(cell)
