"""Words to an estimate: numbers, units, items, foods, grams, ranges."""

from prandial.meal.estimator import (
    DEFAULT_NUTRIENTS,
    ESTIMATOR,
    MAX_TEXT_CHARS,
    Estimator,
    Explanation,
    get_estimator,
)
from prandial.meal.listed import ListedEstimate, SaidItem, estimate_items
from prandial.meal.numbers import LOCALES

__all__ = [
    "DEFAULT_NUTRIENTS",
    "ESTIMATOR",
    "LOCALES",
    "MAX_TEXT_CHARS",
    "Estimator",
    "Explanation",
    "ListedEstimate",
    "SaidItem",
    "estimate_items",
    "get_estimator",
]
