"""Analyses against slow versions, the paper's findings and hand arithmetic."""

from __future__ import annotations

import math
import statistics
from itertools import product

import duckdb
import numpy as np
import pytest

from prandial.errors import InputError
from prandial.score.analyses.countries import count_countries
from prandial.score.analyses.spread import high_and_low_error, high_and_low_meals
from prandial.score.analyses.statistics import friedman, levene, mann_whitney
from prandial.score.analyses.wordings import _figure, cochran_q, compare_wordings


def one_way_f(first, second):
    """F of the analysis of variance of two groups, from its definition."""
    everything = [*first, *second]
    grand = statistics.fmean(everything)
    means = [statistics.fmean(g) for g in (first, second)]
    between = sum(len(g) * (m - grand) ** 2 for g, m in zip((first, second), means, strict=True))
    within = sum((x - m) ** 2 for g, m in zip((first, second), means, strict=True) for x in g)
    return between / (within / (len(everything) - 2))


def test_levene_is_the_analysis_of_variance_of_distances_from_the_median():
    rng = np.random.default_rng(1)
    first, second = rng.normal(0, 3, 40).tolist(), rng.normal(5, 1, 30).tolist()
    far = [[abs(x - statistics.median(g)) for x in g] for g in (first, second)]
    w, p = levene(first, second)
    assert w == pytest.approx(one_way_f(*far))
    assert p < 0.001


def test_mann_whitney_counts_pairs():
    first, second = [1.0, 3.0, 3.0, 9.0, 12.0], [0.0, 3.0, 4.0, 2.0]
    u, p = mann_whitney(first, second)
    assert u == sum((a > b) + 0.5 * (a == b) for a, b in product(first, second))
    # normal approximation with ties (three 3s) and continuity, by hand
    n, m = len(first), len(second)
    total = n + m
    sd = math.sqrt(n * m / 12 * (total + 1 - (3**3 - 3) / (total * (total - 1))))
    z = (abs(u - n * m / 2) - 0.5) / sd
    assert p == pytest.approx(math.erfc(z / math.sqrt(2)))
    assert mann_whitney([2.0, 2.0], [2.0]) == (1.0, 1.0)


def test_single_foods_with_much_carbohydrate_differ_more(meals):
    """The paper: SD 26.88 g above Q3 against 2.01 g below Q1, P < 0.05 (appendix I)."""
    questions = meals("v2")
    found = high_and_low_meals(questions)
    labels = sorted(q.label for q in questions if q.items == 1)
    q1, _, q3 = statistics.quantiles(labels, n=4, method="inclusive")
    assert (found.q1, found.q3) == pytest.approx((q1, q3))
    high, low = [x for x in labels if x > q3], [x for x in labels if x < q1]
    assert (found.high.n, found.low.n) == (len(high), len(low))
    assert found.high.sd == pytest.approx(statistics.stdev(high))
    assert found.low.sd == pytest.approx(statistics.stdev(low))
    assert found.high.sd > 20 > 5 > found.low.sd
    assert found.p < 0.05


def test_items_must_be_known(meals):
    with pytest.raises(InputError, match="one item"):
        high_and_low_meals(meals("v1"))


def test_meals_with_large_errors(pair):
    rows = [pair(str(i), 10 + i, 10 + 2 * i, items=1 + i // 10) for i in range(40)]
    rows.append(pair("refused", 500, None, items=30))
    found = {s.name: s for s in high_and_low_error(rows, grams=[None, *range(39), 9])}
    # errors are 0..39, quartiles 9.75 and 29.25
    assert (found["label"].high.n, found["label"].low.n) == (10, 10)
    assert found["label"].high.mean == pytest.approx(10 + 34.5)
    assert found["items"].low.mean == 1
    assert found["items"].high.mean == 4
    assert found["label"].u == 100
    assert found["label"].p < 0.001
    assert found["grams"].left_out == 1
    assert high_and_low_error([pair("a", 1, None)]) == ()
    assert {s.name for s in high_and_low_error(rows)} == {"items", "label"}


def test_cochran_of_two_is_mcnemar():
    right = np.array([[1, 1, 1, 0, 0, 1, 1, 0], [1, 0, 0, 1, 0, 1, 0, 0]], dtype=np.float64)
    q, _ = cochran_q(right)
    assert q == pytest.approx((3 - 1) ** 2 / (3 + 1))


def test_cochran_by_its_other_formula():
    rng = np.random.default_rng(3)
    right = (rng.random((4, 60)) < [[0.5], [0.55], [0.6], [0.9]]).astype(np.float64)
    k, columns, rows = 4, right.sum(axis=1), right.sum(axis=0)
    expected = k * (k - 1) * ((columns - columns.mean()) ** 2).sum() / (rows * (k - rows)).sum()
    q, p = cochran_q(right)
    assert q == pytest.approx(expected)
    assert p < 0.01
    assert cochran_q(np.ones((3, 5))) == (0.0, 1.0)


def test_friedman_by_hand():
    # ranks 1, 2, 3 in each of four rows: chi-square n (k - 1) = 8
    chi, p = friedman([[1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]])
    assert chi == pytest.approx(8)
    assert p == pytest.approx(math.exp(-4))
    assert friedman([[1, 2], [1, 2], [1, 2]]) == (0.0, 1.0)


def test_sd_of_wordings_is_the_papers():
    """Table 9: accuracies 51.43, 51.29, 52.70, 50.75: mean 51.54, SD 0.71."""
    means = np.array([[51.43], [51.29], [52.70], [50.75]])
    found = _figure("acc_all", list("1234"), means, "", (0, 1), 1, "", "ours")
    assert round(found.mean, 2) == 51.54
    assert round(found.sd, 2) == 0.71
    assert found.sd_sample > found.sd


def test_wordings(pair):
    def run(shift, refused=()):
        return [
            pair(str(i), 40, None if i in refused else 40 + shift * (i % 2), items=1)
            for i in range(20)
        ]

    runs = {"one": run(0), "two": run(5), "three": run(10, refused=(0, 1))}
    runs["three"].append(pair("extra", 1, 1))
    acc, mae = compare_wordings(runs, rules="ours")
    assert acc.by_run == {"one": 1.0, "two": 1.0, "three": 0.45}
    assert (acc.n, acc.n_left_out) == (20, 1)
    assert acc.mean == pytest.approx((1 + 1 + 0.45) / 3)
    assert acc.test == "Cochran's Q"
    assert acc.p < 0.001
    assert mae.n == 18
    assert mae.by_run == {"one": 0.0, "two": 2.5, "three": 5.0}
    assert mae.unit == "g"
    same = compare_wordings({k: run(5) for k in "abc"}, rules="published")
    assert [f.p for f in same] == [1.0, 1.0]
    assert same[0].sd == 0
    with pytest.raises(InputError, match="three"):
        compare_wordings({"a": run(0), "b": run(1)}, rules="ours")


def test_countries_are_those_of_the_file(meals, shared_dir):
    found = count_countries(meals("v2"))
    path = str(shared_dir / "data" / "nutribench" / "nutribench_v2.parquet")
    rows = (
        duckdb.connect()
        .execute(
            "SELECT country, count(*), count(DISTINCT meal_group), avg(n_items), avg(carb_g),"
            " median(carb_g) FROM read_parquet(?) GROUP BY 1 ORDER BY 1",
            [path],
        )
        .fetchall()
    )
    assert len(found) == 24
    for count, (country, n, groups, items, mean, median) in zip(found, rows, strict=True):
        assert (count.country, count.questions, count.meals) == (country, n, groups)
        assert (count.mean_items, count.mean_label, count.median_label) == pytest.approx(
            (items, mean, median)
        )
        assert (count.natural > 0) == (country == "USA")
