"""A scenario record to start from, and workbooks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

ROW: dict[str, Any] = {
    "id": "a",
    "patient": {"name": "p", "isf": 50, "cir": 10, "basal": 0.8},
    "mode": "manual",
    "variant": "default",
    "true_carbs": 60,
    "est_carbs": 45,
    "bg0": 120,
}


@pytest.fixture
def row() -> dict[str, Any]:
    return {**ROW, "patient": dict(ROW["patient"])}


def book(path: Path, sheets: dict[str, list[list[Any]]]) -> Any:
    """Write a workbook of sheets by name, rows of cells; return it."""
    from openpyxl import Workbook

    made = Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    made.save(path)
    return made
