"""Meals with the label of one nutrient, from any file of NutriBench's forms.

* the forms of this project's shared data: ``carb_g`` and the like, ``meal_group``, ``row``
* the published form: ``meal_description, carb, fat, energy, protein, country, serving_type``
* any CSV, JSON, JSON lines or Parquet file whose columns are named so, or are told

A row without a label is counted and left out; nothing is taken for 0.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from prandial.countries import as_alpha3
from prandial.errors import InputError, SchemaError
from prandial.records.bench import MealQuestion
from prandial.sources.fetch import file_sha256
from prandial.sources.nutribench.columns import LABELS, MealColumns
from prandial.sources.nutribench.rows import open_rows

__all__ = ["MealSet", "read_meals"]

_EMPTY: Final = frozenset({"", "na", "n/a", "nan", "none", "null", "-"})
#: decimals that tell meals apart, as the shared data groups them
_DECIMALS: Final = {"carb_g": 2, "protein_g": 2, "fat_g": 2, "energy_kcal": 1}
_SERVINGS: Final = ("natural", "metric")
_US: Final = "wweia"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, kw_only=True, slots=True)
class MealSet:
    """Meals of one or several files.

    Parameters
    ----------
    name : str
        Such as ``v1``; ids of rows begin with it.
    files : mapping
        File name to sha256.
    rows : int
        Rows read, with a label or without.
    unlabelled : int
        Rows without a label of the nutrient, left out.
    questions : tuple of MealQuestion
        In the order of the files.
    notes : tuple of str
        What was odd.
    """

    name: str
    files: Mapping[str, str]
    rows: int
    unlabelled: int
    questions: tuple[MealQuestion, ...]
    notes: tuple[str, ...] = ()


def read_meals(
    paths: Path | Sequence[Path],
    *,
    nutrient: str,
    name: str = "",
    columns: Mapping[str, str] | None = None,
    form: str = "",
) -> MealSet:
    """Read the meals of one file, or of several that make one set.

    Parameters
    ----------
    paths : Path or sequence of Path
        CSV, TSV, JSON (one list), JSON lines or Parquet.
    nutrient : {'carb_g', 'protein_g', 'fat_g', 'energy_kcal'}
    name : str
        Name of the set; made of the file's name when empty.
    columns : mapping, optional
        As for :meth:`MealColumns.of`.
    form : str
        Ending that tells the format, such as ``.csv``; the file's own when empty.

    Returns
    -------
    MealSet

    Raises
    ------
    InputError, NotFoundError
        On an unknown nutrient, a missing file, a column that is told and not there.
    SchemaError
        On a missing column or a cell that cannot be read: names file, row and column.
    """
    if nutrient not in LABELS:
        raise InputError(
            f"no labels of {nutrient!r}", where="nutrient", hint="known: " + ", ".join(LABELS)
        )
    files = [paths] if isinstance(paths, Path) else list(paths)
    known = name or _set_name(files[0])
    rows = unlabelled = 0
    questions: list[MealQuestion] = []
    notes: list[str] = []
    for path in files:
        beside = f"{path.stem}-" if len(files) > 1 else ""
        one = _File(path, f"{known}-{beside}", nutrient, columns, form)
        questions += one.questions()
        rows, unlabelled = rows + one.rows, unlabelled + one.unlabelled
        notes += one.notes()
    _check_ids(questions, files[0])
    return MealSet(
        name=known,
        files={p.name: file_sha256(p) for p in files},
        rows=rows,
        unlabelled=unlabelled,
        questions=tuple(questions),
        notes=tuple(notes),
    )


def _set_name(path: Path) -> str:
    """Return ``v2`` of ``nutribench_v2.parquet``, else the file's name in plain letters."""
    stem = re.sub(r"^nutribench_", "", path.stem)
    stem = re.sub(r"^v2_(multilingual|who).*", r"\1", stem)
    return re.sub(r"[^a-z0-9]+", "-", stem.casefold()).strip("-") or "meals"


def _check_ids(questions: Sequence[MealQuestion], path: Path) -> None:
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise SchemaError(
                f"the id {question.id!r} is there twice",
                where=str(path),
                hint="give each row its own, or name another column: --column id=NAME",
            )
        seen.add(question.id)


class _File:
    """One file while it is read."""

    def __init__(
        self,
        path: Path,
        prefix: str,
        nutrient: str,
        told: Mapping[str, str] | None,
        form: str = "",
    ) -> None:
        self.path, self.prefix, self.nutrient = path, prefix, nutrient
        self._rows = open_rows(path, form)
        self.columns = MealColumns.of(self._rows.header, str(path), told)
        if nutrient not in self.columns.labels:
            raise SchemaError(
                f"no column holds {nutrient}",
                where=str(path),
                hint=f"labels here: {', '.join(self.columns.labels)}; or --column {nutrient}=NAME",
            )
        self.rows = self.unlabelled = 0
        self._odd: dict[str, int] = {}

    def questions(self) -> list[MealQuestion]:
        found = []
        for place, cells in self._rows.read(self.columns.needed):
            one = self._question(f"{self.path}, {place}", cells)
            self.rows += 1
            if one is None:
                self.unlabelled += 1
            else:
                found.append(one)
        if not self.rows:
            raise SchemaError("no rows", where=str(self.path), hint="one row a meal")
        return found

    def notes(self) -> list[str]:
        told = [f"{self.path.name}: {n} rows {what}" for what, n in self._odd.items()]
        if self.unlabelled:
            told.append(f"{self.path.name}: {self.unlabelled} rows without {self.nutrient}")
        return told

    def _question(self, where: str, cells: Mapping[str, Any]) -> MealQuestion | None:
        columns = self.columns
        text = cells[columns.text]
        if not isinstance(text, str) or not text.strip():
            raise SchemaError(
                "no meal", where=f"{where}, column {columns.text}", hint="each row needs a text"
            )
        text = _whole_characters(text)
        labels = {
            nutrient: _amount(cells[column], f"{where}, column {column}")
            for nutrient, column in columns.labels.items()
        }
        label = labels[self.nutrient]
        if label is None:
            return None
        return MealQuestion(
            id=self._id(cells, where),
            text=text,
            nutrient=self.nutrient,
            label=label,
            group=_text(cells, columns.group) or _group(labels, text),
            serving=self._serving(_text(cells, columns.serving)),
            country=self._country(cells),
            items=self._items(cells, where),
            language=_text(cells, columns.language),
        )

    def _id(self, cells: Mapping[str, Any], where: str) -> str:
        if not self.columns.ids:
            return f"{self.prefix}{self.rows}"
        parts = [_text(cells, c) for c in self.columns.ids]
        if not all(parts):
            raise SchemaError(
                "no id",
                where=f"{where}, column {self.columns.ids[parts.index('')]}",
                hint="fill it",
            )
        return self.prefix + "-".join(parts)

    def _serving(self, told: str) -> str:
        plain = told.casefold()
        if plain and plain not in _SERVINGS:
            self._count("of another serving type than natural and metric")
            return ""
        return plain

    def _country(self, cells: Mapping[str, Any]) -> str:
        if self.columns.source and _text(cells, self.columns.source).casefold() == _US:
            return "USA"
        told = _text(cells, self.columns.country)
        code = as_alpha3(told) if told else ""
        if code is None:
            self._count("whose country is no ISO 3166 alpha-3 code")
            return ""
        return code

    def _items(self, cells: Mapping[str, Any], where: str) -> int | None:
        if not self.columns.items:
            return None
        number = _amount(cells[self.columns.items], f"{where}, column {self.columns.items}")
        return None if number is None else int(number)

    def _count(self, what: str) -> None:
        self._odd[what] = self._odd.get(what, 0) + 1


def _text(cells: Mapping[str, Any], column: str) -> str:
    cell = cells[column] if column else None
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return "" if cell is None else _whole_characters(str(cell).strip())


def _whole_characters(text: str) -> str:
    """Return a text that every file can hold: U+FFFD for halves of characters, as JSON may have."""
    return _SURROGATE.sub("\ufffd", text)


def _amount(cell: Any, where: str) -> float | None:
    """Return an amount; None where the cell says that there is none."""
    if cell is None or (isinstance(cell, str) and cell.strip().casefold() in _EMPTY):
        return None
    try:
        number = math.nan if isinstance(cell, bool) else float(cell)
    except (TypeError, ValueError):
        raise SchemaError(
            f"{str(cell)[:40]!r} is no number", where=where, hint="leave it empty if unknown"
        ) from None
    if math.isnan(number) and not isinstance(cell, bool):
        return None
    if not math.isfinite(number) or number < 0:
        raise SchemaError(
            f"{cell} is no amount", where=where, hint="0 or more; leave it empty if unknown"
        )
    return number


def _group(labels: Mapping[str, float | None], text: str) -> str:
    """Return the same name for every row of one meal: a hash of its rounded labels.

    Where not all four labels are known, rows of equal labels may be of different meals; those
    without any amount, and those of round amounts, are told apart by their text.
    """
    told = [f"{n}={labels[n]:.{_DECIMALS[n]}f}" for n in LABELS if labels.get(n) is not None]
    amounts = [v for v in labels.values() if v is not None]
    if len(told) < len(LABELS) and all(v == round(v, 1) for v in amounts):
        told.append(" ".join(text.casefold().split()))
    return hashlib.sha256("|".join(told).encode("utf-8")).hexdigest()[:12]
