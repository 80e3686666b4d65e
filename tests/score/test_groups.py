"""The table of coarse groups holds every category of the built-in tables, once."""

from __future__ import annotations

import csv
import json
from importlib import resources

from prandial import RELEASES, load_foods
from prandial.score import coarse_group

FOLDER = resources.files("prandial.score")
ROWS = list(csv.DictReader(FOLDER.joinpath("food_groups.csv").read_text("utf-8").splitlines()))


def test_rows_are_those_of_the_card():
    card = json.loads(FOLDER.joinpath("food_groups.card.json").read_text("utf-8"))
    assert card["rows"] == len(ROWS)
    assert card["licence"]
    assert card["origin"]
    assert len({r["group"] for r in ROWS}) == 15


def test_every_category_has_one_group():
    have = [r["category"] for r in ROWS]
    wanted = {c for release in RELEASES for c in load_foods(release).categories}
    assert len(have) == len(set(have))
    assert set(have) == wanted


def test_an_unknown_category_is_other():
    assert coarse_group("Pizza") == "Mixed dishes"
    assert coarse_group("Grandmother's kitchen") == "Other"
