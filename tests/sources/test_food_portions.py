"""Household measures of FNDDS, from Parquet and from workbooks."""

from __future__ import annotations

import pytest
from tests.sources.test_get_foods import FOOD, GROUP, OLD, PORTIONS, workbook

from prandial.errors import MissingDataError, NotFoundError, SchemaError
from prandial.sources.food_files import chosen_files, verify_food_file
from prandial.sources.food_portions import read_food_portions

HEADINGS = [*FOOD, *GROUP, "Seq num", "Portion description", "Portion weight\n(g)"]


def test_real_measures(shared_dir) -> None:
    found = read_food_portions(shared_dir / "data" / "foods", "2017-2018")
    # as stated with the data: double cheeseburger 165 g, soft serve in a waffle cone 255 g
    assert 165.0 in [g for _, g in found[27510387]]
    assert 255.0 in [g for _, g in found[13120786]]
    assert found[11000000][0] == ("1 cup", 246.0)
    assert all(g > 0 for rows in found.values() for _, g in rows)
    assert len(read_food_portions(shared_dir / "data" / "foods", "2021-2023")) > 5_300


def test_a_workbook_whatever_the_order_of_its_columns(tmp_path) -> None:
    rows = [
        [11, "Stew", 3002, "Meats", 1, "1  cup", 252],
        [11, "Stew", 3002, "Meats", 2, "1 bowl", 378.5],
        [22, "Pie", 5502, "Pies", 1, "Quantity not specified", None],
    ]
    wanted = {11: (("1 cup", 252.0), ("1 bowl", 378.5))}
    (tmp_path / PORTIONS).write_bytes(workbook(HEADINGS, rows))
    assert read_food_portions(tmp_path, OLD) == wanted
    moved = workbook(HEADINGS[::-1], [r[::-1] for r in rows])
    (tmp_path / PORTIONS).write_bytes(moved)
    assert read_food_portions(tmp_path, OLD) == wanted


def test_a_renamed_heading_a_word_for_a_weight_and_a_cut_workbook(tmp_path) -> None:
    path = tmp_path / PORTIONS
    path.write_bytes(workbook([*HEADINGS[:-1], "Weight"], [[11, "Stew", 1, "x", 1, "1 cup", 2]]))
    with pytest.raises(SchemaError, match=r"no column 'portion weight \(g\)'") as caught:
        read_food_portions(tmp_path, OLD)
    assert "weight" in caught.value.hint
    path.write_bytes(workbook(HEADINGS, [[11, "Stew", 1, "x", 1, "1 cup", "some"]]))
    with pytest.raises(SchemaError, match="no number") as caught:
        read_food_portions(tmp_path, OLD)
    assert "food 11" in caught.value.where
    path.write_bytes(workbook(HEADINGS, [[11, "Stew", 1, "x", 1, "1 cup", -5]]))
    with pytest.raises(SchemaError, match="no number of grams"):
        read_food_portions(tmp_path, OLD)
    (entry,) = (f for f in chosen_files([OLD]) if f.table == "portions")
    with pytest.raises(SchemaError, match="1 weights of portions below 0: -5 g of food 11"):
        verify_food_file(path, entry)
    path.write_bytes(path.read_bytes()[:-300])
    with pytest.raises(SchemaError, match="cut"):
        read_food_portions(tmp_path, OLD)


def test_portions_that_are_not_here(tmp_path) -> None:
    with pytest.raises(MissingDataError) as caught:
        read_food_portions(tmp_path, OLD)
    assert PORTIONS in caught.value.hint
    with pytest.raises(MissingDataError):
        read_food_portions(tmp_path, "all-releases")
    with pytest.raises(NotFoundError):
        read_food_portions(tmp_path, "1999-2000")
