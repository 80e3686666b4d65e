"""Foods of a release that has names and recipes only, and successors of discontinued codes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from prandial.errors import SchemaError
from prandial.tables.cards import data_path, read_card
from prandial.tables.columnfile import read_columns
from prandial.tables.ingredients import read_ingredients

__all__ = ["NAMES_ONLY", "NamedFoods", "read_named_foods", "read_successors"]

#: releases without nutrients and portions of their own
NAMES_ONLY: Final = ("fndds-2019-2020",)
_SUCCESSORS: Final = "fndds.successors"


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedFoods:
    """Foods sorted by code: FNDDS code, description, WWEIA category and ingredients."""

    code: tuple[int, ...]
    name: tuple[str, ...]
    category: tuple[str, ...]
    ingredients: tuple[tuple[str, ...], ...]


@lru_cache(maxsize=2)
def read_named_foods(release: str) -> NamedFoods:
    """Return what the foods of a release are called and made of.

    Parameters
    ----------
    release : str
        One of :data:`NAMES_ONLY`.

    Raises
    ------
    MissingDataError
        When the installation lacks the table.
    SchemaError
        When it disagrees with its card.
    """
    table = f"{release}.names-only"
    columns = read_columns(data_path(f"{table}.npz"))
    codes = columns.array("code").tolist()
    recipes = read_ingredients(release)
    if len(codes) != read_card(table).rows or len(codes) != len(recipes):
        raise SchemaError(
            "names and ingredients do not fit",
            where=table,
            hint="reinstall prandial: pip install --force-reinstall prandial",
        )
    return NamedFoods(
        code=tuple(codes),
        name=columns.text("name"),
        category=tuple(columns.labels("category")),
        ingredients=recipes,
    )


@lru_cache(maxsize=1)
def read_successors() -> dict[int, frozenset[int]]:
    """Return for each discontinued FNDDS code those that took its place.

    Raises
    ------
    MissingDataError
        When the installation lacks the table.
    """
    columns = read_columns(data_path(f"{_SUCCESSORS}.npz"))
    found: dict[int, set[int]] = {}
    for old, new in zip(columns.array("old").tolist(), columns.array("new").tolist(), strict=True):
        found.setdefault(old, set()).add(new)
    return {old: frozenset(new) for old, new in found.items()}
