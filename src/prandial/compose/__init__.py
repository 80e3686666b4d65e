"""Meals composed from food tables: foods, servings and words, with known answers."""

from prandial.compose.meals import Composed, ComposedItem, compose_meals
from prandial.compose.servings import Serving, draw_serving
from prandial.compose.spoken import Wording, spoken_name

__all__ = [
    "Composed",
    "ComposedItem",
    "Serving",
    "Wording",
    "compose_meals",
    "draw_serving",
    "spoken_name",
]
