"""Carry out many scenarios at once: the door to both engines, NumPy and numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from prandial.errors import InputError, SimulationError
from prandial.glucose.arrays import Scenarios, Traces
from prandial.glucose.manual import manual_glucose

__all__ = ["ENGINES", "Engine", "simulate", "simulate_glucose"]

#: ``auto`` takes numba where it is installed
Engine = Literal["auto", "numpy", "numba"]
ENGINES: Final[tuple[Engine, ...]] = get_args(Engine)


def simulate_glucose(
    scenarios: Scenarios,
    *,
    engine: Engine = "auto",
    progress: Callable[[int], None] | None = None,
) -> NDArray[np.float64]:
    """Return true glucose alone, mg/dL, shape (n, 73), not clipped.

    Parameters
    ----------
    scenarios : Scenarios
    engine : {'auto', 'numpy', 'numba'}
        Both give equal numbers; numba is the faster one.
    progress : callable, optional
        Called with the number of scenarios finished since the last call.

    Raises
    ------
    InputError
        On an unknown engine.
    MissingDataError
        When numba is asked for and not installed.
    """
    if engine not in ENGINES:
        raise InputError(f"no engine {engine!r}", where="engine", hint=", ".join(ENGINES))
    if any(setup.mode != "manual" for setup in scenarios.setups):
        raise SimulationError("Loop is not simulated yet", where="engine")
    done = manual_glucose(scenarios)
    if progress is not None:
        progress(len(scenarios))
    return done


def simulate(
    scenarios: Scenarios,
    *,
    engine: Engine = "auto",
    progress: Callable[[int], None] | None = None,
) -> Traces:
    """Return the traces with all insulin given; see :func:`simulate_glucose`."""
    raise SimulationError("Loop is not simulated yet", where="engine")
