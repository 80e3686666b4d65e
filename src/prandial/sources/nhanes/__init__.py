"""NHANES: registry, files and folders of the survey."""

from prandial.sources.nhanes.columns import Column, Columns
from prandial.sources.nhanes.folder import NhanesFolder
from prandial.sources.nhanes.get import get_nhanes, nhanes_home
from prandial.sources.nhanes.registry import (
    ALL_CYCLES,
    Cycle,
    NhanesFile,
    find_file,
    list_files,
    load_cycles,
)
from prandial.sources.nhanes.table import read_table
from prandial.sources.report import Fetched, GetReport, Progress

__all__ = [
    "ALL_CYCLES",
    "Column",
    "Columns",
    "Cycle",
    "Fetched",
    "GetReport",
    "NhanesFile",
    "NhanesFolder",
    "Progress",
    "find_file",
    "get_nhanes",
    "list_files",
    "load_cycles",
    "nhanes_home",
    "read_table",
]
