"""Useful nodes of every graph mode, against all simple paths by networkx, and by hand."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import pytest
from tests.answer.graphs.asked import run
from tests.graph.conftest import profiles
from tests.score.quizzes.asked import made, question, real_questions, said

from prandial.bench.retrieved import retrieval_of
from prandial.graph import build_merged
from prandial.quiz import make_row


def _slow_useful(graph):
    """Every node of every simple path, one path after the other."""
    drawn = nx.Graph((e.source, e.target) for e in graph.edges)
    drawn.add_nodes_from(n.id for n in graph.nodes)
    return {n for path in nx.all_simple_paths(drawn, 0, 1) for n in path}


def _slow(asked, published, kept):
    """Precision, recall, F1 by kind and text, and the signal of what was kept."""
    keys = {(n.name, n.attr) for n in published.nodes if n.id in _slow_useful(published)}
    nodes = {n.id: (n.name, n.attr) for n in asked.row.graph.nodes}
    useful = {i for i, key in nodes.items() if key in keys}
    right = len(useful & set(kept))
    tags = [i for i in kept if nodes[i][0] == "food_nutrition_tag"]
    signal = sum(i in useful for i in tags) / len(tags) if tags else None
    p, r = right / len(kept), right / len(useful)
    return p, r, 2 * p * r / (p + r) if right else 0.0, signal


@pytest.mark.parametrize("mode", ["published", "no-verdict"])
def test_against_every_simple_path(mode, shared_dir):
    published = [q.row.graph for q in real_questions(shared_dir, "B")]
    both = zip(real_questions(shared_dir, "B", mode=mode), published, strict=True)
    for asked, graph in both:
        kept = tuple(n.id for n in asked.row.graph.nodes)[::2]
        p, r, f1, signal = _slow(asked, graph, kept)
        strict = {
            s.metric: s.value
            for s in retrieval_of([said(asked, "No", retrieved=kept)], seed=0, draws=0)
            if s.rules == "strict" and not s.slice
        }
        assert strict["retrieval_precision"] == pytest.approx(p)
        assert strict["retrieval_recall"] == pytest.approx(r)
        assert strict["retrieval_f1"] == pytest.approx(f1)
        assert (
            strict["tag_snr_retrieved"] == pytest.approx(signal)
            if signal is not None
            else (strict["tag_snr_retrieved"] is None)
        )


def test_a_graph_without_verdicts_has_the_useful_nodes_of_the_one_with_them():
    tags, statuses = "low_sugar high_sodium high_protein", ("hypertension", "obesity")
    asked = made(tags, statuses, mode="no-verdict")
    nodes = {n.attr: n.id for n in asked.row.graph.nodes}
    kept = (0, 1, nodes["hypertension"], nodes["high_sodium"], nodes["obesity"])
    found = {
        s.metric: s.value
        for s in retrieval_of([said(asked, "No", retrieved=kept)], seed=0, draws=0)
        if s.rules == "strict" and not s.slice
    }
    # useful: user, food, hypertension, high_sodium; obesity needs a tag that the food has not
    assert (found["retrieval_precision"], found["retrieval_recall"]) == (4 / 5, 1.0)
    assert found["tag_snr"] == 1 / 3
    assert found["tag_snr_retrieved"] == 1.0


def test_what_was_shown_of_the_graph_of_all_is_compared_by_text():
    asked = made("low_sugar high_sodium", ("hypertension", "obesity"), mode="merged")
    row = replace(asked.row, person=replace(asked.row.person, person=71234))
    asked = question(
        make_row(row.food, row.person, level="sparse", rules="as-published", mode="merged"),
        mode="merged",
    )
    people = profiles([71234], {"hypertension": [1], "diabetes": [0], "obesity": [1]}, {})
    graph = build_merged(people, [row.food])
    replied, _ = run("kaping_published", asked, options={"graph": graph})
    one = said(asked, "No", retrieved=replied.retrieved, detail=replied.detail)
    found = {
        s.metric: s.value
        for s in retrieval_of([one], seed=0, draws=0)
        if s.rules == "strict" and not s.slice
    }
    # shown is all beside the two; useful are user, food, hypertension and high_sodium
    assert found["retrieval_recall"] == 1.0
    assert found["retrieval_precision"] == 4 / len(replied.retrieved)
    assert found["tag_snr_retrieved"] == 1 / 2
    assert "node_snr" not in found
