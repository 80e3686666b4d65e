"""Fast intervals against a slow obvious version, and against theory."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest

from prandial.score.answers.bootstrap import (
    cluster_interval,
    cluster_interval_of,
    cluster_interval_of_sums,
    cluster_means,
    cluster_median,
    sign_flip_p,
)


def slow_draws(values, groups, statistic, *, seed, draws):
    """Draw groups one by one and put their rows in a list."""
    names = sorted(set(groups))
    rows = {name: [v for v, g in zip(values, groups, strict=True) if g == name] for name in names}
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(draws):
        taken = []
        for place in rng.integers(0, len(names), size=len(names)):
            taken += rows[names[place]]
        found = statistic(taken)
        if found is not None:
            out.append(found)
    return out


def mean_of_scored(values):
    scored = [v for v in values if not math.isnan(v)]
    return statistics.fmean(scored) if scored else None


@pytest.fixture
def data():
    rng = np.random.default_rng(7)
    groups = [f"g{i}" for i in rng.integers(0, 40, 200)]
    values = rng.gamma(2, 10, 200)
    values[rng.random(200) < 0.15] = np.nan
    return values, groups


def test_means_are_those_of_the_slow_way(data):
    values, groups = data
    slow = slow_draws(values.tolist(), groups, mean_of_scored, seed=3, draws=500)
    found = cluster_interval(values, groups, seed=3, draws=500)
    assert found.value == pytest.approx(mean_of_scored(values.tolist()))
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(slow, [2.5, 97.5])))


def test_rows_are_those_of_the_slow_way(data):
    values, groups = data
    values = np.nan_to_num(values, nan=5.0)
    slow = slow_draws(values.tolist(), groups, statistics.median, seed=4, draws=300)
    found = cluster_interval_of(
        lambda rows: float(np.median(values[rows])), groups, seed=4, draws=300
    )
    assert found.value == statistics.median(values.tolist())
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(slow, [2.5, 97.5])))


def test_figures_of_sums_are_those_of_rows(data):
    values, groups = data
    ones = np.nan_to_num(values, nan=1.0)
    columns = np.column_stack([ones, ones**2, np.ones_like(ones)])

    def variance(sums):
        return sums[:, 1] / sums[:, 2] - (sums[:, 0] / sums[:, 2]) ** 2

    fast = cluster_interval_of_sums(variance, columns, groups, seed=5, draws=300)
    slow = cluster_interval_of(lambda r: float(np.var(ones[r])), groups, seed=5, draws=300)
    assert tuple(fast) == pytest.approx(tuple(slow))


def test_several_columns_are_the_single_ones(data):
    values, groups = data
    both = cluster_means(np.column_stack([values, values > 20]), groups, seed=1, draws=200)
    assert both[0] == cluster_interval(values, groups, seed=1, draws=200)
    assert both[1] == cluster_interval((values > 20) * 1.0, groups, seed=1, draws=200)


def test_blocks_change_nothing(data, monkeypatch):
    values, groups = data
    whole = cluster_interval(values, groups, seed=2, draws=200)
    middle = cluster_median(values[~np.isnan(values)], groups[: (~np.isnan(values)).sum()], seed=2)
    monkeypatch.setattr("prandial.score.answers.bootstrap._CELLS", 40 * 7)
    # kept draws would hide the blocks
    monkeypatch.setattr("prandial.score.answers.bootstrap._KEPT_CELLS", 0)
    assert middle == cluster_median(
        values[~np.isnan(values)], groups[: (~np.isnan(values)).sum()], seed=2
    )
    assert tuple(cluster_interval(values, groups, seed=2, draws=200)) == pytest.approx(whole)


def test_order_of_rows_changes_nothing_and_the_seed_does(data):
    values, groups = data
    order = np.random.default_rng(0).permutation(len(groups))
    shuffled = cluster_interval(values[order], [groups[i] for i in order], seed=2)
    found = cluster_interval(values, groups, seed=2)
    assert tuple(shuffled) == pytest.approx(tuple(found))
    assert cluster_interval(values, groups, seed=3)[1:] != found[1:]


def test_the_interval_is_as_wide_as_theory_says():
    """Normal values, 400 groups of one: mean +- 1.96 SD / 20."""
    values = np.random.default_rng(11).normal(size=400)
    found = cluster_interval(values, [str(i) for i in range(400)], seed=1, draws=4000)
    half = 1.96 * values.std() / 20
    assert found.high - found.value == pytest.approx(half, rel=0.1)
    assert found.value - found.low == pytest.approx(half, rel=0.1)


def test_copies_of_rows_tell_nothing_new():
    """Ten copies of each row in its group: the interval is that of the rows alone."""
    values = np.random.default_rng(12).normal(size=60)
    names = [f"{i:03}" for i in range(60)]
    once = cluster_interval(values, names, seed=1)
    often = cluster_interval(np.repeat(values, 10), np.repeat(names, 10).tolist(), seed=1)
    assert tuple(often) == pytest.approx(tuple(once))
    alone = cluster_interval(np.repeat(values, 10), [str(i) for i in range(600)], seed=1)
    assert (alone.high - alone.low) < 0.5 * (often.high - often.low)


def test_nothing_is_undefined():
    nan = np.array([np.nan, np.nan])
    assert cluster_interval(np.empty(0), [], seed=1) == (None, None, None)
    assert cluster_interval(nan, ["a", "b"], seed=1) == (None, None, None)
    assert cluster_interval(np.array([1.0, 3.0]), ["a", "a"], seed=1) == (2.0, None, None)
    assert cluster_interval_of(lambda r: 1.0, [], seed=1) == (None, None, None)
    assert cluster_interval_of(lambda r: math.nan, ["a", "b"], seed=1) == (None, None, None)
    assert cluster_interval_of(lambda r: 1.0, ["a", "a"], seed=1) == (1.0, None, None)


def test_no_draws_give_figures_without_intervals():
    """The mean of 1, 2, 6 is 3, with draws or without."""
    values, groups = np.array([1.0, 2.0, 6.0]), ["a", "b", "c"]
    told = (3.0, None, None)
    assert cluster_interval(values, groups, seed=0, draws=0) == told
    assert cluster_interval_of(lambda r: values[r].mean(), groups, seed=0, draws=0) == told
    columns = np.stack([values, np.ones(3)], axis=1)
    ratio = cluster_interval_of_sums(lambda s: s[:, 0] / s[:, 1], columns, groups, seed=0, draws=0)
    assert ratio == told
    assert sign_flip_p(values, groups, seed=0, draws=0) is None


def test_signs_of_few_groups_are_all_taken():
    # three groups 1, 2, 3: of 8 patterns only +++ and --- are as far from nothing
    assert sign_flip_p(np.array([1.0, 2.0, 3.0]), ["a", "b", "c"], seed=1) == 2 / 8
    # 1 and -1: every pattern is at least as far as 0
    assert sign_flip_p(np.array([1.0, -1.0]), ["a", "b"], seed=1) == 1.0
    assert sign_flip_p(np.zeros(5), list("abcde"), seed=1) == 1.0
    assert sign_flip_p(np.empty(0), [], seed=1) is None
    # rows of one group are turned together
    assert sign_flip_p(np.ones(6), list("aaabbb"), seed=1) == 0.5


def test_signs_of_many_groups_agree_with_the_normal_test():
    from scipy import stats

    rng = np.random.default_rng(5)
    values = rng.normal(0.15, 1, 300)
    found = sign_flip_p(values, [str(i) for i in range(300)], seed=1, draws=20_000)
    z = values.sum() / math.sqrt(float((values**2).sum()))
    assert found == pytest.approx(2 * stats.norm.sf(abs(z)), abs=0.01)
    assert sign_flip_p(values + 5, [str(i) for i in range(300)], seed=1) == 1 / 2001


@pytest.mark.parametrize(("n", "bound"), [(12, 0.2646), (100, 0.0362)])
def test_none_of_n_has_the_exact_interval(n, bound):
    """Clopper and Pearson: the upper bound of 0 of 12 is 26.5 %, of 0 of 100 3.62 %."""
    groups = [f"g{i}" for i in range(n)]
    none, every = cluster_means(
        np.column_stack([np.zeros(n), np.ones(n)]), groups, seed=1, draws=50, shares=(True, True)
    )
    assert none == (0.0, 0.0, pytest.approx(bound, abs=1e-4))
    assert every == (1.0, pytest.approx(1 - bound, abs=1e-4), 1.0)
    (error,) = cluster_means(np.zeros((n, 1)), groups, seed=1, draws=50)  # no share: an error of 0
    assert error == (0.0, 0.0, 0.0)


def test_rows_of_one_meal_do_not_make_it_surer():
    values = np.zeros((24, 1))
    groups = [f"g{i // 2}" for i in range(24)]
    (found,) = cluster_means(values, groups, seed=1, draws=50, shares=(True,))
    assert found.high == pytest.approx(0.2646, abs=1e-4)


def test_without_draws_there_is_no_interval_and_no_p():
    values, groups = np.array([[0.0], [1.0], [1.0]]), ["a", "b", "c"]
    (found,) = cluster_means(values, groups, seed=1, draws=0, shares=(True,))
    assert found == (pytest.approx(2 / 3), None, None)
    assert cluster_interval_of_sums(lambda s: s[:, 0], values, groups, seed=1, draws=0).low is None
    many = np.arange(1.0, 41.0)
    assert sign_flip_p(many, [str(v) for v in many], seed=1, draws=0) is None


@pytest.mark.parametrize(("rows", "groups"), [(1, 1), (2, 2), (7, 3), (40, 40), (301, 90)])
def test_the_fast_median_is_the_slow_one_to_the_last_bit(rows: int, groups: int) -> None:
    rng = np.random.default_rng(rows)
    values = np.round(rng.normal(20, 15, size=rows), 1)  # with ties
    names = [f"g{i}" for i in rng.integers(0, groups, size=rows)]
    slow = cluster_interval_of(
        lambda drawn: float(np.median(values[drawn])), names, seed=5, draws=300
    )
    assert cluster_median(values, names, seed=5, draws=300) == slow


def test_the_median_of_nothing_is_undefined() -> None:
    assert cluster_median(np.empty(0), [], seed=1, draws=10) == (None, None, None)


def test_kept_draws_are_the_draws_of_their_seed() -> None:
    """What is kept for speed must not be what another seed or number of draws gives."""
    values, names = np.arange(30.0), [f"g{i:02d}" for i in range(30)]
    first = cluster_interval(values, names, seed=1, draws=200)
    other = cluster_interval(values, names, seed=2, draws=200)
    fewer = cluster_interval(values, names, seed=1, draws=50)
    assert len({first, other, fewer}) == 3
    assert cluster_interval(values, names, seed=1, draws=200) == first
