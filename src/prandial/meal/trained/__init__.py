"""A ranking learned from labelled meals: an overlay that does not ship.

Without a file nothing here is loaded and the estimator is the untrained one.
"""

from prandial.meal.trained.foods import documents_with, table_with
from prandial.meal.trained.ranker import ESTIMATOR_STEM, TrainedRanker
from prandial.meal.trained.record import (
    FORMAT,
    LearnedFood,
    Trained,
    load_trained,
    save_trained,
)

__all__ = [
    "ESTIMATOR_STEM",
    "FORMAT",
    "LearnedFood",
    "Trained",
    "TrainedRanker",
    "documents_with",
    "load_trained",
    "save_trained",
    "table_with",
]
