"""Readers of estimates: what stands beside the amounts, how columns are spelled, what hints say."""

from __future__ import annotations

import json
import math
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.bench_risk.conftest import book

from prandial.bench.risk.estimates import EstimateTable, read_estimates
from prandial.bench.risk.patients import read_patients
from prandial.errors import InputError, NotFoundError

NAN = math.nan


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def csv(folder: Path, text: str, **said: Any) -> EstimateTable:
    return read_estimates(put(folder, "e.csv", text), **said)


def run(folder: Path, *rows: dict[str, Any], **said: Any) -> EstimateTable:
    text = "".join(json.dumps(r) + "\n" for r in rows)
    return read_estimates(put(folder, "run.jsonl", text), **said)


def told(found: EstimateTable) -> dict[str, list[float]]:
    return {k: v.tolist() for k, v in found.estimates().items()}


def refused(folder: Path, text: str, name: str = "e.csv", **said: Any) -> InputError:
    with pytest.raises(InputError) as error:
        read_estimates(put(folder, name, text), **said)
    return error.value


def test_a_status_in_a_wide_table(tmp_path):
    found = csv(tmp_path, "meal_id,true_g,a,Status\n1,60,45,ok\n2,30,0,refused\n3,30,x,failed\n")
    np.testing.assert_equal(told(found), {"a": [45, NAN, NAN]})
    assert "no status 'odd'" in refused(tmp_path, "meal_id,true_g,a,status\n1,60,45,odd\n").what
    two = "meal_id,true_g,a,b,status\n1,60,45,40,ok\n2,30,0,3,refused\n"
    assert "'status'" in refused(tmp_path, two).what
    np.testing.assert_equal(told(csv(tmp_path, two, estimators=["a"])), {"a": [45, NAN]})


def test_a_prediction_with_a_status_is_a_run_record(tmp_path):
    row = {"id": 1, "truth": 60, "prediction": 45, "status": "ok"}
    found = run(tmp_path, row, {**row, "id": 2, "prediction": 0, "status": "refused"})
    np.testing.assert_equal(told(found), {"run": [45, NAN]})


@pytest.mark.parametrize("second", [{"totals": {"carb_g": 40}}, {"estimate": {"carb_g": 40}}])
def test_two_answers_of_a_record(tmp_path, second):
    row = {"id": 1, "truth": 60, "model": "a", "prediction": {"value": 45}}
    with pytest.raises(InputError, match="several answers") as error:
        run(tmp_path, {**row, **second})
    assert "prediction" in error.value.what
    assert next(iter(second)) in error.value.what
    assert told(run(tmp_path, {**row, "totals": None, "estimate": None})) == {"a": [45]}


@pytest.mark.parametrize("last", ["Total", "SUM", "mean", "average:", "Median", "sd", "Summe"])
def test_a_row_of_totals_is_no_meal(tmp_path, last):
    rows = f"1,60,45\n2,30,20\n{last},90,65\n"
    error = refused(tmp_path, "meal_id,true_g,a\n" + rows)
    assert "a row of totals? leave it out" in error.hint
    assert error.where == "e.csv, line 4, meal_id"
    truth = put(tmp_path, "t.csv", f"meal_id,true_g\n1,60\n{last},60\n")
    assert "totals" in refused(tmp_path, "meal_id,a\n1,45\n", truth=truth).hint
    row = {"id": 1, "truth": 60, "prediction": {"value": 45}}
    with pytest.raises(InputError, match="last id"):
        run(tmp_path, row, {**row, "id": last})
    # a meal may be called so where it is not the last
    assert len(csv(tmp_path, f"meal_id,true_g,a\n{last},60,45\n{last} 2,60,45\n").meal_ids) == 2


@pytest.mark.parametrize(
    "name",
    ["calories", "Cal", "fat", "fats", "prot", "weight", "weight_g", "Weight g", "portion",
     "portion_g", "a_se", "a_SD", "a_ci", "a_min", "a max", "a_ms", "time_s", "low", "HIGH",
     "min", "max"],
)  # fmt: skip
def test_columns_that_are_no_estimates_of_carbohydrate(tmp_path, name):
    error = refused(tmp_path, f"meal_id,true_g,b,{name}\n1,60,45,7\n")
    assert "no estimate of carbohydrate" in error.what
    assert repr(name) in error.what


@pytest.mark.parametrize("name", ["fatima", "protocol", "calm", "weights", "portioner", "maxi"])
def test_columns_that_only_begin_so(tmp_path, name):
    assert told(csv(tmp_path, f"meal_id,true_g,{name}\n1,60,45\n")) == {name: [45]}


@pytest.mark.parametrize("ends", ["app low,app high", "App_Low,APP HIGH", "app_low,app_high"])
def test_ends_beside_an_estimator(tmp_path, ends):
    found = csv(tmp_path, f"meal_id,true_g,app,{ends}\n1,60,45,40,50\n")
    assert found.estimators == found.ranged == ("app",)
    assert (found.low_g[0, 0], found.high_g[0, 0]) == (40, 50)
    error = refused(tmp_path, "meal_id,true_g,app low,app high,b\n1,60,40,50,45\n")
    assert "end of a range" in error.what
    assert "'app'" in error.hint
    assert "two columns" in refused(
        tmp_path, "meal_id,true_g,app,app low,app_low,app_high\n1,60,45,40,41,50\n"
    ).what  # fmt: skip


def test_what_others_answered_is_not_looked_at(tmp_path):
    long = "meal_id,true_g,estimator,estimate_g,status\n1,60,a,45,ok\n1,60,b,much,odd\n"
    assert told(csv(tmp_path, long, estimators=["a"])) == {"a": [45]}
    flat = "id,true_g,carb_g,complete,n_items,n_unmatched,status,estimator\n"
    flat += "1,60,45,true,1,0,ok,a\n1,60,much,true,1,0,ok,b\n"
    assert told(csv(tmp_path, flat, estimators=["a"])) == {"a": [45]}
    rows = [
        {"id": 1, "truth": 60, "model": "a", "prediction": {"value": 45}},
        {"id": 1, "truth": 60, "model": "b", "prediction": {"value": "much"}},
        {"id": 1, "truth": 60, "estimate": {"estimator": "c", "totals": {"kcal": 3}}},
    ]
    assert told(run(tmp_path, *rows, estimators=["a"])) == {"a": [45]}
    with pytest.raises(NotFoundError) as error:
        run(tmp_path, *rows, estimators=["d"])
    assert error.value.hint == "there are: a, b, c"


@pytest.mark.parametrize(
    "answer", [{"prediction": {"value": "much"}}, {"a": "much"},
               {"estimator": "a", "estimate_g": "much"}],
)  # fmt: skip
def test_how_lines_of_json_say_that_there_is_no_answer(tmp_path, answer):
    with pytest.raises(InputError, match="'much'") as error:
        run(tmp_path, {"id": 1, "truth": 60, **answer})
    assert '"status": "refused", or null' in error.value.hint
    assert "leave it empty" in refused(tmp_path, "id,truth,a\n1,60,much\n").hint


def test_empty_rows_and_columns_are_left_out(tmp_path):
    text = ",,,\nmeal_id,true_g,a,\n1,60,45,\n,,,\n2,30,20, \n , ,,\n"
    assert told(csv(tmp_path, text)) == {"a": [45, 20]}
    path = put(tmp_path, "p.csv", "isf,cir,basal,\n50,10,1,\n,,,\n")
    assert len(read_patients(path)) == 1
    assert "no name" in refused(tmp_path, "meal_id,true_g,a,\n1,60,45,\n2,30,20,x\n").what


def test_blank_text_in_a_workbook_is_an_empty_cell(tmp_path):
    path = tmp_path / "e.xlsx"
    head = ["meal_id", "true_g", " ", "a", "  "]
    book(path, {"S": [head, [1, 60, " ", 45, None], [" ", "", None, " "], [2, 30, None, " "]]})
    np.testing.assert_equal(told(read_estimates(path)), {"a": [45, NAN]})


def test_the_sheet_that_has_the_columns(tmp_path):
    path = tmp_path / "e.xlsx"
    meals = [["Meal ID", "true\ng", "a"], [1, 60, 45]]
    sheets = {"Read me": [["A study"], ["x", "y"]], "Old": meals, "Meals": meals, "Key": [["k"]]}
    made = book(path, sheets)
    made["Old"].sheet_state = "hidden"
    made.save(path)
    found = read_estimates(path)
    assert told(found) == {"a": [45]}
    note = "the sheet 'Meals' is read; not read: 'Read me', 'Key', 'Old'"
    assert note in found.notes[0]
    book(path, {"One": [["x", "y"], [1, 2]], "Two": [["z"], [1]]})
    with pytest.raises(InputError) as error:
        read_estimates(path)
    assert "sheet 'One'" in error.value.where
    assert "sheets not read: Two" in error.value.hint


def test_a_sheet_of_estimates_alone_with_a_truth_beside(tmp_path):
    path, truth = tmp_path / "e.xlsx", tmp_path / "t.xlsx"
    book(path, {"Notes": [["x", "y"]], "E": [["meal_id", "a"], [1, 45]]})
    book(truth, {"E": [["meal_id", "a"], [1, 45]], "T": [["meal_id", "true_g"], [1, 60]]})
    assert told(read_estimates(path, truth=truth)) == {"a": [45]}


def test_a_sheet_of_empty_formulas_is_not_read(tmp_path):
    """A sheet whose formulas show an empty text is no filled one, and no error."""
    path = tmp_path / "e.xlsx"
    for more in ({"M": [["meal_id", "grams"], [1, 60]]}, {}):
        book(path, {"S": [['=""']], **more})
        with zipfile.ZipFile(path) as old:
            parts = {n: old.read(n) for n in old.namelist()}
        member = "xl/worksheets/sheet1.xml"
        parts[member] = parts[member].replace(b'r="A1"', b'r="A1" t="str"')
        with zipfile.ZipFile(path, "w") as new:
            for name, data in parts.items():
                new.writestr(name, data)
        with pytest.raises(InputError) as error:
            read_estimates(path)
        if more:
            assert "sheet 'M'" in error.value.where
        else:
            assert error.value.what == "the file is empty"


@pytest.mark.parametrize("first", ["", "Unnamed: 0"])
def test_an_index_of_pandas(tmp_path, first):
    error = refused(tmp_path, f"{first},meal_id,true_g,a\n0,m1,60,45\n1,m2,30,20\n")
    assert error.hint == "an index of pandas: write with index=False"


def test_capitals_and_spaces_of_columns(tmp_path):
    wide = "Meal ID,True G,My App\n1,60,45\n"
    assert told(csv(tmp_path, wide)) == {"My App": [45]}
    long = "MEAL_ID,Truth,Estimator,Estimate G,Low G,high_G\n1,60,A b,45,40,50\n"
    found = csv(tmp_path, long)
    assert found.estimators == found.ranged == ("A b",)
    row = {"ID": 1, "Truth": 60, "model": "a", "prediction": {"value": 45}}
    assert run(tmp_path, row).true_g.tolist() == [60]
    two = refused(tmp_path, "meal_id,true_g,True G,a\n1,60,60,45\n")
    assert "'true_g' and 'True G'" in two.what
    broken = '"meal\n id"," true\tg ","a  b"\n1,60,45\n'
    assert told(csv(tmp_path, broken)) == {"a b": [45]}


@pytest.mark.parametrize("who", ["model", "method", "Model"])
@pytest.mark.parametrize("amount", ["prediction", "estimate_g", "Prediction"])
def test_a_long_table_of_models(tmp_path, who, amount):
    text = f"meal_id,true_g,{who},{amount}\n1,60,gpt,45\n1,60,b,40-50\n2,30,b,\n"
    found = csv(tmp_path, text)
    np.testing.assert_equal(told(found), {"gpt": [45, NAN], "b": [45, NAN]})
    row = {"id": 1, "truth": 60, who: "gpt", amount: 45, "low_g": 40, "high_g": 50}
    assert run(tmp_path, row).ranged == ("gpt",)
    # columns of amounts are estimators, whatever they are called
    assert told(csv(tmp_path, f"meal_id,true_g,{who},{amount}\n1,60,4,5\n")) == {
        who: [4], amount: [5],
    }  # fmt: skip


def test_hints_of_tables(tmp_path):
    twice = refused(tmp_path, "meal_id,true_g,app,grams\n1,60,a,45\n1,60,b,45\n")
    assert "or is it a long table? name its columns estimator and estimate_g" in twice.hint
    merged = "meal_id,true_g,estimator,estimate_g\n1,60,a,45\n,60,b,45\n"
    assert "fill merged cells: the id stands in each row" in refused(tmp_path, merged).hint
    ids = refused(tmp_path, "meal_id,meal,true_g,a\n1,soup,60,45\n")
    assert "name the estimators with --estimator, or rename" in ids.hint
    large = refused(tmp_path, "meal_id,true_g,a\n1,300,45\n")
    assert "--large-meals" in large.hint
    assert "large_meals=True" in large.hint
    for line in ("The meals of a study\n", "The meals of a study,,\n"):
        title = refused(tmp_path, f"\n{line}meal_id,true_g,a\n1,60,45\n")
        assert "line 2 holds one cell, 'The meals of a study': a title" in title.what
        assert "delete the rows above" in title.hint
    title = refused(tmp_path, "The meals of a study\nmeal_id;true_g;a\n1;60;45\n")
    assert "a title" in title.what


def test_hints_of_files(tmp_path):
    lines = '{"id": 1, "truth": 60, "a": 45}\n{"id": 2, "truth": 6, "a": 4}\n'
    assert refused(tmp_path, lines, "r.json").hint == "it holds JSON lines: name it r.jsonl"
    assert "jq -c . r.json > r.jsonl" in refused(tmp_path, '{\n"id": 1\n}', "r.json").hint
    assert "jq -c '.[]' r.json > r.jsonl" in refused(tmp_path, "[]", "r.json").hint
    # nobody is told to write over what is read
    assert "jq -c . r.jsonl > r_lines.jsonl" in refused(tmp_path, '{\n"id": 1\n}', "r.jsonl").hint
    book(tmp_path / "b.xlsx", {"S": [["meal_id", "true_g"], [1, 60]]})
    path = tmp_path / "b.csv"
    path.write_bytes((tmp_path / "b.xlsx").read_bytes())
    with pytest.raises(InputError) as error:
        read_estimates(path)
    assert error.value.hint == "this is a workbook: name it .xlsx"


def test_many_estimators_take_no_quadratic_time(tmp_path):
    names = [f"e{i}" for i in range(4000)]
    text = ",".join(["meal_id", "true_g", *names]) + "\n" + ",".join(["1"] * 4002) + "\n"
    start = time.process_time()
    assert len(csv(tmp_path, text).estimators) == 4000
    # looking for the ends of each among all takes several times as long
    assert time.process_time() - start < 2


def test_estimators_are_a_list(tmp_path):
    path = put(tmp_path, "e.csv", "meal_id,true_g,a,p\n1,60,45,40\n")
    with pytest.raises(InputError, match="one text, 'app'") as error:
        read_estimates(path, estimators="app")
    assert "give a list" in error.value.hint


def test_who_names_a_column_knows_best(tmp_path):
    """A name that looks like a spread is taken when it is asked for; energy never is."""
    path = tmp_path / "e.csv"
    path.write_text("meal_id,true_g,gpt_4_s,energy_kcal\na,45,42,180\n", "utf-8")
    with pytest.raises(InputError, match="gpt_4_s"):
        read_estimates(path)
    assert read_estimates(path, estimators=["gpt_4_s"]).estimators == ("gpt_4_s",)
    with pytest.raises(InputError, match="energy_kcal"):
        read_estimates(path, estimators=["energy_kcal"])
