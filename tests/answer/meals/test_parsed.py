"""Replies of steps, whole and broken."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prandial.answer.meals.parsed import read_foods, read_items

ITEM = {"quantity": "half", "unit": "cup", "food": "oatmeal"}


@pytest.mark.parametrize(
    "reply",
    [
        '{"items": ["oatmeal", "banana"]}',
        '["oatmeal", "banana"]',
        'Sure! Here you are:\n```json\n{"items": ["oatmeal", "banana"]}\n```',
        "Output: ['oatmeal', 'banana']",
        '{"items": [{"food": "oatmeal"}, {"name": "banana", "amount": 1}]}',
        '{"items": ["oatmeal", "banana", "orange jui',
        "Here are the foods:\n- oatmeal\n- banana",
        "1. oatmeal\n2) banana",
        "oatmeal, banana.",
        '["oatmeal", "oatmeal", "banana"]',
    ],
)
def test_lists_of_foods(reply):
    assert read_foods(reply) == ("oatmeal", "banana")


@pytest.mark.parametrize("reply", ["", "I cannot tell.", "[]", '{"items": []}', "[[[[", "-1"])
def test_no_list_is_no_food(reply):
    assert read_foods(reply) == ()


def test_items_are_read():
    reply = json.dumps({"items": [ITEM, {"quantity": 2, "unit": None, "food": "eggs"}]})
    (oats, eggs), broken = read_items(f"```json\n{reply}\n```")
    assert (oats.quantity, oats.unit, oats.food) == ("half", "cup", "oatmeal")
    assert (eggs.quantity, eggs.unit, eggs.line()) == ("2", "", "2 eggs")
    assert broken == 0


def test_items_before_a_break_are_kept_and_the_break_is_counted():
    whole = json.dumps({"items": [ITEM, ITEM, ITEM]})
    cut = whole.rindex('"food"')
    items, broken = read_items(whole[:cut])
    assert ([i.food for i in items], broken) == (["oatmeal", "oatmeal"], 1)


def test_an_item_without_food_is_broken():
    reply = '{"items": [{"quantity": "2", "unit": "g", "food": " "}, "x", {"food": "tea"}]}'
    items, broken = read_items(reply)
    assert ([i.food for i in items], broken) == (["tea"], 2)


@pytest.mark.parametrize("reply", ["", "42", '{"total_carbohydrates": 45}', "{{{{", '{"items": 3}'])
def test_replies_without_items(reply):
    assert read_items(reply)[0] == ()


def test_blank_words_are_no_amount():
    items, _ = read_items('[{"food": "tea", "quantity": "N/A", "unit": "none"}]')
    assert items[0].line() == "tea"
    items, _ = read_items('[{"food": "tea", "quantity": NaN, "unit": true}]')
    assert items[0].line() == "tea"


words = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=12)


@given(
    st.lists(st.fixed_dictionaries({"quantity": words, "unit": words, "food": words}), max_size=4),
    st.integers(0, 300),
)
def test_a_cut_reply_never_gives_an_item_that_was_not_there(rows, cut):
    whole = json.dumps({"items": rows}, ensure_ascii=False)
    items, _ = read_items(whole[:cut])
    known = {" ".join(r["food"].split()) for r in rows}
    assert len(items) <= len(rows)
    assert {i.food for i in items} <= known


@given(st.text(alphabet='{}[]",:\\ ab1\n-', max_size=80))
def test_any_text_is_read_without_an_error(text):
    read_foods(text)
    read_items(text)
