"""Record types that rooms exchange: frozen, keyword-only, unit in the name.

``bench`` serves benchmarks (import its records from there), ``meals`` words to nutrients, ``people`` the survey, ``survey_foods`` the foods
it names, ``quiz`` questions over a graph, ``advice`` verdicts on meals, ``glucose`` what a
meal does to virtual patients. All other
records are imported from here.
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
from prandial.records.glucose import (
    MODES,
    QUIRK_SETS,
    GlucoseTrace,
    LoopSettings,
    Mode,
    Patient,
    Quirks,
    QuirkSet,
    Risk,
    Scenario,
    Setup,
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
    "MODES",
    "QUIRK_SETS",
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
    "GlucoseTrace",
    "Gold",
    "HealthProfile",
    "LoopSettings",
    "MealItem",
    "Measure",
    "MissingTable",
    "Mode",
    "Node",
    "NutritionTag",
    "Outcome",
    "Patient",
    "PeopleTable",
    "PersonFacts",
    "Portion",
    "Prescriptions",
    "Profiles",
    "QuestionGraph",
    "QuirkSet",
    "Quirks",
    "QuizRow",
    "ReadOnly",
    "Reason",
    "Risk",
    "Scenario",
    "Setup",
    "SmallerPortion",
    "Source",
    "Status",
    "StatusReason",
    "Swap",
    "TagsOf",
    "Verdict",
]
