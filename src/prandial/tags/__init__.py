"""Tags of foods, and what people need of them: yes, no or unknown, by rules in a table.

The room knows amounts and thresholds, and not where the amounts were read.
"""

from __future__ import annotations

from prandial.tags.facts import food_facts
from prandial.tags.foods import FoodTags, food_tags
from prandial.tags.needed import (
    HIGH,
    LOW,
    MAYBE_HIGH,
    MAYBE_LOW,
    Needed,
    need_bits,
    needed_by,
    rule_nutrients,
    split_tag,
)
from prandial.tags.thresholds import BASES, Basis, Threshold, thresholds

__all__ = [
    "BASES",
    "HIGH",
    "LOW",
    "MAYBE_HIGH",
    "MAYBE_LOW",
    "Basis",
    "FoodTags",
    "Needed",
    "Threshold",
    "food_facts",
    "food_tags",
    "need_bits",
    "needed_by",
    "rule_nutrients",
    "split_tag",
    "thresholds",
]
