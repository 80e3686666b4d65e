"""A meal as a list of items reads like the same meal as a text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prandial.errors import InputError
from prandial.meal import SaidItem, estimate_items, get_estimator

FOODS = [
    "white rice",
    "oatmeal",
    "banana",
    "orange juice",
    "scrambled eggs",
    "toast",
    "coffee",
    "whole milk",
    "cream cheese",
    "rice, white, cooked",
    "chicken breast, grilled",
    "xyzzy",
]


def found(*items: tuple[str, str, str], **more):
    said = [SaidItem(quantity=q, unit=u, food=f) for q, u, f in items]
    return estimate_items(said, estimator=get_estimator(), nutrients=["carb_g"], **more)


@pytest.mark.parametrize(
    ("item", "line"),
    [
        (("1/2", "cup", "oatmeal"), "1/2 cup oatmeal"),
        (("150 g", "g", "rice"), "150 g rice"),
        (("", "150 g", "150 g rice"), "150 g rice"),
        (("100g", "g", "rice"), "100g rice"),
        (("12fl oz", "12 fl oz", "milk"), "12fl oz milk"),
        (("1 mug", "g", "soup"), "1 mug g soup"),
        (("12", "2", "eggs"), "12 2 eggs"),
        (("1", "egg", "egg"), "1 egg"),
        (("1", "12 fl oz can", "diet cola"), "1 12 fl oz can diet cola"),
        (("half", "", "half a banana"), "half a banana"),
        (("", "", " toast;\nbutter. "), "toast butter"),
        (("2", "slices", "slices of toast"), "2 slices of toast"),
    ],
)
def test_lines(item, line):
    q, u, f = item
    assert SaidItem(quantity=q, unit=u, food=f).line() == line


def test_a_list_reads_like_the_text():
    text = "a cup of oatmeal with half a banana and a glass of orange juice"
    whole = get_estimator().estimate(text, nutrients=["carb_g"])
    listed = found(("1", "cup", "oatmeal"), ("half", "", "banana"), ("1", "glass", "orange juice"))
    assert listed.together
    assert listed.items_of == ((0,), (1,), (2,))
    assert listed.estimate.totals["carb_g"].mid == pytest.approx(whole.totals["carb_g"].mid)
    assert listed.estimate.status == "ok"


def test_lines_that_would_run_together_are_read_apart():
    """As one text "macaroni, cheese" is a dish; as a list it is two foods."""
    as_text = get_estimator().estimate("macaroni, cheese", nutrients=["carb_g"])
    assert len(as_text.items) == 1
    lines = [("", "", "macaroni"), ("", "", "cheese"), ("1", "cup", "xyzzy")]
    listed = found(*lines)
    estimate = listed.estimate
    assert not listed.together
    assert listed.items_of == ((0,), (1,), (2,))
    alone = [found(line).estimate for line in lines]
    assert [i.text for i in estimate.items] == [i.text for e in alone for i in e.items]
    sums = [sum(getattr(e.totals["carb_g"], end) for e in alone[:2]) for end in ("low", "high")]
    total = estimate.totals["carb_g"]
    assert [total.low, total.high] == pytest.approx(sums)
    assert estimate.status == "incomplete"
    assert any("xyzzy" in note for note in estimate.notes)
    assert any("wider than 90 %" in note for note in estimate.notes)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "1", "half", "2", "100", "1.5"]),
            st.sampled_from(["", "g", "cup", "slices", "small can"]),
            st.sampled_from(FOODS),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_every_item_stands_in_its_line(rows):
    listed = found(*rows)
    estimate = listed.estimate
    assert len(listed.lines) == len(listed.items_of) == len(rows)
    assert sorted(n for numbers in listed.items_of for n in numbers) == list(
        range(len(estimate.items))
    )
    start = 0
    for line, numbers in zip(listed.lines, listed.items_of, strict=True):
        start = estimate.text.index(line, start)
        for n in numbers:
            lo, hi = estimate.items[n].span
            assert start <= lo < hi <= start + len(line)
            assert estimate.text[lo:hi] == estimate.items[n].text
        start += len(line)
    total = estimate.totals["carb_g"]
    known = [i.nutrients["carb_g"].mid for i in estimate.items if i.portion is not None]
    assert (total is None) == (not known)
    if total is not None:
        assert total.mid == pytest.approx(sum(known))
    if not all(listed.items_of) or any(i.portion is None for i in estimate.items):
        assert not estimate.complete


def test_a_list_needs_foods():
    with pytest.raises(InputError, match="no items"):
        estimate_items([], estimator=get_estimator())
    with pytest.raises(InputError) as error:
        found(("1", "cup", "rice"), ("2", "g", " ; "))
    assert error.value.where == "items[1]"
