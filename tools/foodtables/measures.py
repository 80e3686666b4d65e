"""Household measures of a release: a name, grams, in the order of foods."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .cards import write_card
from .columnfile import labelled, write_columns

Measure = tuple[int, str, float]


def write_measures(path: Path, n_foods: int, measures: Sequence[Measure], **facts: Any) -> None:
    """Write ``(food row, name, grams)``, sorted by food."""
    rows = np.array([m[0] for m in measures], dtype=np.int64)
    grams = np.array([m[2] for m in measures], dtype=np.float32)
    if bool((np.diff(rows) < 0).any()) or not bool((grams > 0).all()):
        raise SystemExit(f"{path.name}: measures must be in order and weigh something")
    per_food = np.bincount(rows, minlength=n_foods).astype(np.uint16)
    codes, levels = labelled([m[1] for m in measures])
    content = write_columns(
        path, {"per_food": per_food, "name": codes, "name_levels": levels, "grams": grams}
    )
    write_card(
        path,
        content_sha256=content,
        rows=len(measures),
        columns={
            "per_food": {"unit": "measures of each food, in the foods file's order"},
            "name": {"unit": "place in name_levels", "missing": 0},
            "name_levels": {"unit": f"{len(levels)} different names"},
            "grams": {"unit": "g a measure", "missing": 0},
        },
        foods_without_a_measure=int((per_food == 0).sum()),
        **facts,
    )
