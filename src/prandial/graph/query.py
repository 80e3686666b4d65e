"""Questions to the merged graph: neighbours, paths, parts of it, people, names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from prandial.errors import InputError, NotFoundError
from prandial.graph.merged import GraphNode, MergedGraph
from prandial.graph.schema import KINDS, RELATIONS

__all__ = [
    "Neighbour",
    "Path",
    "excerpt",
    "find",
    "neighbours",
    "paths",
    "people_with",
    "subgraph",
]

Direction = Literal["out", "in", "both"]
#: where a step leads, by which relation (its place), and whether along the edge
Step = tuple[int, int, bool]
_MAX_PATHS: Final = 100_000


class Neighbour(NamedTuple):
    """A node beside another, with the edge between them."""

    relation: str
    node: GraphNode
    value: float
    unit: str
    direction: Literal["out", "in"]


class Path(NamedTuple):
    """A path: nodes, and between each two the relation and whether it points forward."""

    nodes: tuple[GraphNode, ...]
    relations: tuple[tuple[str, bool], ...]

    def __str__(self) -> str:
        parts = [self.nodes[0].label]
        for (relation, forward), node in zip(self.relations, self.nodes[1:], strict=True):
            parts.append(f"-[{relation}]->" if forward else f"<-[{relation}]-")
            parts.append(node.label)
        return " ".join(parts)


def _relation(name: str) -> int:
    if name not in RELATIONS:
        raise InputError(
            f"no relation {name!r}", where="graph", hint="relations: " + ", ".join(RELATIONS)
        )
    return RELATIONS.index(name)


def neighbours(
    graph: MergedGraph,
    node: GraphNode | int,
    relation: str | None = None,
    direction: Direction = "out",
) -> list[Neighbour]:
    """Return the nodes beside a node, outgoing edges first, each in canonical order.

    Raises
    ------
    InputError
        On a relation that there is not.
    """
    index = node if isinstance(node, int) else node.place
    found: list[Neighbour] = []
    wanted = None if relation is None else _relation(relation)
    ways: tuple[Literal["out", "in"], ...] = ("out", "in")
    for way in ways:
        if direction not in (way, "both"):
            continue
        edges = graph.out_edges(index) if way == "out" else graph.in_edges(index)
        if wanted is not None:
            edges = edges[graph.relation[edges] == wanted]
        other = graph.target if way == "out" else graph.source
        found += [
            Neighbour(
                RELATIONS[graph.relation[e]],
                graph.at(int(other[e])),
                float(graph.edge_value[e]),
                graph.units[graph.edge_unit[e]],
                way,
            )
            for e in edges.tolist()
        ]
    return found


def paths(graph: MergedGraph, person: int, food: int, *, max_len: int = 4) -> list[Path]:
    """Return all simple paths between a person and a food, edges taken in either direction.

    A path does not pass through other people or foods. Of parallel edges of one relation
    (an ingredient listed twice) one is taken.

    Parameters
    ----------
    graph : MergedGraph
    person, food : int
    max_len : int
        Most edges a path may have.

    Raises
    ------
    NotFoundError
        When either is not in the graph.
    InputError
        When there are more than 100,000 paths.
    """
    start, end = graph.node("person", person).place, graph.node("food", food).place
    into_food: dict[int, list[Step]] = {}
    for edge in graph.out_edges(end).tolist():
        step = (end, int(graph.relation[edge]), False)
        into_food.setdefault(int(graph.target[edge]), []).append(step)
    out_of_person = [
        (int(graph.target[e]), int(graph.relation[e]), True) for e in graph.out_edges(start)
    ]
    far = _distances(graph, into_food, max_len)
    found: list[Path] = []
    for steps in _walks(graph, start, out_of_person, into_food, far, end, max_len):
        if len(found) == _MAX_PATHS:
            raise InputError(
                f"more than {_MAX_PATHS:,} paths", where="max_len", hint="ask for shorter paths"
            )
        nodes = (start, *(node for node, _, _ in steps))
        found.append(
            Path(
                tuple(graph.at(n) for n in nodes),
                tuple((RELATIONS[r], forward) for _, r, forward in steps),
            )
        )
    return found


def _distances(
    graph: MergedGraph, into_food: Mapping[int, list[Step]], most: int
) -> dict[int, int]:
    """Return the edges from each inner node to the food, up to a number."""
    far = dict.fromkeys(into_food, 1)
    front = list(into_food)
    for length in range(2, most):
        reached = {n for node in front for n, _, _ in graph.inner_steps.get(node, ())}
        front = sorted(reached - far.keys())
        far.update(dict.fromkeys(front, length))
    return far


def _walks(
    graph: MergedGraph,
    start: int,
    first: list[Step],
    into_food: Mapping[int, list[Step]],
    far: Mapping[int, int],
    end: int,
    most: int,
) -> Iterator[tuple[Step, ...]]:
    """Walk depth first; a walk that cannot reach the food in time is not begun."""
    waiting: list[tuple[Step, ...]] = []
    waiting += [(s,) for s in dict.fromkeys(first)][::-1]
    while waiting:
        walk = waiting.pop()
        last = walk[-1][0]
        if last == end:
            yield walk
            continue
        if len(walk) + far.get(last, most) > most:
            continue
        seen = {start, *(node for node, _, _ in walk)}
        onward = (*graph.inner_steps.get(last, ()), *into_food.get(last, ()))
        waiting += [(*walk, s) for s in dict.fromkeys(onward) if s[0] not in seen][::-1]


def subgraph(
    graph: MergedGraph,
    person: int,
    food: int,
    *,
    mode: Literal["paths", "hops"] = "hops",
    hops: int = 2,
) -> MergedGraph:
    """Return the part of the graph around a person and a food, with all edges inside it.

    Parameters
    ----------
    graph : MergedGraph
    person, food : int
    mode : {'paths', 'hops'}
        ``paths``: the nodes on any path of at most ``hops`` edges between the two; ``hops``:
        all nodes that ``hops`` outgoing edges reach from either.
    hops : int

    Raises
    ------
    NotFoundError
        When either is not in the graph.
    """
    ends = graph.node("person", person).place, graph.node("food", food).place
    keep = np.zeros(len(graph), dtype=np.bool_)
    keep[list(ends)] = True
    if mode == "paths":
        for path in paths(graph, person, food, max_len=hops):
            keep[[n.place for n in path.nodes]] = True
        return graph.induced(keep)
    front = list(ends)
    for _ in range(hops):
        leaving = [graph.out_edges(n) for n in front]
        edges = np.concatenate(leaving) if leaving else np.zeros(0, dtype=np.int64)
        reached = np.unique(graph.target[edges])
        front = reached[~keep[reached]].tolist()
        keep[front] = True
    return graph.induced(keep)


def excerpt(graph: MergedGraph, people: Sequence[int] | int | None) -> MergedGraph:
    """Return the graph with some of its people only; all else stays.

    Parameters
    ----------
    graph : MergedGraph
    people : sequence of int, int or None
        Respondent numbers, or how many of the first, or all.

    Raises
    ------
    NotFoundError
        When a respondent is not in the graph.
    InputError
        On a negative number.
    """
    if people is None:
        return graph
    everyone = graph.of_kind("person")
    if isinstance(people, int):
        if people < 0:
            raise InputError(f"{people} people", where="people", hint="give 0 or more")
        chosen: Sequence[int] = everyone[:people]
    else:
        chosen = [graph.node("person", p).place for p in people]
    keep = graph.kind != KINDS.index("person")
    keep[list(chosen)] = True
    return graph.induced(keep)


def people_with(
    graph: MergedGraph,
    *statuses: str,
    relation: Literal["has", "unknown whether has"] = "has",
) -> npt.NDArray[np.int64]:
    """Return the respondent numbers of the people who have all of some statuses, sorted.

    Parameters
    ----------
    graph : MergedGraph
    *statuses : str
        Conditions, diets or habits.
    relation : {'has', 'unknown whether has'}

    Raises
    ------
    NotFoundError
        When there is no such status.
    """
    everyone = graph.of_kind("person")
    held = np.ones(len(everyone), dtype=np.bool_)
    for status in statuses:
        edges = graph.in_edges(_status(graph, status))
        edges = edges[graph.relation[edges] == _relation(relation)]
        one = np.zeros(len(everyone), dtype=np.bool_)
        one[graph.source[edges] - everyone.start] = True
        held &= one
    return np.array([int(graph.key[everyone.start + i]) for i in np.flatnonzero(held)], np.int64)


def _status(graph: MergedGraph, name: str) -> int:
    kinds = ("condition", "diet", "habit")
    places = {graph.key[i]: i for kind in reversed(kinds) for i in graph.of_kind(kind)}
    if name not in places:
        raise NotFoundError(
            f"no status {name!r}",
            where="graph",
            hint="nearest: " + ", ".join(n for n, _ in _near(name, sorted(places), 3)),
        )
    return places[name]


def _near(text: str, names: Sequence[str], most: int) -> list[tuple[str, int]]:
    from rapidfuzz import process, utils

    found = process.extract(text, names, processor=utils.default_process, limit=most)
    return [(name, place) for name, _, place in found]


def find(
    graph: MergedGraph, text: str, kind: str | None = None, *, limit: int = 10
) -> list[GraphNode]:
    """Return the nodes whose label is nearest to a text, best first.

    Parameters
    ----------
    graph : MergedGraph
    text : str
    kind : str, optional
        By default all kinds but people.
    limit : int

    Raises
    ------
    NotFoundError
        On a kind that there is not.
    """
    if kind is not None and kind not in KINDS:
        raise NotFoundError(
            f"no kind of node {kind!r}", where="graph", hint="kinds: " + ", ".join(KINDS)
        )
    kinds = [k for k in KINDS if k != "person"] if kind is None else [kind]
    places = [i for k in kinds for i in graph.of_kind(k)]
    near = _near(text, [graph.label[i] for i in places], limit)
    return [graph.at(places[i]) for _, i in near]
