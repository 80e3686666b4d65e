"""Record types that rooms exchange: frozen, keyword-only, unit in the name.

``meals`` serves words to nutrients, ``people`` the survey, ``survey_foods`` the foods
it names, ``quiz`` questions over a graph, ``advice`` verdicts on meals. Every record is
imported from here.
"""

from __future__ import annotations

from prandial.records.advice import (
    Amount,
    Answer,
    Change,
    NutritionTag,
    Outcome,
    Reason,
    SmallerPortion,
    Swap,
    TagsOf,
    Verdict,
)
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
    StatusReason,
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
    "Amount",
    "Answer",
    "Ask",
    "Band",
    "Basis",
    "Candidate",
    "Change",
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
    "NutritionTag",
    "Outcome",
    "PeopleTable",
    "PersonFacts",
    "Portion",
    "Prescriptions",
    "Profiles",
    "QuestionGraph",
    "QuizRow",
    "ReadOnly",
    "Reason",
    "SmallerPortion",
    "Source",
    "Status",
    "StatusReason",
    "Swap",
    "TagsOf",
    "Verdict",
]
