"""Meals of NutriBench files that rows are held against, with every label they have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from prandial.bench.questions import half_of
from prandial.compose.tuning import KnownMeal
from prandial.errors import SchemaError
from prandial.sources.nutribench import LABELS, find_meals, read_meals

__all__ = ["known_meals"]


def known_meals(
    data: Sequence[str | Path], *, home: Path | None = None
) -> tuple[tuple[KnownMeal, ...], dict[str, Any]]:
    """Read the meals of some files.

    Parameters
    ----------
    data : sequence of str or Path
        ``v1``, ``v2`` or files.
    home : Path, optional
        Where files of versions are.

    Returns
    -------
    tuple
        The meals, those of the test half held; and the files with their sha256 and rows.

    Raises
    ------
    PrandialError
        As :func:`prandial.sources.nutribench.read_meals`.
    """
    meals: list[KnownMeal] = []
    files: dict[str, Any] = {}
    for one in data:
        name, paths = find_meals(one, home=home)
        found = _labels(paths, name)
        for text, group, labels in found.values():
            meals.append(KnownMeal(text=text, labels=labels, held=half_of(group) == "test"))
        for path in paths:
            files[path.name] = {"meals": len(found), "sha256": _digest(path)}
    return tuple(meals), files


def _labels(paths: Sequence[Path], name: str) -> dict[str, tuple[str, str, dict[str, float]]]:
    """Return text, group and labels by id; a nutrient that no column holds is left out."""
    found: dict[str, tuple[str, str, dict[str, float]]] = {}
    missing: SchemaError | None = None
    for nutrient in LABELS:
        try:
            read = read_meals(paths, nutrient=nutrient, name=name)
        except SchemaError as error:
            if not error.what.startswith("no column holds"):
                raise
            missing = error
            continue
        for q in read.questions:
            _, _, labels = found.setdefault(q.id, (q.text, q.group, {}))
            labels[nutrient] = q.label
    if not found and missing is not None:
        raise missing
    return found


def _digest(path: Path) -> str:
    from prandial.sources.fetch import file_sha256

    return file_sha256(path)
