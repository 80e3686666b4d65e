"""Coarse food groups over the categories of the food tables."""

from __future__ import annotations

import csv
from functools import lru_cache
from importlib import resources
from typing import Final

__all__ = ["OTHER", "coarse_group", "coarse_groups"]

#: group of a category that the table of groups does not hold, such as a user's own
OTHER: Final = "Other"


@lru_cache(maxsize=1)
def coarse_groups() -> dict[str, str]:
    """Return category to coarse group."""
    text = resources.files("prandial.score").joinpath("food_groups.csv").read_text("utf-8")
    return {row["category"]: row["group"] for row in csv.DictReader(text.splitlines())}


def coarse_group(category: str) -> str:
    """Return the coarse group of a category.

    Parameters
    ----------
    category : str
        As the food tables spell it.

    Returns
    -------
    str
    """
    return coarse_groups().get(category, OTHER)
