"""Questions that a baseline learns from, out of a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from prandial.answer.direct.rows import read_rows
from prandial.bench.runs import forms
from prandial.errors import SchemaError
from prandial.records.bench import GraphQuestion, MealQuestion

__all__ = ["read_training"]

_TEXTS: Final = ("text", "meal_description", "meal", "description", "query")
_GROUPS: Final = ("group", "meal_group")
_LABELS: Final = {"carb_g": ("carb_g", "carb"), "protein_g": ("protein_g", "protein")} | {
    "fat_g": ("fat_g", "fat"),
    "energy_kcal": ("energy_kcal", "energy"),
}


def read_training(path: Path | str) -> tuple[MealQuestion | GraphQuestion, ...]:
    """Read questions with their answers.

    Parameters
    ----------
    path : Path
        ``questions.jsonl`` of a run, or a table (CSV, TSV, JSONL, Parquet) of meals with a
        column of texts, one of labels named by nutrient, and one of groups (``group`` or
        ``meal_group``) that rows of one meal share.

    Raises
    ------
    MissingDataError, InputError, SchemaError
        When it cannot be read, or lacks a column.
    """
    where = Path(path)
    rows = read_rows(where)
    if rows and "benchmark" in rows[0]:
        try:
            return tuple(forms.question_from(row) for row in rows)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise SchemaError(
                f"not the questions of a run: {error}", where=str(where), hint="questions.jsonl"
            ) from None
    names = list(rows[0]) if rows else []
    text = _column(_TEXTS, names, where, "text")
    group = _column(_GROUPS, names, where, "group")
    labels = {n: c for n, known in _LABELS.items() if (c := _first(known, names))}
    if not labels:
        raise SchemaError("no column of labels", where=str(where), hint="such as carb_g")
    return tuple(
        MealQuestion(
            id=f"{where.stem}-{number}",
            text=str(row[text]),
            nutrient=nutrient,
            label=label,
            group=str(row[group]),
        )
        for number, row in enumerate(rows)
        for nutrient, column in labels.items()
        if (label := _label(row, column)) is not None
    )


def _label(row: Mapping[str, Any], column: str) -> float | None:
    try:
        value = float(row.get(column))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def _first(known: tuple[str, ...], names: list[str]) -> str:
    return next((k for k in known if k in names), "")


def _column(known: tuple[str, ...], names: list[str], where: Path, what: str) -> str:
    found = _first(known, names)
    if not found:
        raise SchemaError(
            f"no column of a {what}", where=str(where), hint="name one: " + " or ".join(known)
        )
    return found
