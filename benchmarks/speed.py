"""Speed, start-up, memory and size, each measured on this machine."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from prandial.batch.workers import spare_collector
from prandial.meal import Estimator, get_estimator
from prandial.nutrients import MAIN

__all__ = ["measure_speed"]

ROOT = Path(__file__).resolve().parent.parent
MEAL = "a cup of oatmeal with half a sliced banana and a glass of orange juice"


def _ready() -> None:
    spare_collector()
    get_estimator().estimate(MEAL)


def _work(texts: list[str]) -> int:
    """Estimate the texts; return the largest memory of this process in kB."""
    estimator = get_estimator()
    for text in texts:
        estimator.estimate(text, nutrients=MAIN, reason=False)  # as rows of a flat file are
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _batch(texts: list[str], workers: int) -> tuple[float, int]:
    """Meals a second of fresh processes, each with its own estimator; memory of the largest."""
    chunks = [texts[i::workers] for i in range(workers)]
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_ready) as pool:
        list(pool.map(_work, [[MEAL]] * workers))
        start = time.perf_counter()
        memory = list(pool.map(_work, chunks))
        return len(texts) / (time.perf_counter() - start), max(memory)


def measure_speed(texts: list[str]) -> dict[str, Any]:
    """Measure batch and single calls, cold start, memory, build time."""
    start = time.perf_counter()
    estimator = get_estimator()
    build = time.perf_counter() - start
    fresh = Estimator(estimator.table)
    singles = []
    for text in texts[:2000]:
        at = time.perf_counter()
        fresh.estimate(text)
        singles.append(1000 * (time.perf_counter() - at))
    singles.sort()
    start = time.perf_counter()
    for text in texts[:2000]:
        fresh.estimate(text)
    again = min(2000, len(texts)) / (time.perf_counter() - start)
    colds = []
    for _ in range(5):
        at = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "prandial", "estimate", MEAL],
            check=True,
            capture_output=True,
            cwd=ROOT,
        )
        colds.append(time.perf_counter() - at)
    one, memory = _batch(texts, 1)
    two, _ = _batch(texts, 2)
    return {
        "cores": os.cpu_count(),
        "meals": len(texts),
        "batch_one_core_per_s": round(one),
        "batch_two_cores_per_s": round(two),
        "seen_before_per_s": round(again),
        "single_p50_ms": round(statistics.median(singles), 2),
        "single_p99_ms": round(singles[int(0.99 * len(singles))], 2),
        "load_and_index_s": round(build, 2),
        "cli_cold_s": round(statistics.median(colds), 2),
        "batch_max_rss_mb": round(memory / 1024),
    }
