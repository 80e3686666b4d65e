"""What a carbohydrate estimate does to blood glucose: arrays only, no food, no people."""

from __future__ import annotations

from prandial.glucose.arrays import Scenarios, Traces
from prandial.glucose.bounds import Bound, bounds, check_within
from prandial.glucose.engine import ENGINES, Engine, simulate, simulate_glucose
from prandial.glucose.manual import manual_glucose
from prandial.glucose.plan import check_settings

__all__ = [
    "ENGINES",
    "Bound",
    "Engine",
    "Scenarios",
    "Traces",
    "bounds",
    "check_settings",
    "check_within",
    "manual_glucose",
    "simulate",
    "simulate_glucose",
]
