"""Whole builds from the real recalls: rows, time, memory, the same bytes with one process and two.

Run: ``python -m benchmarks.build_nutribench --keep`` (PRANDIAL_SHARED or ../shared). Each build
is the command as a user gives it, in processes of its own; memory is that of the largest process
and the sum of all, as the kernel counts them every tenth of a second.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import prandial
from benchmarks.compose_meals import keep
from benchmarks.meals import find_shared

__all__ = ["built"]

CYCLES = "2003-2018"
_TICK_S = 0.1


def _tree_mb(root: int) -> tuple[float, float]:
    """Return the memory of the largest process of a tree, and of all, pages shared told again."""
    children: dict[int, list[int]] = {}
    sizes: dict[int, float] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(path.parent.name))
        sizes[int(path.parent.name)] = int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    own, left = [], [root]
    while left:
        pid = left.pop()
        own.append(sizes.get(pid, 0.0))
        left += children.get(pid, [])
    return max(own), sum(own)


def built(shared: Path, out: Path, *options: str) -> dict[str, Any]:
    """Run one build and measure it."""
    command = [
        sys.executable, "-m", "prandial", "nutribench", "build", "--cycles", CYCLES, "--from",
        str(shared / "data"), "--out", str(out), "--no-progress", "--json", *options,
    ]  # fmt: skip
    before, start = os.times(), time.perf_counter()
    largest = together = 0.0
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(command, stdout=told)
        while process.poll() is None:
            one, every = _tree_mb(process.pid)
            largest, together = max(largest, one), max(together, every)
            time.sleep(_TICK_S)
        wall_s = time.perf_counter() - start
        told.seek(0)
        card = json.loads(told.read())["card"]
    after = os.times()
    cpu_s = after.children_user - before.children_user
    cpu_s += after.children_system - before.children_system
    return {
        "options": " ".join(options),
        "wall_s": round(wall_s, 1),
        "cpu_s": round(cpu_s, 1),
        "largest_process_mb": round(largest),
        "all_processes_mb": round(together),
        "rows": card["counts"]["rows"],
        "foods": card["counts"]["foods"],
        "records": card["notes"]["recalls"][-1]["records"],
        "sha256": card["files"]["meals.parquet"]["sha256"],
    }


def main() -> int:
    """Measure the builds of both versions and of grams alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", action="store_true")
    told = parser.parse_args()
    shared = find_shared()
    if shared is None:
        print("SHARED DATA ABSENT: set PRANDIAL_SHARED", file=sys.stderr)
        return 4
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for number, options in enumerate(
            (
                ("--serving", "both", "--workers", "2"),
                ("--serving", "both", "--workers", "1"),
                ("--serving", "metric", "--workers", "2"),
                ("--serving", "both", "--meals", "5000"),
            )
        ):
            runs.append(built(shared, Path(folder) / str(number), *options))
            print(json.dumps(runs[-1]), flush=True)
    found = {
        "version": prandial.__version__,
        "cycles": CYCLES,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "same_bytes": runs[0]["sha256"] == runs[1]["sha256"],
        "builds": runs,
    }
    print(json.dumps({k: v for k, v in found.items() if k != "builds"}))
    if told.keep:
        keep("builds", found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
