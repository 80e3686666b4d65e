"""Siblings that the words leave open are chosen by what else is in the meal.

"French fries" are those of a fast-food restaurant beside a burger, and those of a
school beside milk. Only foods that differ by where they were made or bought are
weighed up so, and only when the text does not say where.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from prandial.meal.match import Match
from prandial.meal.segment import Segment
from prandial.tables import Company, FoodTable

__all__ = ["in_company"]

_SAID: Final = frozenset(
    "fast restaurant school cafeteria home homemade frozen fresh bakery purchas".split()
)


def in_company(
    segments: Sequence[Segment], company: Company, table: FoodTable, weight: float
) -> list[Segment]:
    """Return the segments with siblings put in the order the rest of the meal suggests.

    Parameters
    ----------
    segments : sequence of Segment
    company : Company
    table : FoodTable
    weight : float
        Score a log ratio of 1 is worth.

    Returns
    -------
    list of Segment
    """
    items = [s for s in segments if s.match is not None]
    if len(items) < 2 or not any(
        s.match is not None and company.has_siblings(s.match.best_food) for s in items
    ):
        return list(segments)
    categories = [table.categories[s.match.best_food] for s in items if s.match is not None]
    out = []
    for seg in segments:
        match = seg.match
        if match is not None and company.has_siblings(match.best_food):
            own = table.categories[match.best_food]
            beside = sorted({c for c in categories if c != own})
            match = _reordered(match, beside, company, weight)
            seg = replace(seg, match=match)
        out.append(seg)
    return out


def _reordered(match: Match, beside: Sequence[str], company: Company, weight: float) -> Match:
    best = match.best_food
    if not beside or not _SAID.isdisjoint(match.query.words):
        return match
    gains = {
        food: weight * sum(company.ratio(food, c) for c in beside)
        for food in match.foods()
        if company.siblings(best, food)
    }
    return match if len(gains) < 2 else match.moved(gains, gains[best])
