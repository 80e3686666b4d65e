"""Slices of the meals of a run: by serving, country, number of items, size, language."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import Final

from prandial.errors import InputError
from prandial.records.bench import MealQuestion

__all__ = ["SLICES", "UNKNOWN", "band_of", "slices_of"]

SLICES: Final = ("serving", "country", "items", "band", "language")
UNKNOWN: Final = "unknown"
#: meals of this many foods and more are one slice, as in the paper's figure 5
_MANY: Final = 9
#: edges of the bands of the label, in g and in kcal: this project's choice
_EDGES_G: Final = (10.0, 25.0, 50.0, 100.0)
_EDGES_KCAL: Final = (100.0, 250.0, 500.0, 1000.0)


def band_of(label: float, nutrient: str) -> str:
    """Return the band a label is in, such as ``10-25``: 10 and above, below 25.

    Parameters
    ----------
    label : float
    nutrient : str

    Returns
    -------
    str
    """
    edges = _EDGES_KCAL if nutrient == "energy_kcal" else _EDGES_G
    place = bisect.bisect_right(edges, label)
    low = f"{edges[place - 1]:g}" if place else "0"
    return f"{low}-{edges[place]:g}" if place < len(edges) else f"{low}+"


def slices_of(questions: Sequence[MealQuestion], name: str) -> dict[str, list[int]]:
    """Return the places of the questions of each slice, slices in reading order.

    Parameters
    ----------
    questions : sequence of MealQuestion
    name : {'serving', 'country', 'items', 'band', 'language'}

    Returns
    -------
    dict of str to list of int

    Raises
    ------
    InputError
        On another name.
    """
    if name not in SLICES:
        raise InputError(
            f"meals are not sliced by {name!r}", where="by", hint="one of: " + ", ".join(SLICES)
        )
    found: dict[str, list[int]] = {}
    for place, question in enumerate(questions):
        found.setdefault(_value(question, name), []).append(place)
    return {value: found[value] for value in sorted(found, key=_order)}


def _value(question: MealQuestion, name: str) -> str:
    if name == "band":
        return band_of(question.label, question.nutrient)
    if name == "items":
        if question.items is None:
            return UNKNOWN
        return f"{_MANY}+" if question.items >= _MANY else str(question.items)
    if name == "serving":
        return question.serving or UNKNOWN
    if name == "country":
        return question.country or UNKNOWN
    return question.language or UNKNOWN


def _order(value: str) -> tuple[bool, float, str]:
    """Order by number first, then by name; unknown last."""
    head = value.split("-")[0].rstrip("+")
    return value == UNKNOWN, float(head) if head.isdigit() else float("inf"), value
