"""Meals by country, as the paper's table of its GIFT part counts them."""

from __future__ import annotations

import statistics as plain
from collections.abc import Sequence
from dataclasses import dataclass

from prandial.records.bench import MealQuestion

__all__ = ["CountryCount", "count_countries"]


@dataclass(frozen=True, kw_only=True, slots=True)
class CountryCount:
    """Questions of one country.

    Parameters
    ----------
    country : str
        ISO 3166 alpha-3, or ``unknown``.
    questions, meals : int
        Rows, and groups of rows of one meal.
    natural, metric : int
        Rows by serving.
    mean_items : float, optional
        Over rows of which the items are counted.
    mean_label, median_label : float
        In the nutrient's unit.
    """

    country: str
    questions: int
    meals: int
    natural: int
    metric: int
    mean_items: float | None
    mean_label: float
    median_label: float


def count_countries(questions: Sequence[MealQuestion]) -> tuple[CountryCount, ...]:
    """Count the questions of each country.

    Parameters
    ----------
    questions : sequence of MealQuestion
        Of one nutrient.

    Returns
    -------
    tuple of CountryCount
        By name of the country, the unknown last.
    """
    by_country: dict[str, list[MealQuestion]] = {}
    for question in questions:
        by_country.setdefault(question.country or "unknown", []).append(question)
    return tuple(
        _count(country, by_country[country])
        for country in sorted(by_country, key=lambda c: (c == "unknown", c))
    )


def _count(country: str, rows: Sequence[MealQuestion]) -> CountryCount:
    items = [q.items for q in rows if q.items is not None]
    return CountryCount(
        country=country,
        questions=len(rows),
        meals=len({q.group or q.id for q in rows}),
        natural=sum(q.serving == "natural" for q in rows),
        metric=sum(q.serving == "metric" for q in rows),
        mean_items=plain.fmean(items) if items else None,
        mean_label=plain.fmean(q.label for q in rows),
        median_label=plain.median(q.label for q in rows),
    )
