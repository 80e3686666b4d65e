"""Items made by hand, without an estimator."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from prandial.records import Band, Food, MealItem, Portion, Source

ItemOf = Callable[..., MealItem]


@pytest.fixture
def item() -> ItemOf:
    """Return a maker of estimated items: words, food name, category, grams, carbohydrate."""

    def make(
        text: str,
        name: str | None = None,
        category: str = "",
        grams: float | None = None,
        carb_g: float | None = None,
        *,
        at: int = 0,
        food_id: str = "",
        basis: str = "weighed",
        steps: tuple[str, ...] = (),
    ) -> MealItem:
        source = Source(table="fndds", release="fndds-2017-2018", id=food_id or (name or ""))
        food = (
            None
            if name is None
            else Food(
                food_id=source.id, name=name, category=category, per_100g={}, measures=(),
                source=source,
            )
        )  # fmt: skip
        portion = (
            None
            if grams is None
            else Portion(
                quantity=Band.exact(1), measure="g", grams=Band.exact(grams), basis=basis,
            )
        )  # fmt: skip
        return MealItem(
            text=text,
            span=(at, at + len(text)),
            status="unmatched" if food is None else "matched",
            food=food,
            portion=portion,
            nutrients={"carb_g": None if carb_g is None else Band.exact(carb_g)},
            steps=steps,
        )

    return make
