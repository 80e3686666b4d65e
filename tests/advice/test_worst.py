"""Which item holds most of a nutrient: only told when every item's amount is known."""

from __future__ import annotations

from prandial.advice.worst import most_from
from prandial.records import Amount


def _items(*mids: float | None) -> list[dict[str, Amount]]:
    return [{"sodium": Amount(low=0.0 if m is None else m, mid=m, high=m, unit="mg")} for m in mids]


def test_most_and_its_share():
    assert most_from(_items(100.0, 300.0), "sodium") == (1, 0.75)
    assert most_from(_items(50.0, 50.0), "sodium") == (0, 0.5)  # of equal ones the first


def test_an_unknown_amount_might_be_the_most():
    assert most_from(_items(100.0, None), "sodium") == (None, None)
    assert most_from(_items(None), "sodium") == (None, None)


def test_none_of_it_is_from_nobody():
    assert most_from(_items(0.0, 0.0), "sodium") == (None, None)
