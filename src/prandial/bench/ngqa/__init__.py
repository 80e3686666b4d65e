"""NGQA: from public survey and food files to questions with gold answers."""

from __future__ import annotations

from prandial.bench.ngqa.build import BuildReport, build_ngqa
from prandial.bench.ngqa.derived import Compared, DerivedReport, check_derived
from prandial.bench.ngqa.graphs import export_graph
from prandial.bench.ngqa.inputs import Roots
from prandial.bench.ngqa.opened import ShownQuestion, ngqa_stats, show_question
from prandial.bench.ngqa.people import (
    CycleAtHand,
    PeopleStats,
    cycles_at_hand,
    find_person,
    people_stats,
)
from prandial.bench.ngqa.review import (
    ReviewReport,
    apply_review,
    export_review,
    import_review,
)

__all__ = [
    "BuildReport",
    "Compared",
    "CycleAtHand",
    "DerivedReport",
    "PeopleStats",
    "ReviewReport",
    "Roots",
    "ShownQuestion",
    "apply_review",
    "build_ngqa",
    "check_derived",
    "cycles_at_hand",
    "export_graph",
    "export_review",
    "find_person",
    "import_review",
    "ngqa_stats",
    "people_stats",
    "show_question",
]
