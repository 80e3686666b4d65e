"""People of the survey: health profiles, habits, counts and prevalences.

Three-valued: what was not measured or asked is unknown, never no. Research software:
no diagnosis.
"""

from __future__ import annotations

from prandial.survey.counts import CountRow, counts
from prandial.survey.habits import HabitRow, habit_cut, habit_table
from prandial.survey.kidney import albumin_creatinine, egfr
from prandial.survey.opioids import opioid_days, opioid_records
from prandial.survey.profiles import minors, profiles

__all__ = [
    "CountRow",
    "HabitRow",
    "albumin_creatinine",
    "counts",
    "egfr",
    "habit_cut",
    "habit_table",
    "minors",
    "opioid_days",
    "opioid_records",
    "profiles",
]
