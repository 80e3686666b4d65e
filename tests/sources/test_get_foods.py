"""Getting releases of foods: from a folder, over a line that cuts and lies, from USDA."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from urllib.parse import quote, unquote

import duckdb
import numpy as np
import pytest
from tests.sources.conftest import HTML, Site

from prandial.errors import InputError, MissingDataError, NotFoundError, SchemaError
from prandial.sources.food_files import (
    ALL_RELEASES,
    load_food_files,
    releases_at_hand,
    verify_food_file,
)
from prandial.sources.food_get import foods_home, get_foods
from prandial.sources.foods import read_composition, read_food_texts
from prandial.sources.web import FakeWeb
from prandial.tables.rules import read_rules

openpyxl = pytest.importorskip("openpyxl")

OLD = "2015-2016"
NAME = OLD + " FNDDS At A Glance - {}.xlsx"
FOODS, NUTRIENTS, INGREDIENTS, PORTIONS = (
    NAME.format(n)
    for n in (
        "Foods and Beverages", "FNDDS Nutrient Values", "FNDDS Ingredients", "Portions and Weights"
    )
)  # fmt: skip
HEADINGS = [r["heading"] for r in read_rules("fndds_headings")]


def workbook(headings: list[str], rows: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    for row in (["USDA title of the sheet"], headings, *rows):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def amounts(code: int, carb: object) -> list[object]:
    """A row of nutrient values: carbohydrate as told, all others their place in the sheet."""
    cells: list[object] = [float(i) for i, _ in enumerate(HEADINGS)]
    cells[HEADINGS.index("Carbohydrate (g)")] = carb
    return [code, "Pie", 5502, "Pies", *cells]


FOOD = ["Food code", "Main food description"]
GROUP = ["WWEIA Category number", "WWEIA Category description"]
BOOKS = {
    FOODS: workbook([*FOOD, *GROUP], [[11, "Stew", 3002, "Meats"], [22, "Pie", 5502, "Pies"]]),
    NUTRIENTS: workbook(
        [*FOOD, *GROUP, *(h.replace(" (", "\n(") for h in HEADINGS)],
        [amounts(22, 41.5), amounts(11, None)],
    ),
    INGREDIENTS: workbook(
        [*FOOD, "Seq num", "Ingredient description"],
        [[11, "Stew", 2, "Salt"], [11, "Stew", 1, "Beef"]],
    ),
    PORTIONS: workbook(
        [*FOOD, *GROUP, "Seq num", "Portion description", "Portion weight\n(g)"],
        [
            [11, "Stew", 3002, "Meats", 1, "1 cup", 252],
            [22, "Pie", 5502, "Pies", 1, "1 pie", 850.5],
            [22, "Pie", 5502, "Pies", 2, "Quantity not specified", None],
        ],
    ),
}


@pytest.fixture
def mirror(site: Site, tmp_path: Path):
    site.files.update({"/" + quote(n): b for n, b in BOOKS.items()})

    def call(releases=(OLD,), **options):
        options = {"source": site.url, "target": tmp_path / "foods", **options}
        return get_foods(releases, pause=lambda _: None, **options)

    return call


def status(report) -> dict[str, str]:
    return {f.table: f.status for f in report.files}


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.rglob("*") if p.is_file())


def test_a_folder_as_parquet_or_the_one_that_holds_it(shared_dir, tmp_path) -> None:
    source = shared_dir / "data" / "foods"
    report = get_foods(source=source.parent, target=tmp_path / "foods")
    assert report.ok
    assert report.counts == {"got": 10, "kept": 0, "absent": 4, "failed": 0}
    assert {f.cycle for f in report.files if f.status == "absent"} == {OLD}
    for name in names(tmp_path / "foods"):
        assert (tmp_path / "foods" / name).read_bytes() == (source / name).read_bytes()
    ours, theirs = read_food_texts(tmp_path / "foods"), read_food_texts(source)
    assert ours.name == theirs.name
    assert ours.ingredients == theirs.ingredients
    got, given = read_composition(tmp_path / "foods"), read_composition(source)
    for key, values in got.per_100g.items():
        np.testing.assert_array_equal(values, given.per_100g[key])
    again = get_foods(source=source, target=tmp_path / "foods")
    assert again.counts == {"got": 0, "kept": 10, "absent": 4, "failed": 0}


def test_workbooks_come_over_a_line_that_cuts(mirror, site, tmp_path) -> None:
    path = "/" + quote(NUTRIENTS)
    site.plan[path] = [("cut", 2000), ("status", 503), ("cut", 1000)]
    report = mirror()
    assert status(report) == {
        "foods": "got", "nutrients": "got", "ingredients": "got", "portions": "got",
        "crosswalk": "absent",
    }  # fmt: skip
    assert site.asked(path)[:1] + site.asked(path)[2:] == [0, 2000, 3000]
    assert names(tmp_path / "foods") == sorted(BOOKS)
    texts = read_food_texts(tmp_path / "foods")
    assert texts.name == ("Stew", "Pie")
    assert texts.ingredients == (("Beef", "Salt"), ())
    means = read_composition(tmp_path / "foods")
    assert means.code.tolist() == [11, 22]
    np.testing.assert_array_equal(means.per_100g["carb"], [np.nan, 41.5])
    assert means.per_100g["sodium"].tolist() == [HEADINGS.index("Sodium (mg)")] * 2
    assert set(status(mirror()).values()) == {"kept", "absent"}


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (HTML, "web page"),
        (BOOKS[FOODS][:-700], "cut"),
        (BOOKS[INGREDIENTS], "wweia category description"),
        (workbook(["Something"], [["else"]]), "headings"),
        (workbook([*FOOD, *GROUP], []), "no row"),
        (b"\x1f\x8b" + bytes(40), "gzip"),
        (b"PAR1" + bytes(40) + b"PAR1", "name says otherwise"),
        (b"food_code,description\n11,Stew\n", "CSV"),
    ],
)
def test_what_is_no_workbook_of_foods_is_named(mirror, site, tmp_path, sent, told) -> None:
    site.files["/" + quote(FOODS)] = sent
    report = mirror()
    assert not report.ok
    assert status(report)["foods"] == "failed"
    assert status(report)["ingredients"] == "got"
    assert told in report.files[0].why
    assert FOODS not in names(tmp_path)


def test_nutrients_lacking_a_column_or_with_words(mirror, site, tmp_path) -> None:
    path = "/" + quote(NUTRIENTS)
    site.files[path] = workbook([*FOOD, *GROUP, *HEADINGS[:-1]], [amounts(11, 1.0)])
    assert HEADINGS[-1].lower() in next(f.why for f in mirror().files if f.table == "nutrients")
    site.files[path] = workbook([*FOOD, *GROUP, *HEADINGS], [amounts(11, "some")])
    assert status(mirror())["nutrients"] == "got"
    with pytest.raises(SchemaError, match="no number"):
        read_composition(tmp_path / "foods")


def test_without_nutrients_names_are_read_and_amounts_are_asked_for(mirror, site, tmp_path) -> None:
    del site.files["/" + quote(NUTRIENTS)]
    assert status(mirror())["nutrients"] == "failed"
    assert status(mirror(None))["nutrients"] == "absent"
    assert read_food_texts(tmp_path / "foods", rules="as-published").name == ("Stew", "Pie")
    with pytest.raises(MissingDataError) as caught:
        read_composition(tmp_path / "foods")
    assert caught.value.hint == "prandial data get foods"


def test_a_damaged_file_in_place_is_put_aside(mirror, tmp_path) -> None:
    (tmp_path / "foods").mkdir()
    (tmp_path / "foods" / FOODS).write_bytes(BOOKS[FOODS][:300])
    assert status(mirror())["foods"] == "got"
    assert (tmp_path / "foods" / (FOODS + ".bad")).stat().st_size == 300


def parquet(path: Path, rows: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with duckdb.connect() as con:
        con.execute(
            "COPY (SELECT 10 + i AS food_code, 1 AS seq, 'Salt' AS ingredient_description"
            f" FROM range({rows}) t(i)) TO '{path}' (FORMAT parquet)"
        )
    return path


def test_rows_are_those_of_the_registry(tmp_path) -> None:
    (entry,) = (f for f in load_food_files() if (f.cycle, f.table) == ("2021-2023", "ingredients"))
    path = tmp_path / entry.parquet
    assert len(verify_food_file(parquet(path, 18_584), entry)) == 64  # as USDA's workbook holds
    with pytest.raises(SchemaError, match="it was cut"):
        verify_food_file(parquet(path, 18_583), entry, revised=True)
    with pytest.raises(SchemaError, match="newer release"):
        verify_food_file(parquet(path, 18_585), entry)
    verify_food_file(path, entry, revised=True)
    body = path.read_bytes()
    path.write_bytes(body[:-9])
    with pytest.raises(SchemaError, match="cut"):
        verify_food_file(path, entry)
    path.write_bytes(body)
    (other,) = (f for f in load_food_files() if (f.cycle, f.table) == (OLD, "foods"))
    with pytest.raises(SchemaError, match="description"):
        verify_food_file(path, other)


def test_usda_is_asked_for_workbooks_alone(tmp_path) -> None:
    base = "https://www.ars.usda.gov/ARSUserFiles/80400530/apps/"
    web = FakeWeb({base + quote(n): b for n, b in BOOKS.items()})
    report = get_foods([OLD], target=tmp_path / "foods", web=web)
    assert status(report) == dict.fromkeys(("foods", "nutrients", "ingredients", "portions"), "got")
    assert [u for u, _ in web.requests] == [base + quote(n) for n in BOOKS]
    for entry in load_food_files():
        assert unquote(entry.url) == (base + entry.workbook if entry.workbook else "")


def test_old_codes_come_from_a_mirror_only(shared_dir, tmp_path) -> None:
    report = get_foods([ALL_RELEASES], source=shared_dir / "data", target=tmp_path / "foods")
    assert [(f.cycle, f.table, f.status) for f in report.files] == [
        (ALL_RELEASES, "crosswalk", "got")
    ]


def test_what_is_at_hand(tmp_path, shared_dir) -> None:
    found = {r.release: r for r in releases_at_hand(tmp_path / "none")}
    assert all(not r.at_hand for r in found.values())
    (tmp_path / INGREDIENTS).write_bytes(b"")
    found = {r.release: r for r in releases_at_hand(tmp_path)}
    assert found[OLD].to_dict() == {
        "release": OLD,
        "files": ["foods", "nutrients", "ingredients", "portions"],
        "at_hand": ["ingredients"],
        "missing": ["foods", "nutrients", "portions"],
    }
    found = {r.release: r for r in releases_at_hand(shared_dir / "data" / "foods")}
    assert [r for r, hand in found.items() if hand.missing] == [OLD]


def test_what_cannot_be_asked_for(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("PRANDIAL_DATA", str(tmp_path / "mine"))
    assert foods_home() == tmp_path / "mine" / "foods"
    with pytest.raises(NotFoundError) as caught:
        get_foods(["2013-2014"], source=tmp_path)
    assert OLD in caught.value.hint
    with pytest.raises(InputError, match="same folder"):
        get_foods(source=tmp_path, target=tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="not a folder"):
        get_foods(source=tmp_path, target=tmp_path / "file")
    with pytest.raises(InputError, match="not a folder"):
        releases_at_hand(tmp_path / "file")
    with pytest.raises(MissingDataError, match="no such folder"):
        get_foods(source=tmp_path / "nowhere")
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingDataError) as absent:
        get_foods([OLD], target=tmp_path / "foods", web=FakeWeb({}))
    assert absent.value.hint == "pip install 'prandial[ngqa]'"
