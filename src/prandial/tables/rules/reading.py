"""One reader for all rule tables: a CSV and its card of the same name."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

from prandial.errors import MissingDataError, SchemaError

__all__ = ["read_rules", "rules_card"]


def _path(name: str) -> Path:
    path = Path(__file__).with_name(name)
    if not path.is_file():
        raise MissingDataError(
            f"the rule table {name} is missing",
            where=str(path.parent),
            hint="reinstall prandial: pip install --force-reinstall prandial",
        )
    return path


@cache
def read_rules(name: str) -> tuple[dict[str, str], ...]:
    """Read a rule table.

    Parameters
    ----------
    name : str
        Such as ``needs``; the files are ``needs.csv`` and ``needs.card.json``.

    Returns
    -------
    tuple of dict
        One a row, all cells as text.

    Raises
    ------
    MissingDataError
        When the installation lacks the table.
    SchemaError
        When its rows are not as many as the card says.
    """
    path = _path(f"{name}.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = tuple(csv.DictReader(file))
    stated = int(rules_card(name)["rows"])
    if len(rows) != stated:
        raise SchemaError(
            f"{len(rows)} rows, its card says {stated}",
            where=str(path),
            hint="reinstall prandial, or correct the card after an edit",
        )
    return rows


@cache
def rules_card(name: str) -> dict[str, Any]:
    """Read the card of a rule table."""
    card: dict[str, Any] = json.loads(_path(f"{name}.card.json").read_text(encoding="utf-8"))
    return card
