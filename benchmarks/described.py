"""Published NutriBench texts with what they should state: loaded, halved, never stored.

Grams of US items are not published; they follow from the nutrients of each item and FNDDS
2017-2018 (label = grams x nutrients per 100 g), as closely as two decimals allow. Natural
servings are not published either: every measure of the food that gives these grams may be meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchmarks.meals import is_tune
from prandial.compose.describe import ItemToState

__all__ = ["Published", "published_texts"]

LABELS = ("carb_g", "protein_g", "fat_g", "energy_kcal")
PER_100G = ("carbohydrate_g", "protein_g", "total_fat_g", "energy_kcal")
TIMES = (*(k / 4 for k in range(1, 13)), 1 / 3, 2 / 3, *(float(k) for k in range(4, 61)), 1 / 8)
#: grams are known when they follow to this
CLOSE_G = 2.0
ROUNDED = 0.0051


@dataclass(frozen=True)
class Published:
    """One published text: set, place, meal, serving type, and what it should state."""

    set: str
    row: str
    group: str
    serving_type: str
    text: str
    items: tuple[ItemToState, ...]

    @property
    def known(self) -> bool:
        """Whether grams or servings of every item are known."""
        return all(i.grams is not None or i.servings for i in self.items)


@dataclass(frozen=True)
class _Food:
    per_100g: tuple[float, ...]
    portions: tuple[tuple[str, float], ...]


def _foods(folder: Path) -> dict[str, _Food]:
    con = duckdb.connect()
    columns = [
        c[0]
        for c in con.execute(
            "DESCRIBE SELECT * FROM read_parquet(?)",
            [str(folder / "fndds_2017_2018_foods.parquet")],
        ).fetchall()
    ]
    picked = [
        next(c for c in columns if c.startswith(stem))
        for stem in ("carbohydrate", "protein", "total_fat", "energy")
    ]
    portions: dict[int, list[tuple[str, float]]] = {}
    for code, text, grams in con.execute(
        "SELECT food_code, description, grams FROM read_parquet(?) WHERE grams > 0"
        " ORDER BY food_code, seq, description",
        [str(folder / "fndds_2017_2018_portions.parquet")],
    ).fetchall():
        if not text.startswith(("Quantity", "Guideline")):
            portions.setdefault(code, []).append((text, grams))
    rows = con.execute(
        f"SELECT description, food_code, {', '.join(picked)} FROM read_parquet(?)",
        [str(folder / "fndds_2017_2018_foods.parquet")],
    ).fetchall()
    return {name: _Food(tuple(per), tuple(portions.get(code, ()))) for name, code, *per in rows}


def grams_of(food: _Food, labels: Sequence[float | None]) -> tuple[float, float] | None:
    """Return grams and how far they may be off, from the label that tells them best."""
    best: tuple[float, float] | None = None
    for per, label in zip(food.per_100g, labels, strict=True):
        if per and label is not None:
            off = 100 * ROUNDED / per
            if off <= CLOSE_G and (best is None or off < best[1]):
                best = (100 * label / per, off)
    return best


def _us_item(
    foods: Mapping[str, _Food], name: str, labels: Sequence[float | None], serving: str
) -> ItemToState:
    food = foods.get(name)
    found = grams_of(food, labels) if food else None
    if food is None or found is None:
        return ItemToState(name=name)
    grams, off = found
    if serving == "metric":
        return ItemToState(name=name, grams=grams, tolerance_g=off + 0.051)
    servings = tuple(
        (text, times)
        for text, one in food.portions
        for times in TIMES
        if abs(one * times - grams) <= off + 0.02
    )
    if not servings:
        return ItemToState(name=name)
    return ItemToState(name=name, grams=grams, servings=servings, certain=False)


def _gift_items(names: Sequence[str], grams: Sequence[float]) -> tuple[ItemToState, ...]:
    return tuple(
        ItemToState(name=n, grams=round(g, 4), tolerance_g=0.051)
        for n, g in zip(names, grams, strict=True)
    )


def published_texts(shared: Path, *, half: str, variants: bool = False) -> Iterator[Published]:
    """Yield texts of one half (``tune`` or ``test``): v2, v1 where its meal is known, GIFT.

    With ``variants``, every one of the five texts of a GIFT meal; else the published one.
    """
    folder = shared / "data" / "nutribench"
    foods = _foods(shared / "data" / "foods")
    con = duckdb.connect()
    items = ", ".join(f"item_{k}" for k in LABELS)
    meals: dict[str, tuple[list[str], list[tuple[float, ...]]]] = {}
    for row, meal, group, serving, text, names, *labels in con.execute(
        f"SELECT row, meal_id, meal_group, serving_type, meal_description, item_descriptions,"
        f" {items} FROM read_parquet(?) WHERE country = 'USA' ORDER BY row",
        [str(folder / "nutribench_v2.parquet")],
    ).fetchall():
        each = list(zip(*labels, strict=True))
        meals[meal] = (names, each)
        if is_tune(group) == (half == "tune"):
            due = tuple(_us_item(foods, n, x, serving) for n, x in zip(names, each, strict=True))
            yield Published(f"v2_us_{serving}", str(row), group, serving, text, due)
    for row, meal, group, serving, text in con.execute(
        "SELECT row, v2_meal_id, meal_group, serving_type, meal_description FROM read_parquet(?)"
        " WHERE source = 'wweia' ORDER BY serving_type, row",
        [str(folder / "nutribench_v1.parquet")],
    ).fetchall():
        if meal in meals and is_tune(group) == (half == "tune"):
            names, each = meals[meal]
            due = tuple(_us_item(foods, n, x, serving) for n, x in zip(names, each, strict=True))
            yield Published(f"v1_us_{serving}", str(row), group, serving, text, due)
    for meal, group, names, grams, text, row, every in con.execute(
        "SELECT meal_id, meal_group, item_descriptions, item_grams, meal_description, hf_row,"
        " all_variants FROM read_parquet(?) ORDER BY country, meal_id",
        [str(folder / "nutribench_v2_who_metric.parquet")],
    ).fetchall():
        if is_tune(group) != (half == "tune"):
            continue
        due = _gift_items(names, grams)
        if variants:
            for k, one in enumerate(every):
                yield Published("gift_variants", f"{meal}/{k}", group, "metric", one, due)
        elif row is not None:
            yield Published("v2_gift", str(row), group, "metric", text, due)
