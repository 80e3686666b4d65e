"""Patients of a user's table: both ends of the published profiles, and each mistake."""

from __future__ import annotations

import json
import time

import pytest

from prandial.bench.risk.patients import patients_csv, read_patients
from prandial.errors import InputError
from prandial.records import Patient


def read(tmp_path, text):
    path = tmp_path / "p.csv"
    path.write_text(text, "utf-8")
    return read_patients(path)


def test_short_and_long_names(tmp_path):
    short = read(tmp_path, "name,isf,cir,basal\na,500,62.5,0.07\nb,12,4,1.9\n")
    long = read(
        tmp_path, "isf_mg_dl_per_u,name,cir_g_per_u,basal_u_per_h\n500,a,62.5,0.07\n12,b,4,1.9\n"
    )
    assert short == long
    assert short[0] == Patient(name="a", isf_mg_dl_per_u=500, cir_g_per_u=62.5, basal_u_per_h=0.07)
    assert [p.name for p in read(tmp_path, "isf,cir,basal\n50,10,1\n40,9,1\n")] == [
        "patient01", "patient02",
    ]  # fmt: skip


def test_written_patients_read_back(tmp_path):
    patients = (
        Patient(name="x, y", isf_mg_dl_per_u=1 / 0.003, cir_g_per_u=9.1, basal_u_per_h=0.1 + 0.2),
    )
    assert read(tmp_path, patients_csv(patients)) == patients


@pytest.mark.parametrize(
    ("text", "where", "told"),
    [
        ("isf,cir\n50,10\n", "p.csv", "found: isf, cir; needed: isf (mg/dL per U), cir"),
        ("name,ISF,CIR,basal_u_per_min\na,50,10,0.01\n", "p.csv", "no column 'basal'"),
        ("isf,cir,basal\n50,10,1\n2.8,10,1\n", "line 3, isf", "5 to 1000"),
        ("isf,cir,basal\n50,200,1\n", "line 2, cir", "1 to 150"),
        ("isf,cir,basal\n50,10,0.013\n", "line 2, basal", "U/min"),
        ("isf,cir,basal\n50,10,24\n", "line 2, basal", "0.05 to 10"),
        ("isf,cir,basal\n50,10,\n", "line 2, basal", "no number"),
        ("isf,cir,basal\n50,10,nan\n", "line 2, basal", "no number"),
        ("isf,cir,basal\n50,ten,1\n", "line 2, cir", "'ten'"),
        ("isf,cir,basal\n50,10\n", "line 2", "2 cells"),
        ("name,isf,cir,basal\na,50,10,1\na,50,10,1\n", "line 3, name", "'a' is there twice"),
        ("name,isf,cir,basal\n,50,10,1\n", "line 2, name", "no name"),
        ("isf,cir,basal\n", "p.csv", "no rows"),
        ("isf,isf_mg_dl_per_u,cir,basal\n50,50,10,1\n", "p.csv", "'isf' and 'isf_mg_dl_per_u'"),
        ("isf,ISF,cir,basal\n50,50,10,1\n", "p.csv", "'isf' and 'ISF'"),
        ("name,Name,isf,cir,basal\na,b,50,10,1\n", "p.csv", "'name' and 'Name'"),
        ("isf,cir,basal\n50,1_0,1\n", "line 2, cir", "'1_0' is no number"),
        ("isf,cir,basal\n٥٠,10,1\n", "line 2, isf", "'٥٠' is no number"),
        ('isf,cir,basal\n50,10,"0,8"\n', "line 2, basal", "'0,8' is no number"),
    ],
)
def test_a_mistake_is_named_by_row_and_bound(tmp_path, text, where, told):
    with pytest.raises(InputError) as error:
        read(tmp_path, text)
    assert error.value.where.endswith(where)
    assert told in f"{error.value.what} {error.value.hint}"


def test_capitals_do_not_count(tmp_path):
    found = read(tmp_path, "Name,Isf,CIR,Basal_U_per_h\na,50,10,0.8\n")
    assert found == read(tmp_path, "name,isf,cir,basal\na,50,10,0.8\n")


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_decimal_comma(tmp_path, separator):
    text = f"isf{separator}cir{separator}basal\n50{separator}10,5{separator}0,075\n"
    found = read(tmp_path, text)
    assert (found[0].cir_g_per_u, found[0].basal_u_per_h) == (10.5, 0.075)


@pytest.mark.parametrize("key", ["isf", "cir", "basal"])
def test_an_integer_beyond_all_bounds(tmp_path, key):
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps({"isf": 50, "cir": 10, "basal": 1, key: 10**400}))
    with pytest.raises(InputError, match="outside") as error:
        read_patients(path)
    assert error.value.where == f"p.jsonl, line 1, {key}"


def test_ten_thousand_patients(tmp_path):
    rows = [f"p{i},50,10,1\n" for i in range(10_001)]
    start = time.process_time()
    assert len(read(tmp_path, "name,isf,cir,basal\n" + "".join(rows[:-1]))) == 10_000
    # it took several seconds where each row looked at all the others
    assert time.process_time() - start < 1.5
    with pytest.raises(InputError, match="10,001 patients are more than 10,000"):
        read(tmp_path, "name,isf,cir,basal\n" + "".join(rows))
