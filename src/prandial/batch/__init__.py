"""Many meals: rows of a file or texts of a program, estimated in order."""

from prandial.batch.review import LabelColumns, review_rows
from prandial.batch.rows import Columns, Row
from prandial.batch.run import INPUTS, OUTPUTS, BatchReport, Progress, estimate_rows
from prandial.batch.work import Job, run_chunks

__all__ = [
    "INPUTS",
    "OUTPUTS",
    "BatchReport",
    "Columns",
    "Job",
    "LabelColumns",
    "Progress",
    "Row",
    "estimate_rows",
    "review_rows",
    "run_chunks",
]
