"""Floors: what answers without a model score, on the real rows and in each graph mode."""

from __future__ import annotations

import pytest
from tests.score.quizzes.asked import by_name, made, real_questions

from prandial.bench.report.floors import GRAPH_FLOORS, graph_floor
from prandial.quiz.paths import useful_nodes
from prandial.quiz.statistics import stats_dict
from prandial.score.quizzes import paired, published_scores, retrieval_scores, strict_scores

LEVELS = ("sparse", "standard", "complex")


def floor_pairs(questions, name):
    return paired(questions, {p.question: p for p in graph_floor(questions, name)})


def floor_scores(questions, *, rules="strict", draws):
    score = strict_scores if rules == "strict" else published_scores
    return {n: score(floor_pairs(questions, n), draws=draws) for n in GRAPH_FLOORS}


def _all(shared, mode="published"):
    return [q for task in ("B", "ML", "TG") for q in real_questions(shared, task, mode=mode)]


def test_all_tags_overlap_is_the_tag_signal_exactly(shared_dir):
    questions = real_questions(shared_dir, "ML")
    useful = {q.id: frozenset(useful_nodes(q.row.graph)) for q in questions}
    for rules, metric in (("strict", "ml_jaccard_all"), ("published", "ml_accuracy")):
        scores = floor_scores(questions, rules=rules, draws=20)["all_tags"]
        signal = retrieval_scores(floor_pairs(questions, "all_tags"), useful, draws=20)
        for level in ("", *(f"level={lv}" for lv in LEVELS)):
            value, snr = by_name(scores, level)[metric].value, by_name(signal, level)["tag_snr"]
            assert snr.n_scored == by_name(scores, level)[metric].n_scored
            if rules == "strict":
                assert value == snr.value
            else:
                assert value == round(snr.value, 4)
    stated = stats_dict([q.row for q in questions])["levels"]
    for level in LEVELS:
        assert by_name(signal, f"level={level}")["tag_snr"].value == pytest.approx(
            stated[level]["tag_snr"]
        )
        assert by_name(signal, f"level={level}")["node_snr"].value == pytest.approx(
            stated[level]["node_snr"]
        )


def test_always_no_is_the_share_of_no(shared_dir):
    questions = real_questions(shared_dir, "B")
    for rules, metric in (("strict", "b_accuracy_all"), ("published", "b_accuracy")):
        scores = floor_scores(questions, rules=rules, draws=0)["always_no"]
        for level in LEVELS:
            verdicts = [q.row.gold.verdict for q in questions if q.row.level == level]
            share = verdicts.count("No") / len(verdicts)
            assert by_name(scores, f"level={level}")[metric].value == pytest.approx(share, abs=5e-5)


def test_reading_the_edges_is_right_in_published_graphs(shared_dir):
    scores = by_name(floor_scores(_all(shared_dir), draws=20)["edge_reading"])
    for metric in ("b_accuracy_all", "ml_jaccard_all", "ml_exact_all", "tg_accuracy_all"):
        assert scores[metric].value == 1.0, metric
        assert scores[metric].n_scored == 50
    assert scores["tg_reasons_jaccard_all"].value == 1.0
    texts = by_name(floor_scores(_all(shared_dir), rules="published", draws=0)["edge_reading"])
    assert texts["b_accuracy"].value == texts["ml_accuracy"].value == 1.0
    assert texts["tg_rouge1"].value > 0.99  # the order of reasons may differ


def test_reading_the_edges_is_undefined_without_them(shared_dir):
    found = floor_scores(_all(shared_dir, "no-verdict"), draws=20)
    scores = by_name(found["edge_reading"])
    for metric in ("b_accuracy_all", "b_mcc", "ml_jaccard_all", "tg_accuracy_all"):
        assert (scores[metric].value, scores[metric].n_scored) == (None, 0)
        assert scores[metric].n_unscored == 50
    ((_, answer),) = floor_pairs(_all(shared_dir, "no-verdict")[:1], "edge_reading")
    assert (answer.reading.status, answer.raw_text) == ("failed", "")
    assert answer.error == "no answer: the graph has no verdict edges"
    # the other floors need no such edge
    assert by_name(found["all_tags"])["ml_jaccard_all"].n_scored == 50
    assert by_name(found["always_no"])["b_accuracy_all"].n_scored == 50


def test_edges_count_twice_where_nutrients_count_once():
    """Diabetes and a sugar-free diet both need low sugar: two edges for, one nutrient for."""
    both = ("hypertension", "diabetes", "Sugar free/Low sugar diet")
    asked = made("low_sugar high_sodium", both, level="complex")
    assert asked.row.gold.verdict == "No"
    assert by_name(floor_scores([asked], draws=0)["edge_reading"])["b_accuracy_all"].value == 0.0


def test_tags_come_from_the_food_where_the_graph_has_none():
    asked = made("low_sugar high_sodium", ("diabetes",), "ML", mode="merged")
    ((_, answer),) = floor_pairs([asked], "all_tags")
    assert answer.raw_text == "low_sugar, high_sodium"


def test_fixed_sentence(shared_dir):
    scores = by_name(
        floor_scores(real_questions(shared_dir, "TG"), rules="published", draws=0)[
            "fixed_sentence"
        ],
        "level=sparse",
    )
    assert scores["tg_rouge1"].value >= 0.588
