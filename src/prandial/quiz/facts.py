"""Facts of food and person read back from a graph in the published form."""

from __future__ import annotations

from prandial.errors import SchemaError
from prandial.records.quiz import FoodFacts, Node, PersonFacts, QuestionGraph

__all__ = ["facts_of"]

_USER, _FOOD = 0, 1


def facts_of(graph: QuestionGraph) -> tuple[FoodFacts, PersonFacts]:
    """Return what a published graph says of its food and its person.

    Amounts are not in such a graph, so ``per_100g`` is empty; statuses keep the order in which
    they stand.

    Raises
    ------
    SchemaError
        When food, user or category is missing or stands twice, or an id is not a number.
    """
    food, user = _one(graph, _FOOD, "food"), _one(graph, _USER, "user")
    by_type: dict[str, list[str]] = {}
    for node in graph.nodes:
        if isinstance(node.name, str):
            by_type.setdefault(node.name, []).append(node.attr)
    categories = by_type.get("category", [])
    if len(categories) != 1:
        raise SchemaError(f"{len(categories)} categories, not one", where="node_list")
    return (
        FoodFacts(
            code=_number(food, "food"),
            name=food.attr,
            category=categories[0],
            ingredients=tuple(by_type.get("ingredient", ())),
            tags=tuple(by_type.get("food_nutrition_tag", ())),
        ),
        PersonFacts(
            person=_number(user, "user"),
            statuses=tuple(by_type.get("status", ())),
            habits=tuple(by_type.get("dietary habit", ())),
        ),
    )


def _one(graph: QuestionGraph, at: int, what: str) -> Node:
    found = [n for n in graph.nodes if n.id == at]
    if len(found) != 1:
        raise SchemaError(f"{len(found)} nodes with id {at} ({what}), not one", where="node_list")
    return found[0]


def _number(node: Node, what: str) -> int:
    if not isinstance(node.name, int):
        raise SchemaError(f"the {what}'s name is {node.name!r}, not a number", where="node_list")
    return node.name
