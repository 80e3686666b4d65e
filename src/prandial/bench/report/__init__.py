"""Reports of runs: the papers' tables and figures, published rows and baselines beside ours."""

from prandial.bench.report.folder import (
    check_folder,
    check_page,
    json_of,
    markdown_of,
    write_folder,
    write_page,
)
from prandial.bench.report.page import html_of
from prandial.bench.report.records import Cell, Column, Figure, Report, Row, Section, Table
from prandial.bench.report.whole import SEED, figures_of, report_of, tables_of

__all__ = [
    "SEED",
    "Cell",
    "Column",
    "Figure",
    "Report",
    "Row",
    "Section",
    "Table",
    "check_folder",
    "check_page",
    "figures_of",
    "html_of",
    "json_of",
    "markdown_of",
    "report_of",
    "tables_of",
    "write_folder",
    "write_page",
]
