"""Run records: who answered, which meal, and what is no answer."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from prandial.bench.risk.estimates import EstimateTable, read_estimates
from prandial.errors import InputError

NAN = math.nan


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def run(folder: Path, *rows: dict[str, Any]) -> EstimateTable:
    return read_estimates(
        put(folder, "run.jsonl", "".join(json.dumps(r) + "\n" for r in rows))
    )  # fmt: skip


def told(found: EstimateTable) -> dict[str, list[float]]:
    return {k: v.tolist() for k, v in found.estimates().items()}


def one(folder: Path, **answer: Any) -> float:
    return float(run(folder, {"id": "m", "truth": 60, "model": "a", **answer}).mid_g[0, 0])


@pytest.mark.parametrize("truth", ["40-60", "40 to 60 g", "50-50", {"carb_g": "40-60"}])
def test_a_truth_is_no_range(tmp_path, truth):
    with pytest.raises(InputError, match="true carbohydrate") as error:
        run(tmp_path, {"id": "m", "truth": truth, "prediction": {"value": 45}})
    assert error.value.where == "run.jsonl, line 1 (meal m), truth"


def test_two_truths_of_a_record(tmp_path):
    answer = {"prediction": {"value": 45}}
    assert run(tmp_path, {"id": 1, "truth": 60, "target": 60.0, **answer}).true_g.tolist() == [60]
    with pytest.raises(InputError, match="two truths of a meal: truth 60, target 50"):
        run(tmp_path, {"id": 1, "truth": 60, "target": 50, **answer})


@pytest.mark.parametrize("status", ["failed", "refused", "unreadable", "nothing_to_estimate"])
@pytest.mark.parametrize(
    "answer", [{"estimate": {"carb_g": 0}}, {"totals": {"carb_g": 0}}, {"prediction": 0}]
)
def test_a_status_without_an_answer(tmp_path, status, answer):
    assert math.isnan(one(tmp_path, status=status, **answer))
    key, value = next(iter(answer.items()))
    if key != "totals" and isinstance(value, dict):
        assert math.isnan(one(tmp_path, **{key: {**value, "status": status}}))


def test_other_statuses(tmp_path):
    assert one(tmp_path, status="ok", estimate={"carb_g": 0}) == 0
    assert one(tmp_path, status="incomplete", totals={"carb_g": 4}) == 4
    with pytest.raises(InputError, match="no status 'timeout'") as error:
        one(tmp_path, status="timeout", estimate={"carb_g": 0})
    assert error.value.where == "run.jsonl, line 1 (meal m), status"


@pytest.mark.parametrize(
    ("text", "grams"),
    [("a,4,0,refused\n", NAN), ("a,4,0,FAILED\n", NAN), ("a,4,3,ok\n", 3), ("a,4,3,\n", 3)],
)
def test_a_status_in_tables(tmp_path, text, grams):
    who, _, rest = text.partition(",")
    true, amount, status = rest.strip().split(",")
    long = f"meal_id,true_g,estimator,estimate_g,status\nm,{true},{who},{amount},{status}\n"
    flat = f"id,true_g,carb_g,complete,n_items,n_unmatched,status\nm,{true},{amount},true,1,0,"
    for body in (long, flat + status + "\n"):
        np.testing.assert_equal(
            read_estimates(put(tmp_path, "t.csv", body)).mid_g.tolist(), [[grams]]
        )


@pytest.mark.parametrize(
    ("answer", "where"),
    [
        ({"prediction": {"valeu": 45}}, "prediction"),
        ({"prediction": {"status": "answered"}}, "prediction"),
        ({"prediction": {"raw_text": "45"}}, "prediction"),
        ({"prediction": {"value": {"kcal": 3}}}, "prediction"),
        ({"totals": {"kcal": 3}}, "totals"),
        ({"estimate": {"totals": {"kcal": 3}}}, "estimate.totals"),
        ({"estimate": {"carbs": 45}}, "estimate"),
    ],
)
def test_an_answer_without_an_amount(tmp_path, answer, where):
    with pytest.raises(InputError, match="no amount of carbohydrate; keys: ") as error:
        one(tmp_path, **answer)
    assert error.value.where == f"run.jsonl, line 1 (meal m), {where}"


def test_null_is_an_abstention(tmp_path):
    for answer in (
        {"totals": {"carb_g": None}},
        {"estimate": {"totals": {"carb_g": None}}},
        {"prediction": {"value": None}},
        {"prediction": {"value": 45, "status": "refused"}},
        {"estimate": {"low": None, "mid": None, "high": None}},
    ):
        assert math.isnan(one(tmp_path, **answer)), answer
    assert one(tmp_path, prediction={"carb_g": 45}) == 45


def test_bands(tmp_path):
    """Without a middle the midpoint, as in a wide table; by hand (40 + 52) / 2 = 46."""
    for band in ({"low": 40, "mid": None, "high": 52}, {"low": 40, "high": 52}):
        found = run(tmp_path, {"id": 1, "truth": 60, "totals": {"carb_g": band}})
        assert (found.low_g[0, 0], found.mid_g[0, 0], found.high_g[0, 0]) == (40, 46, 52)
    with pytest.raises(InputError, match="half a range"):
        one(tmp_path, estimate={"low": 40, "mid": None})
    for two in ({"low": 40, "mid": "40-50", "high": 50}, {"low": "30-40", "mid": 45}):
        with pytest.raises(InputError, match="two ranges"):
            one(tmp_path, estimate=two)


def test_two_ranges_in_a_wide_table(tmp_path):
    head = "meal_id,true_g,a,a_low,a_high\n"
    with pytest.raises(InputError, match="two ranges of one estimate: 40-50") as error:
        read_estimates(put(tmp_path, "e.csv", head + "m,60,40-50,30,60\n"))
    assert error.value.where == "e.csv, line 2 (meal m), a"
    found = read_estimates(put(tmp_path, "e.csv", head + "m,60,40-50,,\n"))
    assert (found.low_g[0, 0], found.high_g[0, 0]) == (40, 50)


def test_who_answered(tmp_path):
    named = {"id": 1, "truth": 60, "model": " gpt ", "prediction": {"value": 45}}
    nameless = {"id": 2, "truth": 30, "prediction": {"value": 20}}
    assert told(run(tmp_path, named, nameless)) == {"gpt": [45, 20]}
    assert told(run(tmp_path, nameless)) == {"run": [20]}
    with pytest.raises(InputError, match="other lines name 'gpt', 'b'") as error:
        run(tmp_path, named, {**named, "model": "b"}, nameless)
    assert error.value.where == "run.jsonl, line 3 (meal 2)"
    for name in ({"a": 1}, ["a"], True):
        for key in ("model", "estimator"):
            with pytest.raises(InputError, match="no name of an estimator"):
                run(tmp_path, {**nameless, key: name})
    with pytest.raises(InputError, match="no name of an estimator"):
        run(tmp_path, {"id": 1, "truth": 2, "estimator": {"a": 1}, "estimate_g": 45})


def test_scalar_answers_are_run_records(tmp_path):
    for key in ("prediction", "estimate"):
        for who in ("model", "estimator"):
            rows = [
                {"id": 1, "truth": 60, who: "gpt", key: 45},
                {"id": 2, "truth": 30, who: "gpt", key: None},
                {"id": 1, "truth": 60, who: "b", key: "40-50"},
            ]
            found = run(tmp_path, *rows)
            np.testing.assert_equal(told(found), {"gpt": [45, NAN], "b": [45, NAN]})
            assert found.ranged == ("b",)


def test_long_rows_in_lines_of_json_keep_their_range(tmp_path):
    row = {"id": 1, "truth": 60, "estimator": "a", "estimate": 45}
    found = run(tmp_path, {**row, "low_g": 40, "high_g": 50})
    assert (found.low_g[0, 0], found.high_g[0, 0]) == (40, 50)
    assert told(run(tmp_path, {**row, "estimate": {"mid": 45}, "low": "few"})) == {"a": [45]}


def test_a_wide_table_may_call_an_estimator_model(tmp_path):
    found = run(tmp_path, {"id": 1, "truth": 60, "model": 40, "prediction": 45})
    assert told(found) == {"model": [40], "prediction": [45]}


@pytest.mark.parametrize("bad", ["", "  ", {"a": 1}, [1], True])
def test_ids_that_are_none(tmp_path, bad):
    for row in (
        {"id": bad, "truth": 60, "prediction": {"value": 4}},
        {"id": bad, "truth": 60, "a": 4},
        {"id": bad, "truth": 60, "estimator": "a", "estimate_g": 4},
    ):
        with pytest.raises(InputError, match=r"without an id|no id of a meal") as error:
            run(tmp_path, row)
        assert error.value.where == "run.jsonl, line 1, id"


def test_a_meal_has_one_name(tmp_path):
    """1, 1.0 and '1' are one meal, in each form and in --truth."""
    truth = put(tmp_path, "t.csv", "meal_id,true_g\n1.0,60\nm1.0,20\n")
    answers = [{"id": i, "model": f"e{k}", "prediction": 45} for k, i in enumerate((1, 1.0, "1"))]
    path = put(tmp_path, "r.jsonl", "".join(json.dumps(r) + "\n" for r in answers))
    assert read_estimates(path, truth=truth).meal_ids == ("1", "m1.0")
    wide = put(tmp_path, "w.csv", "meal_id,a\n1.00,45\n")
    assert read_estimates(wide, truth=truth).meal_ids == ("1", "m1.0")
    long = put(tmp_path, "l.csv", "meal_id,true_g,estimator,estimate_g\n1,6,a,4\n1.0,6,b,4\n")
    assert read_estimates(long).meal_ids == ("1",)
    with pytest.raises(InputError, match="'1' is there twice"):
        read_estimates(put(tmp_path, "w.jsonl", '{"id":1,"truth":2,"a":3}\n{"id":1.0,"truth":2}'))


def test_ids_of_parquet(tmp_path):
    import duckdb

    path = tmp_path / "e.parquet"
    with duckdb.connect() as con:
        con.execute(
            "COPY (SELECT 1.0::DOUBLE AS meal_id, 6 AS true_g, 4.5::DECIMAL(4, 1) AS a UNION ALL"
            f" SELECT 2.0, 7, NULL) TO '{path}' (FORMAT parquet)"
        )
    found = read_estimates(path)
    assert sorted(found.meal_ids) == ["1", "2"]
    assert np.nansum(found.mid_g) == 4.5


@pytest.mark.parametrize("key", ["truth", "a"])
def test_an_integer_beyond_all_bounds(tmp_path, key):
    row = {"id": 1, "truth": 60, "a": 45, key: 10**400}
    with pytest.raises(InputError, match="outside 0 to 250 g") as error:
        run(tmp_path, row)
    assert error.value.where == f"run.jsonl, line 1 (meal 1), {key}"


@pytest.mark.parametrize(
    ("header", "named"),
    [
        ("meal_id,true_g,truth,a", ("'true_g'", "'truth'")),
        ("meal_id,true_g,target,a", ("'true_g'", "'target'")),
        ("meal_id,true_g,id,a", ("'meal_id'", "'id'")),
        ("meal_id,true_g,row,a", ("'meal_id'", "'row'")),
        ("meal_id,true_g,b_low,a", ("'b_low'", "'b'")),
        ("meal_id,true_g,b_high,a", ("'b_high'", "'b'")),
    ],
)
def test_stray_columns_are_no_estimators(tmp_path, header, named):
    path = put(tmp_path, "e.csv", f"{header}\n1,60,7,45\n")
    with pytest.raises(InputError) as error:
        read_estimates(path)
    assert all(name in f"{error.value.what} {error.value.hint}" for name in named)
    if "truth" not in header and "target" not in header:
        assert told(read_estimates(path, estimators=[" a "])) == {"a": [45]}


def test_a_named_estimator_may_be_called_target(tmp_path):
    path = put(tmp_path, "e.csv", "meal_id,true_g,target,a\n1,60,7,45\n")
    assert told(read_estimates(path, estimators=["target"])) == {"target": [7]}


def test_two_truths_beside_a_file(tmp_path):
    truth = put(tmp_path, "t.csv", "meal_id,true_g,truth\n1,60,50\n")
    with pytest.raises(InputError, match="both hold truths"):
        read_estimates(put(tmp_path, "e.csv", "meal_id,a\n1,45\n"), truth=truth)


def test_flat_files_of_ours_have_one_name(tmp_path):
    head = "id,carb_g,complete,n_items,n_unmatched,status"
    truth = put(tmp_path, "t.csv", "meal_id,true_g\n1,60\n")
    plain = put(tmp_path, "some.csv", f"{head}\n1,45,true,1,0,ok\n")
    assert told(read_estimates(plain, truth=truth)) == {"prandial": [45]}
    said = put(tmp_path, "o.csv", f"{head},estimator\n1,45,true,1,0,ok,a\n1,46,true,1,0,ok,b\n")
    assert told(read_estimates(said, truth=truth)) == {"a": [45], "b": [46]}
