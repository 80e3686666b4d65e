"""Questions the slow obvious way: read with the csv module, judged from edges or from needs.

Nothing here calls the code that builds questions.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

RULES = Path(__file__).resolve().parents[2] / "src" / "prandial" / "tables" / "rules"


@cache
def rows_of(build: Path) -> list[dict[str, Any]]:
    """Return the rows of a build with their lists parsed."""
    with duckdb.connect() as con:
        found = con.execute("from read_parquet(?)", [str(build / "questions.parquet")])
        names = [d[0] for d in found.description]
        rows = [dict(zip(names, cells, strict=True)) for cells in found.fetchall()]
    for row in rows:
        for name, cell in row.items():
            if isinstance(cell, str) and cell[:1] in ("[", "{"):
                row[name] = json.loads(cell)
    return rows


def digests(folder: Path) -> dict[str, str]:
    """Return the sha256 of every file below a folder."""
    return {
        p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


@cache
def needs(rules: str) -> dict[str, list[str]]:
    """Return the needed tags of each status, as the table has them."""
    found: dict[str, list[str]] = {}
    with (RULES / "needs.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["rules"] == rules:
                tags = found.setdefault(row["status"], [])
                tags += [row["tag"]] if row["tag"] else []  # a gluten-free diet needs none
    return found


def wanted(statuses: Iterable[str], rules: str) -> dict[str, set[str]]:
    """Return nutrient -> directions in which the statuses need it."""
    table = needs(rules)
    found: dict[str, set[str]] = {}
    for status in statuses:
        for tag in table[status]:
            direction, nutrient = tag.split("_", 1)
            found.setdefault(nutrient, set()).add(direction)
    return found


def judged(
    statuses: Iterable[str], tags: Iterable[str], rules: str
) -> tuple[str, set[str], set[str]]:
    """Return verdict, tags for and tags against, from needs and tags by the stated rule."""
    asked = wanted(statuses, rules)
    good, bad = set(), set()
    for tag in tags:
        direction, nutrient = tag.split("_", 1)
        sides = asked.get(nutrient, set())
        if len(sides) == 2:
            if rules == "default":
                continue  # a conflict is shown and not counted
            sides = {"high"}  # as published: high overwrites low
        if sides:
            (good if direction in sides else bad).add(tag)
    return "Yes" if len(good) > len(bad) else "No", good, bad


def from_edges(row: dict[str, Any], rules: str) -> tuple[str, set[str], set[str]]:
    """Return the same from the row's own graph alone: its nodes and verdict edges."""
    attr = {node: text for node, _, text in row["nodes"]}
    told: dict[str, set[str]] = {}
    for _, relation, target in row["edges"]:
        if relation in ("match", "contradict"):
            told.setdefault(attr[target], set()).add(relation)
    good, bad = set(), set()
    for tag, relations in told.items():
        if len(relations) == 2:
            if rules == "default":
                continue
            relations = {"match" if tag.startswith("high_") else "contradict"}
        (good if relations == {"match"} else bad).add(tag)
    return "Yes" if len(good) > len(bad) else "No", good, bad
