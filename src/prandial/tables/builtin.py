"""Load the built-in foods: one FNDDS release, with SR28 behind it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from prandial.errors import NotFoundError, SchemaError
from prandial.nutrients import NUTRIENTS
from prandial.tables.cards import data_path, read_card
from prandial.tables.columnfile import Columns, read_columns
from prandial.tables.foods import Floats, FoodTable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["DEFAULT_RELEASE", "RELEASES", "load_foods"]

DEFAULT_RELEASE: Final = "fndds-2017-2018"
RELEASES: Final = ("fndds-2017-2018", "fndds-2021-2023")
_SUPPLEMENT: Final = "sr28"
_KEYS: Final = tuple(NUTRIENTS)
_PARTS: Final = tuple(
    _KEYS.index(k) for k in ("carb_g", "protein_g", "fat_g", "water_g", "alcohol_g")
)
#: most those parts of 100 g of a food may weigh; more is rounding and analysis no longer
_MOST_PARTS_G: Final = 105.0
_HINT: Final = "reinstall prandial: pip install --force-reinstall prandial"


def _refuse(what: str, name: str) -> SchemaError:
    return SchemaError(what, where=name, hint=_HINT)


def _read(name: str, rows_in: str) -> Columns:
    """Read a table whose column ``rows_in`` is as long as its card says."""
    columns = read_columns(data_path(f"{name}.npz"))
    rows = columns.text(rows_in) if rows_in == "id" else columns.array(rows_in)
    stated = read_card(name).rows
    if len(rows) != stated:
        raise _refuse(f"{len(rows)} rows, the card says {stated}", name)
    return columns


def _per_100g(foods: Columns, out: Floats, name: str) -> None:
    """Fill the nutrients the table has; check them."""
    values = foods.array("per_100g")
    if values.shape != (len(foods.text("nutrient")), len(out)):
        raise _refuse("nutrients and foods do not fit", name)
    for key, column in zip(foods.text("nutrient"), values, strict=True):
        out[:, _KEYS.index(key)] = column
    if bool((values < 0).any()):
        raise _refuse("a negative nutrient value", name)
    if bool((np.nansum(out[:, _PARTS], axis=1) > _MOST_PARTS_G).any()):
        raise _refuse(f"parts of a food weigh over {_MOST_PARTS_G:g} g in 100 g", name)


def _per_food(columns: Columns, n: int, name: str) -> npt.NDArray[np.int64]:
    """Return how many rows of a side table each food has."""
    counts = columns.array("per_food").astype(np.int64)
    grams = columns.array("grams")
    if len(counts) != n or int(counts.sum()) != len(grams):
        raise _refuse("rows and foods do not fit", name)
    if not bool((grams > 0).all()):
        raise _refuse("grams that are not above 0", name)
    return counts


def _offsets(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _joined(main: npt.NDArray[Any], n_extra: int, fill: float) -> Floats:
    return np.concatenate([main, np.full(n_extra, fill)]).astype(np.float32)


@lru_cache(maxsize=4)
def _builtin(release: str) -> FoodTable:
    tables = (release, _SUPPLEMENT)
    main, extra = (_read(f"{t}.foods", "id") for t in tables)
    measures = [_read(f"{t}.measures", "grams") for t in tables]
    amounts = _read(f"{release}.amounts", "grams")
    n_main, n_extra = len(main.text("id")), len(extra.text("id"))
    n = n_main + n_extra
    per_100g = np.full((n, len(_KEYS)), np.nan, dtype=np.float32)
    _per_100g(main, per_100g[:n_main], release)
    _per_100g(extra, per_100g[n_main:], _SUPPLEMENT)
    per_food = np.concatenate(
        [
            _per_food(columns, size, f"{t}.measures")
            for t, columns, size in zip(tables, measures, (n_main, n_extra), strict=True)
        ]
    )
    eaten = main.array("eaten_percentiles_g")
    amounts_of = _per_food(amounts, n_main, f"{release}.amounts")
    table = FoodTable(
        release=release,
        ids=main.text("id") + extra.text("id"),
        names=main.text("name") + extra.text("name"),
        alt_names=main.text("alt_names") + extra.text("alt_names"),
        categories=main.labels("category") + extra.labels("category"),
        table_of=("fndds",) * n_main + ("sr",) * n_extra,
        release_of=(release,) * n_main + (_SUPPLEMENT,) * n_extra,
        nutrient_keys=_KEYS,
        per_100g=per_100g,
        measure_food=np.repeat(np.arange(n, dtype=np.int32), per_food),
        measure_name=measures[0].labels("name") + measures[1].labels("name"),
        measure_grams=np.concatenate([m.array("grams") for m in measures]),
        measure_offset=_offsets(per_food),
        eaten_count=_joined(main.array("eaten_count"), n_extra, 0.0),
        eaten_p10=_joined(eaten[0], n_extra, np.nan),
        eaten_p50=_joined(eaten[1], n_extra, np.nan),
        eaten_p90=_joined(eaten[2], n_extra, np.nan),
        amount_offset=_offsets(np.concatenate([amounts_of, np.zeros(n_extra, np.int64)])),
        amount_grams=amounts.array("grams"),
        amount_count=amounts.array("count"),
    )
    _check_lengths(table)
    return table


def _check_lengths(table: FoodTable) -> None:
    """Refuse columns of different length, and an id that occurs twice."""
    n = len(table.ids)
    columns = (table.names, table.alt_names, table.categories, table.eaten_count, table.eaten_p10)
    if any(len(c) != n for c in columns) or len(table.measure_name) != len(table.measure_grams):
        raise _refuse("columns of different length", table.release)
    if len(set(table.ids)) != n:
        raise _refuse("a food id occurs twice", table.release)


def load_foods(release: str = DEFAULT_RELEASE, *, user_tables: Sequence[Path] = ()) -> FoodTable:
    """Load the built-in foods, and user tables behind them.

    The built-in part is read once and kept.

    Parameters
    ----------
    release : str
        One of :data:`RELEASES`; SR28 is always behind it.
    user_tables : sequence of Path
        Compiled user tables (``NAME.parquet`` in the user's table folder).

    Returns
    -------
    FoodTable

    Raises
    ------
    NotFoundError
        For an unknown release or a user table that is not there.
    MissingDataError, SchemaError
        When a table is missing, damaged or fails its checks.
    """
    if release not in RELEASES:
        raise NotFoundError(
            f"no food table release {release!r}",
            where="release",
            hint="known releases: " + ", ".join(RELEASES),
        )
    table = _builtin(release)
    if not user_tables:
        return table
    from prandial.tables.merge import with_user_tables

    return with_user_tables(table, user_tables)
