"""Numbers without a unit: counts stay counts; weights, ratios and kinds of flour are told apart."""

from __future__ import annotations

import pytest

from prandial.meal import Estimator

LIST = "12.5 g of butter, 40 g of cheese, 150 g of tomatoes"


def _grams(estimator: Estimator, text: str, word: str) -> float:
    items = [i for i in estimator.estimate(text).items if word in i.text and i.portion]
    assert len(items) == 1, estimator.estimate(text).items
    portion = items[0].portion
    assert portion is not None
    return portion.grams.mid


@pytest.mark.parametrize("amount", ["46.5", "85"])
def test_a_number_among_weights_is_a_weight(estimator: Estimator, amount: str) -> None:
    assert _grams(estimator, f"{LIST}, {amount} white bread", "bread") == float(amount)
    told = estimator.estimate(f"{LIST}, {amount} white bread")
    assert any("taken as grams" in s for i in told.items for s in i.steps)


def test_a_small_whole_number_counts(estimator: Estimator) -> None:
    assert _grams(estimator, f"{LIST}, 2 eggs", "egg") == pytest.approx(100, abs=15)


def test_without_weights_a_number_counts(estimator: Estimator) -> None:
    assert _grams(estimator, "23 almonds", "almond") < 40


def test_a_ratio_is_no_amount(estimator: Estimator) -> None:
    text = "200 g of bread made from a 50:50 mix of rye and wheat"
    total = sum(i.portion.grams.mid for i in estimator.estimate(text).items if i.portion)
    assert total == 200


def test_a_kind_of_flour_is_no_amount(estimator: Estimator) -> None:
    text = f"{LIST}, 30 g of type 500 wheat flour"
    assert _grams(estimator, text, "flour") == 30
