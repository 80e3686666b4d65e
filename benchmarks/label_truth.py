"""Published US meals found among the recalls by food codes and grams, and their labels checked.

Run: ``python -m benchmarks.label_truth --shared ../shared --keep``
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

import prandial
from benchmarks.compose_meals import CYCLES, keep
from prandial.compose.recalls import (
    LabelMatch,
    PublishedMeal,
    find_labels,
    food_reference,
    recalled_meals,
    stated_grams,
)
from prandial.records.composed import EatenMeal
from prandial.sources.nhanes.eaten import food_records
from prandial.tables import load_foods

__all__ = ["label_truth", "published_meals"]

#: 2017-2020 is at hand with its second day alone; its people of 2017-2018 count once
SEARCHED = (*CYCLES, "2017-2020")
LABELS = ("carb_g", "protein_g", "fat_g", "energy_kcal")
_COLUMNS = ", ".join(LABELS)


def _ask(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as con:
        con.execute("SET threads = 1")
        return con.execute(sql.format(file=f"'{path}'")).fetchall()


def _second(shared: Path) -> list[tuple[Any, ...]]:
    """Metric US meals of v2: id, group, text, names of the items, label."""
    return _ask(
        shared / "data" / "nutribench" / "nutribench_v2.parquet",
        f"SELECT meal_id, meal_group, meal_description, item_descriptions, {_COLUMNS} FROM {{file}}"
        " WHERE country = 'USA' AND serving_type = 'metric' ORDER BY row",
    )


def _first(shared: Path) -> Iterator[tuple[Any, ...]]:
    """Metric US meals of v1 in the same form; items by the v2 meal linked, or of the same label.

    A meal of v1 without a link takes the items of the v2 meals whose label and stated grams
    are its own, where they all have the same items.
    """
    linked = {row[0]: row[3] for row in _second(shared)}
    alike: dict[tuple[str, tuple[float, ...]], set[tuple[str, ...]]] = defaultdict(set)
    for _, group, text, items, *_ in _second(shared):
        alike[group, tuple(sorted(stated_grams(text)))].add(tuple(sorted(items)))
    for number, group, text, other, *label in _ask(
        shared / "data" / "nutribench" / "nutribench_v1.parquet",
        f"SELECT row, meal_group, meal_description, v2_meal_id, {_COLUMNS} FROM {{file}}"
        " WHERE subset = 'wweia_meal_metric' ORDER BY row",
    ):
        items = linked.get(other)
        if items is None:
            same = alike.get((group, tuple(sorted(stated_grams(text)))), set())
            items = list(next(iter(same))) if len(same) == 1 else []
        yield f"v1-{number}", group, text, items, *label


def published_meals(shared: Path, version: str) -> list[PublishedMeal]:
    """Return the published US meals in grams of one version."""
    rows = _second(shared) if version == "v2" else _first(shared)
    return [
        PublishedMeal(
            id=name,
            foods=tuple(" ".join(item.split()) for item in items),
            grams=stated_grams(text),
            label=dict(zip(LABELS, label, strict=True)),
        )
        for name, _, text, items, *label in rows
    ]


def _table(matches: tuple[LabelMatch, ...]) -> dict[str, Any]:
    found = [m for m in matches if not m.reason]
    usable = [m for m in matches if m.reason not in ("no_items", "name_unknown")]
    usable = [m for m in usable if m.reason != "grams_not_stated"]
    cycles = {}
    for cycle in SEARCHED:
        here = [m.recalls.get(cycle, 0) for m in usable]
        cycles[cycle] = {
            "found": sum(n == 1 for n in here),
            "ambiguous": sum(n > 1 for n in here),
            "not_found": sum(n == 0 for n in here),
            "found_only_here": sum(set(m.recalls) == {cycle} for m in usable),
        }
    off = [max(abs(v) for v in m.off.values()) for m in found if not m.equal()]
    return {
        "meals": len(matches),
        "found": len(found),
        "found_once": sum(sum(m.recalls.values()) == 1 for m in found),
        "ambiguous": sum(sum(m.recalls.values()) > 1 for m in found),
        "not_found": dict(Counter(m.reason for m in matches if m.reason)),
        "equal_to_0.01": sum(m.equal() for m in found),
        "carb_equal_to_0.01_g": sum(abs(m.off["carb_g"]) <= 0.01 + 1e-9 for m in found),
        "largest_difference": round(max(off, default=0.0), 3),
        "natural_by_our_rule": sum(m.example is not None and m.example.natural for m in found),
        "one_measure_each": sum(m.example is not None and _single(m.example) for m in found),
        "cycles": cycles,
    }


def _single(meal: EatenMeal) -> bool:
    return all(i.serving is not None and i.serving.times == 1 for i in meal.items)


def _nearest(one: LabelMatch, other: LabelMatch) -> LabelMatch:
    """Return the match of two groupings: the first unless only the other found something."""
    if not one.reason or (other.reason and other.reason != "part_of_larger"):
        return one
    return other


def _search(
    shared: Path, published: list[PublishedMeal], *, by_time: bool
) -> tuple[LabelMatch, ...]:
    table = load_foods()
    reference = food_reference(table)
    codes = {n: s.id for n, s in zip(reference.names, reference.sources, strict=True)}
    recalls = recalled_meals(
        food_records(shared / "data" / "nhanes", SEARCHED),
        table,
        without=(),
        by_time=by_time,
    )
    return find_labels(published, recalls, codes)


def label_truth(shared: Path) -> dict[str, Any]:
    """Match v1 and v2 to the recalls, and compare labels.

    Meals are those of a whole occasion, as published, and of one time; a published meal is
    found when either grouping has it.
    """
    sets = {version: published_meals(shared, version) for version in ("v1", "v2")}
    both = [meal for meals in sets.values() for meal in meals]
    start = time.perf_counter()
    day = _search(shared, both, by_time=False)
    timed = _search(shared, both, by_time=True)
    either = tuple(_nearest(a, b) for a, b in zip(day, timed, strict=True))
    seconds = time.perf_counter() - start
    first = len(sets["v1"])
    return {
        "seconds": round(seconds, 1),
        "v1": _table(either[:first]),
        "v2": _table(either[first:]),
        "v2_found_by_occasion": sum(not m.reason for m in day[first:]),
        "v2_found_by_occasion_and_time": sum(not m.reason for m in timed[first:]),
    }


def main() -> None:
    """Print the counts, and keep them when told to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--keep", action="store_true")
    told = parser.parse_args()
    found = label_truth(told.shared)
    print(json.dumps(found, indent=1))
    if told.keep:
        keep("label_truth", {"version": prandial.__version__, **found})


if __name__ == "__main__":
    main()
