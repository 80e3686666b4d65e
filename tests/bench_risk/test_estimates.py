"""Estimates in every form people have them, and every mistake named by row and column."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import prandial
from prandial.bench.risk.cells import Grams, grams_of
from prandial.bench.risk.estimates import read_estimates
from prandial.errors import InputError, NotFoundError, SchemaError

NAN = math.nan
WIDE = "meal_id,true_g,ours,gpt\nm1,60,45,50\nm2,30,,NA\nm3,0,NaN,12.5\n"


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def told(found: Any) -> dict[str, list[float]]:
    return {k: v.tolist() for k, v in found.estimates().items()}


def test_a_wide_table(tmp_path):
    found = read_estimates(put(tmp_path, "e.csv", WIDE))
    assert found.meal_ids == ("m1", "m2", "m3")
    assert found.true_g.tolist() == [60, 30, 0]
    np.testing.assert_equal(told(found), {"ours": [45, NAN, NAN], "gpt": [50, NAN, 12.5]})
    assert found.abstained == {"ours": 2, "gpt": 1}
    assert found.ranged == ()
    assert found.notes == (
        "ours: no answer for 2 of 3 meals", "gpt: no answer for 1 of 3 meals",
    )  # fmt: skip


def test_the_same_table_in_every_format(tmp_path):
    import duckdb
    from openpyxl import Workbook

    first = read_estimates(put(tmp_path, "e.csv", WIDE))
    put(tmp_path, "e.tsv", WIDE.replace(",", "\t"))
    put(tmp_path, "semicolons.csv", WIDE.replace(",", ";").replace("12.5", "12,5"))
    put(tmp_path, "mark.csv", "\ufeff" + WIDE.replace("\n", "\r\n"))
    rows = list(csv.DictReader(WIDE.splitlines()))
    numbers = [
        {k: v if k == "meal_id" else None if v in ("", "NA", "NaN") else float(v)
         for k, v in r.items()}
        for r in rows
    ]  # fmt: skip
    put(tmp_path, "e.jsonl", "".join(json.dumps(r) + "\n\n" for r in numbers))
    with duckdb.connect() as con:
        con.execute(
            f"COPY (SELECT * FROM '{tmp_path}/e.jsonl') TO '{tmp_path}/e.parquet' (FORMAT parquet)"
        )
    book = Workbook()
    book.active.append(list(rows[0]))
    for r in numbers:
        book.active.append(list(r.values()))
    book.save(tmp_path / "e.xlsx")
    for name in ("e.tsv", "semicolons.csv", "mark.csv", "e.jsonl", "e.parquet", "e.xlsx"):
        found = read_estimates(tmp_path / name)
        assert found.meal_ids == first.meal_ids, name
        assert found.true_g.tolist() == first.true_g.tolist()
        np.testing.assert_equal(told(found), told(first))


def test_a_dietitians_sheet(tmp_path):
    from openpyxl import Workbook

    book = Workbook()
    for cells in (
        ["meal_id", "true_g", "Anna", "Ben"],
        ["m1", 60, "45 g", "ca. 50"],
        ["m2", "30 g", "40-50", None],
        ["m3", 20, "n/a", " 12,5 g "],
    ):
        book.active.append(cells)
    book.save(tmp_path / "d.xlsx")
    found = read_estimates(tmp_path / "d.xlsx")
    np.testing.assert_equal(told(found), {"Anna": [45, 45, NAN], "Ben": [50, NAN, 12.5]})
    assert found.ranged == ("Anna",)
    low, high = found.ranges()["Anna"]
    # 45 g was said without a range
    np.testing.assert_equal(low, [NAN, 40, NAN])
    np.testing.assert_equal(high, [NAN, 50, NAN])
    assert found.abstained == {"Anna": 1, "Ben": 1}


def test_ranges_beside_a_column(tmp_path):
    text = "meal_id,true_g,ours_low,ours,ours_high\nm1,60,40,45,70\nm2,30,,20,\n"
    found = read_estimates(put(tmp_path, "e.csv", text))
    assert found.estimators == found.ranged == ("ours",)
    assert found.low_g.tolist() == [[40, 20]]
    assert found.high_g.tolist() == [[70, 20]]
    wrong = put(tmp_path, "w.csv", text.replace("40,45,70", "50,45,70"))
    with pytest.raises(InputError, match="50 to 70 does not hold 45") as error:
        read_estimates(wrong)
    assert "line 2 (meal m1), ours" in error.value.where


def test_ranges_without_a_middle_or_without_a_width(tmp_path):
    text = "meal_id,true_g,ours_low,ours,ours_high\nm1,60,40,,50\nm2,30,20,20,20\nm3,9,,8,\n"
    found = read_estimates(put(tmp_path, "e.csv", text))
    np.testing.assert_equal(told(found), {"ours": [45, 20, 8]})
    low, high = found.ranges()["ours"]
    np.testing.assert_equal(low, [40, 20, NAN])
    np.testing.assert_equal(high, [50, 20, NAN])
    half = put(tmp_path, "h.csv", "meal_id,true_g,a_low,a,a_high\nm1,60,40,,\n")
    with pytest.raises(InputError, match="half a range"):
        read_estimates(half)


def test_a_truth_beside_the_file(tmp_path):
    """A meal of the truth that nobody answered is counted; two truths of a meal are an error."""
    truth = put(tmp_path, "t.csv", "meal_id,true_g\nm1,60\nm2,30\nm3,20\n")
    found = read_estimates(put(tmp_path, "e.csv", "meal_id,a\nm2,28\n"), truth=truth)
    assert found.meal_ids == ("m2", "m1", "m3")
    np.testing.assert_equal(told(found), {"a": [28, NAN, NAN]})
    assert any("2 of 3 meals of --truth" in note for note in found.notes)
    with pytest.raises(InputError, match="31 g in the file and 30 g in --truth"):
        read_estimates(put(tmp_path, "f.csv", "meal_id,true_g,a\nm2,31,28\n"), truth=truth)


def test_a_long_table(tmp_path):
    text = (
        "meal_id,true_g,estimator,estimate_g,low_g,high_g\n"
        "m1,60,a,45,40,50\nm1,60,b,50,,\nm2,30,b,,,\nm3,10,a,10,,\n"
    )
    found = read_estimates(put(tmp_path, "e.csv", text))
    np.testing.assert_equal(told(found), {"a": [45, NAN, 10], "b": [50, NAN, NAN]})
    assert found.ranged == ("a",)
    assert found.abstained == {"a": 1, "b": 2}
    for wrong, what in (
        ("m1,60,a,45,40,50\nm1,60,a,50,,\n", "'a' estimates meal 'm1' twice"),
        ("m1,60,a,45,,\nm1,61,b,50,,\n", "holds 61 g here and 60 g before"),
        ("m1,60,,45,,\n", "no estimator named"),
    ):
        with pytest.raises(InputError, match=what):
            read_estimates(put(tmp_path, "w.csv", text.splitlines()[0] + "\n" + wrong))


def test_run_records(tmp_path):
    rows = [
        {"id": 7, "true_g": 60, "totals": {"carb_g": {"low": 40, "mid": 45, "high": 70}},
         "estimator": "words"},
        {"id": 8, "true_g": 30, "totals": {"carb_g": None}, "estimator": "words"},
        {"id": 7, "true_g": 60, "model": "gpt",
         "prediction": {"raw_text": "50", "value": 50, "status": "answered"}},
        {"id": 8, "truth": {"carb_g": 30}, "model": "gpt",
         "prediction": {"raw_text": "no", "value": None, "status": "refused"}},
        {"id": 9, "target": 12, "estimate": {"estimator": "words",
         "totals": {"carb_g": {"low": 1, "mid": 2, "high": 3}}}},
    ]  # fmt: skip
    found = read_estimates(put(tmp_path, "run.jsonl", "".join(json.dumps(r) + "\n" for r in rows)))
    assert found.meal_ids == ("7", "8", "9")
    assert found.true_g.tolist() == [60, 30, 12]
    np.testing.assert_equal(told(found), {"words": [45, NAN, 2], "gpt": [50, NAN, NAN]})
    assert found.ranged == ("words",)
    bad = {"id": 1, "true_g": 2, "prediction": {"value": 3, "status": "great"}}
    with pytest.raises(InputError, match="great"):
        read_estimates(put(tmp_path, "w.jsonl", json.dumps(bad)))


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_what_our_own_batch_writes(tmp_path, ending):
    meals = put(tmp_path, "meals.csv", "id,text\nm1,two slices of toast\nm2,???\n")
    out = tmp_path / f"out.{ending}"
    prandial.estimate_file(meals, out, column="text", id_column="id")
    truth = put(tmp_path, "truth.csv", "meal_id,true_g\nm1,30\nm2,5\n")
    found = read_estimates(out, truth=truth)
    toast = prandial.estimate("two slices of toast").totals["carb_g"]
    assert toast is not None
    assert found.meal_ids == ("m1", "m2")
    assert found.true_g.tolist() == [30, 5]
    assert len(found.estimators) == 1
    assert found.mid_g[0, 0] == pytest.approx(toast.mid, abs=1e-3)
    assert found.high_g[0, 0] == pytest.approx(toast.high, abs=1e-3)
    assert np.isnan(found.mid_g[0, 1])
    with pytest.raises(InputError, match="true"):
        read_estimates(out)


def test_some_estimators(tmp_path):
    path = put(tmp_path, "e.csv", "meal_id,true_g,text,a,b\nm1,60,two toasts,45,50\n")
    with pytest.raises(InputError, match="'two toasts'") as error:
        read_estimates(path)
    assert error.value.where == "e.csv, line 2 (meal m1), text"
    assert "--estimator" in error.value.hint
    assert told(read_estimates(path, estimators=["b"])) == {"b": [50]}
    with pytest.raises(NotFoundError, match="'c'"):
        read_estimates(path, estimators=["b", "c"])


def test_no_estimator_and_one_meal_are_fine_and_told(tmp_path):
    found = read_estimates(put(tmp_path, "e.csv", "meal_id,true_g\nm1,60\n"))
    assert found.estimators == ()
    assert found.mid_g.shape == (0, 1)
    assert any("only perfect" in n for n in found.notes)
    assert any("one meal only" in n for n in found.notes)


@pytest.mark.parametrize(
    ("text", "where", "told"),
    [
        ("meal_id,true_g,a\nm1,60,-1\n", "line 2 (meal m1), a", "0 to 250 g"),
        ("meal_id,true_g,a\nm1,60,1e3\n", "line 2 (meal m1), a", "0 to 250 g"),
        ("meal_id,true_g,a\nm1,60,inf\n", "line 2 (meal m1), a", "0 to 250 g"),
        ("meal_id,true_g,a\nm1,300,10\n", "line 2 (meal m1), true_g", "0 to 250 g"),
        ("meal_id,true_g,a\nm1,,10\n", "line 2 (meal m1), true_g", "without its true"),
        ("meal_id,true_g,a\nm1,40-50,10\n", "line 2 (meal m1), true_g", "without its true"),
        ("meal_id,true_g,a\nm1,60,much\n", "line 2 (meal m1), a", "'much'"),
        ("meal_id,true_g,a\nm1,60,\"1,234\"\n", "line 2 (meal m1), a", "1,234"),
        ("meal_id,true_g,a\nm1,60,50-40\n", "line 2 (meal m1), a", "ends before it begins"),
        ("meal_id,true_g,a\nm1,60,10 mg\n", "line 2 (meal m1), a", "'10 mg'"),
        ("meal_id,true_g,a\nm1,60,1\nm1,60,2\n", "line 3", "twice, first in line 2"),
        ("meal_id,true_g,a\n,60,1\n", "line 2, meal_id", "without an id"),
        ("meal_id,true_g,a\nm1,60\n", "line 2", "2 cells, the header has 3"),
        ("meal_id,true_g,a\nm1,60,1,2\n", "line 2", "4 cells, the header has 3"),
        ("meal_id,true_g,a,a\nm1,60,1,2\n", "e.csv", "2 times"),
        ("meal_id,true_g,\nm1,60,1\n", "e.csv", "no name"),
        ("name,true_g,a\nm1,60,1\n", "e.csv", "found: name, true_g, a"),
        ("meal_id,grams,a\nm1,60,1\n", "e.csv", "no column 'true_g'"),
        ("meal_id,true_g,a\n", "e.csv", "no rows"),
        ("", "e.csv", "empty"),
        ('meal_id,true_g,a\nm1,60,"1\n', "line 2", "not readable"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_by_row_and_column(tmp_path, text, where, told):
    with pytest.raises(InputError) as error:
        read_estimates(put(tmp_path, "e.csv", text))
    assert error.value.where.endswith(where)
    assert told in f"{error.value.what} {error.value.hint}"


def test_large_meals_must_be_asked_for(tmp_path):
    path = put(tmp_path, "e.csv", "meal_id,true_g,a\nm1,300,280\n")
    assert read_estimates(path, large_meals=True).true_g.tolist() == [300]


def test_files_that_are_not_what_they_are_named(tmp_path):
    for name in ("e.xlsx", "e.parquet"):
        with pytest.raises(SchemaError):
            read_estimates(put(tmp_path, name, "meal_id,true_g\n"))
    with pytest.raises(InputError, match="format"):
        read_estimates(put(tmp_path, "e.pdf", "x"))
    with pytest.raises(NotFoundError):
        read_estimates(tmp_path / "none.csv")
    with pytest.raises(InputError) as error:
        read_estimates(put(tmp_path, "e.jsonl", '{"meal_id": "a", "true_g": 1}\n[1]\n'))
    assert error.value.where == "e.jsonl, line 2"


def test_a_range_that_excel_made_a_date(tmp_path):
    import datetime as dt

    with pytest.raises(InputError, match="no amount") as error:
        grams_of(dt.datetime(2020, 12, 10), where="x")  # noqa: DTZ001
    assert "Excel" in error.value.hint


@given(st.floats(0, 125), st.floats(0, 125), st.sampled_from(["-", " - ", "–", " to ", " bis "]))
def test_numbers_and_ranges_read_back(a, b, dash):
    low, high = sorted((round(a, 2), round(b, 2)))
    for text in (f"{low:.2f}", f"{low:.2f} g", f"ca. {low:.2f}g", f"~{low:.2f} grams"):
        assert grams_of(text, where="x") == Grams(low, low, low)
    found = grams_of(f"{low:.2f}{dash}{high:.2f} g", where="x")
    assert found is not None
    assert (found.low, found.high) == (low, high)
    assert found.mid == pytest.approx((low + high) / 2)


@pytest.mark.parametrize("cell", ["", " ", "NA", "n/a", "NaN", "None", None, math.nan])
def test_no_answer_is_no_number(cell):
    assert grams_of(cell, where="x") is None


@pytest.mark.parametrize("cell", [True, [45], "4 5", "45 kg", "-", "?", "45-", "about", "1.2.3"])
def test_what_is_no_amount(cell):
    with pytest.raises(InputError):
        grams_of(cell, where="x")


def test_half_a_range_is_refused(tmp_path):
    """The end that is not told is unknown, not the middle."""
    path = put(tmp_path, "h.csv", "meal_id,true_g,app,app_low,app_high\nm1,45,42,30,\n")
    with pytest.raises(InputError, match="half a range"):
        read_estimates(path)
