"""What a carbohydrate estimate does to blood glucose: arrays only, no food, no people."""

from __future__ import annotations

from prandial.glucose.arrays import Scenarios, Traces
from prandial.glucose.bounds import Bound, bounds, check_within
from prandial.glucose.manual import manual_glucose

__all__ = ["Bound", "Scenarios", "Traces", "bounds", "check_within", "manual_glucose"]
