"""Statistics: useful nodes against all simple paths, figures by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.quiz.made import food, foods, people, person

from prandial.quiz import make_row, read_published, stats_dict
from prandial.quiz.paths import useful_nodes
from prandial.records.quiz import Edge, Node, QuestionGraph


def _by_paths(graph: QuestionGraph) -> set[int]:
    """Union of the nodes on all simple paths, as the benchmark's authors define it."""
    networkx = pytest.importorskip("networkx")
    drawn = networkx.Graph()
    drawn.add_nodes_from(n.id for n in graph.nodes)
    drawn.add_edges_from((e.source, e.target) for e in graph.edges)
    return {n for path in networkx.all_simple_paths(drawn, 0, 1) for n in path}


def test_real_rows(shared_dir):
    rows = read_published(shared_dir / "data/ngqa/ngqa_benchmark_sample50.csv").rows
    assert len(rows) == 50
    for row in rows:
        assert useful_nodes(row.graph) == _by_paths(row.graph)


@settings(max_examples=300, deadline=None)
@given(n=st.integers(2, 9), data=st.data())
def test_any_small_graph(n, data):
    ends = st.integers(0, n - 1)
    edges = data.draw(st.lists(st.tuples(ends, ends), max_size=14))
    graph = QuestionGraph(
        tuple(Node(i, "x", "x") for i in range(n)), tuple(Edge(a, "has", b) for a, b in edges)
    )
    assert useful_nodes(graph) == _by_paths(graph)


@settings(max_examples=60, deadline=None)
@given(asked=foods("default"), who=people("default"))
def test_graphs_of_ours(asked, who):
    row = make_row(asked, who, level="sparse", rules="default")
    assert useful_nodes(row.graph) == _by_paths(row.graph)


def test_figures_by_hand():
    # food, category, 2 ingredients, 3 tags, user, 1 habit, 2 statuses, 1 unmet need: 12 nodes
    asked = food("low_carb", "high_sodium", "high_calorie")
    who = person("hypertension", "diabetes", habits=("Drinks little water",))
    one = make_row(asked, who, level="complex", rules="as-published")
    other = make_row(
        food("low_calorie", code=2, ingredients=("Salt",)),
        person("obesity", number=7),
        level="sparse",
        rules="as-published",
    )
    told = stats_dict([one, other])
    assert (told["rows"], told["users"], told["foods"], told["ingredients"]) == (2, 2, 2, 2)
    level = told["levels"]["complex"]
    # edges: 6 of the food, 3 of the user, contradict sodium, match carb, need sugar
    assert (level["rows"], level["nodes"], level["edges"]) == (1, 12, 12)
    assert level["useful_nodes"] == 6  # food, user, two statuses, two tags
    assert level["node_snr"] == pytest.approx(0.5)
    assert level["tag_snr"] == pytest.approx(2 / 3)
    assert (level["yes_ratio"], level["ties"]) == (0, 1)
    assert level["baselines"]["all_tags_jaccard"] == pytest.approx(2 / 3)
    assert level["baselines"]["always_no"] == 1
    assert told["levels"]["sparse"]["yes_ratio"] == 1
    empty = told["levels"]["standard"]
    assert (empty["rows"], empty["yes_ratio"], empty["node_snr"]) == (0, None, None)
    assert told["statuses_per_row"] == {"1": 1, "2": 1}
    assert told["rows_per_status"] == {"diabetes": 1, "hypertension": 1, "obesity": 1}


def test_an_unmet_need_that_two_statuses_share_is_no_signal():
    # by default a shared need joins two statuses, one of which reaches the food
    who = person("diabetes", "Sugar free/Low sugar diet")
    row = make_row(food("low_carb"), who, level="sparse", rules="default")
    assert len(useful_nodes(row.graph)) > 4
    level = stats_dict([row])["levels"]["sparse"]
    assert level["useful_nodes"] == 4  # food, its tag, diabetes, user


def test_no_edges_to_read_in_no_verdict_graphs():
    row = make_row(
        food("low_carb"), person("diabetes"), level="sparse", rules="default", mode="no-verdict"
    )
    level = stats_dict([row])["levels"]["sparse"]
    assert level["node_snr"] is None  # nothing in such a graph is marked as useful
    assert level["baselines"]["count_edges"] is None
