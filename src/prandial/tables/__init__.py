"""Reference tables with their cards: foods, measures, words."""

from prandial.tables.builtin import DEFAULT_RELEASE, RELEASES, load_foods
from prandial.tables.cards import Card, data_path, list_cards, read_card, verify
from prandial.tables.columnfile import Columns, read_columns
from prandial.tables.company import Company, read_company
from prandial.tables.foods import FoodTable
from prandial.tables.names import read_names
from prandial.tables.ranges import RangeConstants, load_range_constants

__all__ = [
    "DEFAULT_RELEASE",
    "RELEASES",
    "Card",
    "Columns",
    "Company",
    "FoodTable",
    "RangeConstants",
    "data_path",
    "list_cards",
    "load_foods",
    "load_range_constants",
    "read_card",
    "read_columns",
    "read_company",
    "read_names",
    "verify",
]
