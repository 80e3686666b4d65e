"""Where carbohydrate is lost by food group, on the tuning half of the v2 US meals.

``python -m benchmarks.groups`` writes ``benchmarks/history/<version>.groups.json``:
sums by group, no text of a meal. The tuning half only, so that looking at it
chooses nothing on the test half.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.meals import find_shared, is_tune
from benchmarks.run import HISTORY, commit
from prandial.meal import ESTIMATOR, get_estimator
from prandial.nutrients import MAIN
from prandial.score import Confusion, GoldFoods, review_items
from prandial.tables import DEFAULT_RELEASE

CELLS = 25


def measure_groups(path: Path, serving: str) -> dict[str, Any]:
    """Return the confusion over the items of one serving type."""
    items = ", ".join(f"item_{k}" for k in MAIN)
    rows = duckdb.execute(
        f"SELECT meal_group, meal_description, item_descriptions, {items} FROM read_parquet(?)"
        " WHERE country = 'USA' AND serving_type = ? ORDER BY row",
        [str(path), serving],
    ).fetchall()
    estimator = get_estimator(DEFAULT_RELEASE)
    foods, confusion, meals = GoldFoods(estimator.table), Confusion(), 0
    for group, text, names, *labels in rows:
        if not is_tune(group):
            continue
        meals += 1
        gold = foods.items(names, nutrient="carb_g", labels=dict(zip(MAIN, labels, strict=True)))
        estimate = estimator.estimate(text, nutrients=("carb_g",))
        confusion.add(review_items(estimate.items, gold, nutrient="carb_g"))
    return {"set": f"v2_us_{serving}", "meals": meals, **confusion.to_dict(CELLS)}


def main() -> int:
    """Measure both serving types and keep the sums."""
    shared = find_shared()
    if shared is None:
        print("SHARED DATA ABSENT: set PRANDIAL_SHARED to its folder", file=sys.stderr)
        return 4
    path = shared / "data" / "nutribench" / "nutribench_v2.parquet"
    result = {
        "version": version("prandial"),
        "commit": commit(),
        "estimator": ESTIMATOR,
        "release": DEFAULT_RELEASE,
        "half": "tune",
        "nutrient": "carb_g",
        "sets": [measure_groups(path, serving) for serving in ("natural", "metric")],
    }
    out = HISTORY / f"{result['version']}.groups.json"
    out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for one in result["sets"]:
        print(f"{one['set']}: {one['meals']} meals, {one['items']} items")
        for cell in one["category_cells"][:12]:
            print(f"  {cell['lost']:8.0f} g {cell['items']:5d}  {cell['gold']} -> {cell['read']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
