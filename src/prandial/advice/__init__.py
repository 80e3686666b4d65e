"""Whether a meal is right for a person, why, and what instead.

The room gets an estimate and a person's statuses; it reads no survey file and no words.
"""

from __future__ import annotations

from prandial.advice.amounts import RULE_NUTRIENTS, amounts_on
from prandial.advice.coded import estimate_of_food
from prandial.advice.counting import Count, count
from prandial.advice.names import status_named
from prandial.advice.person import Person, named_person, survey_person
from prandial.advice.tagging import tags_of
from prandial.advice.verdict import verdict_on

__all__ = [
    "RULE_NUTRIENTS",
    "Count",
    "Person",
    "amounts_on",
    "count",
    "estimate_of_food",
    "named_person",
    "status_named",
    "survey_person",
    "tags_of",
    "verdict_on",
]
