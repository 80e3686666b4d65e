"""Foods of FoodData Central: both forms, their traps, and USDA's own values."""

from __future__ import annotations

import json
import math
from pathlib import Path

import duckdb
import pytest
from tests.sources import fdczip as z

from prandial.errors import InputError, SchemaError
from prandial.nutrients import NUTRIENTS
from prandial.sources.fdc import FdcNotes, count_foods, read_fdc, staging
from prandial.sources.fdc.nutrients import fill, known_nutrients
from prandial.tables.rules import read_rules

APPLE = (171688, "sr_legacy_food", "Apples, raw, with skin", 9, "2019-04-01")
HUMMUS = (321358, "foundation_food", "Hummus, commercial", 16, "2019-04-01")
MILK = (2705384, "survey_fndds_food", "Milk, NFS", "", "2024-10-31")
#: as published; the shared tables hold the same foods
AMOUNTS = {
    171688: {1005: 13.81, 1079: 2.4, 1003: 0.26, 1004: 0.17, 1008: 52, 1018: 0, 1269: 0.043},
    321358: {1005: 14.9, 1003: 7.35, 1004: 17.1, 2048: 229, 2047: 243, 1062: 960},
    2705384: {"205": 4.83, "203": 3.33, "204": 2.14, "208": 52, "291": 0, "269": 4.88},
}
PORTIONS = [
    (89193, 171688, 4, 1, 9999, "", 'medium (3" dia)', 182),
    (89191, 171688, 2, 1, 9999, "", "cup slices", 109),
    (88819, 171688, 9, 0.5, 9999, "", "cup", 54.5),
    (118804, 321358, 1, 2, 1001, "", "", 33.9),
    (290617, 2705384, 1, "", 9999, "1 cup", "10205", 244),
    (290619, 2705384, 3, "", 9999, "Quantity not specified", "90000", 0),
    (290618, 2705384, 2, "", 9999, "1 fl oz", "30000", 30.5),
]
SURVEY = {
    "survey_fndds_food.csv": z.table(
        "survey_fndds_food.csv", [(2705384, 11100000, 1004, "2021-01-01", "2023-12-31")]
    ),
    "wweia_food_category.csv": z.table("wweia_food_category.csv", [(1004, "Milk, reduced fat")]),
}
NAME = "FoodData_Central_test_csv_2024-10-31.zip"


def members(**more: bytes) -> dict[str, bytes]:
    foods = [MILK, APPLE, (319876, "sample_food", "HUMMUS, SABRA", 16, "2019-04-01"), HUMMUS]
    made = z.tables(foods, AMOUNTS, portions=PORTIONS, **SURVEY)
    return made | more


def read(path: Path, **options):
    notes = FdcNotes()
    return {f.fdc_id: f for f in read_fdc(path, notes=notes, **options)}, notes


@pytest.fixture
def download(tmp_path: Path) -> Path:
    return z.put(tmp_path / NAME, z.pack(members()))


def test_foods_of_three_types(download) -> None:
    foods, notes = read(download)
    assert list(foods) == [171688, 321358, 2705384]
    assert notes.foods == {"sr_legacy": 1, "foundation": 1, "survey": 1}
    assert notes.left_out["rows of type sample_food"] == 1
    apple, hummus, milk = foods.values()
    assert (apple.description, apple.category) == (APPLE[2], "Fruits and Fruit Juices")
    assert (apple.code, hummus.code, milk.code) == ("9003", "16158", "11100000")
    assert (apple.published, apple.release) == ("2019-04-01", "2024-10-31")
    assert milk.category == "Milk, reduced fat"
    assert apple.nutrients == {
        "carb_g": 13.81, "fiber_g": 2.4, "protein_g": 0.26, "fat_g": 0.17,
        "energy_kcal": 52.0, "alcohol_g": 0.0,
    }  # fmt: skip
    assert "sodium_mg" not in apple.nutrients  # not told is not 0
    assert all(f.carbohydrate == "total" and f.basis == "g" and not f.flags for f in foods.values())


def test_portions_by_their_number_and_in_words(download) -> None:
    foods, notes = read(download)
    named = {f.fdc_id: [(p.name, p.grams) for p in f.portions] for f in foods.values()}
    assert named == {
        171688: [("1 cup slices", 109.0), ('1 medium (3" dia)', 182.0), ("0.5 cup", 54.5)],
        321358: [("2 tablespoon", 33.9)],
        2705384: [("1 cup", 244.0), ("1 fl oz", 30.5)],
    }
    assert notes.left_out["portions without a weight"] == 1
    assert notes.places("portions without a weight") == ("fdc_id 2705384",)


def test_numbers_in_place_of_ids_are_read_and_counted(download) -> None:
    """The CSV of survey foods writes 208 where others write 1008."""
    foods, notes = read(download)
    milk = foods[2705384].nutrients
    assert (milk["carb_g"], milk["protein_g"], milk["energy_kcal"]) == (4.83, 3.33, 52.0)
    assert notes.repairs["nutrient numbers in place of ids, read as such"] == 6


def test_energy_is_reported_then_specific_then_general_then_joules(tmp_path) -> None:
    def energy(**by_id: float) -> tuple[float, int]:
        amounts = {int(k[1:]): v for k, v in by_id.items()}
        values, taken = fill(amounts)
        return values.get("energy_kcal", math.nan), taken

    assert energy(_1008=229, _2048=230, _2047=243) == (229, 1008)
    assert energy(_2047=243, _2048=230, _1062=960) == (230, 2048)
    assert energy(_2047=243, _1062=960) == (243, 2047)
    assert energy(_1062=960) == (960, 1062)  # in house units before it comes here
    assert energy(_1008=math.nan, _2047=243) == (243, 2047)
    body = z.pack(z.tables([HUMMUS], {321358: {1005: 14.9, 1062: 960}}))
    foods, _ = read(z.put(tmp_path / "x.zip", body))
    assert foods[321358].nutrients["energy_kcal"] == pytest.approx(960 / 4.184)
    assert foods[321358].energy_from == 1062


def test_a_fallback_of_fat_and_another_definition_of_carbohydrate(tmp_path) -> None:
    body = z.pack(z.tables([HUMMUS], {321358: {1050: 15.0, 1085: 16.1, 1110: 40, 1104: 468}}))
    foods, notes = read(z.put(tmp_path / "x.zip", body))
    assert foods[321358].nutrients == {"fat_g": 16.1, "vitamin_d_mcg": 1.0}  # 40 IU of D
    assert foods[321358].total_carb_g is None
    assert notes.repairs["carbohydrate by summation alone, left unknown"] == 1
    assert notes.repairs["vitamin A in IU alone, left unknown"] == 1


def test_a_nutrient_twice_and_a_food_twice(tmp_path) -> None:
    made = members()
    made["food.csv"] += z.cells([171688, "sr_legacy_food", "Other", 9, ""]).encode() + b"\n"
    made["food_nutrient.csv"] += z.cells([1, 171688, 1005, 99, *[""] * 9]).encode() + b"\n"
    foods, notes = read(z.put(tmp_path / "x.zip", z.pack(made)))
    assert foods[171688].description == APPLE[2]
    assert foods[171688].nutrients["carb_g"] == 13.81
    assert notes.left_out["foods whose fdc_id is there twice, the first taken"] == 1
    assert notes.repairs["a nutrient of a food given twice with two amounts, the first taken"] == 1


def test_labels_of_branded_foods(tmp_path) -> None:
    foods = [
        (1, "branded_food", "JUICE", "", "2024-10-31"),
        (2, "branded_food", "BAR", "", "2024-10-31"),
        (3, "branded_food", "CRISPS", "", "2024-10-31"),
        (4, "branded_food", "NO LABEL", "", "2024-10-31"),
    ]
    labels = [
        z.label(1, size=240, unit="MLT", text="8 OZA", category="Juices"),
        z.label(2, size="40.0", unit="g", text="1 BAR", brand="BARS", gtin="0001"),
        z.label(3, size=1, unit="IU", country="New Zealand"),
    ]
    amounts = {1: {1005: 10.0}, 2: {1005: 50, 1079: 5}, 3: {1005: 50, 1079: 4}, 4: {1005: 1}}
    path = z.put(tmp_path / NAME, z.pack(z.tables(foods, amounts, labels=labels)))
    found, notes = read(path)
    juice, bar, crisps, bare = found.values()
    assert (juice.basis, bar.basis) == ("ml", "g")
    assert juice.serving is not None
    assert (juice.serving.amount, juice.serving.unit, juice.serving.grams) == (240, "ml", None)
    assert bar.serving is not None
    assert bar.serving.grams == 40
    assert (bar.brand, juice.brand, bar.code) == ("BARS", "Example Foods", "0001")
    assert (juice.category, bare.category) == ("Juices", "")
    assert (bar.carbohydrate, bar.total_carb_g, bar.available_carb_g) == ("total", 50, 45)
    assert (crisps.carbohydrate, crisps.total_carb_g, crisps.available_carb_g) == (
        "available", 54, 50
    )  # fmt: skip
    assert crisps.serving is None
    assert notes.repairs["branded foods without a label"] == 1
    only, notes = read(path, kinds=["survey"])
    assert not only
    assert notes.left_out["rows of type branded_food"] == 4


JSON_FOODS = [
    {
        "foodClass": "FinalFood", "description": APPLE[2], "fdcId": 171688,
        "dataType": "SR Legacy", "ndbNumber": 9003, "publicationDate": "4/1/2019",
        "foodCategory": {"description": "Fruits and Fruit Juices"},
        "foodNutrients": [
            {"nutrient": {"id": 1005, "number": "205", "unitName": "g"}, "amount": 13.81},
            {"nutrient": {"id": 1079, "number": "291", "unitName": "g"}, "amount": 2.4},
            {"nutrient": {"id": 1003, "number": "203", "unitName": "g"}, "amount": 0.26},
            {"nutrient": {"id": 1004, "number": "204", "unitName": "g"}, "amount": 0.17},
            {"nutrient": {"id": 1008, "number": "208", "unitName": "kcal"}, "amount": 52.0},
            {"nutrient": {"id": 1018, "number": "221", "unitName": "g"}, "amount": 0.0},
            {"nutrient": {"id": 1269, "number": "618", "unitName": "g"}, "amount": 0.043},
        ],
        "foodPortions": [
            {"value": 1.0, "measureUnit": {"id": 9999, "name": "undetermined"},
             "modifier": 'medium (3" dia)', "gramWeight": 182.0, "sequenceNumber": 4,
             "amount": 1.0},
            {"value": 1.0, "measureUnit": {"id": 9999, "name": "undetermined"},
             "modifier": "cup slices", "gramWeight": 109.0, "sequenceNumber": 2, "amount": 1.0},
            {"value": 0.5, "measureUnit": {"id": 9999, "name": "undetermined"},
             "modifier": "cup", "gramWeight": 54.5, "sequenceNumber": 9, "amount": 0.5},
        ],
    },
    None,
    {
        "description": MILK[2], "fdcId": 2705384, "dataType": "Survey (FNDDS)",
        "foodCode": "11100000", "publicationDate": "10/31/2024",
        "wweiaFoodCategory": {
            "wweiaFoodCategoryCode": 3298360, "wweiaFoodCategoryDescription": "Milk, reduced fat"
        },
        "foodNutrients": [
            {"nutrient": {"id": 1005, "unitName": "g"}, "amount": 4.83},
            {"nutrient": {"id": 1003, "unitName": "g"}, "amount": 3.33},
            {"nutrient": {"id": 1004, "unitName": "g"}, "amount": 2.14},
            {"nutrient": {"id": 1008, "unitName": "kcal"}, "amount": 52},
            {"nutrient": {"id": 1079, "unitName": "g"}, "amount": 0},
            {"nutrient": {"id": 2000, "unitName": "g"}, "amount": 4.88},
        ],
        "foodPortions": [
            {"measureUnit": {"name": "undetermined"}, "modifier": "90000", "gramWeight": 0,
             "portionDescription": "Quantity not specified", "sequenceNumber": 3},
            {"measureUnit": {"name": "undetermined"}, "modifier": "10205", "gramWeight": 244,
             "portionDescription": "1 cup", "sequenceNumber": 1},
            {"measureUnit": {"name": "undetermined"}, "modifier": "30000", "gramWeight": 30.5,
             "portionDescription": "1 fl oz", "sequenceNumber": 2},
        ],
    },
]  # fmt: skip


def test_the_json_form_gives_the_same_foods(tmp_path, download) -> None:
    name = "FoodData_Central_test_json_2024-10-31.zip"
    path = z.put(tmp_path / name, z.listed("SRLegacyFoods", JSON_FOODS))
    ours, notes = read(path)
    theirs, _ = read(download, kinds=["sr_legacy", "survey"])
    assert ours == theirs
    assert notes.left_out == {"empty places in the list": 1, "portions without a weight": 1}
    assert (count_foods(path), count_foods(path, kinds=["survey"])) == (2, 1)
    assert (count_foods(download), count_foods(download, kinds=["survey"])) == (3, 1)


@pytest.mark.parametrize("piece", [30, 64, 1 << 20])
def test_pieces_of_any_size_make_the_same_list(tmp_path, monkeypatch, piece) -> None:
    monkeypatch.setattr("prandial.sources.fdc.jsonform._PIECE", piece)
    text = '{\n "BrandedFoods" : [\n' + ",\n".join(json.dumps(f) for f in JSON_FOODS) + "\n]\n}\n"
    path = z.put(tmp_path / "x.zip", z.pack({"brandedDownload.json": text.encode()}, ""))
    foods, _ = read(path)
    assert list(foods) == [171688, 2705384]


def test_a_label_as_the_json_form_writes_it(tmp_path) -> None:
    food = {
        "foodClass": "Branded", "description": "BEER CHEESE", "fdcId": 453744,
        "dataType": "Branded", "brandOwner": "Example LLC", "gtinUpc": "868802000105",
        "brandedFoodCategory": "Cheese", "publicationDate": "4/1/2019",
        "servingSize": 28.0, "servingSizeUnit": "g", "householdServingFullText": "2 Tbsp",
        "foodNutrients": [
            {"nutrient": {"id": 1258, "unitName": "g"}, "amount": 12.5},
            {"nutrient": {"id": 1257, "unitName": "g"}, "amount": 0.0},
            {"nutrient": {"id": 1079, "unitName": "g"}, "amount": None},
        ],
    }  # fmt: skip
    text = json.dumps({"BrandedFoods": [food]}).replace("0.0}", "0E-8}")
    path = z.put(tmp_path / "x.zip", z.pack({"brandedDownload.json": text.encode()}, ""))
    ((one,), _) = (list(read(path)[0].values()), None)
    assert one.serving is not None
    assert (one.serving.text, one.serving.grams, one.category) == ("2 Tbsp", 28.0, "Cheese")
    assert one.nutrients == {"saturated_fat_g": 12.5}
    assert (one.brand, one.code, one.published) == ("Example LLC", "868802000105", "2019-04-01")


def test_a_folder_it_was_unpacked_to_and_tables_of_two_downloads(tmp_path, download) -> None:
    folder = tmp_path / "FoodData_Central_csv_2024-10-31"
    for name, body in members().items():
        z.put(folder / ("support" if name == "nutrient.csv" else ".") / name, body)
    foods, _ = read(folder)
    assert foods == read(download)[0]
    (folder / "support" / "nutrient.csv").unlink()
    with pytest.raises(SchemaError, match=r"nutrient\.csv is missing") as caught:
        read(folder)
    assert "Supporting Data" in caught.value.hint


def test_what_cannot_be_asked_for(download) -> None:
    with pytest.raises(InputError, match="no data type 'experimental'") as caught:
        next(read_fdc(download, kinds=["experimental"]))  # type: ignore[list-item]
    assert "branded" in caught.value.hint


def test_foods_taken_some_at_a_time_are_the_same(download, monkeypatch) -> None:
    whole, _ = read(download)
    monkeypatch.setattr(staging, "CHUNK_FOODS", 1)
    monkeypatch.setattr(staging, "_BATCH", 2)
    monkeypatch.setattr(staging, "_AMOUNTS", 2)
    assert read(download)[0] == whole


def test_every_house_nutrient_has_an_id_and_no_number_is_one() -> None:
    filled = {n.key for n in known_nutrients().values() if n.rank}
    assert filled == set(NUTRIENTS)
    rows = read_rules("fdc_nutrients")
    assert len({r["id"] for r in rows}) == len({r["number"] for r in rows}) == len(rows)
    assert all(int(r["id"]) > 1000 > float(r["number"]) for r in rows)


def test_the_same_foods_in_the_shared_tables(download, shared_dir) -> None:
    """USDA's values in tables compiled from other downloads and editions."""
    foods, _ = read(download)
    tables = {
        171688: ("sr28_foods", "sr_legacy_fdc_id"),
        321358: ("foundation_2024_10_foods", "fdc_id"),
        2705384: ("fndds_2021_2023_foods", "fdc_id"),
    }
    for fdc_id, (table, column) in tables.items():
        path = shared_dir / "data" / "foods" / f"{table}.parquet"
        keys = [k for k in foods[fdc_id].nutrients if k != "energy_kcal" or fdc_id != 0]
        listed = ", ".join(NUTRIENTS[k] for k in keys)
        (row,) = duckdb.execute(
            f"SELECT {listed} FROM '{path}' WHERE {column} = {fdc_id}"
        ).fetchall()
        assert dict(zip(keys, row, strict=True)) == foods[fdc_id].nutrients


@pytest.mark.parametrize(
    ("table", "kind", "numbers"),
    [
        ("foundation_2024_10_foods", "foundation_food", False),
        pytest.param("sr28_foods", "sr_legacy_food", False, marks=pytest.mark.full),
        pytest.param("fndds_2021_2023_foods", "survey_fndds_food", True, marks=pytest.mark.full),
    ],
)
def test_whole_tables_written_as_downloads_come_back(
    tmp_path, shared_dir, table, kind, numbers
) -> None:
    """Every value of a real table, in the official layout, is read as it was written."""
    path = shared_dir / "data" / "foods" / f"{table}.parquet"
    column = "sr_legacy_fdc_id" if table == "sr28_foods" else "fdc_id"
    there = set(duckdb.sql(f"SELECT * FROM '{path}' LIMIT 0").columns)
    known = {n.id: n for n in known_nutrients().values() if n.rank == 1}
    # energy by what it was taken from, where the table tells
    columns = {i: NUTRIENTS[n.key] for i, n in known.items() if NUTRIENTS[n.key] in there}
    if kind == "foundation_food":
        columns[1008] = "energy_reported_kcal"
        columns[2048] = "energy_atwater_specific_factors_kcal"
        columns[2047] = "energy_atwater_general_factors_kcal"
    listed = ", ".join(columns.values())
    rows = duckdb.execute(
        f"SELECT {column}, description, energy_kcal, {listed} FROM '{path}'"
        f" WHERE {column} IS NOT NULL ORDER BY {column}"
    ).fetchall()
    all_known = known_nutrients()
    amounts = {
        r[0]: {
            (all_known[i].number if numbers else i): v
            for i, v in zip(columns, r[3:], strict=True)
            if v is not None
        }
        for r in rows
    }
    foods = [(r[0], kind, r[1], "", "2024-10-31") for r in rows]
    units = [(n.id, n.key, n.unit, n.number) for n in all_known.values()]
    made = z.tables(foods, amounts, **{"nutrient.csv": z.table("nutrient.csv", units)})
    found, notes = read(z.put(tmp_path / "x.zip", z.pack(made)))
    assert len(found) == len(rows)
    flagged = {f.fdc_id for f in found.values() if f.flags}
    for fdc_id, description, energy, *values in rows:
        food = found[fdc_id]
        assert food.description == " ".join(description.split())
        if fdc_id in flagged:
            continue
        assert food.nutrients.get("energy_kcal") == energy
        wanted = {known[i].key: v for i, v in zip(columns, values, strict=True)
                  if v is not None and i in known and i != 1008}  # fmt: skip
        assert {k: v for k, v in food.nutrients.items() if k != "energy_kcal"} == wanted
    assert len(flagged) <= len(rows) // 100, notes.flags
