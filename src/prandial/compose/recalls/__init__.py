"""Food recalls made meals: grouped, cleaned with every loss counted, amounts as people say them."""

from prandial.compose.recalls.exact import ExactServings
from prandial.compose.recalls.grouping import GroupedRecords, group_records
from prandial.compose.recalls.labels import (
    LabelMatch,
    PublishedMeal,
    find_labels,
    stated_grams,
)
from prandial.compose.recalls.meals import recalled_meals
from prandial.compose.recalls.reference import Reference, food_reference
from prandial.compose.recalls.said import serving_text

__all__ = [
    "ExactServings",
    "GroupedRecords",
    "LabelMatch",
    "PublishedMeal",
    "Reference",
    "find_labels",
    "food_reference",
    "group_records",
    "recalled_meals",
    "serving_text",
    "stated_grams",
]
