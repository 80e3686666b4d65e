"""What foods that differ only by where they were made are eaten with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from prandial.errors import MissingDataError
from prandial.tables.cards import data_path
from prandial.tables.columnfile import read_columns

__all__ = ["Company", "read_company"]

#: a log ratio of 1 as kept in the file
_ONE: Final = 32.0


class Company:
    """Siblings among foods, and what they are eaten with.

    Attributes
    ----------
    group : list of int
        Number of a food's group of siblings, -1 for none; by food row.
    """

    def __init__(self, group: list[int], ratios: Mapping[int, Mapping[str, float]]) -> None:
        self.group = group
        self._ratios = ratios

    def has_siblings(self, food: int) -> bool:
        """Tell whether a food row has siblings."""
        return food < len(self.group) and self.group[food] >= 0

    def siblings(self, one: int, other: int) -> bool:
        """Tell whether two food rows differ only by where they were made."""
        return (
            self.has_siblings(one)
            and self.has_siblings(other)
            and (self.group[one] == self.group[other])
        )

    def ratio(self, food: int, category: str) -> float:
        """Log ratio of how often a category is eaten with a food to how often in all."""
        return self._ratios.get(food, {}).get(category, 0.0)


def read_company(release: str) -> Company | None:
    """Return a release's company of foods, or None when none ships.

    Parameters
    ----------
    release : str
        Food table release.

    Returns
    -------
    Company or None

    Raises
    ------
    SchemaError
        When the file is damaged.
    """
    try:
        path = data_path(f"{release}.company.npz")
    except MissingDataError:
        return None
    columns = read_columns(path)
    levels = columns.text("category_levels")
    ends = np.cumsum(columns.array("size").astype(np.int64)).tolist()
    categories = columns.array("category").tolist()
    values = (columns.array("ratio") / _ONE).tolist()
    ratios: dict[int, dict[str, float]] = {}
    start = 0
    for food, end in enumerate(ends):
        if end > start:
            ratios[food] = {levels[categories[k]]: values[k] for k in range(start, end)}
        start = end
    return Company(columns.array("group").tolist(), ratios)
