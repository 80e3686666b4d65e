"""Grams to amounts as people say them, by a food's own measures and the rule of appendix F."""

from prandial.compose.household.measures import NaturalMeasure, natural_measures
from prandial.compose.household.rule import READINGS, Reading, household_serving
from prandial.compose.household.words import said_amount, said_grams

__all__ = [
    "READINGS",
    "NaturalMeasure",
    "Reading",
    "household_serving",
    "natural_measures",
    "said_amount",
    "said_grams",
]
