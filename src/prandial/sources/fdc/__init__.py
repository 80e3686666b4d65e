"""USDA FoodData Central: get its downloads, read their foods."""

from prandial.sources.fdc.checks import FLAGS
from prandial.sources.fdc.columnar import COLUMNS, food_columns, write_food_columns
from prandial.sources.fdc.food import DataType, FdcFood, FdcPortion, LabelServing
from prandial.sources.fdc.get import FdcAtHand, fdc_at_hand, fdc_home, get_fdc, verify_fdc_file
from prandial.sources.fdc.notes import FdcNotes
from prandial.sources.fdc.reading import count_foods, read_fdc
from prandial.sources.fdc.registry import FdcFile, chosen_fdc_files, load_fdc_files

__all__ = [
    "COLUMNS",
    "FLAGS",
    "DataType",
    "FdcAtHand",
    "FdcFile",
    "FdcFood",
    "FdcNotes",
    "FdcPortion",
    "LabelServing",
    "chosen_fdc_files",
    "count_foods",
    "fdc_at_hand",
    "fdc_home",
    "food_columns",
    "get_fdc",
    "load_fdc_files",
    "read_fdc",
    "verify_fdc_file",
    "write_food_columns",
]
