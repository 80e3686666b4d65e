"""Meals by hand, with foods whose amounts are round, so that every total can be checked by eye."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from prandial.records.composed import DescribedMeal, EatenItem, EatenMeal, HouseholdServing
from prandial.records.meals import Source

#: name -> (id, carbohydrate, protein, fat, kcal of 100 g, grams of a cup or piece)
FOODS = {
    "Rice, white, cooked": ("56205000", 28.0, 2.5, 0.5, 126.5, 160.0),
    "Banana, raw": ("63107010", 22.0, 1.0, 0.5, 96.5, 120.0),
    "Milk, whole": ("11111000", 5.0, 3.0, 3.0, 59.0, 240.0),
    "Water, tap": ("94000100", 0.0, 0.0, 0.0, 0.0, 240.0),
}


def food(name: str) -> Source:
    return Source(table="FNDDS", release="2017-2018", id=FOODS[name][0])


def item(name: str, grams: float, *, times: float | None = None, line: int = 1) -> EatenItem:
    key, carb, protein, fat, kcal, cup = FOODS[name]
    serving = None
    if times is not None:
        serving = HouseholdServing(
            text=f"{times:g} cups",
            measure="1 cup",
            times=times,
            grams=times * cup,
            rule="exact",
            source=Source(table="FNDDS portions", release="2017-2018", id=f"{key}-1"),
        )
    amounts = {"carb_g": carb, "protein_g": protein, "fat_g": fat, "energy_kcal": kcal}
    return EatenItem(
        food=food(name),
        name=name,
        grams=grams,
        nutrients={k: v * grams / 100 for k, v in amounts.items()},
        serving=serving,
        line=line,
    )


def described(
    person: str,
    items: tuple[EatenItem, ...],
    *,
    serving_type: str = "metric",
    occasion: str = "lunch",
    text: str = "",
) -> DescribedMeal:
    names = tuple(i.name.split(",")[0].lower() for i in items)
    amounts = tuple(
        i.serving.text if serving_type == "natural" and i.serving else f"{i.grams:g} g"
        for i in items
    )
    listed = " and ".join(f"{a} of {n}" for a, n in zip(amounts, names, strict=True))
    meal = EatenMeal(
        id=f"wweia-2017-2018-{person}-1-{occasion}-720",
        survey="wweia",
        cycle="2017-2018",
        country="USA",
        person=person,
        day=1,
        occasion=occasion,
        minute=720,
        items=items,
    )
    return DescribedMeal(
        meal=meal,
        serving_type=serving_type,  # type: ignore[arg-type]
        text=text or f"For {occasion} I had {listed}.",
        names=names,
        amounts=amounts,
        variants=(f"I ate {listed}.",),
    )


@pytest.fixture(scope="session")
def small() -> tuple[DescribedMeal, ...]:
    """Five rows of four meals: one in both forms, one with an unknown label, odd characters."""
    rice = item("Rice, white, cooked", 320.0, times=2.0, line=7)
    banana = item("Banana, raw", 60.0, times=0.5, line=8)
    milk = item("Milk, whole", 244.13)
    unknown = replace(milk, nutrients={"carb_g": 12.2065})
    return (
        described("93704", (rice, banana), serving_type="natural"),
        described("93704", (rice, banana)),
        described("93705", (unknown,), occasion=""),
        described("93706", (item("Water, tap", 0.1 + 0.2),), text='"Ŵater", 0.3 g;\nsay \\ | no'),
        described("93707", (replace(rice, recorded="A001D#F28.A07GL", serving=None), milk)),
    )


@pytest.fixture(scope="session")
def many() -> Callable[[int, int], Iterator[DescribedMeal]]:
    """Return a maker of meals without end, drawn by a seed."""

    def make(n: int, seed: int) -> Iterator[DescribedMeal]:
        rng = Random(seed)
        names = list(FOODS)
        for k in range(n):
            chosen = rng.sample(names, rng.randint(1, 3))
            items = tuple(item(c, rng.randint(1, 4000) / 8) for c in chosen)
            yield described(str(100_000 + k), items, occasion=rng.choice(("lunch", "dinner")))

    return make
