"""Foods of other surveys mapped to the built-in tables, for people to review; GIFT meals."""

from prandial.compose.mapping.asked import AskedFood, FoodMatch, Mapped, asked_foods
from prandial.compose.mapping.foodname import FoodName, read_food_name
from prandial.compose.mapping.mapper import THRESHOLD, Embed, FoodMapper, MappingWeights
from prandial.compose.mapping.meals import GiftMeals, Labels, gift_meals
from prandial.compose.mapping.review import (
    Decision,
    apply_decisions,
    read_decisions,
    review_rows,
    write_review,
)

__all__ = [
    "THRESHOLD",
    "AskedFood",
    "Decision",
    "Embed",
    "FoodMapper",
    "FoodMatch",
    "FoodName",
    "GiftMeals",
    "Labels",
    "Mapped",
    "MappingWeights",
    "apply_decisions",
    "asked_foods",
    "gift_meals",
    "read_decisions",
    "read_food_name",
    "review_rows",
    "write_review",
]
