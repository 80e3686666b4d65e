"""Foods, food tables, and how an installation is."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from prandial import meal, tables
from prandial.api.reach import tables_home, user_paths
from prandial.asked import (
    EXAMPLE,
    check_release,
    check_text,
)
from prandial.errors import InputError
from prandial.records import Food
from prandial.tables import DEFAULT_RELEASE, FoodTable

if TYPE_CHECKING:
    from prandial.checkup import DoctorReport, TableInfo
    from prandial.tables.user import UserTable

__all__ = [
    "add_foods",
    "damaged_user_tables",
    "doctor",
    "list_tables",
    "load_foods",
    "search_foods",
    "show_food",
    "user_table_names",
]


def load_foods(release: str = DEFAULT_RELEASE, *, user_tables: Sequence[str] = ()) -> FoodTable:
    """Load a food table: names, nutrients per 100 g, measures.

    Parameters
    ----------
    release, user_tables
        As for :func:`estimate`.

    Returns
    -------
    FoodTable
    """
    return tables.load_foods(check_release(release), user_tables=user_paths(user_tables))


def search_foods(
    query: str,
    limit: int = 10,
    *,
    release: str = DEFAULT_RELEASE,
    user_tables: Sequence[str] = (),
) -> list[tuple[Food, float]]:
    """Find foods by their names.

    Parameters
    ----------
    query : str
        Words of the name.
    limit : int
        Most foods to return, 1 or more.
    release, user_tables
        As for :func:`estimate`.

    Returns
    -------
    list of (Food, float)
        Best first, with a score that only means something within one search.
    """
    check_text(query)
    if limit < 1:
        raise InputError(f"limit must be 1 or more, not {limit}", where="limit", hint="try 10")
    estimator = meal.get_estimator(check_release(release), user_tables=user_paths(user_tables))
    return estimator.search(query, limit)


def show_food(
    food_id: str,
    *,
    table: str | None = None,
    release: str = DEFAULT_RELEASE,
    user_tables: Sequence[str] = (),
) -> Food:
    """Return one food by its id.

    Parameters
    ----------
    food_id : str
        FNDDS food code, SR number, or an id of a user table.
    table : str, optional
        ``fndds``, ``sr`` or a user table, when an id is in several.
    release, user_tables
        As for :func:`estimate`.

    Returns
    -------
    Food

    Raises
    ------
    NotFoundError
        Naming the nearest ids.
    """
    foods = load_foods(release, user_tables=user_tables)
    return foods.food(foods.row_of(food_id, table))


def add_foods(
    path: str | os.PathLike[str],
    *,
    name: str,
    columns: Mapping[str, str],
    replace: bool = False,
    basis: Literal["100g", "100ml", "serving"] = "100g",
    carbohydrate: Literal["total", "available"] = "total",
    density_g_per_ml: float | None = None,
) -> UserTable:
    """Add a food table of the user's own.

    Parameters
    ----------
    path : path-like
        CSV, TSV or Parquet file.
    name : str
        Name of the table: lower-case letters, digits, hyphens.
    columns : mapping of str to str
        House name to column, such as ``{"name": "Food", "carb_g": "Carbs"}``.
    replace : bool
        Replace a table of that name.
    basis : str
        What the values are per: ``100g``, ``100ml`` or ``serving``.
    carbohydrate : str
        ``total``, or ``available`` where fibre is left out of it.
    density_g_per_ml : float, optional
        For ``100ml``, g/ml.

    Returns
    -------
    UserTable
        Its ``problems`` name each row left out, its ``notes`` each assumption.
    """
    from prandial.tables.user import add_user_table

    return add_user_table(
        path,
        name=name,
        columns=columns,
        home=tables_home(),
        replace=replace,
        basis=basis,
        carbohydrate=carbohydrate,
        density_g_per_ml=density_g_per_ml,
    )


def user_table_names() -> tuple[str, ...]:
    """Return the names of the user tables that can be used; none without a home folder."""
    return _names_in_state(ok=True)


def damaged_user_tables() -> tuple[str, ...]:
    """Return the names of the user tables that are there but cannot be used."""
    return _names_in_state(ok=False)


def _names_in_state(*, ok: bool) -> tuple[str, ...]:
    from prandial.tables.user import list_user_tables

    try:
        home = tables_home()
    except InputError:
        return ()
    return tuple(t.name for t in list_user_tables(home) if (t.state == "ok") == ok)


def list_tables() -> tuple[TableInfo, ...]:
    """Return every food table at hand, built in and the user's own."""
    from prandial.checkup import list_food_tables

    return list_food_tables(tables_home())


def doctor() -> DoctorReport:
    """Look over this installation: versions, tables, time of an estimate."""
    from prandial.checkup import examine

    return examine(tables_home(), text=EXAMPLE)
