"""People as raters: blinded sheets out, filled sheets in as runs."""

from prandial.bench.raters.drawing import ARMS, SHARED, Assigned, assign_meals
from prandial.bench.raters.figures import PeopleFigures, figures_of_people
from prandial.bench.raters.filled import FilledSheet, read_filled
from prandial.bench.raters.keyfile import Key, SheetKey, read_key
from prandial.bench.raters.runs import Imported, import_sheets, rated_of
from prandial.bench.raters.sheets import Exported, export_sheets

__all__ = [
    "ARMS",
    "SHARED",
    "Assigned",
    "Exported",
    "FilledSheet",
    "Imported",
    "Key",
    "PeopleFigures",
    "SheetKey",
    "assign_meals",
    "export_sheets",
    "figures_of_people",
    "import_sheets",
    "rated_of",
    "read_filled",
    "read_key",
]
