"""People of the released NGQA rows at hand: statuses and habits as released."""

from __future__ import annotations

import ast
import csv
from pathlib import Path


def released_people(shared: Path) -> dict[int, tuple[list[str], list[str]]]:
    """Return respondent -> (statuses, habits), in released order."""
    found = {}
    path = shared / "data" / "ngqa" / "ngqa_benchmark_sample50.csv"
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            nodes = [body for _, body in ast.literal_eval(row["node_list"])]
            person = next(n["name"] for n in nodes if n["attr"] == "user")
            found[int(person)] = (
                [n["attr"] for n in nodes if n["name"] == "status"],
                [n["attr"] for n in nodes if n["name"] == "dietary habit"],
            )
    return found
