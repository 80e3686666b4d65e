"""Rule tables: thresholds, needs, registries, each a CSV with a card.

Rules are read as rows of text; the room that applies one turns its cells into
numbers. Unknown is an empty cell.
"""

from __future__ import annotations

from prandial.tables.rules.needs import FOOD_TAG_ORDER, NUTRIENT_ORDER, Needs, load_needs
from prandial.tables.rules.reading import read_rules, rules_card

__all__ = ["FOOD_TAG_ORDER", "NUTRIENT_ORDER", "Needs", "load_needs", "read_rules", "rules_card"]
