"""Accuracy off the generator's path: the same meals rewritten, kind by kind.

For each set and kind: right before and after on the same meals, the paired
change with a bootstrap interval (meals of one group are drawn together), the
share of texts that the kind changed at all, and both mean errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from benchmarks.carbs import carb_errors, compared
from benchmarks.meals import MealSet, is_tune
from benchmarks.perturb import KINDS, rewrite
from prandial.meal import Estimator

__all__ = ["SETS", "item_names", "measure_rewritten"]

SETS = ("v1_us_natural", "v2_us_natural", "v1_us_metric", "v2_us_metric")


def item_names(shared: Path, *, half: str) -> dict[str, list[str]]:
    """Gold food names by meal text, for the US meals of one half that have them."""
    folder = shared / "data" / "nutribench"
    rows = duckdb.connect().execute(
        "SELECT meal_group, meal_description, item_descriptions FROM read_parquet(?)"
        " WHERE country = 'USA' UNION ALL"
        " SELECT a.meal_group, a.meal_description, b.item_descriptions FROM read_parquet(?) a"
        " JOIN (SELECT meal_id, any_value(item_descriptions) AS item_descriptions"
        " FROM read_parquet(?) WHERE country = 'USA' GROUP BY meal_id) b"
        " ON a.v2_meal_id = b.meal_id",
        [
            str(folder / "nutribench_v2.parquet"),
            str(folder / "nutribench_v1.parquet"),
            str(folder / "nutribench_v2.parquet"),
        ],
    )
    return {
        text: names
        for group, text, names in rows.fetchall()
        if is_tune(group) == (half == "tune") and names
    }


def measure_rewritten(
    estimator: Estimator,
    sets: Sequence[MealSet],
    names: dict[str, list[str]],
    kinds: Sequence[str] = tuple(KINDS),
) -> list[dict[str, Any]]:
    """Score every kind of rewriting on every set, and on all sets together."""
    parts: dict[str, list[tuple[Any, Any, list[str], Any]]] = {k: [] for k in kinds}
    rows: list[dict[str, Any]] = []
    for meals in sets:
        labels = meals.labels["carb_g"]
        before = carb_errors(estimator, meals.texts, labels)
        for kind in kinds:
            texts = [rewrite(kind, t, names=names.get(t, ())) for t in meals.texts]
            changed = np.array([a != b for a, b in zip(meals.texts, texts, strict=True)])
            after = carb_errors(estimator, texts, labels)
            rows.append(_row(meals.title, kind, before, after, meals.groups, changed))
            parts[kind].append((before, after, meals.groups, changed))
    for kind in kinds:
        befores, afters, groups, changed = zip(*parts[kind], strict=True)
        rows.append(
            _row(
                "all of these",
                kind,
                np.concatenate(befores),
                np.concatenate(afters),
                [g for part in groups for g in part],
                np.concatenate(changed),
            )
        )
    return rows


def _row(
    title: str, kind: str, before: Any, after: Any, groups: Sequence[str], changed: Any
) -> dict[str, Any]:
    row = {"set": title, "kind": kind, "changed": round(100 * float(changed.mean()), 1)}
    row |= compared(before, after, groups)
    if 0 < changed.sum() < len(changed):
        own = [g for g, c in zip(groups, changed, strict=True) if c]
        row["only_changed"] = compared(before[changed], after[changed], own)
    return row
