"""An item that our tables know, as JSON for the error analysis."""

from __future__ import annotations

import math
from typing import Any

from prandial.records import MealItem

__all__ = ["found_item"]


def found_item(item: MealItem, nutrient: str) -> dict[str, Any]:
    """Return what an item came to.

    Parameters
    ----------
    item : MealItem
    nutrient : str
        House name.

    Returns
    -------
    dict
        Words, status, food with table, release and id, grams, measure, the nutrient in the
        portion and in 100 g (None where unknown), and the steps that led there.
    """
    food, portion = item.food, item.portion
    band = item.nutrients.get(nutrient)
    per_100g = math.nan if food is None else food.per_100g.get(nutrient, math.nan)
    return {
        "text": item.text,
        "status": item.status,
        "food": None if food is None else food.name,
        "table": None if food is None else food.source.table,
        "release": None if food is None else food.source.release,
        "id": None if food is None else food.food_id,
        "grams": None if portion is None else round(portion.grams.mid, 4),
        "measure": None if portion is None else portion.measure,
        "basis": None if portion is None else portion.basis,
        "value": None if band is None else round(band.mid, 4),
        "per_100g": None if math.isnan(per_100g) else round(per_100g, 4),
        "steps": list(item.steps),
    }
