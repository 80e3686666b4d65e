"""The built-in foods as arrays: one table with FNDDS, SR28 and user foods."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from prandial.errors import NotFoundError, SchemaError
from prandial.nutrients import NUTRIENTS
from prandial.records import Food, Measure, Source
from prandial.tables.cards import data_path

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["DEFAULT_RELEASE", "RELEASES", "FoodTable", "load_foods"]

DEFAULT_RELEASE: Final = "fndds-2017-2018"
RELEASES: Final = ("fndds-2017-2018", "fndds-2021-2023")
_SUPPLEMENT: Final = "sr28"
_DEFINITION: Final = "total carbohydrate by difference (includes fibre)"

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, eq=False)
class FoodTable:
    """Foods, their nutrients per 100 g, household measures and amounts eaten.

    Row ``i`` of every food-long array is the food ``ids[i]``. Measures of food
    ``i`` are ``measure_offset[i]:measure_offset[i + 1]``; amounts eaten
    likewise. Unknown numbers are NaN.

    Attributes
    ----------
    per_100g : ndarray of float32, shape (foods, nutrients)
        In the unit at the end of each nutrient's name.
    measure_grams, amount_grams : ndarray of float32
        Grams.
    eaten_count, amount_count : ndarray of float32
        Food records in the recalls of 2003-2012; 0 for foods outside FNDDS.
    eaten_p10, eaten_p50, eaten_p90 : ndarray of float32
        Percentiles of grams eaten at one time.
    """

    release: str
    ids: tuple[str, ...]
    names: tuple[str, ...]
    alt_names: tuple[str, ...]
    categories: tuple[str, ...]
    table_of: tuple[str, ...]
    release_of: tuple[str, ...]
    nutrient_keys: tuple[str, ...]
    per_100g: Floats
    measure_food: npt.NDArray[np.int32]
    measure_name: tuple[str, ...]
    measure_grams: Floats
    measure_offset: npt.NDArray[np.int64]
    eaten_count: Floats
    eaten_p10: Floats
    eaten_p50: Floats
    eaten_p90: Floats
    amount_offset: npt.NDArray[np.int64]
    amount_grams: Floats
    amount_count: Floats
    carbohydrate_definition: str = _DEFINITION

    def source(self, row: int) -> Source:
        """Return where a food comes from."""
        return Source(table=self.table_of[row], release=self.release_of[row], id=self.ids[row])

    def food(self, row: int) -> Food:
        """Return the full record of a food.

        Parameters
        ----------
        row : int
            Row of the food.

        Returns
        -------
        Food
        """
        source = self.source(row)
        lo, hi = int(self.measure_offset[row]), int(self.measure_offset[row + 1])
        return Food(
            food_id=self.ids[row],
            name=self.names[row],
            category=self.categories[row],
            per_100g=dict(zip(self.nutrient_keys, self.per_100g[row].tolist(), strict=True)),
            measures=tuple(
                Measure(
                    name=self.measure_name[m], grams=float(self.measure_grams[m]), source=source
                )
                for m in range(lo, hi)
            ),
            source=source,
        )

    def row_of(self, food_id: str, table: str | None = None) -> int:
        """Return the row of a food id.

        Parameters
        ----------
        food_id : str
            FNDDS food code, SR NDB number, or the id in a user table.
        table : str, optional
            ``fndds``, ``sr`` or ``user``; any when None.

        Returns
        -------
        int

        Raises
        ------
        NotFoundError
            When no food has the id; the hint names the nearest ids.
        """
        for row, known in enumerate(self.ids):
            if known == food_id and table in (None, self.table_of[row]):
                return row
        near = difflib.get_close_matches(food_id, self.ids, n=3)
        hint = (
            "nearest: " + "; ".join(f"{i} {self.names[self.ids.index(i)]}" for i in near)
            if near
            else "search by name with: prandial foods search WORDS"
        )
        raise NotFoundError(f"no food with id {food_id!r}", where=self.release, hint=hint)


def _read(name: str) -> dict[str, Any]:
    """Read a built-in Parquet file into arrays by column."""
    import duckdb  # a costly import, paid once and only here

    path = data_path(name)
    with duckdb.connect() as con:
        columns: dict[str, Any] = con.execute(
            "SELECT * FROM read_parquet(?)", [str(path)]
        ).fetchnumpy()
    return columns


def _plain(column: Any, fill: float = np.nan) -> Floats:
    return np.ma.filled(np.ma.asarray(column, dtype=np.float32), fill)


def _offsets(rows: npt.NDArray[Any], n: int) -> npt.NDArray[np.int64]:
    return np.searchsorted(rows, np.arange(n + 1)).astype(np.int64)


def _nutrients(columns: dict[str, Any], n: int) -> Floats:
    out = np.full((n, len(NUTRIENTS)), np.nan, dtype=np.float32)
    for k, key in enumerate(NUTRIENTS):
        if key in columns:
            out[:, k] = _plain(columns[key])
    return out


def _check(release: str, per_100g: Floats) -> None:
    """Cheap checks on load: no negative value, no food heavier than itself."""
    keys = list(NUTRIENTS)
    if bool((per_100g < 0).any()):
        raise SchemaError("a negative nutrient value", where=release, hint="reinstall prandial")
    mass = np.nansum(
        per_100g[
            :, [keys.index(k) for k in ("carb_g", "protein_g", "fat_g", "water_g", "alcohol_g")]
        ],
        axis=1,
    )
    if bool((mass > 105).any()):
        raise SchemaError(
            "a food's parts exceed 105 g in 100 g", where=release, hint="reinstall prandial"
        )


@lru_cache(maxsize=4)
def _builtin(release: str) -> FoodTable:
    main = _read(f"{release}.foods.parquet")
    extra = _read(f"{_SUPPLEMENT}.foods.parquet")
    n_main, n_extra = len(main["id"]), len(extra["id"])
    n = n_main + n_extra
    measures = [_read(f"{release}.measures.parquet"), _read(f"{_SUPPLEMENT}.measures.parquet")]
    amounts = _read(f"{release}.amounts.parquet")
    measure_food = np.concatenate(
        [np.asarray(measures[0]["row"]), np.asarray(measures[1]["row"]) + n_main]
    ).astype(np.int32)
    per_100g = np.concatenate([_nutrients(main, n_main), _nutrients(extra, n_extra)])
    _check(release, per_100g)
    none = np.full(n_extra, np.nan, dtype=np.float32)

    def both(key: str) -> tuple[str, ...]:
        return (*main[key].tolist(), *extra[key].tolist())

    return FoodTable(
        release=release,
        ids=both("id"),
        names=both("name"),
        alt_names=both("alt_names"),
        categories=both("category"),
        table_of=("fndds",) * n_main + ("sr",) * n_extra,
        release_of=(release,) * n_main + (_SUPPLEMENT,) * n_extra,
        nutrient_keys=tuple(NUTRIENTS),
        per_100g=per_100g,
        measure_food=measure_food,
        measure_name=(*measures[0]["name"].tolist(), *measures[1]["name"].tolist()),
        measure_grams=np.concatenate([_plain(m["grams"]) for m in measures]),
        measure_offset=_offsets(measure_food, n),
        eaten_count=np.concatenate(
            [_plain(main["eaten_count"], 0.0), np.zeros(n_extra, np.float32)]
        ),
        eaten_p10=np.concatenate([_plain(main["eaten_p10_g"]), none]),
        eaten_p50=np.concatenate([_plain(main["eaten_p50_g"]), none]),
        eaten_p90=np.concatenate([_plain(main["eaten_p90_g"]), none]),
        amount_offset=_offsets(np.asarray(amounts["row"]), n),
        amount_grams=_plain(amounts["grams"]),
        amount_count=_plain(amounts["n"]),
    )


def load_foods(release: str = DEFAULT_RELEASE, *, user_tables: Sequence[Path] = ()) -> FoodTable:
    """Load the built-in foods, and user tables beside them.

    Parameters
    ----------
    release : str
        One of :data:`RELEASES`.
    user_tables : sequence of Path
        Compiled user tables (``NAME.parquet`` in the user's table folder).

    Returns
    -------
    FoodTable

    Raises
    ------
    NotFoundError
        For an unknown release or a user table that is not there.
    SchemaError
        When a table fails its checks.
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
