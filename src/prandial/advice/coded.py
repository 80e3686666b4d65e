"""An estimate of one food named by its code, without any words to read."""

from __future__ import annotations

import math
from typing import Final

from prandial.advice.amounts import RULE_NUTRIENTS
from prandial.errors import InputError
from prandial.records import Band, Basis, Estimate, Food, MealItem, Portion

__all__ = ["ESTIMATOR", "MOST_GRAMS", "estimate_of_food"]

ESTIMATOR: Final = "food code, no words read"
#: more than anybody eats of one food at a time
MOST_GRAMS: Final = 20_000.0
_USUAL: Final = "Quantity not specified"
_PLAIN_GRAMS: Final = 100.0


def estimate_of_food(
    food: Food, *, grams: float | None, release: str, carbohydrate_definition: str
) -> Estimate:
    """Return a food as a meal, its amounts without a range.

    Parameters
    ----------
    food : Food
    grams : float, optional
        How much of it; when None the table's weight for a quantity that is not
        specified, else 100 g.
    release, carbohydrate_definition : str
        Of the food's table.

    Raises
    ------
    InputError
        On grams that nobody eats.
    """
    if grams is not None and not 0 < grams <= MOST_GRAMS:
        raise InputError(
            f"{grams:g} g of a food", where="grams", hint=f"above 0, at most {MOST_GRAMS:g}"
        )
    weight, measure, how = _portion(food, grams)
    nutrients = {}
    for key in RULE_NUTRIENTS.values():
        per_100g = food.per_100g.get(key, math.nan)
        value = None if math.isnan(per_100g) else Band.exact(per_100g * (weight / 100.0))
        nutrients[key] = value
    item = MealItem(
        text=food.food_id,
        span=(0, len(food.food_id)),
        status="matched",
        food=food,
        portion=Portion(
            quantity=Band.exact(1.0), measure=measure, grams=Band.exact(weight), basis=how
        ),
        nutrients=nutrients,
        steps=(f"food {food.food_id} of {food.source.table}, {weight:g} g ({measure})",),
    )
    return Estimate(
        text=food.food_id,
        items=(item,),
        totals=nutrients,
        complete=True,
        status="ok",
        carbohydrate_definition=carbohydrate_definition,
        release=release,
        estimator=ESTIMATOR,
        notes=() if grams is not None else (f"no grams given: {weight:g} g ({measure})",),
    )


def _portion(food: Food, grams: float | None) -> tuple[float, str, Basis]:
    if grams is not None:
        return grams, "g", "weighed"
    usual = [m for m in food.measures if m.name == _USUAL and m.grams > 0]
    if usual:
        return usual[0].grams, "the table's weight where none is specified", "default"
    return _PLAIN_GRAMS, "100 g, as the table has no usual weight", "default"
