"""The graph of a question as a method sees it: its two ends, parts of it, its texts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from prandial.answer.graphs.options import whole
from prandial.answer.methods import Kit
from prandial.errors import InputError, SchemaError
from prandial.graph import MergedGraph, subgraph
from prandial.graph.schema import ORDER, RELATIONS
from prandial.graph.text import amount_text
from prandial.records.bench import GraphQuestion
from prandial.records.quiz import Edge, Node, QuestionGraph

__all__ = ["SHOWN", "View", "edges_of", "node_texts", "open_graph"]

#: detail of an answer to a merged question: kind and text of each node that was shown
SHOWN: Final = "shown"


@dataclass(frozen=True, kw_only=True)
class View:
    """A graph with the ids of its user and its food."""

    graph: QuestionGraph
    user: int
    food: int

    @cached_property
    def texts(self) -> dict[int, str]:
        """As :func:`node_texts`."""
        return node_texts(self.graph)

    @cached_property
    def triples(self) -> tuple[str, ...]:
        """Each edge in words, in the order of the edges."""
        return tuple(
            f"{self.texts[e.source]} {e.relation} {self.texts[e.target]}" for e in self.graph.edges
        )

    @cached_property
    def in_order(self) -> QuestionGraph:
        """The whole graph with its edges by source, in the order of the nodes.

        That is the order in which the published text has them: the food's, the user's, then
        those of each status.
        """
        place = {n.id: i for i, n in enumerate(self.graph.nodes)}
        edges = sorted(self.graph.edges, key=lambda e: place[e.source])
        return QuestionGraph(self.graph.nodes, tuple(edges))


def open_graph(question: GraphQuestion, kit: Kit) -> View:
    """Return what a method may look at: the question's graph, or what lies around in the merged.

    A ``merged`` question holds its food and user only. Then ``kit.options["graph"]`` is the
    :class:`~prandial.graph.MergedGraph`, of which the nodes that ``hops`` outgoing edges reach
    from either end are looked at; their ids are their places in it.

    Raises
    ------
    InputError
        When a merged question comes without its graph.
    NotFoundError
        When the food or the person is not in it.
    SchemaError
        When the question's graph has no user or no food.
    """
    if question.mode != "merged":
        return _ends(question)
    merged = kit.options.get("graph")
    if not isinstance(merged, MergedGraph):
        raise InputError(
            "the graph of a merged question holds its food and its user only",
            where="graph",
            hint="hand over the merged graph, as prandial graph export --form parquet writes it"
            " for the same people and foods, or ask with mode published or no-verdict",
        )
    return _around(merged, question, whole(kit, "hops", 2, 1, 4))


def edges_of(view: View, keep: Sequence[int], first: Collection[int] = ()) -> QuestionGraph:
    """Return the part of a graph that some edges make up.

    Parameters
    ----------
    view : View
    keep : sequence of int
        Places of edges, in the order in which they shall stand.
    first : collection of int
        Nodes that belong to the part even if no kept edge touches them.
    """
    edges = tuple(view.graph.edges[i] for i in keep)
    held = {*first, *(e.source for e in edges), *(e.target for e in edges)}
    return QuestionGraph(tuple(n for n in view.graph.nodes if n.id in held), edges)


def node_texts(graph: QuestionGraph) -> dict[int, str]:
    """Return node id to text, which is ``user`` for the person."""
    return {n.id: n.attr for n in graph.nodes}


def _ends(question: GraphQuestion) -> View:
    graph = question.row.graph
    user = [n.id for n in graph.nodes if n.id == 0 and n.attr == "user"]
    food = [n.id for n in graph.nodes if n.id == 1]
    if not (user and food):
        raise SchemaError(
            "the graph has no user with id 0 or no food with id 1",
            where=question.id,
            hint="prandial ngqa check",
        )
    return View(graph=graph, user=user[0], food=food[0])


def _around(merged: MergedGraph, question: GraphQuestion, hops: int) -> View:
    person, code = question.row.person.person, question.row.food.code
    part = subgraph(merged, person, code, hops=hops)
    ends = merged.node("person", person).place, merged.node("food", code).place
    found = [part.at(i) for i in range(len(part))]
    places = [merged.node(n.kind, n.key).place for n in found]
    nodes = []
    for place, node in zip(places, found, strict=True):
        if place == ends[0]:
            nodes.append(Node(place, person, "user"))
        else:
            nodes.append(Node(place, code if place == ends[1] else node.kind, node.label))
    edges = []
    for e in range(part.n_edges):
        unit = part.units[part.edge_unit[e]]
        amount = "" if unit == ORDER else amount_text(float(part.edge_value[e]), unit)
        relation = RELATIONS[part.relation[e]]
        edges.append(
            Edge(
                places[part.source[e]],
                f"{relation} {amount}" if amount else relation,
                places[part.target[e]],
            )
        )
    return View(graph=QuestionGraph(tuple(nodes), tuple(edges)), user=ends[0], food=ends[1])
