"""Gold items: what a labelled meal really held, by name, grams and nutrient."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from prandial.tables import FoodTable

__all__ = ["GoldFoods", "GoldItem"]

#: a nutrient below this in 100 g is too little to tell grams from (g or kcal)
_ENOUGH_PER_100G: Final = 0.5


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldItem:
    """One item of a labelled meal; None is unknown.

    ``food_id`` and ``category`` are those of the table's food of that name,
    None where the table has none. ``amount`` is the item's label in the nutrient
    under review, in that nutrient's unit.
    """

    name: str
    food_id: str | None = None
    table: str | None = None
    category: str | None = None
    grams: float | None = None
    amount: float | None = None


def _key(name: str) -> str:
    return " ".join(name.casefold().split())


class GoldFoods:
    """Finds gold items among the foods of a table, by their published names.

    Parameters
    ----------
    table : FoodTable
        Capitals and white space of a name do not matter; where two foods share a
        name the first counts, and FNDDS stands before SR28.
    """

    def __init__(self, table: FoodTable) -> None:
        self._table = table
        self._columns = {k: i for i, k in enumerate(table.nutrient_keys)}
        self._rows: dict[str, int] = {}
        for row, name in enumerate(table.names):
            self._rows.setdefault(_key(name), row)

    def items(
        self,
        names: Sequence[str],
        *,
        nutrient: str,
        grams: Sequence[float | None] | None = None,
        labels: Mapping[str, Sequence[float | None]] | None = None,
    ) -> tuple[GoldItem, ...]:
        """Return gold items, with grams and amount worked out where they can be.

        Parameters
        ----------
        names : sequence of str
            Names of the items' foods.
        nutrient : str
            The nutrient under review.
        grams : sequence of float, optional
            Grams of each item.
        labels : mapping of str to sequence of float, optional
            Nutrient to the label of each item. Grams that are not given follow
            from the nutrient of which the food holds most.

        Returns
        -------
        tuple of GoldItem
        """
        return tuple(
            self._item(
                name,
                nutrient,
                grams[i] if grams is not None else None,
                {k: v for k, values in (labels or {}).items() if (v := values[i]) is not None},
            )
            for i, name in enumerate(names)
        )

    def _item(
        self, name: str, nutrient: str, grams: float | None, labels: Mapping[str, float]
    ) -> GoldItem:
        row = self._rows.get(_key(name))
        if row is None:
            return GoldItem(name=name, grams=grams, amount=labels.get(nutrient))
        table = self._table
        if grams is None:
            grams = self._grams(row, labels)
        amount = labels.get(nutrient)
        if amount is None and grams is not None:
            density = self._per_100g(row, nutrient)
            amount = None if math.isnan(density) else grams * density / 100.0
        return GoldItem(
            name=name,
            food_id=table.ids[row],
            table=table.table_of[row],
            category=table.categories[row],
            grams=grams,
            amount=amount,
        )

    def _per_100g(self, row: int, nutrient: str) -> float:
        return float(self._table.per_100g[row, self._columns[nutrient]])

    def _grams(self, row: int, labels: Mapping[str, float]) -> float | None:
        """Grams from the labels: by the nutrient of which 100 g of the food hold most."""
        known = [(d, v) for k, v in labels.items() if not math.isnan(d := self._per_100g(row, k))]
        if not known:
            return None
        density, value = max(known)
        return 100.0 * value / density if density >= _ENOUGH_PER_100G else None
