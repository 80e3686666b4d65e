"""Time and memory of the published design, its growth, and of a Loop step beside PyLoopKit's.

Every measurement runs in a process of its own. The design is 20 patients x 4 estimators x 4
start levels x 2 setups x 70 meals = 44,800 runs; growth takes more meals.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from prandial.glucose import (
    Design,
    Estimates,
    Scenarios,
    assess,
    draw_patients,
    mean_risk,
    simulate_glucose,
)
from prandial.records import Setup

__all__ = ["speed"]

ROOT = Path(__file__).resolve().parent.parent
PEER = ROOT / "build" / "peers" / "pyloopkit"
MEALS, ESTIMATORS, STARTS = 70, 4, (80.0, 120.0, 160.0, 200.0)
POINTS = 73


def _meals(n: int) -> tuple[Any, Any]:
    """True grams (n,) and estimates (4, n): errors of four sizes, seeded."""
    rng = np.random.default_rng(20_260)
    true = np.clip(rng.gamma(2.0, 28.0, n), 1.0, 240.0).round(2)
    sizes = np.array([0.1, 0.25, 0.4, 0.6])[:, None]
    said = true * np.exp(sizes * rng.standard_normal((ESTIMATORS, n)))
    return true, np.clip(said, 0.0, 250.0).round(2)


def _scenarios(n_meals: int, part: slice = slice(None)) -> Scenarios:
    patients = draw_patients(20, seed=0)
    true, said = _meals(n_meals)
    true, said = true[part], said[:, part]
    n_meals = len(true)
    shape = (len(patients), ESTIMATORS, len(STARTS), 2, n_meals)
    p, e, b, s, m = (i.reshape(-1) for i in np.indices(shape))
    of = [(q.isf_mg_dl_per_u, q.cir_g_per_u, q.basal_u_per_h) for q in patients]
    isf, cir, basal = np.array(of).T
    return Scenarios(
        isf_mg_dl_per_u=isf[p],
        cir_g_per_u=cir[p],
        basal_u_per_h=basal[p],
        true_carb_g=true[m],
        estimated_carb_g=said[e, m],
        start_glucose_mg_dl=np.array(STARTS)[b],
        setups=(Setup(mode="manual"), Setup(mode="loop_accept")),
        setup_of=s,
    )


def _peak_mb() -> float:
    """Peak memory of this process alone; ``ru_maxrss`` would hold that of the one it began as."""
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        if found:
            return round(int(found[1]) / 1024, 1)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def _clocks() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def _since(start: tuple[float, float]) -> dict[str, float]:
    now = _clocks()
    return {"wall_s": round(now[0] - start[0], 3), "cpu_s": round(now[1] - start[1], 3)}


def _one_design(engine: str) -> dict[str, Any]:
    """Traces of the published design, first and again in the same process."""
    scenarios = _scenarios(MEALS)
    before = _peak_mb()
    calls = []
    for _ in range(3):
        start = _clocks()
        traces = simulate_glucose(scenarios, engine=engine)  # type: ignore[arg-type]
        calls.append(_since(start))
    loop = scenarios.take(scenarios.setup_of == 1)
    start = _clocks()
    simulate_glucose(loop, engine=engine)  # type: ignore[arg-type]
    alone = _since(start)
    return {
        "engine": engine,
        "runs": len(scenarios),
        "first_call": calls[0],
        "warm": min(calls[1:], key=lambda c: c["wall_s"]),
        "loop_step_us": round(1e6 * alone["cpu_s"] / (len(loop) * POINTS), 3),
        "peak_mb_before": before,
        "peak_mb": _peak_mb(),
        "mean_mg_dl": round(float(traces.mean()), 6),
    }


def _grown(engine: str, n_meals: int) -> dict[str, Any]:
    """Run a whole assessment without intervals, traces held by blocks."""
    true, said = _meals(n_meals)
    estimates = Estimates(
        meal_ids=[str(i) for i in range(n_meals)],
        true_g=true,
        columns={f"error {k}": said[k] for k in range(ESTIMATORS)},
    )
    start = _clocks()
    found = assess(
        estimates,
        Design(bootstrap=0),
        simulate=partial(simulate_glucose, engine=engine),  # type: ignore[arg-type]
    )
    return {
        "engine": engine,
        "what": "assessment with its tables",
        "runs": found.n_simulated,
        **_since(start),
        "peak_mb": _peak_mb(),
    }


def _streamed(engine: str, n_meals: int) -> dict[str, Any]:
    """Means of all metrics, traces and scenarios held block by block."""
    step = 70
    start = _clocks()
    found = mean_risk(
        (_scenarios(n_meals, slice(i, i + step)) for i in range(0, n_meals, step)),
        engine=engine,  # type: ignore[arg-type]
    )
    return {
        "engine": engine,
        "what": "means, streamed",
        "runs": found.n_simulations,
        **_since(start),
        "peak_mb": _peak_mb(),
        "bgri_1_401": round(found.metrics["bgri_1_401"], 6),
    }


def _apart(*args: str) -> dict[str, Any]:
    env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.risk_speed", *args],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=env,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    print(json.dumps(found), file=sys.stderr)
    return found


def _peer_python() -> str:
    """Return a Python that has opsb-pyloopkit: named by the environment, or made once."""
    named = os.environ.get("PRANDIAL_PYLOOPKIT_PYTHON")
    if named:
        return named
    python = PEER / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(PEER)], check=True)
        wanted = ["opsb-pyloopkit==0.1.0", "numpy<2"]
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *wanted], check=True)
    return str(python)


def peer_step(shared: Path) -> dict[str, Any]:
    """Time the stored steps by PyLoopKit and by our function of one step."""
    from tests.glucose.loop_files import runs, step_input

    from prandial.glucose.loop import LoopInput, recommend

    inputs = [
        LoopInput.from_dict(step_input(run, step))
        for _, run in runs(shared)
        for step in run["steps"]
    ]
    done = subprocess.run(
        [_peer_python(), str(ROOT / "benchmarks" / "loop_peer.py"), "-"],
        input=json.dumps([one.to_dict() for one in inputs]),
        capture_output=True,
        text=True,
        check=True,
    )
    theirs = json.loads(done.stdout)
    start = time.process_time()
    ours = [recommend(one) for one in inputs]
    cpu = (time.process_time() - start) / len(inputs)
    same = 0
    for out, answer in zip(ours, theirs["answers"], strict=True):
        temp = out.temp_basal
        same += (None if temp is None else [temp.rate_u_per_h, temp.duration_min]) == answer[
            "temp_basal"
        ]
    return {
        "peer": theirs["peer"],
        "steps": len(inputs),
        "same_temp_basal": same,
        "peer_step_ms": round(1e3 * theirs["cpu_s_per_step"], 3),
        "our_one_step_ms": round(1e3 * cpu, 3),
    }


def speed(shared: Path, *, largest: int = 4_480_000) -> dict[str, Any]:
    """Measure everything; ``largest`` runs at the end of the growth."""
    designs = [_apart("design", engine) for engine in ("numpy", "numba")]
    per_meal = 20 * ESTIMATORS * len(STARTS) * 2
    growth = [
        _apart("streamed", engine, str(wanted // per_meal))
        for engine, most in (("numba", largest), ("numpy", min(largest, 448_000)))
        for wanted in (44_800, 448_000, 4_480_000)
        if wanted <= most
    ]
    growth += [
        _apart("grown", "numba", str(wanted // per_meal))
        for wanted in (44_800, 448_000)
        if wanted <= largest
    ]
    peer = peer_step(shared)
    for design in designs:
        ratio = 1e3 * peer["peer_step_ms"] / design["loop_step_us"]
        design["times_faster_than_peer_per_step"] = round(ratio)
    return {"cores": os.cpu_count(), "designs": designs, "growth": growth, "peer": peer}


def main() -> None:
    """Run one measurement for :func:`speed`."""
    kind, engine, *rest = sys.argv[1:]
    if kind == "design":
        found = _one_design(engine)
    else:
        found = (_streamed if kind == "streamed" else _grown)(engine, int(rest[0]))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
