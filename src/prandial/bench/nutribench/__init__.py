"""NutriBench from raw recalls: build, check, count, review."""

from prandial.bench.nutribench.build import (
    GROUPING,
    Build,
    BuildReport,
    Hear,
    build_nutribench,
)
from prandial.bench.nutribench.by_model import ByModel
from prandial.bench.nutribench.check import Checked, TextFault, verify_file, verify_nutribench
from prandial.bench.nutribench.counted import nutribench_stats
from prandial.bench.nutribench.inputs import find_recalls
from prandial.bench.nutribench.mapped import export_mapping
from prandial.bench.nutribench.parts import SERVINGS
from prandial.bench.nutribench.review import Exported, Reviewed, export_texts, import_texts

__all__ = [
    "GROUPING",
    "SERVINGS",
    "Build",
    "BuildReport",
    "ByModel",
    "Checked",
    "Exported",
    "Hear",
    "Reviewed",
    "TextFault",
    "build_nutribench",
    "export_mapping",
    "export_texts",
    "find_recalls",
    "import_texts",
    "nutribench_stats",
    "verify_file",
    "verify_nutribench",
]
