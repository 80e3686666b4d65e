"""Meals in words: made by templates or a model, verified, repaired, reviewed."""

from prandial.compose.describe.model import (
    ModelDescription,
    Prompts,
    describe_by_model,
    read_variants,
)
from prandial.compose.describe.review import (
    Decision,
    DecisionAgreement,
    ReviewRow,
    Settled,
    agreement_of_decisions,
    read_decisions,
    review_rows,
    settle,
    write_review,
)
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
    "Decision",
    "DecisionAgreement",
    "Fault",
    "FaultKind",
    "ItemToState",
    "ModelDescription",
    "Prompts",
    "ReviewRow",
    "Settled",
    "Verification",
    "agreement_of_decisions",
    "describe_by_model",
    "describe_meal",
    "describe_meals",
    "items_to_state",
    "read_decisions",
    "read_variants",
    "review_rows",
    "settle",
    "verify_described",
    "verify_text",
    "write_review",
]
