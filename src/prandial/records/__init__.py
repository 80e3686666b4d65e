"""Record types that rooms exchange: frozen, keyword-only, unit in the name.

``meals`` serves words to nutrients, ``people`` the survey, ``quiz`` questions over
a graph. Every record is imported from here.
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
