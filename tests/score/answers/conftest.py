"""Questions and predictions made by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from prandial.records.bench import MealQuestion, Prediction, Reading
from prandial.score.answers.meals import MealPair

PairOf = Callable[..., MealPair]


@pytest.fixture(scope="session")
def pair() -> PairOf:
    """Return a maker of pairs: label, answer (None is refused), and what else matters."""

    def make(
        name: str,
        label: float,
        value: float | None,
        *,
        status: str = "",
        published: float | None = None,
        group: str = "",
        nutrient: str = "carb_g",
        text: str = "",
        raw: str = "",
        **more: object,
    ) -> MealPair:
        question = MealQuestion(
            id=name, text=text, nutrient=nutrient, label=label, group=group or name, **more
        )
        reading = Reading(
            status=status or ("refused" if value is None else "answered"),
            value=value,
            published_value=published
            if published is not None
            else (-1.0 if value is None else value),
        )
        return question, Prediction(question=name, raw_text=raw, reading=reading)

    return make


@pytest.fixture(scope="session")
def meals(shared_dir: Path) -> Callable[[str], list[MealQuestion]]:
    """Return a loader of the shared part of a set as questions."""

    def load(version: str) -> list[MealQuestion]:
        more = "country, n_items" if version == "v2" else "NULL AS country, NULL AS n_items"
        name = "serving_type, meal_group"
        key = "row" if version == "v2" else "subset || '/' || row"
        rows = (
            duckdb.connect()
            .execute(
                f"SELECT {key}, meal_description, carb_g, {name}, {more} FROM read_parquet(?)",
                [str(shared_dir / "data" / "nutribench" / f"nutribench_{version}.parquet")],
            )
            .fetchall()
        )
        return [
            MealQuestion(
                id=str(i), text=text, nutrient="carb_g", label=label, group=group,
                serving=serving, country=country or "", items=items,
            )
            for i, text, label, serving, group, country, items in rows
        ]  # fmt: skip

    return load
