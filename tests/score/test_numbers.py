"""Figures against published values and hand arithmetic."""

from __future__ import annotations

import pytest

from prandial.score import Outcome, summarise, wilson


def test_wilson_agrees_with_published_values():
    # Newcombe (1998), Statistics in Medicine 17:857, table I, method 3 (Wilson, no correction)
    for hits, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(hits, n) == pytest.approx((low, high), abs=5e-5)


def test_figures_by_hand():
    outcomes = [
        Outcome(truth=10.0, mid=10.0, low=8.0, high=12.0),
        Outcome(truth=10.0, mid=17.5, low=9.0, high=30.0),  # exactly at the limit
        Outcome(truth=40.0, mid=20.0, low=10.0, high=30.0),
        Outcome(truth=5.0),
    ]
    s = summarise(outcomes, nutrient="carb_g", limit=7.5)
    assert (s.n, s.answered, s.right) == (4, 3, 0.5)
    assert s.mae == pytest.approx((0 + 7.5 + 20) / 3)
    assert s.median_error == pytest.approx(7.5)
    assert s.p90_error == pytest.approx(7.5 + 0.8 * 12.5)  # numpy's linear rule between 2nd and 3rd
    assert s.mean_signed_error == pytest.approx((0 + 7.5 - 20) / 3)
    assert (s.ranges, s.covered) == (3, pytest.approx(2 / 3))
    assert s.median_width == pytest.approx(20)
    assert s.range_meant == 0.9


def test_nothing_is_unknown_and_not_zero():
    s = summarise([], nutrient="carb_g", limit=7.5)
    assert (s.n, s.right, s.mae, s.covered, s.median_width) == (0, None, None, None, None)
    s = summarise([Outcome(truth=3.0)], nutrient="carb_g", limit=7.5)
    assert (s.n, s.answered, s.right, s.mae) == (1, 0, 0.0, None)


def test_a_range_that_ends_at_the_rounded_label_holds_it():
    assert Outcome(truth=10.0, mid=10.004, low=10.004, high=10.004).covered
    assert Outcome(truth=10.0, mid=10.02, low=10.02, high=10.02).covered is False
    assert Outcome(truth=10.0, mid=10.0).covered is None
