"""Foods as arrays: one table of FNDDS, SR28 and user foods to search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from prandial.errors import NotFoundError
from prandial.records import Food, Measure, ReadOnly, Source

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CARBOHYDRATE_DEFINITION", "Floats", "FoodTable"]

CARBOHYDRATE_DEFINITION: Final = "total carbohydrate by difference (includes fibre)"

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, eq=False)
class FoodTable:
    """Foods, their nutrients per 100 g, household measures and amounts eaten.

    Row ``i`` of every food-long array is the food ``ids[i]``. Measures of food
    ``i`` are ``measure_offset[i]:measure_offset[i + 1]``; amounts eaten
    likewise. Unknown numbers are NaN.

    Attributes
    ----------
    alt_names : tuple of str
        Other names as published, separated by ``;``; empty when there are none.
    table_of : tuple of str
        ``fndds``, ``sr`` or ``user``.
    per_100g : ndarray of float32, shape (foods, nutrients)
        In the unit at the end of each nutrient's name.
    measure_grams, amount_grams : ndarray of float32
        Grams.
    eaten_count, amount_count : ndarray of float32
        Food records in the recalls of 2003-2012; 0 for foods outside FNDDS.
        Not whole where a discontinued food's records were shared out.
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
    carbohydrate_definition: str = CARBOHYDRATE_DEFINITION

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
            per_100g=ReadOnly(zip(self.nutrient_keys, self.per_100g[row].tolist(), strict=True)),
            measures=tuple(
                Measure(
                    name=self.measure_name[m], grams=float(self.measure_grams[m]), source=source
                )
                for m in range(lo, hi)
            ),
            source=source,
        )

    @cached_property
    def _rows(self) -> Mapping[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {}
        for row, food_id in enumerate(self.ids):
            found[food_id] = (*found.get(food_id, ()), row)
        return found

    def row_of(self, food_id: str, table: str | None = None) -> int:
        """Return the row of a food id.

        Parameters
        ----------
        food_id : str
            FNDDS food code, SR NDB number, or the id in a user table.
        table : str, optional
            ``fndds``, ``sr``, ``user``, or the name of a user table; any when
            None.

        Returns
        -------
        int
            The first such food's row.

        Raises
        ------
        NotFoundError
            When no food has the id; the hint names the nearest.
        """
        for row in self._rows.get(food_id, ()):
            if table in (None, self.table_of[row], self.release_of[row]):
                return row
        where = self.release if table is None else f"{table} foods of {self.release}"
        raise NotFoundError(f"no food with id {food_id!r}", where=where, hint=self._near(food_id))

    def _near(self, food_id: str) -> str:
        """Name the foods whose id, or for words whose name, comes nearest."""
        from rapidfuzz import process  # only an error needs it

        wanted = food_id.strip()
        choices = self.ids if wanted.isdecimal() else self.names
        best = process.extract(wanted, choices, limit=3, score_cutoff=60)
        if not best:
            return "search by name with: prandial foods search WORDS"
        return "nearest: " + "; ".join(f"{self.ids[row]} {self.names[row]}" for *_, row in best)
