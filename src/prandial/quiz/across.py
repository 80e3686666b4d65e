"""Rows of a file beside each other: a food or person that is told of in two ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import cache

from prandial.errors import PrandialError
from prandial.quiz.facts import facts_of
from prandial.quiz.published import PublishedRow
from prandial.tables.rules import read_rules

__all__ = ["rows_apart"]


def rows_apart(rows: Sequence[PublishedRow]) -> dict[int, list[str]]:
    """Return by row number what sets it apart from the other rows of the file.

    ``food_differs``: its food has another name, category, ingredients or tags than most rows
    with that code. ``person_differs``: its person has other statuses or habits than in most
    rows with that number. ``unknown_habit``: a habit that no table of labels has. Rows whose
    graph cannot be read are passed over; of two readings that are as frequent the first counts.
    """
    foods: dict[int, list[tuple[int, Hashable]]] = {}
    people: dict[int, list[tuple[int, Hashable]]] = {}
    out: dict[int, list[str]] = {}
    for row in rows:
        try:
            food, person = facts_of(row.graph)
        except PrandialError:
            continue
        told = (food.name, food.category, food.ingredients, food.tags)
        foods.setdefault(food.code, []).append((row.row, told))
        people.setdefault(person.person, []).append((row.row, (person.statuses, person.habits)))
        if not _habits().issuperset(person.habits):
            out.setdefault(row.row, []).append("unknown_habit")
    for name, groups in (("food_differs", foods), ("person_differs", people)):
        for number in (n for group in groups.values() for n in _minority(group)):
            out.setdefault(number, []).append(name)
    return out


def _minority(group: Sequence[tuple[int, Hashable]]) -> Iterable[int]:
    counted = Counter(told for _, told in group)
    most = max(counted.values())
    usual = next(told for told in counted if counted[told] == most)
    return (number for number, told in group if told != usual)


@cache
def _habits() -> frozenset[str]:
    return frozenset(r["label"] for r in read_rules("habits"))
