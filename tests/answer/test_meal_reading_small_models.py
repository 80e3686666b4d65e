"""Replies as small models write them, each with what a careful person reads in it.

The replies were made up for this test, in the forms that models of 0.1 to 8 billion parameters use.
``reads`` lists what may be read: an amount, ``refused``, ``unreadable``; where a person would not
be sure, more than one. A number that is not among them is a misreading.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from prandial.answer.reading.meals import read_meal_reply

LINES = Path(__file__).with_name("replies_of_small_models.jsonl").read_text("utf-8").splitlines()
REPLIES = [json.loads(line) for line in LINES]


def reads(text: str, nutrient: str = "carb_g", method: str = "base") -> float | str:
    reading = read_meal_reply(text, nutrient, method=method)
    return reading.status if reading.value is None else reading.value


@pytest.mark.parametrize("case", REPLIES, ids=lambda case: case["reply"][:40])
def test_a_reply_is_read_as_a_careful_person_reads_it(case):
    found = reads(case["reply"], case["nutrient"], case["method"])
    amounts = [r for r in case["reads"] if not isinstance(r, str)]
    close = isinstance(found, float) and any(found == pytest.approx(a) for a in amounts)
    assert close or found in case["reads"]


def test_there_are_enough_of_them():
    assert len(REPLIES) > 600
    kinds = {type(r).__name__ if not isinstance(r, str) else r for c in REPLIES for r in c["reads"]}
    assert {"refused", "unreadable"} < kinds


@pytest.mark.parametrize("written", ["40/50", "40 / 50", "45/100", "15/10/5"])
@pytest.mark.parametrize("form", ["{}", "Answer: {}", "Total: {}", '{{"total_carbohydrates": {}}}'])
def test_two_numbers_with_a_stroke_are_no_quotient(written, form):
    assert reads(form.format(written)) == "unreadable"


@pytest.mark.parametrize(
    "said", ["between 40 and 50", "entre 40 et 50", "zwischen 40 und 50", "tra 40 e 50", "40 to 50"]
)
@pytest.mark.parametrize(
    "form", ["{} g", "Total: {} g", "The total is {} g.", '{{"total_carbohydrates": "{}"}}']
)
def test_a_range_is_its_middle_however_it_is_said(said, form):
    assert reads(form.format(said)) == 45


@pytest.mark.parametrize(
    "sign", ["." * 20_000, "=" * 20_000, "-" * 20_000, "result " * 2_500, "Total: 1 (a) + " * 1_300]
)
def test_odd_signs_take_no_long_time(sign):
    begun = time.perf_counter()
    reads(sign)
    assert time.perf_counter() - begun < 5
