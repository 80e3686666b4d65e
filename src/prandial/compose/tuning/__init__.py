"""Fine-tuning rows: meals made by rule from food tables, with worked answers, free of leaks."""

from prandial.compose.tuning.answers import AnswerForm, dictionary, worked
from prandial.compose.tuning.helpings import Helping, helpings
from prandial.compose.tuning.leaks import KnownMeal, Leaks
from prandial.compose.tuning.made import Share, TuningSet, count_singles, tuning_set
from prandial.compose.tuning.rows import TaughtItem, TuningRow
from prandial.compose.tuning.writing import Taught, Turns, write_tuning

__all__ = [
    "AnswerForm",
    "Helping",
    "KnownMeal",
    "Leaks",
    "Share",
    "Taught",
    "TaughtItem",
    "TuningRow",
    "TuningSet",
    "Turns",
    "count_singles",
    "dictionary",
    "helpings",
    "tuning_set",
    "worked",
    "write_tuning",
]
