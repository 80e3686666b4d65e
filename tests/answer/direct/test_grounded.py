"""Our estimator as an answerer: the same number as the estimator, and its origin."""

from __future__ import annotations

import json

import pytest
from tests.answer.direct.made import meal

import prandial
from prandial.answer.direct import make_direct

TEXT = "100 g of cooked white rice and a glass of milk"


@pytest.mark.parametrize("nutrient", ["carb_g", "protein_g", "fat_g", "energy_kcal"])
def test_the_number_of_the_estimator(nutrient):
    replied = make_direct("grounded")(meal(TEXT, nutrient=nutrient))
    assert replied.value == prandial.estimate(TEXT).totals[nutrient].mid
    ((key, told),) = json.loads(replied.text).items()
    assert told == replied.value
    assert key.startswith("total_")
    assert replied.calls == ()


def test_every_item_has_its_origin():
    detail = make_direct("grounded")(meal(TEXT)).detail
    rice, milk = detail["items"]
    assert (rice["table"], rice["release"]) == ("fndds", "fndds-2017-2018")
    assert rice["grams"] == pytest.approx(100)
    assert rice["food_id"].isdigit()
    assert "milk" in milk["food"].lower()
    assert detail["complete"] is True
    assert json.dumps(dict(detail))


@pytest.mark.parametrize("text", ["zzzz qqqq", "", "x" * 2_000_000, "how are you?"])
def test_unknown_is_no_number(text):
    replied = make_direct("grounded")(meal(text))
    assert replied.value is None
    assert json.loads(replied.text[replied.text.index("{") :]) == {"total_carbohydrates": -1}
    assert replied.text.startswith("I cannot tell")
    assert replied.detail["why"]


def test_the_country_is_told_only_when_asked():
    question = meal("a 200 g piece of boiled rice", country="KEN")
    alone = make_direct("grounded")(question).value
    assert alone == make_direct("grounded")(meal(question.text)).value
    told = make_direct("grounded", country=True)(question).value
    assert told == prandial.estimate(question.text, country="KEN").totals["carb_g"].mid


def test_the_same_every_time():
    answer = make_direct("grounded")
    assert answer(meal(TEXT)) == answer(meal(TEXT))
