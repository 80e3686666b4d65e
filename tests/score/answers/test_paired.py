"""Two runs side by side, by hand and against scipy."""

from __future__ import annotations

import pytest

from prandial.errors import InputError
from prandial.score.answers.paired import compare_meals, mcnemar


def test_mcnemar_agrees_with_the_binomial_test():
    from scipy import stats

    for b, c in ((0, 0), (1, 0), (5, 5), (3, 12), (40, 80), (900, 1100)):
        first = [True] * b + [False] * c + [True, False]
        second = [False] * b + [True] * c + [True, False]
        found = mcnemar(first, second)
        assert (found.both, found.only_first, found.only_second, found.neither) == (1, b, c, 1)
        expected = stats.binomtest(b, b + c).pvalue if b + c else 1.0
        assert found.p == pytest.approx(expected)


def test_no_questions_in_common_have_no_p():
    assert mcnemar([], []).p is None


def test_comparison_by_hand(pair):
    first = [
        pair("a", 40, 40),
        pair("b", 40, 60),
        pair("c", 40, None),
        pair("d", 40, 41),
        pair("e", 40, None, status="failed"),
        pair("only here", 1, 1),
    ]
    second = [
        pair("e", 40, 40),
        pair("a", 40, 44),
        pair("b", 40, 46),
        pair("c", 40, 42),
        pair("d", 40, None),
        pair("only there", 1, 1),
    ]
    found = compare_meals(first, second, rules="ours", seed=1)
    assert (found.only_first, found.only_second) == (("only here",), ("only there",))
    assert found.not_run == ("e",)
    acc, mae, rate = found.differences
    assert (acc.first, acc.second, acc.difference, acc.n_pairs) == (0.5, 0.75, 0.25, 4)
    # answered by both: a (0, 4) and b (20, 6)
    assert (mae.first, mae.second, mae.difference) == (10, 5, -5)
    assert (mae.n_pairs, mae.n_left_out, mae.unit) == (2, 2, "g")
    assert (rate.first, rate.second) == (0.75, 0.75)
    assert rate.p == 1.0
    assert (found.right.both, found.right.only_first, found.right.only_second) == (1, 1, 2)
    assert found.right.p == 1.0
    assert acc.low <= acc.difference <= acc.high


def test_the_same_run_twice_does_not_differ(pair):
    run = [pair(str(i), 40, 30 + i) for i in range(30)]
    for rules in ("ours", "published"):
        for difference in compare_meals(run, run, rules=rules, seed=1).differences:
            assert (difference.difference, difference.low, difference.high) == (0, 0, 0)
            assert difference.p == 1.0


def test_a_clear_difference_is_seen(pair):
    first = [pair(str(i), 40, 60) for i in range(40)]
    second = [pair(str(i), 40, 41 if i % 4 else 60) for i in range(40)]
    acc, mae, _ = compare_meals(first, second, rules="ours", seed=1).differences
    assert acc.difference == 0.75
    assert acc.p < 0.001
    assert mae.difference == pytest.approx(-0.75 * 19)
    assert mae.high < 0


def test_different_questions_under_one_id_are_refused(pair):
    with pytest.raises(InputError, match="different questions"):
        compare_meals([pair("a", 40, 40)], [pair("a", 41, 40)], rules="ours", seed=1)
    with pytest.raises(InputError, match="twice"):
        compare_meals([pair("a", 40, 40)] * 2, [pair("a", 40, 40)], rules="ours", seed=1)
