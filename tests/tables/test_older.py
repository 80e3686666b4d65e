"""Names-only release and successors of codes, against USDA's counts and the releases themselves."""

from __future__ import annotations

import numpy as np
import pytest

from prandial.errors import SchemaError
from prandial.sources.foods import read_food_texts
from prandial.tables import older


def test_fndds_2019_2020_has_its_foods():
    """5,624 foods and 19,308 rows of ingredients: FNDDS 2019-2020 At A Glance."""
    foods = older.read_named_foods("fndds-2019-2020")
    assert len(foods.code) == len(foods.name) == len(foods.category) == 5624
    assert list(foods.code) == sorted(set(foods.code))
    assert sum(map(len, foods.ingredients)) == 19308
    at = foods.code.index(58106210)
    assert foods.name[at].startswith("Pizza, cheese")
    assert foods.category[at] == "Pizza"


def test_successors_are_codes_of_eight_digits():
    found = older.read_successors()
    numbers = np.array([*found, *(n for new in found.values() for n in new)])
    assert ((numbers >= 10_000_000) & (numbers <= 99_999_999)).all()
    assert sum(map(len, found.values())) > 2000


def test_built_in_texts_are_those_of_the_releases(shared_dir):
    """Without a folder the published rules read the same names, categories and recipes."""
    data = shared_dir / "data"
    ours = read_food_texts(None, rules="as-published", nhanes=data / "nhanes")
    theirs = read_food_texts(data / "foods", rules="as-published", nhanes=data / "nhanes")
    assert ours.code.tolist() == theirs.code.tolist()
    assert ours.name == theirs.name
    assert ours.category == theirs.category
    assert ours.ingredients == theirs.ingredients
    assert ours.release == theirs.release


def test_a_table_that_does_not_fit_is_refused(monkeypatch):
    older.read_named_foods.cache_clear()
    monkeypatch.setattr(older, "read_ingredients", lambda _: ((),))
    with pytest.raises(SchemaError, match="do not fit"):
        older.read_named_foods("fndds-2019-2020")
    older.read_named_foods.cache_clear()
