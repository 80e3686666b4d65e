"""Meals made by hand for the tests of descriptions."""

from __future__ import annotations

from dataclasses import replace

from prandial.records.composed import EatenItem, EatenMeal, HouseholdServing
from prandial.records.meals import Source

SOURCE = Source(table="fndds", release="2017-2018", id="51201010")


#: FNDDS codes of the drinks among them; all else stands under one of bread
DRINKS = {"Milk, reduced fat (2%)": "11112110", "Soft drink, cola": "92410310"}


def item(name: str, grams: float, measure: str = "", times: float = 1.0) -> EatenItem:
    """Return an item; with a measure its household serving weighs its grams."""
    food = replace(SOURCE, id=DRINKS.get(name, SOURCE.id))
    serving = None
    if measure:
        serving = HouseholdServing(
            text=f"{times:g} x {measure}", measure=measure, times=times, grams=grams, rule="exact"
        )
    return EatenItem(food=food, name=name, grams=grams, nutrients={}, serving=serving)


def meal(*items: EatenItem, occasion: str = "breakfast", name: str = "m-1") -> EatenMeal:
    return EatenMeal(
        id=name,
        survey="wweia",
        cycle="2017-2018",
        country="USA",
        person="1",
        day=1,
        occasion=occasion,
        items=items,
    )


BREAKFAST = meal(
    item("Milk, reduced fat (2%)", 366.0, "1 cup", 1.5),
    item("Egg, whole, fried no added fat", 92.0, "1 large", 2.0),
    item("Bread, whole wheat, toasted", 29.0, "1 medium or regular slice"),
)
LUNCH = meal(
    item("Cheese sandwich, Cheddar cheese, on whole wheat bread", 119.0, "1 sandwich"),
    item("Soft drink, cola", 739.2, "1 bottle (20 fl oz)", 1.2),
    item("Apple, raw", 91.0, "1 medium", 0.5),
    item("Licorice", 110.0, "1 piece", 10.0),
    occasion="lunch",
    name="m-2",
)  # fmt: skip
NATURAL = (BREAKFAST, LUNCH)
