"""The small graph of one question, in the node and edge order of the published benchmark.

Nodes: food (id 1), category, ingredients, food tags, in ``no-verdict`` amounts, user (id 0),
habits, then each status and its unmet needs. Edges follow the nodes.
"""

from __future__ import annotations

from functools import cache
from math import isfinite, nan
from typing import Final

from prandial.errors import InputError, NotFoundError
from prandial.records.quiz import Edge, FoodFacts, GraphMode, Node, PersonFacts, QuestionGraph
from prandial.tables.rules import FOOD_TAG_ORDER, NUTRIENT_ORDER, load_needs, read_rules

__all__ = ["MODES", "question_graph"]

MODES: Final[tuple[GraphMode, ...]] = ("published", "no-verdict", "merged")
_USER, _FOOD = 0, 1
_PUBLISHED: Final = 7
_LEVELS: Final = ("low", "high")


def question_graph(
    food: FoodFacts, person: PersonFacts, *, rules: str, mode: GraphMode = "published"
) -> QuestionGraph:
    """Build the graph of a question about a food and a person.

    Parameters
    ----------
    food : FoodFacts
    person : PersonFacts
        Statuses may come in any order, habits keep theirs.
    rules : {'as-published', 'default'}
        Which statuses need which tags; ``as-published`` graphs hold seven nutrients,
        ``default`` ones sixteen.
    mode : {'published', 'no-verdict', 'merged'}
        ``published`` holds match, contradict and need edges. ``no-verdict`` has none of
        them and gives each amount per 100 g, or says that it is unknown. ``merged`` names food
        and user only: all else is in the one graph of all.

    Raises
    ------
    NotFoundError
        On a status that the rule set does not know.
    InputError
        On an unknown mode or rule set.
    """
    if mode not in MODES:
        raise InputError(f"no graph mode {mode!r}", where="mode", hint=", ".join(MODES))
    needs = load_needs(rules).tags
    for status in person.statuses:
        if status not in needs:
            raise NotFoundError(
                f"no status {status!r} in the rule set {rules}",
                where=f"person {person.person}",
                hint="known: " + ", ".join(needs),
            )
    building = _Building()
    if mode == "merged":
        building.node(food.code, food.name, at=_FOOD)
        building.node(person.person, "user", at=_USER)
        return building.done()
    tags = building.food(food, rules)
    if mode == "no-verdict":
        building.amounts(food, rules)
    building.node(person.person, "user", at=_USER)
    for habit in person.habits:
        building.link(_USER, "has", "dietary habit", habit)
    for status in (s for s in needs if s in person.statuses):
        at = building.link(_USER, "has", "status", status)
        if mode == "published":
            building.verdicts(at, needs[status], tags)
    return building.done()


class _Building:
    """Nodes and edges while they are added; ids count up from 2."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []
        self._edges: list[Edge] = []
        self._next = 2

    def node(self, name: int | str, attr: str, *, at: int | None = None) -> int:
        if at is None:
            at = self._next
            self._next += 1
        self._nodes.append(Node(at, name, attr))
        return at

    def link(self, source: int, relation: str, name: str, attr: str) -> int:
        at = self.node(name, attr)
        self._edges.append(Edge(source, relation, at))
        return at

    def food(self, food: FoodFacts, rules: str) -> dict[str, int]:
        """Add the food's side and return where each of its tags is."""
        self.node(food.code, food.name, at=_FOOD)
        self.link(_FOOD, "belongs to", "category", food.category)
        for ingredient in food.ingredients:
            self.link(_FOOD, "has", "ingredient", ingredient)
        order = _tag_order(rules)
        held = sorted((t for t in set(food.tags) if t in order), key=order.__getitem__)
        return {t: self.link(_FOOD, "belongs to", "food_nutrition_tag", t) for t in held}

    def amounts(self, food: FoodFacts, rules: str) -> None:
        units = _units()
        for nutrient in _nutrients(rules):
            amount = food.per_100g.get(nutrient, nan)
            known = isfinite(amount) and nutrient not in food.unknown
            words = f"{_number(amount)} {units[nutrient]} per 100 g" if known else "unknown"
            self.link(_FOOD, "has", "nutrient", f"{nutrient} {words}")

    def verdicts(self, status: int, wanted: tuple[str, ...], tags: dict[str, int]) -> None:
        for need in wanted:
            opposite = _opposite(need)
            if need in tags:
                self._edges.append(Edge(status, "match", tags[need]))
            if opposite in tags:
                self._edges.append(Edge(status, "contradict", tags[opposite]))
            if need not in tags and opposite not in tags:
                self.link(status, "need", "user_nutrition_tag", need)

    def done(self) -> QuestionGraph:
        return QuestionGraph(tuple(self._nodes), tuple(self._edges))


def _nutrients(rules: str) -> tuple[str, ...]:
    return FOOD_TAG_ORDER[:_PUBLISHED] if rules == "as-published" else FOOD_TAG_ORDER


@cache
def _tag_order(rules: str) -> dict[str, int]:
    tags = [f"{level}_{nutrient}" for nutrient in _nutrients(rules) for level in _LEVELS]
    return {tag: i for i, tag in enumerate(tags)}


@cache
def _opposite(tag: str) -> str:
    level, _, nutrient = tag.partition("_")
    return f"{'high' if level == 'low' else 'low'}_{nutrient}"


@cache
def _units() -> dict[str, str]:
    units = {r["nutrient"]: r["unit"] for r in read_rules("tag_nutrients")}
    return {n: units[n] for n in NUTRIENT_ORDER}


def _number(amount: float) -> str:
    """Write an amount with at most three decimals and no exponent."""
    return f"{amount:.3f}".rstrip("0").rstrip(".")
