"""The written form of a build: rows, files, card."""

from prandial.compose.written.columns import COLUMNS, meal_group, meal_of, row_of
from prandial.compose.written.forms import FORMS, read_rows
from prandial.compose.written.store import (
    CARD,
    JOURNAL,
    Build,
    Part,
    check_target,
    open_build,
    source_entry,
    write_build,
    write_part,
    write_parts,
)

__all__ = [
    "CARD",
    "COLUMNS",
    "FORMS",
    "JOURNAL",
    "Build",
    "Part",
    "check_target",
    "meal_group",
    "meal_of",
    "open_build",
    "read_rows",
    "row_of",
    "source_entry",
    "write_build",
    "write_part",
    "write_parts",
]
