"""Two runs on the same questions, by hand."""

from __future__ import annotations

import pytest
from tests.score.quizzes.asked import by_name, failed, made, said

from prandial.errors import InputError
from prandial.score.quizzes import compare_quizzes, strict_scores


def _asked(i, task="B", **more):
    return made("high_sodium", ("hypertension",), task, name=f"{task}{i}", code=i + 1, **more)


def test_by_hand():
    first = [said(_asked(i), "No" if i < 4 else "Yes") for i in range(8)]
    second = [said(_asked(i), "No" if i not in (0, 7) else "hm") for i in range(8)]
    found = compare_quizzes(first, second, seed=3)
    (difference,) = found.differences
    assert (difference.first, difference.second) == (0.5, 0.75)
    assert difference.difference == 0.25
    assert difference.low < 0.25 < difference.high
    assert (difference.n_pairs, difference.n_left_out) == (8, 0)
    only = found.right["B"]
    assert (only.both, only.only_first, only.only_second, only.neither) == (3, 1, 3, 1)
    # two-sided binomial of 1 in 4
    assert only.p == pytest.approx(2 * (1 + 4) / 16)


def test_a_run_against_itself_and_its_scores():
    runs = [
        [said(_asked(i, "ML"), text if i % 2 else "high_sodium") for i in range(6)]
        for text in ("high_sodium", "high_sodium, low_carb")
    ]
    same = compare_quizzes(runs[0], runs[0])
    assert {(d.difference, d.p) for d in same.differences} == {(0.0, 1.0)}
    found = {d.metric: d for d in compare_quizzes(*runs).differences}
    for metric in ("ml_jaccard_all", "ml_exact_all"):
        assert found[metric].first == by_name(strict_scores(runs[0], draws=0))[metric].value
        assert found[metric].second == by_name(strict_scores(runs[1], draws=0))[metric].value
    published = {d.metric: d for d in compare_quizzes(*runs, rules="published").differences}
    assert published["ml_accuracy"].difference == pytest.approx(-0.25)


def test_only_what_both_ran_is_compared():
    first = [said(_asked(0), "No"), said(_asked(1), "No"), failed(_asked(2)), said(_asked(3), "No")]
    second = [
        said(_asked(0), "No"),
        failed(_asked(1)),
        said(_asked(2), "No"),
        said(_asked(4), "No"),
    ]
    found = compare_quizzes(first, second)
    assert found.differences[0].n_pairs == 1
    assert set(found.not_run) == {"B1", "B2"}
    assert (found.only_first, found.only_second) == (("B3",), ("B4",))


def test_two_graph_modes_compare_and_two_golds_do_not():
    one = [said(_asked(0), "No")]
    other = [said(_asked(0, mode="no-verdict"), "No")]
    assert compare_quizzes(one, other).differences[0].n_pairs == 1
    different = [said(made("low_sodium", ("hypertension",), name="B0"), "Yes")]
    with pytest.raises(InputError, match="different questions"):
        compare_quizzes(one, different)


def test_sentences_by_verdict_and_reasons():
    first = [said(_asked(0, "TG"), "No, because the food is high in sodium.")]
    second = [said(_asked(0, "TG"), "No, because the food is high in sodium, low in carb.")]
    found = {d.metric: d.difference for d in compare_quizzes(first, second).differences}
    assert found == {"tg_accuracy_all": 0.0, "tg_reasons_jaccard_all": -0.5}
