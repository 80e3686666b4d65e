"""Food records written by hand."""

from __future__ import annotations

import numpy as np

from prandial.records.recalled import FoodRecords

COLUMNS = ("person", "day", "line", "minute", "occasion", "code", "grams", "status")


def records(rows: list[tuple[float | None, ...]], cycle: str = "2015-2016") -> FoodRecords:
    """Person, day, line, minute, occasion, code, grams, and perhaps status (1 is reliable)."""
    full = [(*row, 1.0)[:8] for row in rows]
    cells = np.array([[np.nan if c is None else c for c in r] for r in full], dtype=np.float64)
    by_name = dict(zip(COLUMNS, cells.reshape(-1, 8).T, strict=True))
    whole = {n: by_name.pop(n).astype(np.int64) for n in ("person", "day", "line")}
    return FoodRecords(cycle=cycle, **whole, **by_name)


def shuffled(one: FoodRecords, seed: int) -> FoodRecords:
    order = np.random.default_rng(seed).permutation(len(one))
    return FoodRecords(
        cycle=one.cycle,
        **{n: getattr(one, n)[order] for n in COLUMNS},
        stated={k: v[order] for k, v in one.stated.items()},
    )
