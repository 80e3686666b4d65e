"""Needs by status: the spec's table, clashes, unknowns, many people at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.quiz.made import RULES

from prandial.errors import InputError, NotFoundError
from prandial.tables.rules import load_needs
from prandial.tags import (
    HIGH,
    LOW,
    MAYBE_HIGH,
    MAYBE_LOW,
    need_bits,
    needed_by,
    rule_nutrients,
    split_tag,
)


def test_high_overwrites_low_as_published():
    found = needed_by(["Renal/Kidney diet", "High protein diet"], rules="as-published")
    assert dict(found.directions) == {"protein": ("high",)}
    assert found.conflicts == ("protein",)


def test_default_keeps_both_and_says_so():
    found = needed_by(["High protein diet", "Renal/Kidney diet"], rules="default")
    assert found.directions["protein"] == ("low", "high")
    assert found.conflicts == ("protein",)
    assert found.because["low_protein"] == ("Renal/Kidney diet",)


def test_needs_come_in_the_order_of_gold_answers():
    statuses = ["Low fat/Low cholesterol diet", "opioid_misuse", "diabetes", "obesity"]
    found = needed_by(statuses, rules="as-published")
    assert list(found.directions) == [
        "carb", "sugar", "sodium", "cholesterol", "saturated_fat", "calorie", "protein",
    ]  # fmt: skip
    assert found.because["low_sugar"] == ("opioid_misuse", "diabetes")


def test_unknown_names_are_refused():
    with pytest.raises(NotFoundError) as error:
        needed_by(["hypertensoin"], rules="default")
    assert "hypertension" in error.value.hint
    with pytest.raises(InputError):
        needed_by([], rules="other")
    for tag in ("carb", "mid_carb", "low_fun", ""):
        with pytest.raises(InputError):
            split_tag(tag)


@pytest.mark.parametrize("rules", RULES)
@given(data=st.data())
def test_bits_of_many_equal_needs_of_each(rules, data):
    known = list(load_needs(rules).tags)
    n = data.draw(st.integers(1, 4))
    truths = {
        s: np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), dtype=np.uint8)
        for s in data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=6, unique=True))
    }
    bits = need_bits(truths, rules=rules)
    for row in range(n):
        sure = {t for s, v in truths.items() if v[row] == 1 for t in load_needs(rules).tags[s]}
        maybe = {t for s, v in truths.items() if v[row] == 2 for t in load_needs(rules).tags[s]}
        for column, nutrient in enumerate(rule_nutrients(rules)):
            expected = 0
            for direction, yes, perhaps in (("low", LOW, MAYBE_LOW), ("high", HIGH, MAYBE_HIGH)):
                tag = f"{direction}_{nutrient}"
                expected |= yes if tag in sure else perhaps if tag in maybe else 0
            assert bits[row, column] == expected
