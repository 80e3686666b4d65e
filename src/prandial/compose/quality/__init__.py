"""Oddities of meals and labels, found and counted; nothing is repaired."""

from prandial.compose.quality.files import FINDINGS, QUALITY, write_quality
from prandial.compose.quality.published import Beside, beside_published
from prandial.compose.quality.report import (
    SLICES,
    Finding,
    Hit,
    QualityReport,
    check_file,
    check_rows,
)
from prandial.compose.quality.rows import CheckedMeal, checked_meals, set_name
from prandial.compose.quality.texts import plain_text, words_of

__all__ = [
    "FINDINGS",
    "QUALITY",
    "SLICES",
    "Beside",
    "CheckedMeal",
    "Finding",
    "Hit",
    "QualityReport",
    "beside_published",
    "check_file",
    "check_rows",
    "checked_meals",
    "plain_text",
    "set_name",
    "words_of",
    "write_quality",
]
