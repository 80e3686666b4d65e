"""People of the survey: health profiles, habits, counts and prevalences.

Three-valued: what was not measured or asked is unknown, never no. Research software:
no diagnosis.
"""

from __future__ import annotations

from prandial.survey.counts import CountRow, counts
from prandial.survey.demo import FIRST_NUMBER, MADE_UP, demo_people
from prandial.survey.habits import HabitRow, habit_cut, habit_table
from prandial.survey.kidney import albumin_creatinine, egfr
from prandial.survey.measures import derive
from prandial.survey.opioids import opioid_days, opioid_records
from prandial.survey.person import one_person
from prandial.survey.pick import pick_people, pick_profiles
from prandial.survey.prevalence import (
    MOST_UNKNOWN,
    WEIGHTS,
    Prevalence,
    prevalence,
    survey_weight,
    weight_of,
)
from prandial.survey.profiles import minors, profiles
from prandial.survey.slices import slices
from prandial.survey.words import MeasureWords, measure_words, rounded

__all__ = [
    "FIRST_NUMBER",
    "MADE_UP",
    "MOST_UNKNOWN",
    "WEIGHTS",
    "CountRow",
    "HabitRow",
    "MeasureWords",
    "Prevalence",
    "albumin_creatinine",
    "counts",
    "demo_people",
    "derive",
    "egfr",
    "habit_cut",
    "habit_table",
    "measure_words",
    "minors",
    "one_person",
    "opioid_days",
    "opioid_records",
    "pick_people",
    "pick_profiles",
    "prevalence",
    "profiles",
    "rounded",
    "slices",
    "survey_weight",
    "weight_of",
]
