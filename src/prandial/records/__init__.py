"""Record types that rooms exchange: frozen, keyword-only, unit in the name.

``meals`` serves words to nutrients, ``people`` the survey, ``survey_foods`` the foods
it names, ``quiz`` questions over a graph. Every record is imported from here.
"""

from __future__ import annotations

from prandial.records.meals import (
    Ask,
    Band,
    Basis,
    Candidate,
    Choice,
    Estimate,
    EstimateStatus,
    Food,
    MealItem,
    Measure,
    Portion,
    ReadOnly,
    Source,
    Status,
)
from prandial.records.people import (
    HealthProfile,
    MissingTable,
    PeopleTable,
    Prescriptions,
    Profiles,
)
from prandial.records.quiz import (
    Edge,
    FoodFacts,
    Gold,
    Node,
    PersonFacts,
    QuestionGraph,
    QuizRow,
)
from prandial.records.survey_foods import FoodMeans, FoodTexts

__all__ = [
    "Ask",
    "Band",
    "Basis",
    "Candidate",
    "Choice",
    "Edge",
    "Estimate",
    "EstimateStatus",
    "Food",
    "FoodFacts",
    "FoodMeans",
    "FoodTexts",
    "Gold",
    "HealthProfile",
    "MealItem",
    "Measure",
    "MissingTable",
    "Node",
    "PeopleTable",
    "PersonFacts",
    "Portion",
    "Prescriptions",
    "Profiles",
    "QuestionGraph",
    "QuizRow",
    "ReadOnly",
    "Source",
    "Status",
]
