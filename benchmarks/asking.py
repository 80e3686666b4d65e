"""Accuracy after one question, answered by the gold items: ``estimate(ask=True)``.

The simulated person knows the meal's gold foods and grams. To "which food?" the
answer is the choice whose name is that of a gold item; to "how much?" the choice
whose grams are within 5 % of those of a gold item of the same food. Where no choice
fits, the answer is "not known" and the estimate stays as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np

from benchmarks.accuracy import score_errors
from benchmarks.meals import LABELS, MealSet, find_shared
from prandial.meal import Estimator
from prandial.records import Ask, Estimate

__all__ = ["GoldItem", "ask_once", "gold_items"]

#: name of the gold food, grams eaten
GoldItem = tuple[str, float]
NEAR = 0.05


def gold_items(estimator: Estimator, meals: MealSet) -> list[list[GoldItem]]:
    """Gold foods and grams of each meal; empty where the set does not tell them.

    Grams follow from the item's energy and the food's energy per 100 g.
    """
    shared = find_shared()
    if shared is None:
        return [[] for _ in meals.texts]
    rows = duckdb.connect().execute(
        "SELECT meal_group, item_descriptions, item_energy_kcal FROM read_parquet(?)"
        " WHERE country = 'USA' AND serving_type = 'natural'",
        [str(shared / "data" / "nutribench" / "nutribench_v2.parquet")],
    )
    by_group: dict[str, list[tuple[list[str], list[float]]]] = {}
    for group, names, energies in rows.fetchall():
        by_group.setdefault(group, []).append((names, energies))
    table = estimator.table
    place = {" ".join(n.split()): i for i, n in reversed(list(enumerate(table.names)))}
    kcal = table.nutrient_keys.index("energy_kcal")
    out: list[list[GoldItem]] = []
    for group in meals.groups:
        found = by_group.get(group, [])
        items: list[GoldItem] = []
        if len(found) == 1:
            for name, energy in zip(*found[0], strict=True):
                row = place.get(" ".join(name.split()))
                per_gram = float(table.per_100g[row, kcal]) / 100.0 if row is not None else 0.0
                if per_gram > 0:
                    items.append((" ".join(name.split()), energy / per_gram))
        out.append(items)
    return out


def answer_of(ask: Ask, estimate: Estimate, gold: Sequence[GoldItem]) -> int | None:
    """Return the number of the choice that the gold items confirm, or None."""
    food = estimate.items[ask.item].food
    for k, choice in enumerate(ask.choices):
        if ask.kind == "food":
            if any(choice.label == name for name, _ in gold):
                return k
        elif food is not None and any(
            name == " ".join(food.name.split()) and abs(choice.grams - g) <= NEAR * g
            for name, g in gold
        ):
            return k
    return None


def ask_once(estimator: Estimator, meals: MealSet) -> dict[str, Any]:
    """Score a natural set before and after one simulated answer."""
    gold = gold_items(estimator, meals)
    before, after, asked, answered = [], [], 0, 0
    for text, items, truth in zip(meals.texts, gold, meals.labels["carb_g"], strict=True):
        first = estimator.estimate(text, nutrients=LABELS, ask=True)
        band = first.totals["carb_g"]
        value = np.nan if band is None else band.mid
        before.append(abs(value - float(truth or 0.0)))
        if first.ask is not None:
            asked += 1
            number = answer_of(first.ask, first, items)
            if number is not None:
                answered += 1
                band = estimator.estimate(text, nutrients=LABELS, answers=[number]).totals["carb_g"]
                value = np.nan if band is None else band.mid
        after.append(abs(value - float(truth or 0.0)))
    n = len(meals.texts)
    return {
        "set": meals.name,
        "title": meals.title,
        "gold_known": round(100 * sum(1 for g in gold if g) / n, 1),
        "asked": round(100 * asked / n, 1),
        "answered": round(100 * answered / n, 1),
        "before": score_errors(np.array(before), 7.5),
        "after": score_errors(np.array(after), 7.5),
    }
