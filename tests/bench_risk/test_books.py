"""Workbooks: which sheet is read, what is shown, and damage."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.bench_risk.conftest import book

from prandial.bench.risk.estimates import read_estimates
from prandial.bench.risk.patients import read_patients
from prandial.errors import InputError, SchemaError

HEAD = ["meal_id", "true_g", "a"]
MEALS = [HEAD, ["m1", 60, 45], ["m2", 30, 20]]


def test_further_sheets_are_told(tmp_path):
    path = tmp_path / "e.xlsx"
    book(path, {"Empty": [], "Meals": MEALS, "Notes": [["x"]], "Void": [], "Key": [[1]]})
    found = read_estimates(path)
    assert found.true_g.tolist() == [60, 30]
    assert found.notes[0] == "e.xlsx: the sheet 'Meals' is read; not read: 'Notes', 'Key'"
    book(path, {"Meals": MEALS, "Void": []})
    assert not read_estimates(path).notes


def test_a_hidden_sheet_is_not_read_first(tmp_path):
    path = tmp_path / "e.xlsx"
    made = book(path, {"Old": [HEAD, ["m1", 1, 1]], "New": MEALS})
    made["Old"].sheet_state = "hidden"
    made.save(path)
    found = read_estimates(path)
    assert found.true_g.tolist() == [60, 30]
    assert "not read: 'Old'" in found.notes[0]


def test_a_truth_of_several_sheets_is_told(tmp_path):
    truth = tmp_path / "t.xlsx"
    book(truth, {"T": [["meal_id", "true_g"], ["m1", 60]], "Notes": [["x"]]})
    path = tmp_path / "e.csv"
    path.write_text("meal_id,a\nm1,45\n")
    assert any(
        "t.xlsx: the sheet 'T' is read" in n for n in read_estimates(path, truth=truth).notes
    )


def test_patients_have_one_sheet(tmp_path):
    path = tmp_path / "p.xlsx"
    rows = [["isf", "cir", "basal"], [50, 10, 1]]
    book(path, {"P": rows})
    assert read_patients(path)[0].isf_mg_dl_per_u == 50
    book(path, {"P": rows, "Q": rows})
    with pytest.raises(InputError, match="2 filled sheets") as error:
        read_patients(path)
    assert "sheet 'P'" in error.value.where


def test_a_formula_that_was_never_computed(tmp_path):
    path = tmp_path / "e.xlsx"
    book(path, {"Meals": [*MEALS, ["m3", 10, "=B2/2"]]})
    with pytest.raises(InputError, match="formula in C4 has no value") as error:
        read_estimates(path)
    assert error.value.where == "e.xlsx, sheet 'Meals', C4"
    assert "open and save" in error.value.hint


def rewritten(path: Path, member: str, change: Any) -> None:
    """Change a member of the archive."""
    with zipfile.ZipFile(path) as old:
        parts = {n: old.read(n) for n in old.namelist()}
    parts[member] = change(parts[member])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in parts.items():
            new.writestr(name, data)


def test_a_formula_with_its_value_is_read(tmp_path):
    path = tmp_path / "e.xlsx"
    book(path, {"Meals": [*MEALS, ["m3", 10, "=B2/2"], ["m4", 10, '=""']]})

    def cached(data: bytes) -> bytes:
        text = data.decode().replace("<f>B2/2</f><v />", "<f>B2/2</f><v>30</v>")
        text = text.replace("<f>B2/2</f><v></v>", "<f>B2/2</f><v>30</v>")
        return text.replace('<c r="C5"><f>', '<c r="C5" t="str"><f>').encode()

    rewritten(path, "xl/worksheets/sheet1.xml", cached)
    found = read_estimates(path)
    assert found.mid_g[0, 2] == 30
    assert found.abstained == {"a": 1}


@pytest.mark.parametrize(
    ("form", "is_percent"), [("0%", True), ("0.00 %", True), ('0"%"', False), ('0.0" g"', False)]
)
def test_percentages_are_no_grams(tmp_path, form, is_percent):
    path = tmp_path / "e.xlsx"
    made = book(path, {"Meals": [HEAD, ["m1", 60, 0.45]]})
    made["Meals"]["C2"].number_format = form
    made.save(path)
    if is_percent:
        with pytest.raises(InputError, match="'45 %' is no amount") as error:
            read_estimates(path)
        assert error.value.where == "e.xlsx, row 2 (meal m1), a"
        assert "percentage" in error.value.hint
    else:
        assert read_estimates(path).mid_g.tolist() == [[0.45]]


def test_no_column_names_the_sheet(tmp_path):
    path = tmp_path / "e.xlsx"
    book(path, {"Study B": [["meal", "grams"], ["m1", 60]]})
    with pytest.raises(InputError, match="no column 'true_g'") as error:
        read_estimates(path)
    assert error.value.where.endswith("e.xlsx, sheet 'Study B'")


def test_a_title_above_the_columns(tmp_path):
    path = tmp_path / "e.xlsx"
    made = book(path, {"Meals": [["Meals of the study", None, None], *MEALS]})
    made["Meals"].merge_cells("A1:C1")
    made.save(path)
    with pytest.raises(InputError, match="row 1 holds one cell, 'Meals of the study': a title"):
        read_estimates(path)


def test_a_size_that_is_not_so(tmp_path):
    path = tmp_path / "e.xlsx"
    book(path, {"Meals": MEALS})
    rewritten(path, "xl/worksheets/sheet1.xml", lambda d: d.replace(b'ref="A1:C3"', b'ref="A1"'))
    assert read_estimates(path).true_g.tolist() == [60, 30]


@pytest.mark.parametrize(
    ("member", "change"),
    [
        ("xl/worksheets/sheet1.xml", lambda d: d[: len(d) // 2]),
        ("xl/worksheets/sheet1.xml", lambda d: b""),
        ("xl/workbook.xml", lambda d: d[:100]),
        ("xl/workbook.xml", lambda d: b"<a/>"),
        ("xl/styles.xml", lambda d: d[:-20]),
        ("[Content_Types].xml", lambda d: b"<Types/>"),
        ("xl/worksheets/sheet1.xml", lambda d: d.replace(b'r="A1"', b'r="?"')),
        (
            "xl/worksheets/sheet1.xml",
            lambda d: d.replace(b't="n"', b't="s"').replace(b"60", b"999"),
        ),
    ],
)
def test_damaged_workbooks(tmp_path, member, change):
    path = tmp_path / "e.xlsx"
    book(path, {"Meals": MEALS})
    rewritten(path, member, change)
    with pytest.raises(InputError):
        read_estimates(path)


def test_workbooks_cut_at_every_place(tmp_path):
    path = tmp_path / "e.xlsx"
    book(path, {"Meals": MEALS})
    whole = path.read_bytes()
    for n in range(4, len(whole) - 30, len(whole) // 12):
        path.write_bytes(whole[:n])
        with pytest.raises(InputError, match="damaged"):
            read_estimates(path)
    at = whole.index(b"xl/worksheets/sheet1.xml") + 60
    path.write_bytes(whole[:at] + b"\xff" * 20 + whole[at + 20 :])
    with pytest.raises(InputError, match="damaged"):
        read_estimates(path)


def test_charts_are_no_tables(tmp_path):
    from openpyxl import Workbook
    from openpyxl.chart import BarChart, Reference

    path = tmp_path / "e.xlsx"
    made = Workbook()
    sheet = made.active
    for row in MEALS:
        sheet.append(row)
    charts = made.create_chartsheet("Chart", 0)
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3))
    charts.add_chart(chart)
    made.save(path)
    assert read_estimates(path).true_g.tolist() == [60, 30]
    made.remove(sheet)
    made.save(path)
    with pytest.raises(InputError):
        read_estimates(path)


def test_a_password_or_an_old_workbook(tmp_path):
    path = tmp_path / "e.xlsx"
    path.write_bytes(b"\xd0\xcf\x11\xe0" + b"\0" * 600)
    with pytest.raises(SchemaError, match="password"):
        read_estimates(path)
