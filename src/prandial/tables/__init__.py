"""Reference tables with their cards: foods, measures, words."""

from prandial.tables.cards import Card, data_path, list_cards, read_card, verify
from prandial.tables.foods import DEFAULT_RELEASE, RELEASES, FoodTable, load_foods
from prandial.tables.names import read_names

__all__ = [
    "DEFAULT_RELEASE",
    "RELEASES",
    "Card",
    "FoodTable",
    "data_path",
    "list_cards",
    "load_foods",
    "read_card",
    "read_names",
    "verify",
]
