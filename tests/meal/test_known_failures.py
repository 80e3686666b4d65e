"""The list of known failures is short, reasoned, and names tests that exist."""

from __future__ import annotations

import csv
from pathlib import Path

ROWS = Path(__file__).resolve().parent / "data" / "known_failures.csv"


def test_each_row_names_a_test(known_cases: dict[str, bool]) -> None:
    stale = [case for case, seen in known_cases.items() if not seen]
    assert not stale, f"known failures that name no test: {stale}"


def test_short_and_reasoned() -> None:
    with ROWS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({r["case"] for r in rows}) == len(rows) <= 40
    assert all(len(r["why"]) > 20 for r in rows)
