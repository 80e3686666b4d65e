"""The page of quirks: every quirk has its row, and the sizes shown are those measured."""

from __future__ import annotations

import json
import re
import statistics
from dataclasses import fields, replace
from pathlib import Path

import pytest
from tests.glucose.loop_slow import simulate

from prandial.records import Quirks

ROW = re.compile(
    r"^\| (?:all of them \()?`(\w+)`\)? \|.* (\d+) of (\d+); ([\d.]+), ([\d.]+) \|$", re.MULTILINE
)


def shown(repo: Path) -> dict[str, tuple[str, ...]]:
    page = (repo / "docs/loop-quirks.md").read_text()
    return {name: tuple(sizes) for name, *sizes in ROW.findall(page)}


def test_every_quirk_has_its_row(repo: Path) -> None:
    assert set(shown(repo)) == {f.name for f in fields(Quirks)} | {"exact"}


@pytest.mark.full
def test_sizes_are_those_measured(repo: Path, shared_dir: Path) -> None:
    path = shared_dir / "data/glucose/tidepool_sim/traces_loop.jsonl"
    runs = [json.loads(line) for line in path.read_text().splitlines()]
    usual = [run for run in runs if run["variant"] == "default"][::4]
    as_true = [run for run in runs if run["variant"] == "rcint1"]
    measured = {}
    for name in shown(repo):
        quirks = Quirks.named("exact") if name == "exact" else replace(Quirks(), **{name: False})
        sample = as_true if name == "true_is_one_minute" else usual
        off = [
            max(abs(a - b) for a, b in zip(simulate(run, quirks)["bg"], run["bg"], strict=True))
            for run in sample
        ]
        changed = sum(d > 1e-3 for d in off)
        measured[name] = (
            f"{changed}",
            f"{len(off)}",
            f"{statistics.median(off):.1f}",
            f"{max(off):.1f}",
        )
    assert measured == shown(repo)
