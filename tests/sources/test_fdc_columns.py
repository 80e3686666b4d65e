"""Foods as columns, the form a retrieval table is made of."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from tests.sources import fdczip as z
from tests.sources.test_fdc_reading import NAME, members

from prandial.errors import InputError
from prandial.sources.fdc import COLUMNS, FdcFood, LabelServing, read_fdc, write_food_columns


def rows(path: Path, listed: str = "*") -> list[tuple]:
    return duckdb.sql(f"SELECT {listed} FROM '{path}'").fetchall()


def test_foods_as_columns(tmp_path) -> None:
    given = z.put(tmp_path / NAME, z.pack(members()))
    path = tmp_path / "foods.parquet"
    assert write_food_columns(read_fdc(given), path) == 3
    assert duckdb.sql(f"SELECT * FROM '{path}' LIMIT 0").columns == list(COLUMNS)
    found = rows(path, 'description, "table", release, id, carb_g, protein_g, fat_g, energy_kcal,'
                       " fibre_g, portions")  # fmt: skip
    assert found[0] == (
        "Apples, raw, with skin", "fdc", "2024-10-31", "171688", 13.81, 0.26, 0.17, 52.0, 2.4,
        [{"name": "1 cup slices", "grams": 109.0}, {"name": '1 medium (3" dia)', "grams": 182.0},
         {"name": "0.5 cup", "grams": 54.5}],
    )  # fmt: skip
    assert found[1][8] is None  # hummus: fibre not told
    before = path.read_bytes()
    write_food_columns(read_fdc(given), path)
    assert path.read_bytes() == before


def test_labels_become_portions_and_total_carbohydrate(tmp_path) -> None:
    def food(fdc_id: int, **more) -> FdcFood:
        return FdcFood(fdc_id=fdc_id, data_type="branded", description="BAR", **more)

    serving = LabelServing(amount=40.0, unit="g", text="2 ONZ")
    abroad = {"carb_g": 50.0, "fiber_g": 4.0}
    made = [
        food(1, nutrients={"carb_g": 20.0}, serving=serving),
        food(2, nutrients=abroad, carbohydrate="available", country="New Zealand"),
        food(3, nutrients={"carb_g": 50.0}, carbohydrate="available", flags=("over_100g",)),
        food(4, basis="ml", serving=LabelServing(amount=240.0, unit="ml", text="8 OZA")),
        food(5, serving=LabelServing(amount=30.0, unit="g", text="")),
    ]
    path = tmp_path / "it's.parquet"
    assert write_food_columns(iter(made), path) == 5
    found = duckdb.read_parquet(str(path)).project(
        "carb_g, carbohydrate, basis, flags, portions"
    ).fetchall()  # fmt: skip
    assert found == [
        (20.0, "total", "g", [], [{"name": "2 oz", "grams": 40.0}]),
        (54.0, "available", "g", [], []),
        (None, "available", "g", ["over_100g"], []),
        (None, "total", "ml", [], []),
        (None, "total", "g", [], [{"name": "1 serving", "grams": 30.0}]),
    ]


def test_no_foods_and_no_place(tmp_path) -> None:
    path = tmp_path / "none.parquet"
    assert write_food_columns([], path) == 0
    assert rows(path) == []
    with pytest.raises(InputError, match="could not be written"):
        write_food_columns([], tmp_path / "no" / "folder.parquet")
