"""Carry out many scenarios at once: the door to both engines, NumPy and numba.

Rows of all modes may be mixed; results stand in their order. Work goes by blocks of rows, so
that memory beyond the result does not grow with their number.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import islice
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from prandial.errors import InputError, MissingDataError
from prandial.glucose.arrays import Scenarios, Traces
from prandial.glucose.curves import LoopTables
from prandial.glucose.delivery import insulin_on_board
from prandial.glucose.kernels import N_POINTS
from prandial.glucose.loop_numpy import LoopRun
from prandial.glucose.loop_numpy import run_block as run_numpy
from prandial.glucose.manual import manual_glucose
from prandial.glucose.plan import Shape, columns_of, loop_groups, setting_table

__all__ = ["ENGINES", "Engine", "check_engine", "engine_for", "simulate", "simulate_glucose"]

#: ``auto`` takes numba where it is installed and worth its start
Engine = Literal["auto", "numpy", "numba"]
ENGINES: Final[tuple[Engine, ...]] = get_args(Engine)
#: from this many Loop rows on ``auto`` takes numba: fewer are done before it has started
NUMBA_FROM: Final = 200_000
#: rows at once
BLOCK: Final = 1_024
MANUAL_BLOCK: Final = 8_192
#: threads at most
MOST_WORKERS: Final = 8

Rows = NDArray[np.intp]
Progress = Callable[[int], None]
_Job = tuple[Shape, LoopTables, Rows]


def simulate_glucose(
    scenarios: Scenarios,
    *,
    engine: Engine = "auto",
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return true glucose alone, mg/dL, shape (n, 73), not clipped.

    Parameters
    ----------
    scenarios : Scenarios
    engine : {'auto', 'numpy', 'numba'}
        Both give equal numbers. numba uses all cores (8 at most) but starts slowly: some ten
        seconds of compiling the first time on a machine, a third of a second later on.
        ``auto`` takes it where it is installed and 200,000 or more rows run Loop, see
        :func:`engine_for`.
    progress : callable, optional
        Called with the number of scenarios finished since the last call.

    Raises
    ------
    InputError
        On an unknown engine, or settings of Loop outside their bounds.
    MissingDataError
        When numba is asked for and not installed.
    """
    check_engine(engine)
    out = np.empty((len(scenarios), N_POINTS))
    for rows in _manual_blocks(scenarios):
        out[rows] = manual_glucose(scenarios.take(rows))
        _tell(progress, rows)
    for rows, run in _loop_blocks(scenarios, engine, decide_last=False):
        out[rows] = run.glucose.T
        _tell(progress, rows)
    return out


def simulate(
    scenarios: Scenarios,
    *,
    engine: Engine = "auto",
    progress: Progress | None = None,
) -> Traces:
    """Return the traces with all insulin given; see :func:`simulate_glucose`.

    A manual row has scheduled basal, no temp basal (NaN) and the user's bolus at the meal.
    """
    check_engine(engine)
    shape = (len(scenarios), N_POINTS)
    glucose, delivered, bolus = np.empty(shape), np.empty(shape), np.zeros(shape)
    temp, iob = np.full(shape, np.nan), np.empty(shape)
    for rows in _manual_blocks(scenarios):
        part = scenarios.take(rows)
        glucose[rows] = manual_glucose(part)
        delivered[rows] = (part.basal_u_per_h * 5.0 / 60.0)[:, None]
        bolus[rows, 0] = part.estimated_carb_g / part.cir_g_per_u
        iob[rows] = insulin_on_board(delivered[rows], bolus[rows], part.basal_u_per_h)
        _tell(progress, rows)
    for rows, run in _loop_blocks(scenarios, engine, decide_last=True):
        glucose[rows], delivered[rows] = run.glucose.T, run.delivered.T
        bolus[rows], temp[rows] = run.bolus.T, run.temp.T
        iob[rows] = insulin_on_board(delivered[rows], bolus[rows], scenarios.basal_u_per_h[rows])
        _tell(progress, rows)
    return Traces(
        glucose_mg_dl=glucose,
        basal_delivered_u=delivered,
        bolus_u=bolus,
        temp_basal_u_per_h=temp,
        iob_u=iob,
    )


def check_engine(engine: str) -> None:
    """Refuse an unknown engine, and numba where it is not installed.

    Raises
    ------
    InputError, MissingDataError
    """
    if engine not in ENGINES:
        raise InputError(f"no engine {engine!r}", where="engine", hint=", ".join(ENGINES))
    if engine == "numba" and find_spec("numba") is None:
        raise MissingDataError(
            "numba is not installed", where="engine", hint="pip install 'prandial[risk]'"
        )


def engine_for(engine: Engine, loop_rows: int) -> Literal["numpy", "numba"]:
    """Return the engine that ``auto`` stands for, for so many rows that run Loop.

    NumPy carries out 200,000 in about ten seconds, as long as numba compiles the first time.
    """
    if engine == "auto":
        many = loop_rows >= NUMBA_FROM and find_spec("numba") is not None
        return "numba" if many else "numpy"
    return engine


def _tell(progress: Progress | None, rows: Rows) -> None:
    if progress is not None:
        progress(rows.size)


def _manual_blocks(scenarios: Scenarios) -> Iterator[Rows]:
    modes = np.array([setup.mode == "manual" for setup in scenarios.setups])
    rows = np.flatnonzero(modes[scenarios.setup_of])
    for begin in range(0, rows.size, MANUAL_BLOCK):
        yield rows[begin : begin + MANUAL_BLOCK]


def _loop_blocks(
    scenarios: Scenarios, engine: Engine, *, decide_last: bool
) -> Iterator[tuple[Rows, LoopRun]]:
    groups = list(loop_groups(scenarios))
    many = sum(rows.size for _, rows in groups)
    numba = engine_for(engine, many) == "numba"
    if groups and numba:
        from prandial.glucose.loop_numba import run_block
    else:
        run_block = run_numpy
    table = setting_table(scenarios.setups) if groups else {}

    def work(job: _Job) -> tuple[Rows, LoopRun]:
        shape, tables, block = job
        columns = columns_of(scenarios, table, block)
        return block, run_block(shape, tables, columns, decide_last=decide_last)

    yield from _in_turn(work, _jobs(groups), workers=_workers() if numba else 1)


def _jobs(groups: list[tuple[Shape, Rows]]) -> Iterator[_Job]:
    for shape, rows in groups:
        tables = shape.tables()
        for begin in range(0, rows.size, BLOCK):
            yield shape, tables, rows[begin : begin + BLOCK]


def _workers() -> int:
    """Return how many threads: compiled code lets go of the interpreter's lock, NumPy hardly."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        cores = os.cpu_count() or 1
    return min(cores, MOST_WORKERS)


def _in_turn(
    work: Callable[[_Job], tuple[Rows, LoopRun]], jobs: Iterator[_Job], *, workers: int
) -> Iterator[tuple[Rows, LoopRun]]:
    """Yield results in the order of the jobs, with no more than a few of them waiting."""
    if workers == 1:
        yield from map(work, jobs)
        return
    with ThreadPoolExecutor(workers) as pool:
        waiting = deque(pool.submit(work, job) for job in islice(jobs, 2 * workers))
        while waiting:
            done = waiting.popleft().result()
            waiting.extend(pool.submit(work, job) for job in islice(jobs, 1))
            yield done
