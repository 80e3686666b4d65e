"""A scenario record to start from."""

from __future__ import annotations

from typing import Any

import pytest

ROW: dict[str, Any] = {
    "id": "a",
    "patient": {"name": "p", "isf": 50, "cir": 10, "basal": 0.8},
    "mode": "manual",
    "variant": "default",
    "true_carbs": 60,
    "est_carbs": 45,
    "bg0": 120,
}


@pytest.fixture
def row() -> dict[str, Any]:
    return {**ROW, "patient": dict(ROW["patient"])}
