"""The word tables: rows as on their cards, known kinds, no word twice."""

from __future__ import annotations

import csv
import json
from importlib import resources

import pytest

from prandial.units import MASS_G, VOLUME_ML

FOLDER = resources.files("prandial").joinpath("tables", "words")
KINDS = {"mass", "volume", "size", "measure", "container", "household", "length"}


def _rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(FOLDER.joinpath(name).read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize(
    "name",
    ["units", "household", "implies", "plain_words", "staples", "weighing", "sentences", "ranges"],
)
def test_rows_are_those_of_the_card(name):
    card = json.loads(FOLDER.joinpath(f"{name}.card.json").read_text(encoding="utf-8"))
    assert card["rows"] == len(_rows(f"{name}.csv"))
    assert card["licence"]
    assert card["origin"]


def test_units_have_factors():
    for row in _rows("units.csv"):
        assert row["kind"] in KINDS, row
        if row["kind"] == "mass":
            assert row["unit"] in MASS_G, row
        if row["kind"] == "volume":
            assert row["unit"] in VOLUME_ML, row


def test_no_unit_word_stands_twice():
    words = [row["word"] for row in _rows("units.csv")]
    assert len(words) == len(set(words))


def test_household_amounts_are_ordered():
    for row in _rows("household.csv"):
        low, mid, high = (float(row[k]) for k in ("ml_low", "ml_mid", "ml_high"))
        assert 0 < low <= mid <= high, row
        assert row["origin"]


def test_ready_made_names_equal_fresh_ones():
    """The compiled name documents are those that the code makes today."""
    from dataclasses import fields

    import numpy as np

    from prandial.meal.documents import documents_of, make_documents
    from prandial.meal.weights import Weights
    from prandial.tables import RELEASES, load_foods, read_names

    for release in RELEASES:
        table = load_foods(release)
        assert read_names(release) is not None
        ready, fresh = documents_of(table, Weights()), make_documents(table, Weights())
        for field in fields(fresh):
            a, b = getattr(ready, field.name), getattr(fresh, field.name)
            assert np.array_equal(np.asarray(a), np.asarray(b)), (release, field.name)
