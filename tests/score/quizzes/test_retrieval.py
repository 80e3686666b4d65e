"""Retrieval by id and by text, and costs, by hand."""

from __future__ import annotations

import pytest
from tests.score.quizzes.asked import by_name, failed, made, real_questions, said

from prandial.quiz.paths import useful_nodes
from prandial.records.quiz import Node, QuestionGraph
from prandial.score.quizzes import cost_scores, retrieval_scores
from prandial.score.quizzes.retrieval import quality_of_ids, quality_of_texts

GRAPH = QuestionGraph(
    (
        Node(0, 7, "user"), Node(1, 5, "Soup"), Node(2, "ingredient", "Salt"),
        Node(3, "ingredient", "Salt"), Node(4, "food_nutrition_tag", "high_sodium"),
        Node(5, "food_nutrition_tag", "low_carb"), Node(6, "status", "hypertension"),
    ),
    (),
)  # fmt: skip
USEFUL = frozenset({0, 1, 4, 6})


def test_by_id():
    assert quality_of_ids((0, 1, 2, 4), USEFUL) == pytest.approx((3 / 4, 3 / 4, 3 / 4))
    assert quality_of_ids((0, 1, 1, 1), USEFUL) == pytest.approx((1, 2 / 4, 2 / 3))
    precision, recall, f1 = quality_of_ids((), USEFUL)
    assert precision != precision
    assert (recall, f1) == (0, 0)


def test_by_text_counts_repeats():
    # five retrieved, two of one text; user, soup, sodium are right
    precision, recall, f1 = quality_of_texts(GRAPH, (0, 1, 2, 3, 4), USEFUL)
    assert (precision, recall) == (3 / 5, 3 / 4)
    assert f1 == pytest.approx(2 * 0.6 * 0.75 / 1.35)
    assert quality_of_texts(GRAPH, (0, 1, 1, 1), USEFUL)[0] == 2 / 4
    assert quality_of_texts(GRAPH, (), USEFUL) == (0, 0, 0)
    # a text that is useful once is right wherever it stands
    both = frozenset({0, 1, 2})
    assert quality_of_texts(GRAPH, (3,), both) == (1.0, 1 / 3, 0.5)
    assert quality_of_ids((3,), both) == (0, 0, 0)


def test_the_whole_graph_has_recall_1_and_the_node_signal_as_precision(shared_dir):
    questions = real_questions(shared_dir, "B")
    useful = {q.id: frozenset(useful_nodes(q.row.graph)) for q in questions}
    pairs = [said(q, "No", retrieved=tuple(n.id for n in q.row.graph.nodes)) for q in questions]
    scores = retrieval_scores(pairs, useful, draws=20)
    ours = {s.metric: s for s in scores if not s.slice and s.rules == "strict"}
    theirs = {s.metric: s for s in scores if not s.slice and s.rules == "published"}
    assert ours["retrieval_recall"].value == 1.0
    assert ours["retrieval_precision"].value == ours["node_snr"].value
    assert ours["node_snr_retrieved"].value == ours["node_snr"].value
    assert ours["tag_snr_retrieved"].value == ours["tag_snr"].value
    assert theirs["retrieval_recall"].value == 1.0
    assert theirs["retrieval_precision"].value == round(theirs["retrieval_precision"].value, 3)
    assert theirs["retrieval_precision"].value == pytest.approx(ours["node_snr"].value, abs=0.02)
    for level in ("sparse", "standard", "complex"):
        assert by_name(scores, f"level={level}")["node_snr"].value > 0


def test_signal_after_retrieval_by_hand():
    asked = made("high_sodium low_carb low_sugar", ("hypertension",), name="q")
    ids = {n.attr: n.id for n in asked.row.graph.nodes}
    useful = {"q": frozenset(useful_nodes(asked.row.graph))}
    kept = (0, 1, ids["high_sodium"], ids["low_carb"])
    found = by_name(retrieval_scores([said(asked, "No", retrieved=kept)], useful, draws=0))
    assert found["tag_snr"].value == pytest.approx(1 / 3)
    assert found["tag_snr_retrieved"].value == 0.5
    assert found["node_snr_retrieved"].value == 3 / 4


def test_what_was_not_retrieved_or_has_no_path_is_unscored():
    one, two, three, four = (made("high_sodium", ("hypertension",), name=n) for n in "abcd")
    useful = {n: frozenset(useful_nodes(one.row.graph)) for n in "abd"}
    pairs = [
        said(one, "No", retrieved=(0, 1)),
        said(two, "No"),
        said(three, "No", retrieved=(0,)),
        failed(four),
    ]
    score = by_name(retrieval_scores(pairs, useful, draws=0))["retrieval_recall"]
    assert (score.value, score.n_scored, score.n_unscored) == (0.5, 1, 3)
    empty = by_name(retrieval_scores([said(one, "No", retrieved=())], useful, draws=0))
    assert empty["tag_snr_retrieved"].value is None
    assert empty["retrieval_recall"].value == 0.0


def test_costs_by_hand():
    asked = [made("high_sodium", ("hypertension",), name=n) for n in "abcd"]
    pairs = [
        said(asked[0], "No", seconds=1.0, calls=1, input_tokens=100, output_tokens=1),
        said(asked[1], "No", seconds=3.0, calls=5, input_tokens=300, output_tokens=None),
        said(asked[2], "hm", seconds=None, calls=3),
        failed(asked[3]),
    ]
    found = by_name(cost_scores(pairs, draws=0))
    told = {m: (s.value, s.n_scored, s.n_unscored, s.unit) for m, s in found.items()}
    assert told["b_seconds"] == (2.0, 2, 2, "s")
    assert told["b_calls"] == (3.0, 3, 1, "calls")
    assert told["b_input_tokens"] == (200.0, 2, 2, "tokens")
    assert told["b_output_tokens"] == (1.0, 1, 3, "tokens")
    assert told["b_questions_per_second"] == (0.5, 2, 2, "1/s")
    assert found["b_questions_per_second"].higher_is_better
    assert not found["b_seconds"].higher_is_better
