"""Mean risk of any number of scenarios that come block by block: memory does not grow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from prandial.errors import InputError
from prandial.glucose.arrays import Scenarios
from prandial.glucose.engine import Engine, simulate_glucose
from prandial.glucose.risk import METRICS, risk_metrics

__all__ = ["MeanRisk", "mean_risk"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MeanRisk:
    """Means of metrics over simulations.

    Parameters
    ----------
    n_simulations : int
    metrics : dict of str to float
        By the names of :data:`prandial.glucose.METRICS`; units in the names.
    """

    n_simulations: int
    metrics: dict[str, float]


def mean_risk(
    blocks: Iterable[Scenarios] | Scenarios,
    *,
    engine: Engine = "auto",
    progress: Callable[[int], None] | None = None,
) -> MeanRisk:
    """Simulate blocks one after the other and return the mean of each metric.

    Parameters
    ----------
    blocks : iterable of Scenarios, or Scenarios
        A generator holds one block at a time; tens of thousands of rows each are quick.
    engine : {'auto', 'numpy', 'numba'}
    progress : callable, optional
        Called with the number of simulations finished since the last call.

    Raises
    ------
    InputError
        When there is no scenario at all.
    """
    if isinstance(blocks, Scenarios):
        blocks = (blocks,)
    total = np.zeros(len(METRICS))
    count = 0
    for block in blocks:
        if not len(block):
            continue
        glucose = simulate_glucose(block, engine=engine, progress=progress)
        total += risk_metrics(glucose).sum(axis=1)
        count += len(block)
    if not count:
        raise InputError("no scenarios", where="blocks", hint="give at least one row")
    return MeanRisk(
        n_simulations=count, metrics=dict(zip(METRICS, (total / count).tolist(), strict=True))
    )
