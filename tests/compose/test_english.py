"""One and several: a word list, and there and back over the nouns of the food table."""

from __future__ import annotations

import pytest

from prandial.compose.english import plural, singular
from prandial.tables import load_foods

PAIRS = (
    ("slice", "slices"), ("cookie", "cookies"), ("brownie", "brownies"), ("pie", "pies"),
    ("patty", "patties"), ("berry", "berries"), ("loaf", "loaves"), ("leaf", "leaves"),
    ("potato", "potatoes"), ("taco", "tacos"), ("peach", "peaches"), ("box", "boxes"),
    ("glass", "glasses"), ("radish", "radishes"), ("tray", "trays"), ("half", "halves"),
)  # fmt: skip


@pytest.mark.parametrize(("one", "several"), PAIRS)
def test_there_and_back(one: str, several: str) -> None:
    assert plural(one) == several
    assert singular(several) == one
    assert plural(several) == several
    assert singular(one) == one


@pytest.mark.parametrize(
    "word", ["oz", "swordfish", "cod", "medium", "molasses", "2", ")", "Wendy's", "steamed", "red"]
)
def test_what_is_the_same_for_one_and_several(word: str) -> None:
    assert plural(word) == word
    assert singular(word) == word


def test_nouns_of_measures_come_back() -> None:
    """Of what stands behind "1 " in the table, several and one again is the word itself."""
    table = load_foods()
    nouns = {
        name.split(",")[0].split("(")[0].split()[-1]
        for name in set(table.measure_name)
        if name.startswith("1 ") and len(name.split(",")[0].split("(")[0].split()) == 2
    }
    known = {n for n in nouns if n.isalpha() and n.islower() and not n.endswith("s")}
    assert len(known) > 100
    lost = {n for n in known if singular(plural(n)) != n}
    # Italian and Indian plurals that English makes once more, and two that another word has
    assert lost == {"cannelloni", "crostini", "manicotti", "puri", "snowshoe", "fry", "pattie"}
