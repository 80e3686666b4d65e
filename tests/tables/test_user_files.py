"""Kinds of files: Parquet, and what is no table."""

import gzip
import io
import math
import zipfile

import duckdb
import numpy as np
import pytest

from prandial.errors import InputError, NotFoundError, SchemaError
from prandial.nutrients import NUTRIENTS
from prandial.tables.user import read_user_table

COLUMNS = {"name": "N", "carb_g": "C"}
CARB = list(NUTRIENTS).index("carb_g")


def zipped(*names):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return out.getvalue()


@pytest.mark.parametrize(
    ("raw", "looks", "do"),
    [
        (zipped("xl/workbook.xml"), "Excel workbook (.xlsx", "save the sheet as CSV"),
        (zipped("foods.csv"), "a zip file (holds foods.csv)", "unpack"),
        (b"PK\x03\x04broken", "zip file that is damaged", "again"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "OLE file", "save the sheet as CSV"),
        (b"%PDF-1.7\n", "a PDF", "copy its table"),
        (gzip.compress(b"N,C\n", mtime=0), "a gzip file", "unpack"),
        (b"\xef\xbb\xbf\n<!DOCTYPE html><p>", "an HTML page", "download the table itself"),
        (b"<?xml version='1.0'?><html>", "an HTML page", "download the table itself"),
        (b'[{"N": 1}]', "a JSON file", "CSV"),
        (b" \n", "an empty file", "heading"),
        (b"\x00\x01\x02\x03" * 50, "a binary file", "CSV"),
    ],
)
def test_what_is_no_table(tmp_path, raw, looks, do):
    path = tmp_path / "foods.csv"
    path.write_bytes(raw)
    with pytest.raises(SchemaError) as caught:
        read_user_table(path, columns=COLUMNS, name="t")
    assert looks in caught.value.what
    assert do in caught.value.hint


def test_no_file_and_a_folder(tmp_path):
    (tmp_path / "foods.csv").write_text("N,C\n")
    with pytest.raises(NotFoundError) as caught:
        read_user_table(tmp_path / "food.csv", columns=COLUMNS, name="t")
    assert "foods.csv" in caught.value.hint
    with pytest.raises(InputError, match="is a folder"):
        read_user_table(tmp_path, columns=COLUMNS, name="t")


def test_utf16_text(tmp_path):
    path = tmp_path / "t.txt"
    path.write_bytes("N\tC\ncrème\t3\n".encode("utf-16"))
    table = read_user_table(path, columns=COLUMNS, name="t")
    assert table.names == ("crème",)
    assert "UTF-16" in table.notes[0]


def parquet(path, sql):
    with duckdb.connect() as con:
        con.sql(sql).write_parquet(str(path))
    return path


def test_parquet(tmp_path):
    sql = """SELECT * FROM (VALUES
        (1001, 'Crème', 3.5::DOUBLE, '0,5'), (1002, 'Rice', 'NaN'::DOUBLE, NULL),
        (1003, NULL, 1.0, '1'), (1004, 'Bad', -1.0, '1')) AS t("Code", "N", "C", "Fat [g]")"""
    path = parquet(tmp_path / "t.parquet", sql)
    columns = COLUMNS | {"id": "Code", "fat_g": "Fat [g]"}
    table = read_user_table(path, columns=columns, name="t")
    assert table.ids == ("1001", "1002")
    assert table.names == ("Crème", "Rice")
    assert table.per_100g[0, CARB] == 3.5
    assert math.isnan(table.per_100g[1, CARB])
    assert table.per_100g[0, list(NUTRIENTS).index("fat_g")] == 0.5
    assert [(p.line, p.reason) for p in table.problems] == [
        (3, "is empty: a food needs a name"),
        (4, "is negative"),
    ]
    assert "4 rows and 4 columns read; Parquet" in table.notes


def test_parquet_path_is_no_pattern_and_its_folders_no_columns(tmp_path):
    folder = tmp_path / "C=7"
    folder.mkdir()
    for name, carb in [("a1.parquet", 1), ("a2.parquet", 2)]:
        parquet(folder / name, f'SELECT \'x\' AS "N", {carb}.0 AS "K"')
    wild = folder / "a*.parquet"
    (folder / "a1.parquet").rename(wild)
    table = read_user_table(wild, columns={"name": "N", "carb_g": "K"}, name="t")
    assert table.per_100g[:, CARB].tolist() == [1.0]
    with pytest.raises(NotFoundError):
        read_user_table(wild, columns=COLUMNS, name="t")


def test_cut_and_damaged_parquet(tmp_path):
    path = parquet(tmp_path / "t.parquet", 'SELECT \'x\' AS "N", 1.0 AS "C"')
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with pytest.raises(SchemaError, match="cut off"):
        read_user_table(path, columns=COLUMNS, name="t")
    path.write_bytes(whole[:4] + b"\xff" * (len(whole) - 8) + whole[-4:])
    with pytest.raises(SchemaError, match="cannot be read as Parquet"):
        read_user_table(path, columns=COLUMNS, name="t")


EVIL = "x'; DROP TABLE foods; --\""


def test_names_are_never_sql(tmp_path):
    quoted = EVIL.replace('"', '""')
    path = parquet(tmp_path / f"{EVIL[:7]}.parquet", f'SELECT \'a\' AS "N", 5.0 AS "{quoted}"')
    columns = {"name": "N", "carb_g": EVIL}
    table = read_user_table(path, columns=columns, name=EVIL)
    assert table.name == EVIL
    assert table.per_100g[:, CARB].tolist() == [5.0]
    text = tmp_path / "t.csv"
    text.write_text(f'N,"{quoted}"\na,5\n')
    same = read_user_table(text, columns=columns, name=EVIL)
    assert np.array_equal(same.per_100g, table.per_100g, equal_nan=True)
