"""Names, categories, ingredients and composition: small folders by hand, USDA's files as truth."""

from __future__ import annotations

import ast
import csv
import math
from pathlib import Path

import duckdb
import numpy as np
import pytest
from tests.sources.xptfile import write_xpt

from prandial.errors import MissingDataError, NotFoundError, SchemaError
from prandial.nutrients import NUTRIENTS
from prandial.sources.foods import food_releases, read_composition, read_food_texts
from prandial.tables import RELEASES, load_foods, verify
from prandial.tables.ingredients import read_ingredients
from prandial.tables.rules import NUTRIENT_ORDER


def write(path: Path, names: str, rows: list[tuple[object, ...]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE t ({names})")
        con.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(rows[0]))})", rows)
        con.execute(f"COPY t TO '{path}' (FORMAT parquet)")


FOODS = "food_code INT, description TEXT, wweia_category TEXT"
RECIPES = "food_code INT, seq INT, ingredient_description TEXT"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    out = tmp_path / "foods"
    old, new = "fndds_2017_2018", "fndds_2019_2020"
    write(
        out / f"{old}_foods.parquet",
        FOODS,
        [(11, "Stew, old", "Meat mixed dishes"), (22, "Pie", "Cakes and pies")],
    )
    write(out / f"{new}_foods.parquet", FOODS, [(11, "Stew  of beef", "Soups"), (44, "Tea", "Tea")])
    write(
        out / f"{old}_ingredients.parquet",
        RECIPES,
        [(11, 1, "Bone"), (11, 2, "Salt"), (22, 2, "Sugar"), (22, 1, "Flour")],
    )
    write(out / f"{new}_ingredients.parquet", RECIPES, [(11, 2, "Beef"), (11, 1, "Salt")])
    write(out / "fndds_2021_2023_foods.parquet", FOODS, [(11, "Stew, newest", "Meat mixed dishes")])
    write(
        out / "fndds_code_crosswalk.parquet",
        "old_food_code INT, new_food_code INT",
        [(55, 56), (56, 22), (55, 22), (66, 22), (66, 44), (77, 77)],
    )
    return out


@pytest.fixture
def nhanes(tmp_path: Path) -> Path:
    out = tmp_path / "nhanes"
    names = "DRXFDCD DOUBLE, DRXFCLD TEXT"
    write(out / "2003-2004" / "DRXFCD_C.parquet", names, [(55.0, "Old pie"), (11.0, "Any")])
    write(
        out / "2005-2006" / "DRXFCD_D.parquet",
        names,
        [(55.0, "Older pie"), (66.0, "Both"), (77.0, "Circle"), (88.0, "Lost")],
    )
    return out


def test_default_takes_all_from_the_newest_release(folder: Path) -> None:
    texts = read_food_texts(folder)
    assert food_releases(folder) == ("2017-2018", "2019-2020", "2021-2023")
    assert texts.code.tolist() == [11, 22, 44]
    assert texts.name == ("Stew, newest", "Pie", "Tea")
    assert texts.category == ("Meat mixed dishes", "Cakes and pies", "Tea")
    assert texts.ingredients == (("Salt", "Beef"), ("Flour", "Sugar"), ())
    assert texts.release == ("2021-2023", "2017-2018", "2019-2020")


def test_published_rules_stop_at_2020_and_add_older_ingredients(folder: Path) -> None:
    texts = read_food_texts(folder, rules="as-published")
    assert texts.name == ("Stew of beef", "Pie", "Tea")
    assert texts.category[0] == "Soups"
    assert texts.ingredients[0] == ("Salt", "Beef", "Bone")


def test_codes_of_the_surveys_alone(folder: Path, nhanes: Path) -> None:
    """55 -> 22 by two ways; 66 -> a pie and a tea; 77 -> itself; 88 has no successor."""
    texts = read_food_texts(folder, nhanes=nhanes)
    assert texts.code.tolist() == [11, 22, 44, 55, 66, 77, 88]
    assert texts.name[3] == "Older pie"
    assert texts.category[3:] == ("Cakes and pies", "", "", "")
    assert texts.release[3] == "DRXFCD 2005-2006"
    assert texts.ingredients[3] == ()
    assert texts.name[0] == "Stew, newest"


def test_names_from_xpt(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "x" / "2005-2006" / "DRXFCD_D.XPT"
    write_xpt(path, [{"DRXFDCD": 55.0, "DRXFCLD": "Older pie"}, {"DRXFDCD": 9.0, "DRXFCLD": ""}])
    texts = read_food_texts(folder, nhanes=tmp_path / "x")
    assert texts.code.tolist() == [11, 22, 44, 55]
    assert (texts.name[3], texts.category[3]) == ("Older pie", "Cakes and pies")
    write_xpt(path, [{"SEQN": 1.0}])
    with pytest.raises(SchemaError) as caught:
        read_food_texts(folder, nhanes=tmp_path / "x")
    assert "DRXFCLD" in caught.value.what


def workbook(path: Path, headings: list[str], rows: list[list[object]]) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["USDA title of the sheet"])
    book.active.append(headings)
    for row in rows:
        book.active.append(row)
    path.parent.mkdir(parents=True, exist_ok=True)
    book.save(path)


def test_workbooks_as_usda_publishes_them(tmp_path: Path) -> None:
    at_a_glance = "2015-2016 FNDDS At A Glance - "
    food = ["Food code", "Main food description"]
    group = ["WWEIA Category\nnumber", "WWEIA Category\ndescription"]
    workbook(
        tmp_path / f"{at_a_glance}Foods and Beverages.xlsx",
        [*food, "Additional food description", *group],
        [[11, "Stew ", None, 3002, "Meat  mixed dishes"], ["22", "Pie", "", 5502, "Pies"]],
    )
    workbook(
        tmp_path / f"{at_a_glance}FNDDS Ingredients.xlsx",
        [*food, *group, "Seq num", "Ingredient code", "Ingredient description"],
        [[11, "x", 1, "y", 2, 1, "Beef"], [11, "x", 1, "y", 1.0, 2, "Salt"], [None] * 7],
    )
    texts = read_food_texts(tmp_path, rules="as-published")
    assert texts.code.tolist() == [11, 22]
    assert texts.name == ("Stew", "Pie")
    assert texts.category == ("Meat mixed dishes", "Pies")
    assert texts.ingredients == (("Salt", "Beef"), ())
    with pytest.raises(MissingDataError, match="FNDDS Nutrient Values"):
        read_composition(tmp_path)


def test_a_workbook_of_another_kind_is_named(tmp_path: Path) -> None:
    path = tmp_path / "2015-2016 FNDDS At A Glance - Foods and Beverages.xlsx"
    workbook(path, ["Food code", "Name"], [[1, "x"]])
    with pytest.raises(SchemaError, match="main food description"):
        read_food_texts(tmp_path)
    workbook(path, ["Nothing"], [])
    with pytest.raises(SchemaError, match="headings"):
        read_food_texts(tmp_path)
    path.write_bytes(b"<html>")
    with pytest.raises(SchemaError) as caught:
        read_food_texts(tmp_path)
    assert path.name in caught.value.where


def test_what_is_absent_or_damaged_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError):
        read_food_texts(tmp_path / "nowhere")
    with pytest.raises(MissingDataError):
        read_food_texts(tmp_path)
    write(tmp_path / "fndds_2021_2023_foods.parquet", FOODS, [(1, "Tea", "Tea")])
    with pytest.raises(NotFoundError) as caught:
        read_food_texts(tmp_path, rules="as-published")
    assert "2019-2020" in caught.value.hint
    with pytest.raises(NotFoundError):
        read_composition(tmp_path, release="2017-2018")
    with pytest.raises(SchemaError):
        read_composition(tmp_path)  # that table holds no nutrients
    (tmp_path / "fndds_2021_2023_foods.parquet").write_bytes(b"PAR1")
    with pytest.raises(SchemaError):
        read_food_texts(tmp_path)


def test_built_in_foods_serve_without_a_folder() -> None:
    texts = read_food_texts()
    adobo = texts.code.tolist().index(58150530)
    assert texts.name[adobo] == "Adobo, with rice"
    assert texts.category[adobo] == "Poultry mixed dishes"
    assert texts.ingredients[adobo][3:5] == ("Garlic, raw", "Salt, table")
    assert set(read_food_texts(rules="as-published").release) == {"2017-2018", "2019-2020"}
    means = read_composition()
    assert means.code.tolist() == texts.code.tolist()
    assert tuple(means.per_100g) == NUTRIENT_ORDER
    assert not any(np.isnan(v).any() for v in means.per_100g.values())


def test_built_in_amounts_are_the_decimals_usda_prints() -> None:
    """27510387 Double cheeseburger (McDonalds), 2017-2018: 17.97 g carbohydrate."""
    means = read_composition(release="2017-2018")
    row = means.code.tolist().index(27510387)
    assert means.per_100g["carb"][row] == 17.97


@pytest.mark.parametrize("release", RELEASES)
def test_compiled_ingredients_are_the_releases(release: str, shared_dir: Path) -> None:
    table, recipes = load_foods(release), read_ingredients(release)
    path = shared_dir / "data" / "foods" / f"{release.replace('-', '_')}_ingredients.parquet"
    with duckdb.connect() as con:
        rows = con.execute(
            "SELECT food_code, list(ingredient_description ORDER BY seq)"
            f" FROM '{path}' GROUP BY 1 ORDER BY 1"
        ).fetchall()
    squeezed = {str(c): tuple(" ".join(t.split()) for t in texts) for c, texts in rows}
    assert len(recipes) == table.table_of.count("fndds")
    assert {table.ids[i]: r for i, r in enumerate(recipes) if r} == squeezed
    assert verify() == ()


def test_folder_and_built_in_foods_agree(shared_dir: Path) -> None:
    foods = shared_dir / "data" / "foods"
    ours = read_composition(release="2021-2023")
    theirs = read_composition(foods, release="2021-2023")
    assert ours.code.tolist() == theirs.code.tolist()
    for nutrient, column in theirs.per_100g.items():
        np.testing.assert_allclose(ours.per_100g[nutrient], column, rtol=1e-6, atol=1e-4)


def test_folate_is_in_dietary_equivalents(shared_dir: Path) -> None:
    """57123000 Cheerios-like cereals are fortified: equivalents exceed the folic acid."""
    path = shared_dir / "data" / "foods" / "fndds_2021_2023_foods.parquet"
    names = f'food_code, "{NUTRIENTS["folate_dfe_mcg"]}", "{NUTRIENTS["folic_acid_mcg"]}"'
    with duckdb.connect() as con:
        rows = con.execute(f"SELECT {names} FROM '{path}' ORDER BY 1").fetchall()
    means = read_composition(shared_dir / "data" / "foods", release="2021-2023")
    assert means.per_100g["folate_acid"].tolist() == [r[1] for r in rows]
    assert sum(r[1] > r[2] for r in rows) > 4000
    assert not math.isnan(sum(r[1] for r in rows))


def published(shared_dir: Path) -> dict[int, tuple[str, str, list[str]]]:
    path = shared_dir / "data" / "ngqa" / "ngqa_benchmark_sample50.csv"
    out = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            nodes = [n for _, n in ast.literal_eval(row["node_list"])]
            texts = {n["name"]: n["attr"] for n in nodes}
            listed = [n["attr"] for n in nodes if n["name"] == "ingredient"]
            out[int(nodes[0]["name"])] = nodes[0]["attr"], texts["category"], listed
    return out


#: ingredients of the published rows that no release at hand lists (2015-2016 is not at hand)
OLDER = {58150530: 1, 42304040: 0, 27445250: 3}


def test_the_published_foods(shared_dir: Path) -> None:
    """Names and categories are equal; ingredients as a set, but for those of an older release."""
    data = shared_dir / "data"
    texts = read_food_texts(data / "foods", rules="as-published", nhanes=data / "nhanes")
    row_of = {code: row for row, code in enumerate(texts.code.tolist())}
    rows = published(shared_dir)
    assert set(rows) == set(OLDER)
    for code, (name, category, listed) in rows.items():
        row = row_of[code]
        assert (texts.name[row], texts.category[row]) == (name, category)
        ours = texts.ingredients[row]
        assert set(ours) <= set(listed)
        assert set(listed[: len(ours)]) == set(ours), "the older release's come last"
        assert len(listed) - len(ours) == OLDER[code]
