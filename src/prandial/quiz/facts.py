"""Facts of food and person read back from a graph, whether with verdict edges or amounts."""

from __future__ import annotations

import re
from typing import Final

from prandial.errors import SchemaError
from prandial.records.quiz import FoodFacts, GraphMode, Node, PersonFacts, QuestionGraph

__all__ = ["facts_of", "mode_of"]

_USER, _FOOD = 0, 1
_NUMBER: Final = re.compile(r"-?\d{1,12}(\.\d{1,12})?")


def facts_of(graph: QuestionGraph) -> tuple[FoodFacts, PersonFacts]:
    """Return what a ``published`` or ``no-verdict`` graph says of its food and its person.

    Amounts stand in the latter only, to three decimals; statuses keep the order in which they
    stand.

    Raises
    ------
    SchemaError
        When food, user or category is missing or stands twice, an id is not a number, or an
        amount is none.
    """
    food, user = _one(graph, _FOOD, "food"), _one(graph, _USER, "user")
    by_type: dict[str, list[str]] = {}
    for node in graph.nodes:
        if isinstance(node.name, str):
            by_type.setdefault(node.name, []).append(node.attr)
    categories = by_type.get("category", [])
    if len(categories) != 1:
        raise SchemaError(f"{len(categories)} categories, not one", where="node_list")
    amounts = dict(map(_amount, by_type.get("nutrient", ())))
    return (
        FoodFacts(
            code=_number(food, "food"),
            name=food.attr,
            category=categories[0],
            ingredients=tuple(by_type.get("ingredient", ())),
            tags=tuple(by_type.get("food_nutrition_tag", ())),
            unknown=tuple(n for n, amount in amounts.items() if amount is None),
            per_100g={n: amount for n, amount in amounts.items() if amount is not None},
        ),
        PersonFacts(
            person=_number(user, "user"),
            statuses=tuple(by_type.get("status", ())),
            habits=tuple(by_type.get("dietary habit", ())),
        ),
    )


def mode_of(graph: QuestionGraph) -> GraphMode:
    """Return ``no-verdict`` for a graph that gives amounts, else ``published``."""
    return "no-verdict" if any(n.name == "nutrient" for n in graph.nodes) else "published"


def _amount(text: str) -> tuple[str, float | None]:
    """Read ``sodium 412 mg per 100 g`` or ``sodium unknown``."""
    match text.split(" "):
        case [nutrient, "unknown"]:
            return nutrient, None
        case [nutrient, number, _, "per", "100", "g"] if _NUMBER.fullmatch(number):
            return nutrient, float(number)
    raise SchemaError(f"no amount: {text!r}", where="node_list")


def _one(graph: QuestionGraph, at: int, what: str) -> Node:
    found = [n for n in graph.nodes if n.id == at]
    if len(found) != 1:
        raise SchemaError(f"{len(found)} nodes with id {at} ({what}), not one", where="node_list")
    return found[0]


def _number(node: Node, what: str) -> int:
    if not isinstance(node.name, int):
        raise SchemaError(f"the {what}'s name is {node.name!r}, not a number", where="node_list")
    return node.name
