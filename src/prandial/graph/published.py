"""The graph of one question, in the published form, for other tools and as text."""

from __future__ import annotations

from typing import Any

from prandial.errors import MissingDataError
from prandial.records.quiz import QuestionGraph

__all__ = ["question_text", "question_to_networkx", "question_triples"]


def question_to_networkx(graph: QuestionGraph) -> Any:
    """Return a networkx ``DiGraph``: nodes by id with ``name`` and ``attr``, ``relation`` on edges.

    Raises
    ------
    MissingDataError
        When networkx is not installed.
    """
    try:
        import networkx as nx
    except ImportError as error:
        raise MissingDataError(
            "networkx is not installed", where="graph", hint="pip install 'prandial[ngqa]'"
        ) from error
    made = nx.DiGraph()
    made.add_nodes_from((n.id, {"name": n.name, "attr": n.attr}) for n in graph.nodes)
    made.add_edges_from((e.source, e.target, {"relation": e.relation}) for e in graph.edges)
    return made


def question_text(graph: QuestionGraph) -> str:
    """Return ``(source relation target)`` for each edge, joined by a comma, in edge order.

    Nodes are named by their text, which is ``user`` for the person, as the question speaks of
    one. The text is made from the edges; nothing ever reads it back.
    """
    return ", ".join(f"({triple})" for triple in question_triples(graph))


def question_triples(graph: QuestionGraph) -> tuple[str, ...]:
    """Return each edge in words: source, relation, target."""
    named = {n.id: n.attr for n in graph.nodes}
    return tuple(f"{named[e.source]} {e.relation} {named[e.target]}" for e in graph.edges)
