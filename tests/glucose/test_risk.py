"""Metrics of a trace against stored vectors, hand arithmetic and a slow plain version."""

from __future__ import annotations

import json
import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prandial.errors import InputError
from prandial.glucose import risk
from prandial.records import Risk
from prandial.tables.rules import read_rules


def slow(trace):
    """The definitions, one reading after the other."""
    n = len(trace)
    share = lambda test: 100 * sum(1 for g in trace if test(g)) / n  # noqa: E731
    out = {
        "tir_percent": share(lambda g: 70 <= g <= 180),
        "tbr_percent": share(lambda g: g < 70),
        "tar_percent": share(lambda g: g > 180),
        "below_54_percent": share(lambda g: g < 54),
        "above_250_percent": share(lambda g: g > 250),
        "below_1": any(g < 1 for g in trace),
        "below_20": any(g < 20 for g in trace),
    }
    read = [min(max(g, 20), 600) for g in trace]
    mean, sd = statistics.fmean(read), statistics.stdev(read)
    out |= {"mean_mg_dl": mean, "sd_mg_dl": sd, "cv_percent": 100 * sd / mean}
    out["gmi_percent"] = 3.31 + 0.02392 * mean
    for name, low, high in (("1_401", 1, 401), ("20_600", 20, 600)):
        lows = highs = 0.0
        for g in trace:
            f = 1.509 * (math.log(min(max(g, low), high)) ** 1.084 - 5.381)
            if f < 0:
                lows += 10 * f * f
            else:
                highs += 10 * f * f
        out[f"lbgi_{name}"], out[f"hbgi_{name}"] = lows / n, highs / n
        out[f"bgri_{name}"] = (lows + highs) / n
    return out


def test_vectors_of_six_implementations(shared_dir):
    path = shared_dir / "data/glucose/risk/bgri_vectors.json"
    vectors = json.loads(path.read_text())
    assert len(vectors) >= 3
    for name, vector in vectors.items():
        ours = risk.risk_indices(vector["bg_mgdl"], low=1, high=1000)
        for got, key in zip(ours, ("lbgi", "hbgi", "bgri"), strict=True):
            assert got[0] == pytest.approx(vector[key], abs=1e-9), (name, key)
        for other in ("tidepool_metrics_0_1_1", "glucostats_1_0_0"):
            assert [g[0] for g in ours] == pytest.approx(vector[other], abs=1e-9), (name, other)


def test_stored_metrics_of_the_reference_traces(shared_dir):
    """Stored glucose is rounded to 1e-6, which moves an index by less than 1e-6."""
    seen = 0
    for path in sorted((shared_dir / "data/glucose/tidepool_sim").glob("traces_*.jsonl")):
        records = [json.loads(line) for line in path.read_text().splitlines()]
        metrics = risk.risk_metrics([r["bg"] for r in records])
        rows = dict(zip(risk.METRICS, metrics, strict=True))
        for key in ("tir", "tbr", "tar"):
            stored = [r["metrics"][key] for r in records]
            np.testing.assert_allclose(rows[f"{key}_percent"], stored, atol=1e-6)
        for key in ("lbgi", "hbgi", "bgri"):
            stored = [r["metrics"][key] for r in records]
            np.testing.assert_allclose(rows[f"{key}_1_401"], stored, atol=2e-6)
        seen += len(records)
    assert seen == 438


def test_landmarks_of_the_scale():
    """r(20) 100.04, r(600) 99.95, r(40) 36.4, r(401) 57.3, r(1) 659.3, f(112.5174) 0."""
    r = 10 * risk.risk_score([20, 600, 40, 401, 1]) ** 2
    assert r == pytest.approx([100.04, 99.95, 36.4, 57.3, 659.3], abs=0.05)
    assert risk.risk_score(112.5174) == pytest.approx(0, abs=1e-6)


def test_ends_of_ranges_by_hand():
    """70 and 180 are in range; 54 is not very low; 250 is not very high."""
    got = risk.risk_of([70, 180, 69.9, 54, 53.9, 250, 250.1, 180.1, 100, 100])
    assert (got.tir_percent, got.tbr_percent, got.tar_percent) == (40, 30, 30)
    assert (got.below_54_percent, got.above_250_percent) == (10, 10)
    assert risk.risk_of([154.0, 154.0]).gmi_percent == pytest.approx(6.99368)


def test_floors():
    got = risk.risk_of([-180.0, 100.0])
    assert (got.below_1, got.below_20) == (True, True)
    assert got.mean_mg_dl == 60.0, "a reading below 20 does not exist"
    assert got.lbgi_1_401 == pytest.approx(659.3 / 2, abs=1.0)
    assert got.lbgi_20_600 == pytest.approx(100.04 / 2, abs=1.0)
    again = risk.risk_of([15.0, 100.0])
    assert (again.below_1, again.below_20) == (False, True)


@given(st.lists(st.floats(-300, 900), min_size=2, max_size=80))
def test_same_as_the_slow_version(trace):
    got, expected = risk.risk_of(trace).to_dict(), slow(trace)
    assert set(got) == set(expected)
    for name, value in expected.items():
        assert got[name] == pytest.approx(value, rel=1e-9, abs=1e-9), name


@given(st.integers(1, 40), st.integers(0, 2**31))
def test_one_is_as_many(n, seed):
    traces = np.random.default_rng(seed).uniform(-50, 500, (n, 73))
    many = risk.risk_metrics(traces)
    for row in range(n):
        np.testing.assert_array_equal(many[:, row], risk.risk_metrics(traces[row])[:, 0])


def test_blocks_do_not_show():
    traces = np.random.default_rng(5).uniform(-50, 500, (2500, 73))
    whole = risk.risk_metrics(traces)
    parts = [risk.risk_metrics(traces[a : a + 700]) for a in range(0, 2500, 700)]
    np.testing.assert_array_equal(whole, np.concatenate(parts, axis=1))


def test_a_single_reading_has_no_spread():
    got = risk.risk_of([100.0])
    assert math.isnan(got.sd_mg_dl)
    assert got.to_dict()["sd_mg_dl"] is None


def test_metrics_are_the_fields_and_windows_the_table():
    assert set(risk.METRICS) == set(Risk.__dataclass_fields__)
    assert risk.windows() == {"1_401": (1.0, 401.0), "20_600": (20.0, 600.0)}
    assert all("doi" in r["source"] or r["source"] for r in read_rules("glucose_ranges"))


@pytest.mark.parametrize("trace", [[math.nan, 100], [100, math.inf]])
def test_a_gap_is_no_reading(trace):
    with pytest.raises(InputError, match="row 2"):
        risk.risk_metrics([[100, 100], trace])


def test_bad_shapes_and_windows():
    with pytest.raises(InputError, match="2 traces"):
        risk.risk_of([[1.0], [2.0]])
    with pytest.raises(InputError, match="shape"):
        risk.risk_metrics(np.zeros((2, 2, 2)))
    with pytest.raises(InputError, match="window"):
        risk.risk_indices([100.0], low=0.5)
