"""The shared NutriBench meals: loaded, halved, never stored.

A row belongs to the tuning half when the first byte of
sha256("prandial|" + meal_group) is even, else to the test half.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import duckdb

__all__ = ["MealSet", "find_shared", "is_tune", "load_sets"]

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class MealSet:
    """Texts with labels; a label is None where the set has none.

    ``countries`` are alpha-3 codes where the set states them; a meal's group is
    the key its half follows from.
    """

    name: str
    title: str
    texts: list[str]
    labels: dict[str, list[float | None]]
    countries: list[str | None]
    groups: list[str]


def find_shared() -> Path | None:
    """Return the shared data folder (PRANDIAL_SHARED or ../shared), or None."""
    path = Path(os.environ.get("PRANDIAL_SHARED", ROOT.parent / "shared"))
    return path if (path / "data" / "nutribench").is_dir() else None


def is_tune(meal_group: str) -> bool:
    """Tell whether a meal belongs to the tuning half."""
    return hashlib.sha256(f"prandial|{meal_group}".encode()).digest()[0] % 2 == 0


_SETS = {
    "v1_us_natural": (
        "NutriBench v1, US natural",
        "v1",
        "source = 'wweia' AND serving_type = 'natural'",
    ),
    "v1_us_metric": (
        "NutriBench v1, US metric",
        "v1",
        "source = 'wweia' AND serving_type = 'metric'",
    ),
    "v1_gift_natural": (
        "NutriBench v1, GIFT natural",
        "v1",
        "source = 'who' AND serving_type = 'natural'",
    ),
    "v1_gift_metric": (
        "NutriBench v1, GIFT metric",
        "v1",
        "source = 'who' AND serving_type = 'metric'",
    ),
    "v2_us_natural": (
        "NutriBench v2, US natural",
        "v2",
        "country = 'USA' AND serving_type = 'natural'",
    ),
    "v2_us_metric": (
        "NutriBench v2, US metric",
        "v2",
        "country = 'USA' AND serving_type = 'metric'",
    ),
    "v2_gift": ("NutriBench v2, GIFT metric, country given", "v2", "country <> 'USA'"),
    "single_foods": ("10k single foods, natural", "10k", "true"),
}
_FILES = {
    "v1": "nutribench_v1.parquet",
    "v2": "nutribench_v2.parquet",
    "10k": "nutribench_us_natural_carb.parquet",
}
LABELS = ("carb_g", "protein_g", "fat_g", "energy_kcal")
#: rows of the published v1 set, to weight its parts
V1_PUBLISHED = {
    "v1_us_natural": 5532,
    "v1_us_metric": 5532,
    "v1_gift_natural": 266,
    "v1_gift_metric": 527,
}


def load_sets(shared: Path, *, half: str) -> list[MealSet]:
    """Load the sets of one half (``tune`` or ``test``)."""
    con = duckdb.connect()
    out = []
    for name, (title, file, where) in _SETS.items():
        path = shared / "data" / "nutribench" / _FILES[file]
        text = "query" if file == "10k" else "meal_description"
        columns = ["carb_g"] if file == "10k" else list(LABELS)
        country = "country" if file == "v2" else "NULL"
        rows = con.execute(
            f"SELECT meal_group, {country}, {text}, {', '.join(columns)} FROM read_parquet(?)"
            f" WHERE {where} ORDER BY row",
            [str(path)],
        ).fetchall()
        rows = [r for r in rows if is_tune(r[0]) == (half == "tune")]
        labels: dict[str, list[float | None]] = {k: [None] * len(rows) for k in LABELS}
        for k, column in enumerate(columns):
            labels[column] = [r[3 + k] for r in rows]
        out.append(
            MealSet(
                name,
                title,
                [r[2] for r in rows],
                labels,
                [r[1] for r in rows],
                [r[0] for r in rows],
            )
        )
    return out
