"""Fine-tuning joined to the benchmark: rows asked as the bench asks, replies it can score."""

from prandial.bench.tuning.build import PAPER, build_rows
from prandial.bench.tuning.known import known_meals
from prandial.bench.tuning.replies import record_replies
from prandial.bench.tuning.teaching import TEACHABLE, taught_methods, turns_of

__all__ = [
    "PAPER",
    "TEACHABLE",
    "build_rows",
    "known_meals",
    "record_replies",
    "taught_methods",
    "turns_of",
]
