"""The small graph of one question, in the node and edge order of the published benchmark.

Nodes: food (id 1), category, ingredients, food tags, in ``no-verdict`` amounts, user (id 0),
habits, then each status and its unmet needs. Edges follow the nodes. ``as-published`` repeats an
unmet need under every status and an ingredient as often as it is listed; ``default`` has each once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from math import isfinite, nan
from typing import Final, NamedTuple

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
        ``default`` ones sixteen. In ``default`` statuses that share an unmet need share its
        node, with a ``need`` edge each, and an ingredient listed twice is one node.
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
    if mode == "merged":
        return QuestionGraph(
            (Node(_FOOD, food.code, food.name), Node(_USER, person.person, "user")), ()
        )
    repeats = rules == "as-published"
    parts = food.ingredients if repeats else tuple(dict.fromkeys(food.ingredients))
    side = _food_side(
        (food.code, food.name, food.category, *parts),
        food.tags,
        food.unknown,
        tuple(food.per_100g.items()) if mode == "no-verdict" else None,
        rules,
    )
    building = _Building(side.nodes, side.edges)
    building.nodes.append(Node(_USER, person.person, "user"))
    for habit in person.habits:
        building.link(_USER, "has", "dietary habit", habit)
    unmet: dict[str, int] = {}
    for status in (s for s in needs if s in person.statuses):
        at = building.link(_USER, "has", "status", status)
        if mode == "published":
            shared = {} if repeats else unmet
            _verdicts(building, at, needs[status], side.tags, shared)
    return building.done()


class _Building:
    """Nodes and edges while they are added; ids count up after those of the food's side."""

    def __init__(self, nodes: Iterable[Node] = (), edges: Iterable[Edge] = ()) -> None:
        self.nodes = list(nodes)
        self.edges = list(edges)
        self._next = len(self.nodes) + 1

    def link(self, source: int, relation: str, name: str, attr: str) -> int:
        """Add a node with the edge that leads to it and return its id."""
        at = self._next
        self._next += 1
        self.nodes.append(Node(at, name, attr))
        self.edges.append(Edge(source, relation, at))
        return at

    def done(self) -> QuestionGraph:
        return QuestionGraph(tuple(self.nodes), tuple(self.edges))


class _FoodSide(NamedTuple):
    """The part of a graph that all questions about a food share; tag -> node id."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    tags: dict[str, int]


@lru_cache(maxsize=4096)
def _food_side(
    names: tuple[int | str, ...],
    tags: tuple[str, ...],
    unknown: tuple[str, ...],
    amounts: tuple[tuple[str, float], ...] | None,
    rules: str,
) -> _FoodSide:
    code, name, category, *ingredients = names
    building = _Building([Node(_FOOD, code, str(name))])
    building.link(_FOOD, "belongs to", "category", str(category))
    for ingredient in ingredients:
        building.link(_FOOD, "has", "ingredient", str(ingredient))
    order = _tag_order(rules)
    held = sorted((t for t in set(tags) if t in order), key=order.__getitem__)
    at = {t: building.link(_FOOD, "belongs to", "food_nutrition_tag", t) for t in held}
    if amounts is not None:
        known, units = dict(amounts), _units()
        for nutrient in _nutrients(rules):
            amount = nan if nutrient in unknown else known.get(nutrient, nan)
            words = f"{_number(amount)} {units[nutrient]} per 100 g"
            words = words if isfinite(amount) else "unknown"
            building.link(_FOOD, "has", "nutrient", f"{nutrient} {words}")
    return _FoodSide(tuple(building.nodes), tuple(building.edges), at)


def _verdicts(
    building: _Building,
    status: int,
    wanted: tuple[str, ...],
    tags: dict[str, int],
    unmet: dict[str, int],
) -> None:
    """Add for each need of a status its match or contradict edge, else an unmet need.

    A need in ``unmet`` has a node already and gets an edge only; new ones are put there.
    """
    for need in wanted:
        opposite = _opposite(need)
        if need in tags:
            building.edges.append(Edge(status, "match", tags[need]))
        if opposite in tags:
            building.edges.append(Edge(status, "contradict", tags[opposite]))
        if need in tags or opposite in tags:
            continue
        if need in unmet:
            building.edges.append(Edge(status, "need", unmet[need]))
        else:
            unmet[need] = building.link(status, "need", "user_nutrition_tag", need)


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
