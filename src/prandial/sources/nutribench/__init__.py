"""NutriBench files: find them, read their meals and labels."""

from prandial.sources.nutribench.columns import LABELS, MealColumns
from prandial.sources.nutribench.find import find_meals, meals_home
from prandial.sources.nutribench.meals import MealSet, read_meals

__all__ = ["LABELS", "MealColumns", "MealSet", "find_meals", "meals_home", "read_meals"]
