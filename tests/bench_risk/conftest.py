"""Where the engine of the glucose room cannot simulate yet, the plain one stands in for it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.bench_risk.plain import plain_simulate

from prandial.errors import SimulationError
from prandial.glucose import Scenarios, engine

REAL = engine.simulate
ROW: dict[str, Any] = {
    "id": "a",
    "patient": {"name": "p", "isf": 50, "cir": 10, "basal": 0.8},
    "mode": "manual",
    "variant": "default",
    "true_carbs": 60,
    "est_carbs": 45,
    "bg0": 120,
}


def simulates() -> bool:
    """Whether the real engine is there."""
    one = Scenarios(
        isf_mg_dl_per_u=50, cir_g_per_u=10, basal_u_per_h=1, true_carb_g=1, estimated_carb_g=1
    )
    try:
        REAL(one, engine="numpy")
    except SimulationError:
        return False
    return True


@pytest.fixture(autouse=True)
def an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    if not simulates():
        monkeypatch.setattr(engine, "simulate", plain_simulate)


@pytest.fixture
def row() -> dict[str, Any]:
    return {**ROW, "patient": dict(ROW["patient"])}
