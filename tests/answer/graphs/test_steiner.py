"""The prize-collecting Steiner tree against trying every set of edges."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.answer.graphs.asked import made_question, real_questions, run

from prandial.answer.encoder import LexicalEncoder
from prandial.answer.graphs.steiner import best_tree
from prandial.errors import InputError


def connected(nodes, edges):
    """Whether edges hold nodes together, by growing from one of them."""
    left = set(nodes)
    waiting = [left.pop()]
    while waiting:
        at = waiting.pop()
        for a, b in edges:
            other = {a: b, b: a}.get(at)
            if other in left:
                left.discard(other)
                waiting.append(other)
    return not left


def brute(nodes, edges, node_prizes, edge_prizes, cost):
    """The best value of any connected part: each node alone, and every set of edges."""
    best = max(node_prizes.get(n, 0.0) for n in nodes)
    for size in range(1, len(edges) + 1):
        for kept in combinations(range(len(edges)), size):
            ends = [edges[e] for e in kept]
            held = {n for pair in ends for n in pair}
            if connected(held, ends):
                value = sum(node_prizes.get(n, 0.0) for n in held)
                value += sum(edge_prizes.get(e, 0.0) - cost for e in kept)
                best = max(best, value)
    return best


@st.composite
def problems(draw):
    nodes = list(range(10, 10 + draw(st.integers(1, 6))))
    pairs = st.tuples(st.sampled_from(nodes), st.sampled_from(nodes))
    edges = draw(st.lists(pairs, max_size=8))
    prize = st.sampled_from((0.5, 1.0, 2.0, 3.0))
    node_prizes = draw(st.dictionaries(st.sampled_from(nodes), prize, max_size=4))
    places = st.sampled_from(range(len(edges))) if edges else st.nothing()
    edge_prizes = draw(st.dictionaries(places, prize, max_size=4)) if edges else {}
    return nodes, edges, node_prizes, edge_prizes, draw(st.sampled_from((0.0, 0.5, 1.0, 1.7)))


@settings(max_examples=300, deadline=None)
@given(problem=problems())
def test_no_part_is_better(problem):
    _, edges, node_prizes, edge_prizes, cost = problem
    tree = best_tree(*problem)
    assert tree.value == pytest.approx(brute(*problem), abs=1e-9)
    # what it says it chose is one piece and is worth what it says
    ends = [edges[e] for e in tree.edges]
    assert {n for pair in ends for n in pair} <= set(tree.nodes)
    assert connected(tree.nodes, ends)
    told = sum(node_prizes.get(n, 0.0) for n in tree.nodes)
    told += sum(edge_prizes.get(e, 0.0) - cost for e in tree.edges)
    assert tree.value == pytest.approx(told, abs=1e-9)
    assert best_tree(*problem) == tree


def test_a_bridge_is_crossed_when_it_pays():
    # 1 and 3 hold prizes 3 and 2; two edges of 0.5 lie between: 5 - 1 = 4 beats 3
    nodes, edges = [1, 2, 3], [(1, 2), (2, 3)]
    tree = best_tree(nodes, edges, {1: 3.0, 3: 2.0}, {}, 0.5)
    assert (tree.nodes, tree.edges, tree.value) == ((1, 2, 3), (0, 1), 4.0)
    # at 1.5 an edge it does not: 5 - 3 = 2 is below 3
    tree = best_tree(nodes, edges, {1: 3.0, 3: 2.0}, {}, 1.5)
    assert (tree.nodes, tree.edges, tree.value) == ((1,), (), 3.0)
    # an edge with prize 2 at a cost of 1.5 is worth 0.5 and pays for the other: 3 + 2 + .5 - 1.5
    tree = best_tree(nodes, edges, {1: 3.0, 3: 2.0}, {0: 2.0}, 1.5)
    assert (tree.nodes, tree.edges, tree.value) == ((1, 2, 3), (0, 1), 4.0)


def test_too_many_prizes_are_refused():
    nodes = list(range(20))
    with pytest.raises(InputError, match="13 prizes"):
        best_tree(nodes, [], dict.fromkeys(nodes[:13], 1.0), {}, 0.5)
    with pytest.raises(InputError, match="prizes"):
        run("g_retriever", made_question(), options={"k": 8, "k_edges": 8})


def test_nothing_to_win():
    assert best_tree([4, 5], [(4, 5)], {}, {}, 1.0).nodes == (4,)


def test_real_rows_get_a_small_piece_of_the_graph(shared_dir):
    """One piece, with the k best nodes' prizes at stake; smaller than the graph."""
    embed = LexicalEncoder()
    for question, _ in real_questions(shared_dir, "B")[::7]:
        replied, _ = run("g_retriever", question, embed=embed)
        graph = question.row.graph
        assert 0 < len(replied.retrieved) < len(graph.nodes)
        held = [
            (e.source, e.target)
            for e in graph.edges
            if {e.source, e.target} <= set(replied.retrieved)
        ]
        assert connected(replied.retrieved, held)
        assert replied.detail["encoder"] == embed.id
