"""An estimate as one flat row: numbers, counts, status and a note."""

from __future__ import annotations

import csv
import io
import json
import math
import unicodedata
from collections.abc import Sequence
from typing import Final, Literal

from prandial.batch.rows import Row
from prandial.nutrients import MAIN
from prandial.records import Estimate

__all__ = ["Cell", "Form", "csv_line", "field_names", "flat_cells", "json_line", "sql_types"]

#: how a chunk of rows is written
Form = Literal["csv", "flat-json", "record-json"]
Cell = str | float | int | bool | None

_DIGITS: Final = 4
_NOTE_CHARS: Final = 1000


def field_names(nutrients: Sequence[str], *, with_id: bool) -> tuple[str, ...]:
    """Return the columns of the flat output.

    Parameters
    ----------
    nutrients : sequence of str
        Nutrients beyond the four main ones.
    with_id : bool
        Whether the input names an id column.

    Returns
    -------
    tuple of str
    """
    names = ["row", *(["id"] if with_id else [])]
    for key in dict.fromkeys((*MAIN, *nutrients)):
        names += [key, f"{key}_low", f"{key}_high"]
    return (*names, "complete", "n_items", "n_unmatched", "status", "note")


def sql_types(names: Sequence[str], *, id_type: Literal["text", "integer"]) -> dict[str, str]:
    """Return the SQL type of each flat column."""
    fixed = {
        "row": "BIGINT",
        "id": "BIGINT" if id_type == "integer" else "VARCHAR",
        "complete": "BOOLEAN",
        "n_items": "BIGINT",
        "n_unmatched": "BIGINT",
        "status": "VARCHAR",
        "note": "VARCHAR",
    }
    return {name: fixed.get(name, "DOUBLE") for name in names}


def flat_cells(row: Row, estimate: Estimate, names: Sequence[str]) -> dict[str, Cell]:
    """Return the flat cells of one meal; None is unknown.

    Parameters
    ----------
    row : Row
        The input row.
    estimate : Estimate
        Its estimate.
    names : sequence of str
        Columns, from :func:`field_names`.

    Returns
    -------
    dict of str to cell
    """
    cells: dict[str, Cell] = dict.fromkeys(names)
    cells["row"] = row.row
    if "id" in cells:
        # a lone surrogate has no place in CSV or Parquet
        cells["id"] = (
            row.id.encode("utf-8", "replace").decode() if isinstance(row.id, str) else row.id
        )
    for key, band in estimate.totals.items():
        if key in cells and band is not None:
            for name, value in (
                (key, band.mid),
                (f"{key}_low", band.low),
                (f"{key}_high", band.high),
            ):
                cells[name] = round(value, _DIGITS) if math.isfinite(value) else None
    cells["complete"] = estimate.complete
    cells["n_items"] = len(estimate.items)
    cells["n_unmatched"] = sum(i.status == "unmatched" for i in estimate.items)
    cells["status"] = estimate.status
    cells["note"] = _one_line("; ".join(estimate.notes)) or None
    return cells


def csv_line(cells: dict[str, Cell]) -> str:
    """Return flat cells as one CSV record; None is an empty cell."""
    out = io.StringIO()
    # with this line end a cell that holds a carriage return is quoted; "\n" alone leaves it bare
    csv.writer(out, lineterminator="\r\n").writerow(_csv_cell(c) for c in cells.values())
    return out.getvalue().removesuffix("\r\n") + "\n"


def json_line(body: dict[str, object]) -> str:
    """Return an object as one line of JSON.

    Raises
    ------
    ValueError
        For NaN or infinity: unknown is null.
    """
    line = json.dumps(body, ensure_ascii=False, allow_nan=False)
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate can only be written as an escape
        line = json.dumps(body, ensure_ascii=True, allow_nan=False)
    return line + "\n"


def _csv_cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return str(cell)


def _one_line(text: str) -> str:
    """Return a text without control characters, shortened to 1000 characters."""
    if not text.isprintable():
        text = "".join(
            " " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in text
        )
    short = " ".join(text.split())
    return short if len(short) <= _NOTE_CHARS else short[: _NOTE_CHARS - 3] + "..."
