"""Resampling against a slow plain version, a constant, and its own promise of coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prandial.glucose.bootstrap import KINDS, Resamples, intervals, means


def run(cells, mask=None, n=400, seed=0, pairs=(), level=0.95):
    mask = np.ones(cells.shape[:2], bool) if mask is None else mask
    draws = Resamples.draw(n, meals=cells.shape[0], patients=cells.shape[2], seed=seed)
    return draws, *intervals(cells, mask, draws, pairs=pairs, level=level)


def test_plain_loops():
    rng = np.random.default_rng(4)
    cells, mask = rng.normal(size=(7, 3, 5)), rng.random((7, 3)) < 0.8
    mask[:, 0] = True
    mask[:2] = True
    draws, of_columns, of_pairs = run(cells, mask, n=150, pairs=[(0, 0)])
    ones_m, ones_p = np.ones(7), np.ones(5)
    for j in range(3):
        for place, kind in enumerate(KINDS):
            found = []
            for r in range(150):
                wm = ones_m if kind == "patients" else draws.meals[r]
                wp = ones_p if kind == "meals" else draws.patients[r]
                up = down = 0.0
                for m in range(7):
                    for p in range(5):
                        if mask[m, j]:
                            up += wm[m] * wp[p] * cells[m, j, p]
                            down += wm[m] * wp[p]
                found.append(up / down)
            expected = np.quantile(found, [0.025, 0.975])
            np.testing.assert_allclose(of_columns[place, :, j], expected, rtol=1e-10)
    np.testing.assert_array_equal(of_pairs[..., 0], 0.0)


@given(st.integers(0, 2**32), st.integers(2, 40), st.integers(2, 30))
def test_draws_keep_their_size(seed, meals, patients):
    draws = Resamples.draw(100, meals=meals, patients=patients, seed=seed)
    assert (draws.meals.sum(axis=1) == meals).all()
    assert (draws.patients.sum(axis=1) == patients).all()
    again = Resamples.draw(100, meals=meals, patients=patients, seed=seed)
    assert (draws.meals == again.meals).all()


@given(st.floats(-1e3, 1e3), st.integers(2, 9), st.integers(2, 9))
def test_a_constant_has_no_interval(value, meals, patients):
    _, of_columns, _ = run(np.full((meals, 1, patients), value), n=100)
    np.testing.assert_allclose(of_columns, value, rtol=1e-12, atol=1e-12)


def test_what_cannot_be_resampled_is_unknown():
    rng = np.random.default_rng(0)
    _, of_columns, of_pairs = run(rng.normal(size=(6, 2, 1)), pairs=[(0, 1)])
    for found in (of_columns, of_pairs):
        assert np.isnan(found[KINDS.index("patients")]).all()
        assert np.isfinite(found[KINDS.index("meals")]).all()
        assert np.isnan(found[KINDS.index("both")]).all()
    _, of_columns, _ = run(rng.normal(size=(1, 2, 6)))
    assert np.isfinite(of_columns[KINDS.index("patients")]).all()
    assert np.isnan(of_columns[KINDS.index("both")]).all()
    _, of_columns, _ = run(rng.normal(size=(1, 2, 1)))
    assert np.isnan(of_columns).all()


def test_one_source_of_spread():
    """Where meals alone differ, resampling patients alone moves nothing."""
    cells = np.broadcast_to(np.random.default_rng(1).normal(size=(30, 1, 1)), (30, 1, 12)).copy()
    _, of_columns, _ = run(cells)
    widths = dict(zip(KINDS, of_columns[:, 1, 0] - of_columns[:, 0, 0], strict=True))
    assert widths["patients"] == pytest.approx(0, abs=1e-12)
    assert widths["both"] == pytest.approx(widths["meals"], rel=1e-9)
    # standard error of a mean, times 2 x 1.96
    assert widths["meals"] == pytest.approx(3.92 * cells[:, 0, 0].std() / 30**0.5, rel=0.1)


def test_pairing_narrows():
    """Two columns that move together differ by much less than each is uncertain."""
    rng = np.random.default_rng(2)
    shared = rng.normal(0, 5, size=(40, 1, 1)) + rng.normal(0, 5, size=(1, 1, 15))
    cells = shared + rng.normal(0, 0.5, size=(40, 2, 15))
    _, of_columns, of_pairs = run(cells, pairs=[(0, 1)])
    both = KINDS.index("both")
    wide = of_columns[both, 1, 0] - of_columns[both, 0, 0]
    narrow = of_pairs[both, 1, 0] - of_pairs[both, 0, 0]
    assert narrow < wide / 10


def test_coverage():
    """Of 300 worlds, the interval holds the truth in about 95 %, rather more than less."""
    rng = np.random.default_rng(11)
    held = 0
    for world in range(300):
        cells = (
            rng.normal(0, 1, size=(30, 1, 1))
            + rng.normal(0, 1, size=(1, 1, 30))
            + rng.normal(0, 1, size=(30, 1, 30))
        )
        _, found, _ = run(cells, n=200, seed=world)
        low, high = found[KINDS.index("both"), :, 0]
        held += low <= 0 <= high
    assert 0.90 <= held / 300 <= 0.99


def test_means_of_parts():
    cells = np.arange(12.0).reshape(3, 2, 2)
    mask = np.array([[True, False], [True, False], [False, False]])
    got = means(cells, mask)
    assert got[0] == (0 + 1 + 4 + 5) / 4
    assert np.isnan(got[1])
