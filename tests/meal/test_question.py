"""The question that narrows a range: sensible choices, answers that narrow."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prandial.errors import InputError
from prandial.meal import Estimator
from prandial.tables import load_foods

MEALS = (
    "a bottle of cola",
    "a cookie and a glass of milk",
    "a slice of pizza and a soda",
    "french fries",
    "a sandwich, an apple and coffee",
    "a donut",
)


@pytest.fixture(scope="module")
def estimator() -> Estimator:
    return Estimator(load_foods())


@pytest.mark.parametrize("text", MEALS)
def test_choices_are_sensible(estimator: Estimator, text: str) -> None:
    ask = estimator.estimate(text, ask=True).ask
    assert ask is not None
    assert 2 <= len(ask.choices) <= 5
    assert len({c.label for c in ask.choices}) == len(ask.choices)
    assert all(c.grams > 0 for c in ask.choices)
    assert ask.text.startswith("'")
    assert all(c.label in ask.text for c in ask.choices)
    json.dumps(ask.to_dict(), allow_nan=False)


@pytest.mark.parametrize("text", MEALS)
def test_an_answer_sets_the_item(estimator: Estimator, text: str) -> None:
    before = estimator.estimate(text, ask=True)
    assert before.ask is not None
    for k, choice in enumerate(before.ask.choices):
        after = estimator.estimate(text, answers=[k])
        item = after.items[before.ask.item]
        assert item.food is not None
        assert item.portion is not None
        assert item.food.food_id == choice.food_id
        band = item.nutrients["carb_g"]
        assert band is not None
        if before.ask.kind == "amount":
            assert item.portion.grams.mid == pytest.approx(choice.grams)
            assert band.mid == pytest.approx(choice.value, rel=1e-4, abs=1e-4)
        assert any(s == f"answered: {choice.label}" for s in item.steps)
        assert len(after.items) == len(before.items)


def test_answers_narrow_on_average(estimator: Estimator) -> None:
    """The mean width after an answer is below the width before."""
    for text in MEALS:
        before = estimator.estimate(text, ask=True)
        assert before.ask is not None
        wide = before.totals["carb_g"]
        assert wide is not None
        after = [
            b.high - b.low
            for k in range(len(before.ask.choices))
            if (b := estimator.estimate(text, answers=[k]).totals["carb_g"]) is not None
        ]
        assert sum(after) / len(after) < wide.high - wide.low


def test_the_same_question_is_not_put_twice(estimator: Estimator) -> None:
    text = "a slice of pizza and a soda"
    first = estimator.estimate(text, ask=True).ask
    second = estimator.estimate(text, ask=True, answers=[None]).ask
    assert first is not None
    assert second is not None
    assert (first.item, first.kind) != (second.item, second.kind)


def test_questions_end(estimator: Estimator) -> None:
    answers: list[int | None] = []
    for _ in range(12):
        ask = estimator.estimate("a cookie and a soda", ask=True, answers=answers).ask
        if ask is None:
            break
        answers.append(0)
    else:
        pytest.fail("still asking after 12 answers")
    with pytest.raises(InputError, match="has no question"):
        estimator.estimate("a cookie and a soda", answers=[*answers, 0])


@pytest.mark.parametrize("answer", [-1, 9, 99])
def test_no_such_choice(estimator: Estimator, answer: int) -> None:
    with pytest.raises(InputError, match="none of the choices"):
        estimator.estimate("a bottle of cola", answers=[answer])


def test_nothing_to_ask(estimator: Estimator) -> None:
    assert estimator.estimate("the weather is fine", ask=True).ask is None
    assert estimator.estimate("100 g of butter", ask=True).ask is None


def test_the_reason_is_given_only_when_wide(estimator: Estimator) -> None:
    narrow = estimator.estimate("100 g of raw banana")
    assert narrow.because is None
    wide = estimator.estimate("a bottle of cola")
    assert wide.because is not None
    assert wide.because.startswith("'a bottle of cola'")
    assert wide.ask is None


@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from(MEALS), min_size=1, max_size=3))
def test_asking_changes_no_number(estimator: Estimator, parts: list[str]) -> None:
    text = ", ".join(parts)
    assert estimator.estimate(text).totals == estimator.estimate(text, ask=True).totals
