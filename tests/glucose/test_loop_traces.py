"""Loop function in a slow closed loop against traces of the Tidepool simulator."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.glucose.loop_slow import simulate

from prandial.records import Quirks


def traces(shared_dir: Path, name: str) -> Iterator[dict[str, Any]]:
    path = shared_dir / "data/glucose/tidepool_sim" / name
    for line in path.read_text().splitlines():
        run = json.loads(line)
        if run["mode"] != "manual":
            yield run


def worst(run: dict[str, Any]) -> float:
    ours = simulate(run, Quirks())["bg"]
    assert len(ours) == len(run["bg"]) == 73
    return max(abs(a - b) for a, b in zip(ours, run["bg"], strict=True))


def test_one_trace_of_each_mode_and_variant(shared_dir: Path) -> None:
    first: dict[tuple[str, str], dict[str, Any]] = {}
    for run in traces(shared_dir, "traces_loop.jsonl"):
        first.setdefault((run["mode"], run["variant"]), run)
    off = {key: worst(run) for key, run in first.items()}
    print(f"\ntraces: {len(off)}, worst {max(off.values()):.2e} mg/dL")
    assert len(off) == 21
    assert max(off.values()) < 1e-4, off


@pytest.mark.full
def test_every_loop_trace(shared_dir: Path) -> None:
    off = [
        worst(run)
        for name in ("traces_loop.jsonl", "traces_random.jsonl")
        for run in traces(shared_dir, name)
    ]
    near = sum(d < 1e-4 for d in off)
    print(f"\ntraces: {near} of {len(off)} within 1e-4, worst {max(off):.2e} mg/dL")
    assert near >= 0.99 * len(off)
    assert max(off) < 3
