"""Labelled meals of the tuning half with their items, and which readings are right."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt

from benchmarks.meals import LABELS, MealSet, is_tune, load_sets
from prandial.meal.tokens import tokenize
from prandial.meal.trained import LearnedFood

__all__ = ["FOLDS", "Item", "Meal", "fold_of", "learned_foods", "load_meals", "right_readings"]

FOLDS = 5
Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Item:
    """A meal's item as labelled: carbohydrate, protein, fat (g), energy (kcal)."""

    name: str
    values: tuple[float, float, float, float]
    words: frozenset[str]
    grams: float = float("nan")


@dataclass(frozen=True)
class Meal:
    """A labelled meal; ``items`` is empty where only the total is known."""

    set: str
    text: str
    country: str
    group: str
    carb_g: float
    items: tuple[Item, ...]
    total: tuple[float | None, ...]


def fold_of(group: str) -> int:
    """Return the part of the tuning half that a group belongs to."""
    return hashlib.sha256(f"fold|{group}".encode()).digest()[0] % FOLDS


def _item(name: str, values: tuple[float, ...], grams: float | None = None) -> Item:
    words = frozenset(t.stem for t in tokenize(name) if t.kind == "word" and len(t.text) > 2)
    c, p, f, e = (float("nan") if v is None else float(v) for v in values)
    return Item(name, (c, p, f, e), words, float("nan") if grams is None else grams)


def _items_by(
    shared: Path,
) -> tuple[dict[str, tuple[Item, ...]], dict[str, list[tuple[Item, ...]]]]:
    """Items by text, and the item lists of each group."""
    path = str(shared / "data" / "nutribench" / "nutribench_v2.parquet")
    rows = duckdb.execute(
        "SELECT meal_group, meal_description, country, item_descriptions, item_carb_g,"
        " item_protein_g, item_fat_g, item_energy_kcal, item_grams FROM read_parquet(?)"
        " ORDER BY row",
        [path],
    ).fetchall()
    by_text: dict[str, tuple[Item, ...]] = {}
    by_group: dict[str, list[tuple[Item, ...]]] = defaultdict(list)
    for group, text, country, names, *values, grams in rows:
        if not is_tune(group) or names is None:
            continue
        weights = grams or [None] * len(names)
        items = tuple(_item(n, v, g) for n, *v, g in zip(names, *values, weights, strict=True))
        by_text[text] = items
        known = [[i.name for i in other] for other in by_group[group]]
        if country == "USA" and [i.name for i in items] not in known:
            by_group[group].append(items)
    return by_text, by_group


def load_meals(shared: Path) -> list[Meal]:
    """Load the tuning half, each meal with its items where they are known."""
    by_text, by_group = _items_by(shared)
    out: list[Meal] = []
    for meals in load_sets(shared, half="tune"):
        out += _meals(meals, by_text, by_group)
    return out


def _meals(
    meals: MealSet,
    by_text: dict[str, tuple[Item, ...]],
    by_group: dict[str, list[tuple[Item, ...]]],
) -> list[Meal]:
    out = []
    for k, text in enumerate(meals.texts):
        group = meals.groups[k]
        items: tuple[Item, ...] = ()
        if meals.name.startswith("v2"):
            items = by_text.get(text, ())
        elif meals.name.startswith("v1_us"):
            items = _nearest(text, by_group.get(group, []))
        total = tuple(meals.labels[n][k] for n in LABELS)
        if meals.name == "single_foods":
            items = (Item("", (float(total[0] or 0.0), np.nan, np.nan, np.nan), frozenset()),)
        out.append(
            Meal(
                meals.name,
                text,
                meals.countries[k] or "",
                group,
                float(total[0] or 0.0),
                items,
                total,
            )
        )
    return out


def _nearest(text: str, lists: list[tuple[Item, ...]]) -> tuple[Item, ...]:
    """Return the one list of items that a text can mean; none when unsure."""
    if len(lists) < 2:
        return lists[0] if lists else ()
    said = {t.stem for t in tokenize(text)}
    shares = sorted(
        (sum(len(i.words & said) / max(len(i.words), 1) for i in items) / len(items), k)
        for k, items in enumerate(lists)
    )
    sure = shares[-1][0] > 0.5 and shares[-1][0] > shares[-2][0] + 0.2
    return lists[shares[-1][1]] if sure else ()


def learned_foods(shared: Path, groups: set[str] | None = None) -> dict[LearnedFood, set[str]]:
    """Foods of other countries as labelled, each with the groups it stands in.

    Parameters
    ----------
    shared : Path
    groups : set of str, optional
        Only these groups of the tuning half.
    """
    path = str(shared / "data" / "nutribench" / "nutribench_v2_who_metric.parquet")
    rows = duckdb.execute(
        "SELECT meal_group, country, item_descriptions, item_grams, item_carb_g, item_protein_g,"
        " item_fat_g, item_energy_kcal FROM read_parquet(?)",
        [path],
    ).fetchall()
    found: dict[tuple[str, str], list[tuple[str, float, tuple[float, ...]]]] = defaultdict(list)
    for group, country, names, grams, *values in rows:
        if not is_tune(group) or (groups is not None and group not in groups):
            continue
        for name, weight, *four in zip(names, grams, *values, strict=True):
            if weight and weight > 0 and all(v is not None for v in four):
                clean = " ".join(name.replace("\t", " ").replace("\n", " ").split())
                found[country, clean].append((group, weight, tuple(four)))
    out: dict[LearnedFood, set[str]] = {}
    for (country, name), seen in sorted(found.items()):
        weights = np.array([w for _, w, _ in seen])
        values_of = np.array([v for _, _, v in seen])
        # labels are rounded: heavy portions tell the density best
        heavy = weights >= 0.5 * weights.max()
        per = np.median(100 * values_of[heavy] / weights[heavy][:, None], axis=0)
        whole = 100 * values_of.sum(axis=0) / weights.sum()
        per = np.where(np.abs(whole - per) <= 0.5 + 0.03 * per, whole, per)
        support = {g for g, _, _ in seen}
        c, p, f, e = (round(float(v), 3) for v in per)
        out[LearnedFood(name, country, (c, p, f, e), len(support))] = support
    return out


def right_readings(
    items: tuple[Item, ...],
    values: Array,
    names: list[str],
    words: list[frozenset[str]],
    grams: Array,
) -> tuple[list[npt.NDArray[np.int64]], list[int]]:
    """Tell which readings of a text are right for each labelled item.

    The strictest test that any reading passes is used: all four nutrients
    equal; else carbohydrate and energy near, or the same food; else
    carbohydrate near with a shared word; else the nearest with a shared word.

    Parameters
    ----------
    items : tuple of Item
    values : ndarray, shape (readings, 4)
        Carbohydrate, protein, fat, energy.
    names : list of str
        Food of each reading.
    words : list of frozenset of str
        Words of each reading's span.
    grams : ndarray
        Grams of each reading.

    Returns
    -------
    right : list of ndarray
        Numbers of the right readings for each item; none when no reading fits.
    tiers : list of int
        Which test was used, 0 for the strictest; 4 for none.
    """
    right: list[npt.NDArray[np.int64]] = []
    tiers: list[int] = []
    for item in items:
        gold = np.array(item.values)
        off = np.abs(values - gold)
        same = np.array([n == item.name for n in names])
        shared = np.array([not item.words.isdisjoint(w) for w in words]) | same
        round_off = 0.3
        if not np.isnan(item.grams):  # a stated weight tells which item is meant
            shared = np.abs(grams - item.grams) <= 0.1 + 0.006 * item.grams
            round_off = 0.6
        if not item.name:  # only carbohydrate is known
            tests = [off[:, 0] <= 0.15 + 0.01 * gold[0], off[:, 0] <= 1 + 0.03 * gold[0]]
        else:
            equal = (off <= round_off * np.array([1, 1, 1, 10]) + 0.015 * np.abs(gold)).all(axis=1)
            if gold[3] < 6 or not np.isnan(item.grams):
                equal &= shared
            near = (off[:, 0] <= 1 + 0.04 * gold[0]) & (off[:, 3] <= 8 + 0.05 * gold[3]) & shared
            near |= same & (off[:, 0] <= 2)
            tests = [equal, near, shared & (off[:, 0] <= 3)]
            if shared.any():
                least = np.where(shared, np.nan_to_num(off[:, 0], nan=1e9), 1e9)
                tests.append(shared & (least <= least.min() + 0.5))
        for tier, test in enumerate(tests):
            hits = np.flatnonzero(test)
            if len(hits):
                right.append(hits)
                tiers.append(tier)
                break
        else:
            right.append(np.zeros(0, dtype=np.int64))
            tiers.append(4)
    return right, tiers
