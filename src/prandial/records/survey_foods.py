"""Records of foods as surveys know them: what they hold and what they are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["FoodMeans", "FoodTexts"]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class FoodMeans:
    """What foods hold per 100 g, as columns by tag nutrient.

    Parameters
    ----------
    code : ndarray of int64, shape (n,)
        FNDDS food codes, sorted, each once.
    records : ndarray of int64, shape (n,)
        Food records behind the means; 0 where the amounts are a composition table's.
    per_100g : mapping of str to ndarray of float64, shape (n,)
        By tag nutrient (``carb``, ``sodium``, ...), in the unit of the food tag rules;
        NaN where unknown.
    """

    code: npt.NDArray[np.int64]
    records: npt.NDArray[np.int64]
    per_100g: Mapping[str, npt.NDArray[np.float64]]

    def __len__(self) -> int:
        return len(self.code)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class FoodTexts:
    """What foods are called, as columns; rows are sorted by code, each code once.

    Parameters
    ----------
    code : ndarray of int64, shape (n,)
        FNDDS food codes.
    name, category : tuple of str
        FNDDS description and WWEIA category; an unknown category is an empty text.
    ingredients : tuple of tuple of str
        Descriptions in file order; empty where no release at hand lists any.
    release : tuple of str
        Where name and category come from, such as ``2019-2020``, or ``DRXFCD 2003-2004``.
    """

    code: npt.NDArray[np.int64]
    name: tuple[str, ...]
    category: tuple[str, ...]
    ingredients: tuple[tuple[str, ...], ...]
    release: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.code)
