"""Reasons of errors: meals made by hand, verdicts by hand arithmetic."""

from __future__ import annotations

import pytest

from prandial.records import Band, Estimate
from prandial.score import REASONS, GoldFoods, GoldItem, Outcome, review_items, review_meal
from prandial.score.confusion import MISSED, NO_GOLD, UNLISTED, UNREAD, Confusion
from prandial.score.reasons import guess_reason, item_reason
from prandial.tables import load_foods


def gold(name, food_id, category, grams, amount):
    return GoldItem(
        name=name, food_id=food_id, table="fndds", category=category, grams=grams, amount=amount
    )


RICE = gold("Rice, white, cooked", "1", "Rice", 200.0, 56.0)
COLA = gold("Soft drink, cola", "2", "Soft drinks", 300.0, 31.0)


def verdicts(items, golds):
    return [(r.verdict, r.error) for r in review_items(items, golds, nutrient="carb_g")]


def test_the_gold_food_with_its_grams_is_right(item):
    rice = item("200 g rice", "Rice, white, cooked", "Rice", 200, 56.0, food_id="1")
    assert verdicts([rice], [RICE]) == [("right", 0.0)]


def test_the_gold_food_with_other_grams(item):
    rice = item("rice", "Rice, white, cooked", "Rice", 100, 28.0, food_id="1")
    assert verdicts([rice], [RICE]) == [("wrong_portion", -28.0)]


def test_another_food_of_the_category_and_of_another(item):
    brown = item("rice", "Rice, brown, cooked", "Rice", 200, 48.0, food_id="9")
    assert verdicts([brown], [RICE]) == [("sibling", -8.0)]
    pudding = item("rice", "Rice pudding", "Pudding", 200, 40.0, food_id="9")
    assert verdicts([pudding], [RICE]) == [("other_group", -16.0)]


def test_grams_that_follow_from_the_wrong_food(item):
    # 0.24 g/g x (50 - 200) = -36 by grams; (0.24 - 0.28) x 200 = -8 by food
    brown = item("a bowl of rice", "Rice, brown, cooked", "Rice", 50, 12.0, food_id="9")
    assert verdicts([brown], [RICE]) == [("portion_by_food", -44.0)]


def test_another_food_that_does_no_harm(item):
    other = item("200 g rice", "Rice, white, no added fat", "Rice", 200, 56.4, food_id="9")
    (found,) = review_items([other], [RICE], nutrient="carb_g")
    assert found.verdict == "no_harm"
    assert item_reason([found]) is None


def test_missed_and_extra_items(item):
    rice = item("200 g rice", "Rice, white, cooked", "Rice", 200, 56.0, food_id="1")
    cola = item("300 g cola", "Soft drink, cola", "Soft drinks", 300, 31.0, food_id="2")
    assert verdicts([rice], [RICE, COLA]) == [("right", 0.0), ("missed_item", -31.0)]
    assert verdicts([rice, cola], [RICE]) == [("right", 0.0), ("extra_item", 31.0)]


def test_two_items_read_as_one_and_one_as_two(item):
    both = item("rice with a cola drink", "Rice, white, cooked", "Rice", 200, 56.0, food_id="1")
    assert verdicts([both], [RICE, COLA])[1] == ("segmentation", -31.0)
    sandwich = gold("Sandwich, peanut butter and jelly", "5", "Sandwiches", 100.0, 45.0)
    parts = [
        item("a jelly sandwich", "Sandwich, jelly", "Sandwiches", 90, 45.0, food_id="6"),
        item("peanut butter", "Peanut butter", "Nuts and seeds", 30, 6.6, food_id="7", at=20),
    ]
    assert verdicts(parts, [sandwich]) == [("no_harm", 0.0), ("segmentation", 6.6)]


def test_an_item_without_food_or_grams(item):
    assert verdicts([item("200 g rise")], [RICE]) == [("unmatched_words", -56.0)]
    nameless = item("rice", "Rice, white, cooked", "Rice", food_id="1")
    assert verdicts([nameless], [RICE]) == [("unmatched_words", -56.0)]


def test_a_gold_food_the_table_lacks(item):
    ugali = GoldItem(name="Ugali", grams=300.0, amount=90.0)
    corn = item("300 g ugali", "Corn mush", "Grits", 300, 40.0)
    assert verdicts([corn], [ugali]) == [("unlisted_food", -50.0)]
    porridge = GoldItem(name="Maize porridge", grams=300.0, amount=30.0)
    for name, grams, carb_g, verdict in (
        ("Porridge, oat", 300, 45.0, "unlisted_similar"),  # 0.15 against 0.10 g/g
        ("Porridge, dry", 300, 60.0, "dry_or_cooked"),  # 0.20: twice
        ("Porridge, thin", 300, 15.0, "dry_or_cooked"),  # 0.05: half
        ("Porridge, oat", 600, 66.0, "unlisted_portion"),  # 0.11 x 300 against 0.01 x 300
        ("Corn mush", 300, 60.0, "unlisted_food"),
    ):
        read = item("porridge", name, "Grits", grams, carb_g)
        assert verdicts([read], [porridge]) == [(verdict, carb_g - 30.0)]


def test_without_labels_of_items_the_food_still_counts(item):
    unknown = gold("Rice, white, cooked", "1", "Rice", None, None)
    bread = item("rice bread", "Bread, rice", "Yeast breads", 50, 20.0, food_id="9")
    assert verdicts([bread], [unknown]) == [("other_group", None)]


def test_pairs_do_not_depend_on_the_order_of_items(item):
    rice = item("rice", "Rice, white, cooked", "Rice", 200, 56.0, food_id="1")
    cola = item("cola", "Soft drink, cola", "Soft drinks", 300, 31.0, food_id="2", at=9)
    assert verdicts([rice, cola], [COLA, RICE]) == [("right", 0.0), ("right", 0.0)]


def test_the_meal_has_the_reason_of_most_grams(item):
    items = review_items(
        [
            item("rice", "Rice, white, cooked", "Rice", 180, 50.4, food_id="1"),
            item("drink", "Tea, iced", "Tea", 300, 1.0, food_id="8", at=9),
        ],
        [RICE, COLA],
        nutrient="carb_g",
    )
    assert [i.verdict for i in items] == ["wrong_portion", "other_group"]
    assert item_reason(items) == "other_group"


def estimate(items, *, mid, low, high):
    text = ", ".join(i.text for i in items)
    total = None if mid is None else Band(low=low, mid=mid, high=high)
    return Estimate(
        text=text, items=tuple(items), totals={"carb_g": total}, complete=True, status="ok",
        carbohydrate_definition="total", release="fndds-2017-2018", estimator="by hand",
    )  # fmt: skip


def reviewed(items, truth, *, mid, low, high):
    outcome = Outcome(truth=truth, mid=mid, low=low, high=high)
    return review_meal(
        estimate(items, mid=mid, low=low, high=high), outcome, row=0, nutrient="carb_g", limit=7.5
    )


def test_reasons_without_a_gold_list(item):
    rice = item("rice", "Rice, white, cooked", "Rice", 200, 56.0)
    assert reviewed([rice], 40, mid=56, low=30, high=60).reason == "wide_range"
    assert reviewed([rice], 20, mid=56, low=30, high=60).reason == "outside_range"
    assert reviewed([rice] * 5, 20, mid=56, low=30, high=60).reason == "many_items"
    unused = item("odd rice", "Rice", "Rice", 200, 56.0, steps=("words not used: odd",))
    assert reviewed([unused], 20, mid=56, low=30, high=60).reason == "unused_words"
    found = reviewed([unused, item("grumblefruit")], 20, mid=56, low=30, high=60)
    assert found.reason == "unmatched_words"
    assert found.marks == ("unmatched_words", "unused_words", "outside_range")
    assert reviewed([], 20, mid=None, low=None, high=None).reason == "not_answered"


@pytest.mark.parametrize(
    ("mid", "truth", "golds", "reason"),
    [
        (None, 20, None, "not_answered"),
        (0, 20, None, "said_zero"),
        (200, 20, None, "tenfold"),
        (2, 20, None, "tenfold"),
        (41, 20, None, "about_double"),
        (10, 20, None, "about_half"),
        (29, 20, None, "too_high"),
        (14, 20, None, "too_low"),
        (30, 0, None, "too_high"),
        (56.5, 87, [RICE, COLA], "left_out"),
        (41, 20, [RICE], "about_double"),
    ],
)
def test_reasons_of_a_bare_number(mid, truth, golds, reason):
    assert guess_reason(Outcome(truth=float(truth), mid=mid), golds) == reason


def test_confusion_by_group(item):
    rice = item("rice", "Rice, white, cooked", "Rice", 100, 28.0, food_id="1")
    tea = item("drink", "Tea, iced", "Tea", 300, 1.0, food_id="8", at=9)
    ugali = GoldItem(name="Ugali", grams=300.0, amount=90.0)
    confusion = Confusion()
    confusion.add(review_items([rice, tea], [RICE, COLA], nutrient="carb_g"))
    confusion.add(review_items([rice], [RICE, COLA], nutrient="carb_g"))
    confusion.add(review_items([rice, tea], [RICE], nutrient="carb_g"))
    confusion.add(review_items([item("?")], [ugali], nutrient="carb_g"))
    cells = {(g, r): (c.items, round(c.lost, 6)) for g, r, c in confusion.top()}
    assert cells == {
        (UNLISTED, UNREAD): (1, 90.0),
        ("Rice", "Rice"): (3, 84.0),
        ("Soft drinks", MISSED): (1, 31.0),
        ("Soft drinks", "Tea"): (1, 30.0),
        (NO_GOLD, "Tea"): (1, 1.0),
    }
    coarse = {(g, r) for g, r, _ in confusion.coarse().top()}
    assert ("Drinks without alcohol", "Drinks without alcohol") in coarse
    assert [g for g, _ in confusion.by_gold()][:2] == [UNLISTED, "Rice"]
    whole, double = Confusion(), Confusion()
    whole.merge(confusion)
    double.merge(confusion)
    double.merge(confusion)
    assert whole.to_dict() == confusion.to_dict()
    assert double.to_dict()["items"] == 2 * confusion.to_dict()["items"]


def test_gold_foods_by_name_and_grams_from_labels():
    foods = GoldFoods(load_foods())
    # FNDDS 2017-2018: 63107010 Banana, raw: 22.84 g carbohydrate, 89 kcal in 100 g
    labels = {"carb_g": [34.26], "energy_kcal": [133.5]}
    (banana,) = foods.items(["banana,  RAW"], nutrient="carb_g", labels=labels)
    assert (banana.food_id, banana.category) == ("63107010", "Bananas")
    assert banana.grams == pytest.approx(150, rel=1e-3)
    (banana,) = foods.items(["Banana, raw"], nutrient="carb_g", grams=[100.0])
    assert banana.amount == pytest.approx(22.84, abs=1e-3)
    (unknown,) = foods.items(["Grumblefruit, raw"], nutrient="carb_g", grams=[100.0])
    assert (unknown.food_id, unknown.grams, unknown.amount) == (None, 100.0, None)
    (water,) = foods.items(["Water, tap"], nutrient="carb_g", labels={"carb_g": [0.0]})
    assert water.food_id is not None
    assert water.grams is None


def test_every_reason_is_on_its_page(repo):
    page = (repo / "docs" / "error-browser.md").read_text("utf-8")
    for label, _ in REASONS.values():
        assert f"| {label} |" in page
