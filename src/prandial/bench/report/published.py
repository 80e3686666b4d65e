"""Figures that others have published, and the map's outlines: tables with cards."""

from __future__ import annotations

import csv
import json
from functools import cache
from importlib.resources import files
from typing import Any

from prandial.errors import SchemaError

__all__ = ["TABLES", "country_name", "number", "outlines", "place_of", "published"]

TABLES = (
    "published_nutribench",
    "published_analyses",
    "published_countries",
    "published_ngqa",
    "published_ngqa_questions",
    "published_ngqa_speed",
    "world_places",
)


@cache
def published(name: str) -> tuple[dict[str, str], ...]:
    """Read a table of this folder.

    Parameters
    ----------
    name : str
        One of ``TABLES``.

    Returns
    -------
    tuple of dict
        One a row, all cells as text; what a source does not tell is empty.

    Raises
    ------
    SchemaError
        When its rows are not as many as its card says.
    """
    folder = files("prandial.bench.report")
    text = folder.joinpath(f"{name}.csv").read_text("utf-8")
    rows = tuple(csv.DictReader(text.splitlines()))
    card = json.loads(folder.joinpath(f"{name}.card.json").read_text("utf-8"))
    if len(rows) != card["rows"]:
        raise SchemaError(
            f"{len(rows)} rows, its card says {card['rows']}",
            where=f"{name}.csv",
            hint="reinstall prandial, or correct the card after an edit",
        )
    return rows


def number(text: str) -> float | None:
    """Return a figure of such a table; None where it is not told."""
    return float(text) if text else None


@cache
def _places() -> dict[str, dict[str, str]]:
    return {row["code"]: row for row in published("world_places")}


def country_name(code: str) -> str:
    """Return a country's name, the code itself where there is none."""
    row = _places().get(code)
    return row["name"] if row else code


def place_of(code: str) -> tuple[float, float] | None:
    """Return longitude and latitude of a country's middle."""
    row = _places().get(code)
    return (float(row["longitude"]), float(row["latitude"])) if row else None


def outlines() -> dict[str, Any]:
    """Return the outlines of countries as TopoJSON."""
    text = files("prandial.bench.report").joinpath("world_outlines.json").read_text("utf-8")
    body: dict[str, Any] = json.loads(text)
    return body
