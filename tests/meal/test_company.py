"""Siblings chosen by what else is in the meal; the counts behind it are in order."""

from __future__ import annotations

import pytest

from prandial.meal import Estimator
from prandial.meal.weights import Weights
from prandial.tables import load_foods, read_card, read_company


@pytest.fixture(scope="module")
def estimator() -> Estimator:
    return Estimator(load_foods())


def _food(estimator: Estimator, text: str, place: int) -> str:
    food = estimator.estimate(text).items[place].food
    assert food is not None
    return food.name


def test_fries_beside_a_burger_are_fast_food(estimator: Estimator) -> None:
    beside = _food(estimator, "a 200 g cheeseburger and 110 g of french fries", 1)
    alone = _food(estimator, "110 g of french fries", 0)
    assert beside == "Potato, french fries, fast food"
    assert alone != beside


def test_what_the_text_says_is_kept(estimator: Estimator) -> None:
    """Words that tell where a food was made are not overruled."""
    text = "a 200 g cheeseburger and 110 g of french fries from frozen"
    assert "frozen" in _food(estimator, text, 1)


def test_the_order_of_items_does_not_matter(estimator: Estimator) -> None:
    one = _food(estimator, "110 g of french fries and a 200 g cheeseburger", 0)
    assert one == _food(estimator, "a 200 g cheeseburger and 110 g of french fries", 1)


def test_only_siblings_have_ratios(estimator: Estimator) -> None:
    company = read_company("fndds-2017-2018")
    assert company is not None
    table = estimator.table
    fast = table.names.index("Potato, french fries, fast food")
    plain = table.names.index("Potato, french fries, NS as to fresh or frozen")
    banana = table.names.index("Banana, raw")
    assert company.siblings(fast, plain)
    assert not company.siblings(fast, banana)
    assert (
        company.ratio(fast, "Burgers (single code)")
        > 1.0
        > company.ratio(plain, "Burgers (single code)")
    )
    assert company.ratio(banana, "Burgers (single code)") == 0.0


@pytest.mark.parametrize("release", ["fndds-2017-2018", "fndds-2021-2023"])
def test_every_release_has_its_company(release: str) -> None:
    card = read_card(f"{release}.company")
    assert card.body["source"]["cycles"][-1] == "2011-2012"
    company = read_company(release)
    assert company is not None
    main = [t for t in load_foods(release).table_of if t == "fndds"]
    assert len(company.group) == len(main)
    assert read_company("no-such-release") is None


def test_it_can_be_switched_off() -> None:
    without = Estimator(load_foods(), Weights(company=0.0))
    text = "a 200 g cheeseburger and 110 g of french fries"
    assert _food(without, text, 1) == "Potato, french fries, NS as to fresh or frozen"
