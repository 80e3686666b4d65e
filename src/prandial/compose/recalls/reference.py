"""The release of the food table by which recalled foods are named, measured and counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.compose.recalls.kinds import Kind, kind_of
from prandial.errors import NotFoundError
from prandial.records import Source
from prandial.tables import FoodTable

__all__ = ["NUTRIENTS", "Reference", "ReferenceMeasure", "food_reference"]

#: the nutrients of a meal, in this order
NUTRIENTS: Final = ("carb_g", "protein_g", "fat_g", "energy_kcal")
#: decimals of the published values; the table holds them in single precision
_DECIMALS: Final = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class ReferenceMeasure:
    """A household measure that people say: its name, grams and kind."""

    name: str
    grams: float
    kind: Kind


@dataclass(frozen=True, kw_only=True, eq=False)
class Reference:
    """Foods of one FNDDS release by code.

    Parameters
    ----------
    release : str
    codes : ndarray of int64, shape (n,)
        Sorted food codes; row ``i`` of everything below is ``codes[i]``.
    names : tuple of str
    sources : tuple of Source
    per_100g : ndarray of float64, shape (n, 4)
        :data:`NUTRIENTS`, NaN unknown.
    measures : tuple of tuple of ReferenceMeasure
        Those people say, in the order of the table.
    unspecified_g : ndarray of float64, shape (n,)
        Grams the table gives where a quantity was not specified; NaN where it gives none.
    """

    release: str
    codes: npt.NDArray[np.int64]
    names: tuple[str, ...]
    sources: tuple[Source, ...]
    per_100g: npt.NDArray[np.float64]
    measures: tuple[tuple[ReferenceMeasure, ...], ...]
    unspecified_g: npt.NDArray[np.float64]

    def rows_of(self, codes: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """Return the row of each code, one past the last where the release has no such code."""
        known = np.nan_to_num(codes, nan=-1.0).astype(np.int64)
        rows = np.searchsorted(self.codes, known)
        there = self.codes[np.minimum(rows, len(self.codes) - 1)] == known
        return np.where(there, rows, len(self.codes))


def food_reference(table: FoodTable, release: str = "fndds-2017-2018") -> Reference:
    """Return the foods of one release in a food table.

    Parameters
    ----------
    table : FoodTable
        Such as ``load_foods("fndds-2017-2018")``.
    release : str
        NutriBench takes FNDDS 2017-2018 for all cycles (arXiv 2407.12843, section 3.1).

    Returns
    -------
    Reference

    Raises
    ------
    NotFoundError
        When the table holds no food of the release.
    """
    found = [
        (int(table.ids[row]), row)
        for row in range(len(table.ids))
        if table.release_of[row] == release and table.ids[row].isdecimal()
    ]
    if not found:
        raise NotFoundError(
            f"no food of {release}",
            where=table.release,
            hint="releases here: " + ", ".join(sorted(set(table.release_of))),
        )
    found.sort()
    rows = [row for _, row in found]
    columns = [table.nutrient_keys.index(n) for n in NUTRIENTS]
    measures, unspecified = zip(*(_measures(table, row) for row in rows), strict=True)
    per_100g: npt.NDArray[np.float64] = table.per_100g[np.ix_(rows, columns)].astype(np.float64)
    return Reference(
        release=release,
        codes=np.array([code for code, _ in found], dtype=np.int64),
        names=tuple(table.names[row] for row in rows),
        sources=tuple(table.source(row) for row in rows),
        per_100g=per_100g.round(_DECIMALS),
        measures=measures,
        unspecified_g=np.array(unspecified),
    )


def _measures(table: FoodTable, row: int) -> tuple[tuple[ReferenceMeasure, ...], float]:
    """Return the measures of a food that people say, and the grams of an unspecified one."""
    said: list[ReferenceMeasure] = []
    unspecified = float("nan")
    for place in range(int(table.measure_offset[row]), int(table.measure_offset[row + 1])):
        name = table.measure_name[place]
        grams = round(float(table.measure_grams[place]), _DECIMALS)
        kind = kind_of(name)
        if kind.said:
            said.append(ReferenceMeasure(name=name, grams=grams, kind=kind))
        elif kind.name == "unspecified":
            unspecified = grams
    return tuple(said), unspecified
