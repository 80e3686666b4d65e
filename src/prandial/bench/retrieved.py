"""Which nodes of a question's graph matter, whatever form the graph has.

Useful are the nodes on simple paths between person and food in the ``published`` form, which
holds the edges that make such paths. A ``no-verdict`` graph has the same nodes without these
edges; of a ``merged`` one the nodes that were shown are compared with them by kind and text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from prandial.answer.graphs.view import SHOWN
from prandial.errors import PrandialError
from prandial.graph.question import question_graph
from prandial.quiz.paths import useful_nodes
from prandial.records.bench import GraphQuestion, Prediction, Score
from prandial.records.quiz import Node, QuestionGraph
from prandial.score.quizzes import retrieval_scores
from prandial.score.quizzes.pairs import Pair

__all__ = ["retrieval_of"]

#: kinds of the merged graph by the names that nodes have in a question's graph
_KINDS: Final = {
    "condition": "status",
    "diet": "status",
    "habit": "dietary habit",
    "tag": "food_nutrition_tag",
}
#: figures of whole graphs; what a merged question was looked for in is the graph of all
_OF_WHOLE: Final = frozenset(("node_snr", "tag_snr"))
_Key = tuple[int | str, str]


def retrieval_of(pairs: Sequence[Pair], *, seed: int, draws: int) -> tuple[Score, ...]:
    """Score what was retrieved.

    Parameters
    ----------
    pairs : sequence of (GraphQuestion, Prediction)
    seed, draws : int
        Of the bootstrap.

    Returns
    -------
    tuple of Score
        As :func:`prandial.score.quizzes.retrieval_scores`; of merged questions without the
        signal of the whole graph.
    """
    known: dict[int, tuple[QuestionGraph, frozenset[int]]] = {}
    compared: list[Pair] = []
    useful: dict[str, frozenset[int]] = {}
    for question, prediction in pairs:
        row = question.row
        if id(row) not in known:
            known[id(row)] = _useful(question)
        graph, useful[question.id] = known[id(row)]
        if question.mode == "merged":
            graph, prediction = _shown(graph, prediction)
        compared.append((replace(question, row=replace(row, graph=graph)), prediction))
    found = retrieval_scores(compared, useful, seed=seed, draws=draws)
    if any(q.mode == "merged" for q, _ in pairs):
        return tuple(s for s in found if s.metric not in _OF_WHOLE)
    return found


def _useful(question: GraphQuestion) -> tuple[QuestionGraph, frozenset[int]]:
    """Return the graph that ids are of, and the useful ones of it."""
    row, graph = question.row, question.row.graph
    if question.mode == "published":
        return graph, frozenset(useful_nodes(graph))
    try:
        published = question_graph(row.food, row.person, rules=question.rules)
    except PrandialError:
        return graph, frozenset()  # a status that no rule set knows: nothing can be told
    useful = useful_nodes(published)
    if question.mode == "merged":
        return published, frozenset(useful)
    keys = {_key(n) for n in published.nodes if n.id in useful}
    return graph, frozenset(n.id for n in graph.nodes if _key(n) in keys)


def _key(node: Node) -> _Key:
    return node.name, node.attr


def _shown(graph: QuestionGraph, prediction: Prediction) -> tuple[QuestionGraph, Prediction]:
    """Return a graph with all that was shown, and the prediction with its ids."""
    nodes = _nodes(prediction.detail.get(SHOWN) or ())
    if prediction.retrieved is None or not nodes:
        return graph, replace(prediction, retrieved=None)
    ids = {_key(n): n.id for n in graph.nodes}
    after = 1 + max(n.id for n in graph.nodes)
    extra, retrieved = [], []
    for at, node in enumerate(nodes, after):
        place = ids.get(_key(node))
        if place is None:
            place = at
            extra.append(replace(node, id=at))
        retrieved.append(place)
    whole = QuestionGraph((*graph.nodes, *extra), graph.edges)
    return whole, replace(prediction, retrieved=tuple(retrieved))


def _nodes(told: Iterable[Any]) -> list[Node]:
    return [Node(0, _KINDS.get(str(name), name), str(text)) for name, text in told]
