"""The collected cases about data files, units and definitions, one test each by its id."""

from __future__ import annotations

import json
import math
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.sources import fdczip as z
from tests.sources.conftest import xpt_bytes

from prandial.errors import SchemaError
from prandial.sources.fdc import FdcNotes, read_fdc
from prandial.sources.nhanes.sniff import sniff
from prandial.sources.nhanes.xpt import read_xpt, xpt_header
from prandial.tables.user import read_user_table

KINDS = {"data-file", "data-units", "carb-definition"}


def foods(tmp_path: Path, given, amounts, **more):
    notes = FdcNotes()
    path = z.put(tmp_path / "x_2024-10-31.zip", z.pack(z.tables(given, amounts, **more)))
    return {f.fdc_id: f for f in read_fdc(path, notes=notes)}, notes


def branded(fdc_id: int, name: str) -> tuple:
    return fdc_id, "branded_food", name, "", "2024-10-31"


def test_every_case_of_these_kinds_has_a_test(shared_dir) -> None:
    lines = (shared_dir / "cases" / "cases.jsonl").read_text("utf-8").splitlines()
    wanted = {c["id"] for c in map(json.loads, lines) if c["kind"] in KINDS}
    here = {m[1].upper() for n in vars(sys.modules[__name__])
            if (m := re.match(r"test_(c\d{3})_", n)) is not None}  # fmt: skip
    assert wanted == here


def test_c047_kilojoules_are_not_kcal(tmp_path) -> None:
    unstated = [(*n[:2], "" if n[0] == 1008 else n[2], n[3]) for n in z.NUTRIENTS]
    amounts = {1: {1005: 10.0, 1003: 0.5, 1004: 0.0, 1008: 176}}
    juice = [(1, "foundation_food", "Juice", 9, "")]
    found, notes = foods(
        tmp_path, juice, amounts, **{"nutrient.csv": z.table("nutrient.csv", unstated)}
    )
    assert found[1].nutrients["energy_kcal"] == pytest.approx(42, abs=0.1)
    assert found[1].flags == ("energy_in_kj",)
    assert notes.repairs["energy without a unit, checked against 4/4/9"] == 1
    amounts = {1: {1005: 10.0, 1062: 176}}
    found, _ = foods(tmp_path, juice, amounts)
    assert found[1].nutrients["energy_kcal"] == pytest.approx(42, abs=0.1)
    amounts = {1: {1005: 10.0, 1008: "176 kJ (42 kcal)"}}
    found, _ = foods(tmp_path, juice, amounts)
    assert found[1].nutrients["energy_kcal"] == 42


def test_c048_a_decimal_comma_and_its_unit(tmp_path) -> None:
    amounts = {1: {1008: "627,31 kcal"}, 2: {1008: "627,31"}}
    given = [(i, "foundation_food", "Recipe", 9, "") for i in amounts]
    found, notes = foods(tmp_path, given, amounts)
    assert [f.nutrients["energy_kcal"] for f in found.values()] == [627.31, 627.31]
    assert notes.repairs["numbers with a decimal comma"] == 2


def test_c049_energy_of_foundation_foods(tmp_path, shared_dir) -> None:
    """2346401 russet potato and 1750339 apple as USDA has them: no nutrient 1008."""
    amounts = {
        2346401: {1005: 17.77125, 1003: 2.27375, 1004: 0.36, 2047: 83.42, 2048: 80.9523625},
        1750339: {1005: 14.7817, 1003: 0.1875, 1004: 0.2125, 2047: 61.7893, 2048: 55.622745},
        7: {1005: 14.0, 2047: 61.0},
    }
    given = [(i, "foundation_food", "Food", 9, "2022-10-28") for i in amounts]
    found, _ = foods(tmp_path, given, amounts)
    energy = {i: (f.nutrients["energy_kcal"], f.energy_from) for i, f in found.items()}
    assert energy == {
        2346401: (80.9523625, 2048), 1750339: (55.622745, 2048), 7: (61.0, 2047)
    }  # fmt: skip
    import duckdb

    table = shared_dir / "data" / "foods" / "foundation_2024_10_foods.parquet"
    for fdc_id, kcal in duckdb.execute(
        f"SELECT fdc_id, energy_kcal FROM '{table}' WHERE fdc_id IN (2346401, 1750339)"
    ).fetchall():
        assert energy[fdc_id][0] == kcal


def test_c051_international_units_are_no_grams(tmp_path) -> None:
    given = [branded(i, "Prepared product") for i in (1, 2)]
    amounts = {1: {1104: 468, 1005: 3}, 2: {1106: 4.68e8, 1005: 3}}
    found, notes = foods(tmp_path, given, amounts, labels=[z.label(1), z.label(2)])
    assert "vitamin_a_rae_mcg" not in found[1].nutrients
    assert notes.repairs["vitamin A in IU alone, left unknown"] == 1
    assert "vitamin_a_rae_mcg" not in found[2].nutrients
    assert found[2].flags == ("over_100g_single",)
    in_iu = [(*n[:2], "IU" if n[0] == 1106 else n[2], n[3]) for n in z.NUTRIENTS]
    found, notes = foods(
        tmp_path, given[:1], {1: {1106: 468}}, labels=[z.label(1)],
        **{"nutrient.csv": z.table("nutrient.csv", in_iu)},
    )  # fmt: skip
    assert found[1].nutrients["vitamin_a_rae_mcg"] == pytest.approx(140.4)
    assert notes.repairs["vitamin A in IU, read as retinol (0.3 µg)"] == 1


@pytest.mark.parametrize("micro", ["UG", "ug", "µg", "μg", "mcg"])
def test_c052_spellings_of_units(tmp_path, micro) -> None:
    upper = micro.isupper()
    spelled = {"UG": micro, "MG": "MG" if upper else "mg", "G": "G" if upper else "g"}
    spelled |= {"KCAL": "KCAL" if upper else "kcal"}
    units = [(*n[:2], spelled.get(n[2], n[2]), n[3]) for n in z.NUTRIENTS]
    amounts = {1: {1103: 5, 1093: 6, 1005: 7, 1008: 28}}
    found, _ = foods(
        tmp_path, [(1, "foundation_food", "X", 9, "")], amounts,
        **{"nutrient.csv": z.table("nutrient.csv", units)},
    )  # fmt: skip
    assert found[1].nutrients == {
        "selenium_mcg": 5, "sodium_mg": 6, "carb_g": 7, "energy_kcal": 28
    }  # fmt: skip
    # the same nutrient in another unit of mass
    units = [(*n[:2], micro if n[0] == 1093 else n[2], n[3]) for n in z.NUTRIENTS]
    found, _ = foods(
        tmp_path, [(1, "foundation_food", "X", 9, "")], {1: {1093: 6000}},
        **{"nutrient.csv": z.table("nutrient.csv", units)},
    )  # fmt: skip
    assert found[1].nutrients["sodium_mg"] == pytest.approx(6)


def test_c053_total_and_available_carbohydrate(tmp_path) -> None:
    given = [branded(1, "CRISPBREAD"), (2, "sr_legacy_food", "Apples, raw", 9, "")]
    amounts = {1: {1005: 61, 1079: 18}, 2: {1005: 13.81, 1079: 2.4}}
    found, _ = foods(tmp_path, given, amounts, labels=[z.label(1, country="New Zealand")])
    bread, apple = found[1], found[2]
    assert (bread.carbohydrate, apple.carbohydrate) == ("available", "total")
    assert (bread.total_carb_g, bread.available_carb_g) == (79, 61)
    assert apple.total_carb_g == 13.81
    assert apple.available_carb_g == pytest.approx(11.41)
    found, _ = foods(tmp_path, given[:1], {1: {1005: 61}}, labels=[z.label(1, country="NZ")])
    assert found[1].total_carb_g is None  # without fibre there is nothing to convert with


def test_c055_zero_is_a_value(tmp_path) -> None:
    amounts = {1: {1005: 0, 1003: 0, 1004: 0, 1008: 0, 1093: 2}}
    found, notes = foods(tmp_path, [(1, "survey_fndds_food", "Coffee, black", "", "")], amounts)
    assert found[1].nutrients == {
        "carb_g": 0, "protein_g": 0, "fat_g": 0, "energy_kcal": 0, "sodium_mg": 2
    }  # fmt: skip
    assert found[1].total_carb_g == 0
    assert not notes.flags


def test_c057_values_per_100_ml_say_so(tmp_path) -> None:
    labels = [z.label(1, size=250, unit="ml", text="1 BOTTLE"), z.label(2, size=28, unit="g")]
    amounts = {1: {1005: 10.5}, 2: {1005: 50}}
    found, _ = foods(tmp_path, [branded(1, "DRINK"), branded(2, "BAR")], amounts, labels=labels)
    assert [f.basis for f in found.values()] == ["ml", "g"]
    assert found[1].serving is not None
    assert found[1].serving.grams is None  # needs a density


def test_c058_line_breaks_in_the_heading(tmp_path) -> None:
    """Ciqual's headings have them; a table of the user's own and ours alike."""
    text = '"alim nom eng","Carbohydrate\n(g/100 g)","Fat\n(g/100 g)"\n"Rice, cooked","28,7",0.3\n'
    path = z.put(tmp_path / "ciqual.csv", text.encode())
    columns = {"name": "alim nom eng", "carb_g": "Carbohydrate (g/100 g)"}
    table = read_user_table(path, columns=columns, name="ciqual")
    assert table.names == ("Rice, cooked",)
    assert any("1 rows and 3 columns" in n for n in table.notes)
    broken = z.table("food.csv", [(1, "sr_legacy_food", "Apples,\nraw", 9, "")])
    broken = broken.replace(b'"publication_date"', b'"date\nof it"')
    found, notes = foods(tmp_path, [], {1: {1005: 13.81}}, **{"food.csv": broken})
    assert (found[1].description, found[1].published) == ("Apples, raw", "")
    assert notes.rows["food.csv"] == 1


def test_c060_a_stray_comma_before_a_number(tmp_path) -> None:
    amounts = {1: {1093: ",0,02", 1005: 5, 1003: "\x070.7"}}
    found, notes = foods(tmp_path, [(1, "sr_legacy_food", "X", 9, "")], amounts)
    assert found[1].nutrients == {"sodium_mg": 0.02, "carb_g": 5, "protein_g": 0.7}
    assert notes.places("numbers with a decimal comma") == ("food_nutrient.csv line 2: ',0,02'",)


def test_c061_bytes_that_are_not_utf_8_and_a_mark(tmp_path) -> None:
    body = z.table("food.csv", [(1, "sr_legacy_food", "Crème brûlée", 9, "")])
    latin = b"\xef\xbb\xbf" + body.decode().encode("latin-1")
    found, notes = foods(tmp_path, [], {1: {1005: 5}}, **{"food.csv": latin})
    assert found[1].description == "Crème brûlée"
    assert notes.repairs["bytes that are not UTF-8, read as Windows-1252"] == 3
    assert notes.repairs["byte-order mark removed"] == 1


def test_c062_a_name_encoded_twice(tmp_path) -> None:
    twice = "CR\u00c3\u02c6ME BRULEE"
    found, notes = foods(tmp_path, [(1, "sr_legacy_food", twice, 9, "")], {1: {1005: 5}})
    assert found[1].description == "CRÈME BRULEE"
    assert notes.repairs["texts encoded twice"] == 1


def made_xpt(tmp_path: Path, values) -> Path:
    """Write a transport file; NaN is SAS's missing value."""
    body = xpt_bytes({"SEQN": np.arange(1.0, len(values) + 1), "DR1TKCAL": np.array(values)}, "T")
    return z.put(tmp_path / "T.XPT", body)


def test_c063_sas_zero_is_zero(tmp_path) -> None:
    path = made_xpt(tmp_path, [0.0, 5.0, 0.0])
    column = read_xpt(path, xpt_header(path), ["DR1TKCAL"])["DR1TKCAL"]
    assert list(column) == [0.0, 5.0, 0.0]


def test_c065_text_under_the_name_of_a_transport_file(tmp_path) -> None:
    for body, told in (
        (b"STUDYID,DOMAIN,USUBJID\nA,DM,1\n", "CSV"),
        (b"<!DOCTYPE html><html></html>", "web page"),
        (b"PK\x03\x04" + bytes(60), "zip archive"),
        (b"**COMPRESSED** ", "CPORT"),
    ):
        with pytest.raises(SchemaError, match=told) as caught:
            sniff(z.put(tmp_path / "DM.xpt", body))
        assert caught.value.hint


def test_c067_sas_missing_is_missing(tmp_path) -> None:
    path = made_xpt(tmp_path, [math.nan, 9.25, math.nan])
    column = read_xpt(path, xpt_header(path), ["DR1TKCAL"])["DR1TKCAL"]
    assert [math.isnan(float(v)) for v in column] == [True, False, True]
    assert float(column[1]) == 9.25
