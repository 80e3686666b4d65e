"""Units a model left behind are put back from the meal."""

from __future__ import annotations

import pytest

from prandial.answer.meals.weighed import with_units
from prandial.meal import SaidItem


@pytest.mark.parametrize(
    ("said", "meal", "line"),
    [
        (("a", "45", "oat biscuit"), "I had a 45g oat biscuit.", "a 45 g oat biscuit"),
        (("45", "", "oat biscuit"), "I had 45 grams of oat biscuit", "45 grams oat biscuit"),
        (("12", "can of", "cider"), "a 12 fl oz can of cider", "12 fl oz can of cider"),
        (("45", "g of", "oat biscuit"), "45g of oat biscuit", "45 g of oat biscuit"),
        (("45", "g", "oat biscuit"), "45g oat biscuit", "45 g oat biscuit"),
        # a number that counts stays one, and so does one that the meal has both ways
        (("2", "slices of", "rye"), "2 slices of rye and 20 g of butter", "2 slices of rye"),
        (("2", "", "eggs"), "2 eggs and 2 g of salt", "2 eggs"),
        (("2", "", "eggs"), "12 g of salt with 2 eggs, 2.5 g of oil", "2 eggs"),
        (("1/2", "", "pear"), "1/2 pear and 2 g of salt", "1/2 pear"),
        (("two", "", "grapes"), "two grapes", "two grapes"),
    ],
)
def test_units_come_back_where_the_meal_has_them(said, meal, line):
    quantity, unit, food = said
    item = with_units(SaidItem(quantity=quantity, unit=unit, food=food), meal)
    assert item.line() == line
