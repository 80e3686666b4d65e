"""Meals of our own for sheets, and sheets filled in."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path

from prandial.records.bench import MealQuestion

#: what a filler writes: words of the meal -> estimate, minutes, note
Fill = Callable[[str], tuple[str, str, str]]


def meals(n: int = 30, *, nutrient: str = "carb_g") -> list[MealQuestion]:
    """Return meals in two wordings, each pair one group; labels 10, 11, 12 ..."""
    out = []
    for i in range(n):
        for serving, words in (
            ("metric", f"{100 + i}g of rice number {i}"),
            ("natural", f"a bowl of rice number {i}"),
        ):
            out.append(
                MealQuestion(
                    id=f"{serving}-{i:03d}",
                    text=f"For lunch I had {words}.",
                    nutrient=nutrient,
                    label=10.0 + i,
                    group=f"g{i:03d}",
                    serving=serving,
                    country="USA",
                )
            )
    return out


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def write_rows(
    path: Path,
    rows: Sequence[dict[str, str]],
    *,
    separator: str = ",",
    encoding: str = "utf-8",
) -> Path:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), delimiter=separator, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(out.getvalue().encode(encoding, errors="replace"))
    return path


def filled_in(sheet: Path, path: Path, fill: Fill, **how: str) -> Path:
    """Write a sheet with every meal filled in; the last row stays as it was sent."""
    rows = rows_of(sheet)
    estimate = next(c for c in rows[0] if c.startswith("your_estimate"))
    for row in rows[:-1]:
        row[estimate], row["minutes"], row["note"] = fill(row["meal"])
    return write_rows(path, rows, **how)
