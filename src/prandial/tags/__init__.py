"""Tags of foods: low or high in a nutrient, each yes, no or unknown, by rules in a table.

The room knows amounts and thresholds, and not where the amounts were read.
"""

from __future__ import annotations

from prandial.tags.facts import food_facts
from prandial.tags.foods import FoodTags, food_tags
from prandial.tags.thresholds import BASES, Basis, Threshold, thresholds

__all__ = [
    "BASES",
    "Basis",
    "FoodTags",
    "Threshold",
    "food_facts",
    "food_tags",
    "thresholds",
]
