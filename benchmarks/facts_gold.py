"""NutriBench v0's gold foods against a facts table: which can be found at all, and how often are.

Meals of v0 name the FoodData Central id of every item. An id is reachable when a row of the
table has it, or, for labels, whose rows come without ids here, when a food has its description.
Foods, not meals, are halved: an id belongs to the tuning half when the first byte of
sha256("prandial|food|" + id) is even.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import duckdb

__all__ = ["DEPTHS", "GoldItem", "gold_items", "hits", "reachable", "shares"]

DEPTHS = (1, 5, 10)
V0 = Path("data") / "nutribench" / "nutribench_v0.parquet"


@dataclass(frozen=True)
class GoldItem:
    """One item of one meal, its id and its half."""

    meal: int
    text: str
    fdc_id: int
    description: str
    brand: str
    natural: bool
    tune: bool


@lru_cache(maxsize=2)
def gold_items(shared: Path) -> tuple[GoldItem, ...]:
    """Return the items of all shared v0 meals."""
    with duckdb.connect() as con:
        rows = con.execute(
            "SELECT subset, meal_description, fdc_id, item_descriptions, item_brands"
            f" FROM read_parquet('{shared / V0}') ORDER BY subset, row"
        ).fetchall()
    return tuple(
        GoldItem(
            meal=meal,
            text=text,
            fdc_id=fdc_id,
            description=description,
            brand=(brand or "").strip(),
            natural=subset.startswith("natural"),
            tune=is_tune(fdc_id),
        )
        for meal, (subset, text, ids, descriptions, brands) in enumerate(rows)
        for fdc_id, description, brand in zip(ids, descriptions, brands, strict=True)
    )


def is_tune(fdc_id: int) -> bool:
    """Tell whether a food belongs to the tuning half."""
    return hashlib.sha256(f"prandial|food|{fdc_id}".encode()).digest()[0] % 2 == 0


def reachable(folder: Path, items: Sequence[GoldItem], form: str) -> dict[int, tuple[int, ...]]:
    """Return id -> numbers of the foods that are it; ids that the table lacks are absent."""
    facts = folder / "facts.parquet"
    same = (lambda s: s) if form == "published" else str.lower
    with duckdb.connect() as con:
        by_id = con.execute(
            f"SELECT unnest(fdc_ids), number FROM read_parquet('{facts}')"
        ).fetchall()
        labels = con.execute(
            f"SELECT name, number FROM read_parquet('{facts}') WHERE kind = 'label'"
        ).fetchall()
    found: dict[int, list[int]] = {}
    for fdc_id, number in by_id:
        found.setdefault(fdc_id, []).append(number)
    names: dict[str, list[int]] = {}
    for name, number in labels:
        names.setdefault(same(name), []).append(number)
    wanted = {i.fdc_id: i for i in items}
    for fdc_id, item in wanted.items():
        if fdc_id not in found and item.brand:
            found[fdc_id] = names.get(same(" ".join(item.description.split())), [])
    return {f: tuple(sorted(found[f])) for f in wanted if found.get(f)}


Ranked = Callable[[str], Sequence[int]]


def hits(
    items: Sequence[GoldItem],
    gold: Mapping[int, tuple[int, ...]],
    queries: Callable[[GoldItem], Sequence[str]],
    ranked: Ranked,
) -> list[tuple[GoldItem, int | None]]:
    """Return each item with the best place of its food over the item's queries.

    Foods of all queries of an item count at the same place, as a prompt gets the first k of
    each of them. None: not among those ranked, or not reachable.
    """
    out: list[tuple[GoldItem, int | None]] = []
    for item in items:
        wanted = gold.get(item.fdc_id, ())
        places = [
            rank
            for query in queries(item)
            for rank, food in enumerate(ranked(query), start=1)
            if food in wanted
        ]
        out.append((item, min(places, default=None) if wanted else None))
    return out


def shares(
    found: Sequence[tuple[GoldItem, int | None]], gold: Mapping[int, tuple[int, ...]]
) -> dict[str, Any]:
    """Return recall at each depth over reachable items and over all, in percent."""
    able = [p for i, p in found if i.fdc_id in gold]
    row: dict[str, Any] = {"items": len(found), "reachable": len(able)}
    for k in DEPTHS:
        right = sum(p is not None and p <= k for p in able)
        row[f"recall_{k}"] = round(100 * right / max(len(able), 1), 1)
        row[f"recall_{k}_of_all"] = round(100 * right / max(len(found), 1), 1)
    return row
