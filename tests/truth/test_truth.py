"""Three-valued truth against Kleene's own reading: no 0, unknown one half, yes 1; min and max."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prandial import truth
from prandial.truth import Truth

DEGREE = {Truth.NO: 0.0, Truth.UNKNOWN: 0.5, Truth.YES: 1.0}
BACK = {v: k for k, v in DEGREE.items()}
values = st.lists(st.sampled_from(list(Truth)), min_size=1, max_size=6)
numbers = st.floats(allow_nan=True, allow_infinity=False, width=32)


def _array(*items: Truth) -> truth.TruthArray:
    return np.array(items, dtype=np.uint8)


@given(values)
def test_and_is_the_least_or_the_greatest(parts):
    arrays = [_array(p) for p in parts]
    assert truth.both(*arrays)[0] == BACK[min(DEGREE[p] for p in parts)]
    assert truth.either(*arrays)[0] == BACK[max(DEGREE[p] for p in parts)]


@given(values)
def test_de_morgan(parts):
    arrays = [_array(p) for p in parts]
    assert truth.negate(truth.both(*arrays)) == truth.either(*(truth.negate(a) for a in arrays))


@given(numbers, numbers)
def test_comparisons_are_pythons_where_both_are_known(value, threshold):
    v = np.array([value])
    known = value == value and threshold == threshold
    for made, plain in (
        (truth.at_least(v, threshold), value >= threshold),
        (truth.above(v, threshold), value > threshold),
        (truth.at_most(v, threshold), value <= threshold),
        (truth.below(v, threshold), value < threshold),
    ):
        assert made[0] == ((Truth.YES if plain else Truth.NO) if known else Truth.UNKNOWN)


def test_missing_is_unknown_never_no():
    v = np.array([1.0, np.nan, 2.0])
    assert list(truth.equals(v, 1)) == [Truth.YES, Truth.UNKNOWN, Truth.NO]
    assert list(truth.one_of(v, (2.0, 3.0))) == [Truth.NO, Truth.UNKNOWN, Truth.YES]


def test_a_threshold_for_each_row():
    v = np.array([102.0, 90.0, 90.0])
    cut = np.array([102.0, 88.0, np.nan])
    assert list(truth.at_least(v, cut)) == [Truth.YES, Truth.YES, Truth.UNKNOWN]


@pytest.mark.parametrize("value", list(Truth))
def test_words(value):
    assert value.word in ("no", "yes", "unknown")
