"""The functions of prandial, wired from its rooms: what every door calls."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from prandial import meal, tables
from prandial.asked import EXAMPLE, check_options, check_release, check_str, check_text
from prandial.errors import InputError, NotFoundError
from prandial.records import Estimate, Food
from prandial.tables import DEFAULT_RELEASE, RELEASES, FoodTable

if TYPE_CHECKING:
    from prandial.batch import BatchReport, Progress
    from prandial.checkup import DoctorReport, TableInfo
    from prandial.meal import Explanation
    from prandial.tables.user import UserTable

__all__ = [
    "DEFAULT_LOCALE",
    "DEFAULT_RELEASE",
    "RELEASES",
    "add_foods",
    "damaged_user_tables",
    "doctor",
    "estimate",
    "estimate_batch",
    "estimate_file",
    "explain",
    "list_tables",
    "load_foods",
    "search_foods",
    "show_food",
    "user_table_names",
]

DEFAULT_LOCALE = "en-US"
_CHUNK_ROWS = 64


def estimate(
    text: str,
    *,
    release: str = DEFAULT_RELEASE,
    locale: str = DEFAULT_LOCALE,
    nutrients: Sequence[str] | None = None,
    country: str | None = None,
    user_tables: Sequence[str] = (),
    trained: str | os.PathLike[str] | None = None,
) -> Estimate:
    """Estimate what a meal holds.

    Research software: no dosing advice, no diagnosis.

    Parameters
    ----------
    text : str
        The meal in everyday words.
    release : str
        Food table, one of :data:`RELEASES`.
    locale : str
        Decides whether ``1,5`` is one and a half, such as ``en-US`` or ``de-DE``.
    nutrients : sequence of str, optional
        House names such as ``carb_g``; when None carbohydrate, protein, fat,
        energy and a few more.
    country : str, optional
        ISO 3166 alpha-3 code of where the meal was eaten.
    user_tables : sequence of str
        Names of tables added with :func:`add_foods`, searched as well.
    trained : path-like, optional
        File of a ranking learned from labelled meals; none ships.

    Returns
    -------
    Estimate
        Totals with low, middle and high; ``complete`` is False and ``notes``
        say why when something could not be read.

    Raises
    ------
    InputError
        For a blank text, or an unknown locale, nutrient or country.
    NotFoundError
        For an unknown release, user table or file.
    SchemaError
        For a learned ranking that is damaged.

    Examples
    --------
    >>> import prandial
    >>> meal = prandial.estimate("100 g of cooked white rice")
    >>> meal.status, meal.totals["carb_g"].low <= 28 <= meal.totals["carb_g"].high
    ('ok', True)
    """
    check_text(text)
    checked = check_options(locale=locale, nutrients=nutrients, country=country)
    estimator = _estimator(release, user_tables, trained)
    return estimator.estimate(text, locale=locale, nutrients=checked[0], country=checked[1])


def explain(
    text: str,
    *,
    release: str = DEFAULT_RELEASE,
    locale: str = DEFAULT_LOCALE,
    nutrients: Sequence[str] | None = None,
    country: str | None = None,
    user_tables: Sequence[str] = (),
    trained: str | os.PathLike[str] | None = None,
) -> Explanation:
    """Estimate a meal and tell every step that led to the result.

    Parameters and errors are those of :func:`estimate`.

    Returns
    -------
    Explanation
        The estimate, its steps as lines, and the role of each part of the text.
    """
    check_text(text)
    checked = check_options(locale=locale, nutrients=nutrients, country=country)
    estimator = _estimator(release, user_tables, trained)
    return estimator.explain(text, locale=locale, nutrients=checked[0], country=checked[1])


def estimate_batch(
    texts: Iterable[str],
    *,
    release: str = DEFAULT_RELEASE,
    locale: str = DEFAULT_LOCALE,
    nutrients: Sequence[str] | None = None,
    country: str | None = None,
    user_tables: Sequence[str] = (),
    trained: str | os.PathLike[str] | None = None,
    workers: int = 1,
) -> Iterator[Estimate]:
    """Estimate many meals, one estimate a text and in their order.

    A blank text is no error here: its estimate says nothing to estimate.

    Parameters
    ----------
    texts : iterable of str
        Read as needed, so it may be endless.
    workers : int
        Processes. A script that asks for more than one needs its work under
        ``if __name__ == "__main__":``.
    release, locale, nutrients, country, user_tables, trained
        As for :func:`estimate`.

    Yields
    ------
    Estimate

    Raises
    ------
    InputError
        As for :func:`estimate`, at once and not at the first meal; for a text
        that is no str, when it is reached.
    """
    from prandial.batch import Job, Row, run_chunks

    checked = check_options(locale=locale, nutrients=nutrients, country=country)
    job = Job(
        release=check_release(release),
        locale=locale,
        nutrients=checked[0],
        country=checked[1],
        user_tables=_user_paths(user_tables),
        trained=_trained_path(trained),
    )
    if isinstance(texts, str):
        raise InputError("one text, not many", where="texts", hint="use estimate(text) for one")
    rows = (Row(row=i, text=check_str(text, f"texts[{i}]")) for i, text in enumerate(texts))
    chunk_rows = _CHUNK_ROWS if workers > 1 else 1
    chunks = run_chunks(rows, job.records, workers=workers, chunk_rows=chunk_rows)
    return (e for chunk in chunks for e in chunk)


def estimate_file(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    column: str | None = None,
    id_column: str | None = None,
    country_column: str | None = None,
    release: str = DEFAULT_RELEASE,
    locale: str = DEFAULT_LOCALE,
    nutrients: Sequence[str] | None = None,
    country: str | None = None,
    user_tables: Sequence[str] = (),
    trained: str | os.PathLike[str] | None = None,
    workers: int = 1,
    fresh: bool = False,
    progress: Progress | None = None,
) -> BatchReport:
    """Estimate a file of meals into a file, one output row an input row.

    An interrupted call is gone on with by the same call.

    Parameters
    ----------
    path : path-like
        ``.csv``, ``.tsv``, ``.jsonl``, ``.parquet``, or ``.txt`` with one meal a line.
    output : path-like
        ``.csv`` or ``.parquet`` for flat rows, ``.jsonl`` for whole records.
    column : str
        Column (or key) that holds the meals; none for ``.txt``.
    id_column : str, optional
        Copied to the output.
    country_column : str, optional
        ISO 3166 alpha-3 codes; a wrong one is named in the row's note.
    workers : int
        Processes; see :func:`estimate_batch`.
    fresh : bool
        Forget an interrupted run instead of going on with it.
    progress : callable, optional
        Called with rows done and rows in all.
    release, locale, nutrients, country, user_tables, trained
        As for :func:`estimate`. The four main nutrients are always written.

    Returns
    -------
    BatchReport

    Raises
    ------
    InputError, NotFoundError, SchemaError
        For a file or option that cannot be used, before any row is written.
    """
    from prandial import __version__
    from prandial.batch import Columns, Job, estimate_rows
    from prandial.nutrients import MAIN

    checked = check_options(locale=locale, nutrients=nutrients, country=country)
    job = Job(
        release=check_release(release),
        locale=locale,
        nutrients=tuple(dict.fromkeys((*MAIN, *(checked[0] or ())))) if nutrients else None,
        country=checked[1],
        user_tables=_user_paths(user_tables),
        trained=_trained_path(trained),
    )
    cards = {name: tables.read_card(name).sha256 for name in tables.list_cards()}
    return estimate_rows(
        Path(path),
        Path(output),
        columns=Columns(text=column, id=id_column, country=country_column),
        job=job,
        identity={"prandial": __version__, "estimator": meal.ESTIMATOR, **cards},
        workers=workers,
        fresh=fresh,
        progress=progress,
    )


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
    return tables.load_foods(check_release(release), user_tables=_user_paths(user_tables))


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
    estimator = meal.get_estimator(check_release(release), user_tables=_user_paths(user_tables))
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
        home=_home(),
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
        home = _home()
    except InputError:
        return ()
    return tuple(t.name for t in list_user_tables(home) if (t.state == "ok") == ok)


def list_tables() -> tuple[TableInfo, ...]:
    """Return every food table at hand, built in and the user's own."""
    from prandial.checkup import list_food_tables

    return list_food_tables(_home())


def doctor() -> DoctorReport:
    """Look over this installation: versions, tables, time of an estimate."""
    from prandial.checkup import examine

    return examine(_home(), text=EXAMPLE)


def _home() -> Path:
    from prandial.tables.user import user_tables_home

    return user_tables_home(os.environ)


def _estimator(
    release: str, user_tables: Sequence[str], trained: str | os.PathLike[str] | None
) -> meal.Estimator:
    return meal.get_estimator(
        check_release(release),
        user_tables=_user_paths(user_tables),
        trained=_trained_path(trained),
    )


def _trained_path(trained: str | os.PathLike[str] | None) -> Path | None:
    """Return the file of a learned ranking, which must be there."""
    if trained is None:
        return None
    path = Path(trained)
    if not path.is_file():
        raise NotFoundError(
            "no such file of a learned ranking",
            where=str(path),
            hint="docs/trained.md tells how to make one",
        )
    return path.resolve()


def _user_paths(names: Sequence[str]) -> tuple[Path, ...]:
    """Return the compiled files of some user tables."""
    if not names:
        return ()
    from prandial.tables.user import list_user_tables

    home = _home()
    known = [t.name for t in list_user_tables(home)]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.4) or known
            raise NotFoundError(
                f"no user table {name!r}",
                where=str(home),
                hint=("nearest: " + ", ".join(near))
                if near
                else "add one with: prandial foods add FILE --name NAME --map name=COLUMN ...",
            )
    return tuple(home / f"{name}.parquet" for name in dict.fromkeys(names))
