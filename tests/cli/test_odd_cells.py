"""Cells that a writer or reader of files trips over."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import duckdb
import pytest

from prandial.api import estimate_file
from prandial.batch.cells import csv_line

RICE = "100 g of cooked white rice"


def parquet_ids(path: Path) -> list[object]:
    with duckdb.connect() as con:
        return [r[0] for r in con.execute("SELECT id FROM read_parquet(?)", [str(path)]).fetchall()]


@pytest.mark.parametrize(
    "cell", ["\r", "a\rb", "\n", "a\r\nb", '"', ",", " a ", "'", "=1+1", "\x00"]
)
def test_a_csv_line_reads_back(cell):
    line = csv_line({"id": cell, "x": None, "y": 1.5, "z": True})
    assert line.endswith("\n")
    assert not line.endswith("\r\n")
    assert list(csv.reader([*line.splitlines(keepends=True)])) == [[cell, "", "1.5", "true"]]


def test_lone_surrogates_reach_every_output(tmp_path):
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps({"meal": RICE + " \ud800", "id": "\udfff"}) + "\n")
    for ending in ("csv", "jsonl", "parquet"):
        output = tmp_path / f"out.{ending}"
        report = estimate_file(source, output, column="meal", id_column="id")
        assert (report.rows, report.broken) == (1, ())
    assert json.loads((tmp_path / "out.jsonl").read_text("utf-8"))["id"] == "\udfff"
    assert parquet_ids(tmp_path / "out.parquet") == ["?"]


def test_whole_numbers_stay_numbers_in_json_lines(tmp_path):
    source = tmp_path / "in.jsonl"
    ids = [7, 2**70, "7", None, 1.5]
    source.write_text("".join(json.dumps({"meal": RICE, "id": i}) + "\n" for i in ids))
    estimate_file(source, tmp_path / "out.jsonl", column="meal", id_column="id")
    lines = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(x)["id"] for x in lines] == [7, 2**70, "7", None, "1.5"]
    estimate_file(source, tmp_path / "out.parquet", column="meal", id_column="id")
    assert parquet_ids(tmp_path / "out.parquet") == ["7", str(2**70), "7", None, "1.5"]


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("INTEGER", 1), ("UINTEGER", 1), ("UBIGINT", "1"), ("DOUBLE", "1.0"),
        ("VARCHAR", "1"), ("BLOB", "1"),
    ],
)  # fmt: skip
def test_ids_of_parquet_keep_a_type_that_fits(tmp_path, kind, shown):
    source = tmp_path / "in.parquet"
    with duckdb.connect() as con:
        value = "'1'::BLOB" if kind == "BLOB" else f"1::{kind}"
        con.execute(f"COPY (SELECT {value} AS id, '{RICE}' AS meal) TO '{source}' (FORMAT parquet)")
    estimate_file(source, tmp_path / "out.parquet", column="meal", id_column="id")
    assert parquet_ids(tmp_path / "out.parquet") == [shown]


def test_paths_with_signs_of_patterns_and_quotes(tmp_path):
    folder = tmp_path / "it's [1]*"
    folder.mkdir()
    source = folder / "in '[x]?.csv"
    source.write_text(f"meal\n{RICE}\n")
    for name in ("out '[y]?.parquet", "*.csv"):
        assert estimate_file(source, folder / name, column="meal").rows == 1
    back = estimate_file(folder / "out '[y]?.parquet", folder / "back.csv", column="note")
    assert back.rows == 1
