"""What a query asks for without how much of it: "2 cups of brown rice" asks for brown rice."""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib import resources
from typing import Final

__all__ = ["without_amounts"]

_NUMBER: Final = (
    r"(?:\d+(?:[.,/]\d+){0,2}|an?|half|quarter|one|two|three|four|five|six|eight|ten|dozen)"
)
_SIZE: Final = r"(?:small|medium|large|generous|whole|single|level|heaping)"


@cache
def _amount() -> re.Pattern[str]:
    """Return numbers with a unit, and what joins them to a food."""
    file = resources.files("prandial").joinpath("tables", "words", "units.csv")
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    words = {r["word"] for r in rows if r["language"] == "en" and r["kind"] != "size"}
    units = "|".join(sorted(map(re.escape, words), key=lambda w: (-len(w), w)))
    unit = rf"(?:fl\.? ?oz|(?:{units})s?)"
    return re.compile(
        rf"(?<![\w.]){_NUMBER}(?:[ -]+{_NUMBER}){{0,3}}[ -]*(?:{_SIZE} )*{unit}\b\.?(?! ?%)"
        r"(?: (?:serving|portion)s?\b)?(?: of\b)?(?: an?\b)?",
        re.IGNORECASE,
    )


def without_amounts(query: str) -> str:
    """Return a query without its amounts; as it is when nothing else is in it.

    Parameters
    ----------
    query : str

    Returns
    -------
    str
        Numbers that have no unit stay: they may belong to a name ("2% milk", "7-up").
    """
    left = " ".join(_amount().sub(" ", query).split()).strip(" ,;")
    return left or query
