"""Sums, against Python's own on random ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prandial.arithmetic import calculate

NUMBERS = st.integers(0, 999).map(str) | st.floats(0, 999).map(lambda x: f"{x:.2f}")
SUMS = st.recursive(
    NUMBERS,
    lambda part: (
        st.tuples(part, st.sampled_from(["+", "-", "*", " / ", " * "]), part).map("".join)
        | part.map(lambda p: f"({p})")
        | part.map(lambda p: f"-({p})")
    ),
    max_leaves=12,
)


@given(SUMS)
def test_it_agrees_with_python(text):
    try:
        # leading zeros are no numbers to Python; text is made above
        expected = float(eval(text, {"__builtins__": {}}))
    except ZeroDivisionError:
        assert calculate(text) is None
        return
    assert calculate(text) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    "text",
    ["", " ", "1 2", "2**3", "1,5", "1 +", "(1", "1)", "a", "1/0", "os", "1e999", "()", "(" * 99],
)
def test_what_is_no_sum(text):
    assert calculate(text) is None
