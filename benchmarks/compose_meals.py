"""Meals from all food records of the recalls: counts, time, memory, the same bytes again.

Every measurement runs in a process of its own.
Run: ``python -m benchmarks.compose_meals --shared ../shared --keep``
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import prandial
from prandial.compose.recalls import recalled_meals
from prandial.records.composed import EatenMeal
from prandial.records.recalled import RecallCounts
from prandial.sources.nhanes.eaten import food_records
from prandial.tables import load_foods

__all__ = ["CYCLES", "compose_speed", "keep"]

ROOT = Path(__file__).resolve().parent.parent
HISTORY = ROOT / "benchmarks" / "history" / "compose"
#: the cycles of the published set that are at hand
CYCLES = tuple(f"{year}-{year + 1}" for year in range(2003, 2018, 2))


def keep(name: str, found: dict[str, Any]) -> None:
    """Write figures as one line of a kept file."""
    HISTORY.mkdir(parents=True, exist_ok=True)
    path = HISTORY / f"{name}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    same = [json.loads(line)["version"] == found["version"] for line in lines]
    lines = [line for line, old in zip(lines, same, strict=True) if not old]
    lines.append(json.dumps(found))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _peak_mb() -> float:
    """Peak memory of this process alone; ``ru_maxrss`` would hold that of the one it began as."""
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="utf-8"))
        if found:
            return round(int(found[1]) / 1024, 1)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def _written(meal: EatenMeal) -> str:
    """Return everything of a meal in one line."""
    items = [
        [
            i.food.id,
            i.name,
            i.grams,
            i.line,
            i.nutrients,
            None if i.serving is None else [i.serving.text, i.serving.times, i.serving.grams],
        ]
        for i in meal.items
    ]
    return json.dumps([meal.id, meal.occasion, meal.minute, meal.natural, items])


def _timed(shared: Path, cycles: list[str]) -> dict[str, Any]:
    start, cpu = time.perf_counter(), time.process_time()
    counts: list[RecallCounts] = []
    items = natural = meals = 0
    sizes: Counter[int] = Counter()
    nhanes = shared / "data" / "nhanes"
    for meal in recalled_meals(food_records(nhanes, cycles), load_foods(), counted=counts.append):
        meals += 1
        items += len(meal.items)
        natural += meal.natural
        sizes[len(meal.items)] += 1
    return {
        "wall_s": round(time.perf_counter() - start, 2),
        "cpu_s": round(time.process_time() - cpu, 2),
        "peak_mb": _peak_mb(),
        "meals": meals,
        "meals_natural": natural,
        "items": items,
        "items_per_meal": dict(sorted(sizes.items())),
        "counts": [c.to_dict() for c in (*counts, RecallCounts.summed(counts))],
    }


def _hashed(shared: Path, cycles: list[str]) -> dict[str, Any]:
    digest = hashlib.sha256()
    nhanes = shared / "data" / "nhanes"
    for meal in recalled_meals(food_records(nhanes, cycles), load_foods()):
        digest.update(_written(meal).encode("utf-8"))
    return {"sha256": digest.hexdigest()}


def _apart(what: str, shared: Path, cycles: list[str], **env: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.compose_meals", what, str(shared), *cycles],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, **env},
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def compose_speed(shared: Path) -> dict[str, Any]:
    """Measure the build of 2003-2018, count the double release, compare two builds' bytes.

    Times are wall and processor time of one process; the machine may have other work.
    """
    newest = list(CYCLES[-3:])
    first = _apart("hashed", shared, newest, PYTHONHASHSEED="1", OMP_NUM_THREADS="1")
    again = _apart("hashed", shared, newest, PYTHONHASHSEED="2", OMP_NUM_THREADS="2")
    return {
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "build": _apart("timed", shared, list(CYCLES)),
        "double_release": _apart("timed", shared, ["2017-2018", "2017-2020"])["counts"],
        "hashed_cycles": newest,
        "sha256": first["sha256"],
        "same_bytes_again": first == again,
    }


def main() -> None:
    """Run one measurement for :func:`compose_speed`, or all."""
    if sys.argv[1:2] in (["timed"], ["hashed"]):
        what, shared, *cycles = sys.argv[1:]
        print(json.dumps((_timed if what == "timed" else _hashed)(Path(shared), cycles)))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--keep", action="store_true")
    told = parser.parse_args()
    found = compose_speed(told.shared.resolve())
    print(json.dumps(found, indent=1))
    if told.keep:
        keep("meals", {"version": prandial.__version__, **found})


if __name__ == "__main__":
    main()
