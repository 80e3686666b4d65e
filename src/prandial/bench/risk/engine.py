"""The one place where this room asks the glucose room to simulate."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prandial.glucose import engine as glucose_engine
from prandial.glucose.arrays import Scenarios, Traces
from prandial.glucose.engine import Engine
from prandial.records import Scenario

__all__ = ["Engine", "run"]


def run(
    scenarios: Sequence[Scenario],
    *,
    large_meals: bool = False,
    engine: Engine = "auto",
    progress: Callable[[int], None] | None = None,
) -> Traces:
    """Return the traces of some scenarios, one row each."""
    return glucose_engine.simulate(
        Scenarios.of(scenarios, large_meals=large_meals), engine=engine, progress=progress
    )
