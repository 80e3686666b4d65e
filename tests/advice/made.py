"""Meals made by hand, with amounts chosen for the test."""

from __future__ import annotations

from collections.abc import Mapping

from prandial.advice import RULE_NUTRIENTS
from prandial.records import Band, Estimate, Food, MealItem, Portion, Source

SOURCE = Source(table="fndds", release="2017-2018", id="0")


def band(value: object) -> Band | None:
    """A number without range, three numbers, or None."""
    if value is None:
        return None
    if isinstance(value, tuple):
        return Band(low=value[0], mid=value[1], high=value[2])
    return Band.exact(float(value))  # type: ignore[arg-type]


def item(grams: float | None = 100.0, text: str = "food", **amounts: object) -> MealItem:
    """An item; nutrients by tag name that are not given are 0."""
    nutrients: Mapping[str, Band | None] = {
        key: band(amounts.get(n, 0.0)) for n, key in RULE_NUTRIENTS.items()
    }
    if grams is None:
        return MealItem(text=text, span=(0, 4), status="unmatched")
    food = Food(food_id="0", name=text, category="", per_100g={}, measures=(), source=SOURCE)
    portion = Portion(
        quantity=Band.exact(1.0), measure="g", grams=Band.exact(grams), basis="weighed"
    )
    return MealItem(
        text=text, span=(0, 4), status="matched", food=food, portion=portion, nutrients=nutrients
    )


def meal(*items: MealItem, complete: bool = True) -> Estimate:
    """A meal of items; totals are sums of their bands."""
    known = [i for i in items if i.portion is not None]
    totals: dict[str, Band | None] = {}
    for key in RULE_NUTRIENTS.values():
        bands = [i.nutrients[key] for i in known]
        if known and all(b is not None for b in bands):
            told = [b for b in bands if b is not None]
            totals[key] = Band(
                low=sum(b.low for b in told),
                mid=sum(b.mid for b in told),
                high=sum(b.high for b in told),
            )
        else:
            totals[key] = None
    return Estimate(
        text="a meal",
        items=items,
        totals=totals,
        complete=complete,
        status="ok" if complete else "incomplete",
        carbohydrate_definition="total",
        release="made",
        estimator="by hand",
    )
