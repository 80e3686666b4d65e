"""Whether a build repeats known files: texts, near texts, meals."""

from prandial.compose.leaks.check import (
    KINDS,
    NEAR,
    Leak,
    LeakReport,
    check_leaks,
    known_meals,
    labels_key,
    leaks_of_files,
)
from prandial.compose.leaks.near import KnownTexts, jaccard

__all__ = [
    "KINDS",
    "NEAR",
    "KnownTexts",
    "Leak",
    "LeakReport",
    "check_leaks",
    "jaccard",
    "known_meals",
    "labels_key",
    "leaks_of_files",
]
