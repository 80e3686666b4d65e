"""Meals in words: made by templates or a model, verified, repaired, reviewed."""

from prandial.compose.describe.stating import (
    Fault,
    FaultKind,
    ItemToState,
    Verification,
    items_to_state,
)
from prandial.compose.describe.template import describe_meal, describe_meals
from prandial.compose.describe.verify import verify_described, verify_text

__all__ = [
    "Fault",
    "FaultKind",
    "ItemToState",
    "Verification",
    "describe_meal",
    "describe_meals",
    "items_to_state",
    "verify_described",
    "verify_text",
]
