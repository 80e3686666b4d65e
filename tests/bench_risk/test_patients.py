"""Patients of a user's table: both ends of the published profiles, and each mistake."""

from __future__ import annotations

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
    ],
)
def test_a_mistake_is_named_by_row_and_bound(tmp_path, text, where, told):
    with pytest.raises(InputError) as error:
        read(tmp_path, text)
    assert error.value.where.endswith(where)
    assert told in f"{error.value.what} {error.value.hint}"
