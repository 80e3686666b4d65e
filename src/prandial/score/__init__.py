"""Estimates against labels: figures, reasons of errors, confusion by food group."""

from prandial.score.confusion import Cell, Confusion
from prandial.score.gold import GoldFoods, GoldItem
from prandial.score.groups import coarse_group
from prandial.score.numbers import LIMITS, RANGE_MEANT, Outcome, Summary, summarise, wilson
from prandial.score.reasons import REASONS, ItemReview, review_items
from prandial.score.review import ErrorReview, MealReview, Tally, review_meal, review_number

__all__ = [
    "LIMITS",
    "RANGE_MEANT",
    "REASONS",
    "Cell",
    "Confusion",
    "ErrorReview",
    "GoldFoods",
    "GoldItem",
    "ItemReview",
    "MealReview",
    "Outcome",
    "Summary",
    "Tally",
    "coarse_group",
    "review_items",
    "review_meal",
    "review_number",
    "summarise",
    "wilson",
]
