"""What became of a discontinued food code."""

from __future__ import annotations

import csv
from pathlib import Path

from .engine import Sources

#: code changes are followed through at most this many releases
STEPS = 8
BY_HAND = Path(__file__).with_name("successors.csv")


def published(src: Sources) -> dict[int, list[int]]:
    """Successors as published with each FNDDS cycle, 2009-10 to 2017-18."""
    out: dict[int, list[int]] = {}
    for old, new in src.rows(
        "SELECT DISTINCT CAST(old_food_code AS BIGINT), CAST(new_food_code AS BIGINT)"
        f" FROM '{src.foods('fndds_code_crosswalk')}' ORDER BY 1, 2"
    ):
        out.setdefault(old, []).append(new)
    return out


def by_hand(releases: list[str], names: dict[str, dict[int, str]]) -> dict[int, list[int]]:
    """Successors chosen by description where none was published.

    Refuses a line whose new description is not the release's own.
    """
    out: dict[int, list[int]] = {}
    with BY_HAND.open(encoding="utf-8", newline="") as f:
        for row in csv.DictReader(f):
            if row["release"] not in releases:
                continue
            new = int(row["new_code"])
            if names[row["release"]].get(new) != row["new_description"]:
                raise SystemExit(f"{BY_HAND.name}: {new} is not {row['new_description']!r}")
            out.setdefault(int(row["old_code"]), []).append(new)
    return out


def shares(code: int, known: set[int], table: dict[int, list[int]]) -> dict[int, float]:
    """Return how a code's count is shared over codes of a release.

    A code with several successors gives each an equal part. What leads nowhere
    is missing from the sum.
    """
    out: dict[int, float] = {}

    def walk(at: int, share: float, step: int) -> None:
        if at in known:
            out[at] = out.get(at, 0.0) + share
        elif step < STEPS:
            following = table.get(at, [])
            for new in following:
                walk(new, share / len(following), step + 1)

    walk(code, 1.0, 0)
    return out
