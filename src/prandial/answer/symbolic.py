"""Questions over a graph answered by rule: what the person's statuses need against the food's tags.

Every nutrient that some status needs and the food is tagged on counts once; Yes when more speak
for the food than against it, a tie is No (NGQA, arXiv 2412.15547, appendix B). Match and
contradict edges are not looked at, so graphs without them are answered just as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from prandial.records.bench import GraphQuestion
from prandial.tags.needed import needed_by, split_tag

__all__ = ["Symbolic", "symbolic_verdict"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Symbolic:
    """An answer by rule.

    Parameters
    ----------
    verdict : {'Yes', 'No'}
    tags : tuple of str
        Food tags that decide, in the order of the needs.
    matches, contradicts : tuple of str
        Those that speak for the food and against it.
    unknown : tuple of str
        Nutrients that are needed low or high and whose amount in the food is not known: the
        verdict rests on the others.
    conflicts : tuple of str
        Nutrients needed both low and high: not counted in ``default``, high in
        ``as-published``.
    """

    verdict: Literal["Yes", "No"]
    tags: tuple[str, ...]
    matches: tuple[str, ...]
    contradicts: tuple[str, ...]
    unknown: tuple[str, ...]
    conflicts: tuple[str, ...]


def symbolic_verdict(question: GraphQuestion) -> Symbolic:
    """Answer a question by the table of needs.

    Statuses and tags are read from the question's own graph; in mode ``merged``, where it names
    food and person only, from what the one graph of all holds about the two.

    Parameters
    ----------
    question : GraphQuestion

    Returns
    -------
    Symbolic

    Raises
    ------
    NotFoundError, InputError
        On a status, tag or rule set that is not known.
    """
    statuses, tags = _facts(question)
    needs = needed_by(statuses, rules=question.rules)
    held: dict[str, list[str]] = {}
    for tag in sorted(set(tags), key=lambda t: (split_tag(t)[1], split_tag(t)[0] == "high")):
        held.setdefault(split_tag(tag)[1], []).append(tag)
    sides: dict[bool, list[str]] = {True: [], False: []}
    involved: list[str] = []
    for nutrient, wanted in needs.directions.items():
        if len(wanted) > 1:
            continue
        for tag in held.get(nutrient, ()):
            involved.append(tag)
            sides[split_tag(tag)[0] == wanted[0]].append(tag)
    return Symbolic(
        verdict="Yes" if len(sides[True]) > len(sides[False]) else "No",
        tags=tuple(involved),
        matches=tuple(sides[True]),
        contradicts=tuple(sides[False]),
        unknown=tuple(n for n in needs.directions if n in question.row.food.unknown),
        conflicts=needs.conflicts,
    )


def _facts(question: GraphQuestion) -> tuple[tuple[str, ...], tuple[str, ...]]:
    row = question.row
    if question.mode == "merged":
        return _once(row.person.statuses), row.food.tags
    nodes = row.graph.nodes
    statuses = (n.attr for n in nodes if n.name == "status")
    return _once(statuses), tuple(n.attr for n in nodes if n.name == "food_nutrition_tag")


def _once(statuses: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(statuses))
