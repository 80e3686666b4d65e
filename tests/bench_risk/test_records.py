"""Records of scenarios: read with every mistake named, written with all they held."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bench_risk.conftest import ROW
from tests.bench_risk.plain import manual_trace

from prandial.bench.risk.files import simulate_file
from prandial.bench.risk.metrics import metrics_of
from prandial.bench.risk.records import RecordReader
from prandial.bench.risk.settings import settings_of, settings_record
from prandial.errors import InputError, NotFoundError
from prandial.records import LoopSettings, Quirks

#: Tidepool's configuration of its published risk runs
TIDEPOOL = {
    "model": [360.0, 75.0], "insulin_delay": 10, "carb_delay": 10, "target_range": [100, 120],
    "suspend_threshold": 70, "max_basal_rate": 35, "max_bolus": 30, "rate_rounder": 0.05,
    "momentum_data_interval": 15, "retrospective_correction_enabled": True,
    "retrospective_correction_integration_interval": 30,
    "retrospective_correction_grouping_interval": 30, "dynamic_carb_absorption_enabled": True,
    "recency_interval": 15, "default_absorption_times": [120.0, 180.0, 240.0],
    "partial_application_factor": 0.0, "use_mid_absorption_isf": False,
}  # fmt: skip


def reader(**more: Any) -> RecordReader:
    return RecordReader("f.jsonl", quirks=Quirks(), **more)


def write(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_tidepools_settings_are_the_defaults():
    assert settings_of(TIDEPOOL, where="here") == LoopSettings()
    assert settings_of(None, where="here") == settings_of({}, where="here") == LoopSettings()


@pytest.mark.parametrize(
    ("name", "value", "field", "house"),
    [
        ("rate_rounder", None, "step_u", None),
        ("retrospective_correction_integration_interval", True, "correction_interval_min", True),
        ("retrospective_correction_enabled", False, "retrospective_correction", False),
        ("dynamic_carb_absorption_enabled", False, "dynamic_carbs", False),
        ("suspend_threshold", 80, "suspend_mg_dl", 80.0),
        ("max_basal_rate", 1.5, "max_basal_u_per_h", 1.5),
        ("model", [300, 55], "peak_min", 55.0),
        ("target_range", [110, 110], "target_low_mg_dl", 110.0),
    ],
)
def test_each_setting_has_its_field_and_comes_back(name, value, field, house):
    found = settings_of({name: value}, where="here")
    assert getattr(found, field) is house or getattr(found, field) == house
    assert settings_record(found)[name] == value
    again = settings_of(settings_record(found), where="here")
    assert again == found
    assert type(again.correction_interval_min) is type(found.correction_interval_min)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("suspend", 80, "supported: model, insulin_delay"),
        ("max_physiologic_slope", None, "supported"),
        ("model", "rapid_acting_adult", "[duration, peak]"),
        ("model", [360, 75, 10], "[duration, peak]"),
        ("model", [360, 190], "20 to 150"),
        ("model", [120, 75], "such as [360, 75]"),
        ("target_range", [120, 100], "[low, high]"),
        ("target_range", 110, "[low, high]"),
        ("target_range", [5.5, 6.5], "60 to 300"),
        ("suspend_threshold", None, "40 to 200"),
        ("suspend_threshold", float("nan"), "40 to 200"),
        ("suspend_threshold", "70", "40 to 200"),
        ("retrospective_correction_enabled", 1, "true or false"),
        ("retrospective_correction_integration_interval", False, "1 to 180"),
        ("partial_application_factor", 0.4, "0"),
        ("partial_application_factor", False, "0"),
        ("use_mid_absorption_isf", True, "false"),
        ("use_mid_absorption_isf", 0, "false"),
        ("recency_interval", 2, "from 5"),
        ("default_absorption_times", [10], "25 to 595"),
        ("default_absorption_times", 180, "a list"),
    ],
)
def test_a_setting_that_is_not_supported_is_named_with_what_is(name, value, told):
    with pytest.raises(InputError) as error:
        settings_of({name: value}, where="f.jsonl, line 3")
    assert error.value.where.startswith(f"f.jsonl, line 3, settings.{name}")
    assert told in error.value.hint or told in error.value.what


@pytest.mark.parametrize(
    ("change", "where", "told"),
    [
        ({"true_carbs": -1}, "true_carbs", "0 to 250 g"),
        ({"true_carbs": 251}, "true_carbs", "0 to 250 g"),
        ({"est_carbs": math.nan}, "est_carbs", "no number"),
        ({"est_carbs": math.inf}, "est_carbs", "0 to 250 g"),
        ({"est_carbs": "45"}, "est_carbs", '"45" is no number'),
        ({"est_carbs": None}, "est_carbs", "null is no number"),
        ({"est_carbs": True}, "est_carbs", "true is no number"),
        ({"est_carbs": 10**400}, "est_carbs", "0 to 250 g"),
        ({"bg0": 6.7}, "bg0", "20 to 600"),
        ({"true_absorption_min": 24}, "true_absorption_min", "25 to 595"),
        ({"reported_absorption_min": 596}, "reported_absorption_min", "25 to 595"),
        ({"mode": "autobolus"}, "mode", "loop_accept"),
        ({"mode": ["manual"]}, "mode", "loop_accept"),
        ({"patient": {"isf": 2.8, "cir": 10, "basal": 0.8}}, "patient.isf", "5 to 1000"),
        ({"patient": {"isf": 50, "cir": 0, "basal": 0.8}}, "patient.cir", "1 to 150"),
        ({"patient": {"isf": 50, "cir": 10, "basal": 0.0133}}, "patient.basal", "U/min"),
        ({"patient": {"isf": 50, "cir": 10, "basal": 48}}, "patient.basal", "0.05 to 10"),
        ({"patient": {"isf": 50, "cir": 10}}, "patient", "needed: isf, cir, basal"),
        ({"patient": [50, 10, 0.8]}, "patient", "isf"),
        ({"settings": []}, "line 4", "JSON object"),
        ({"more": math.nan}, "line 4", "null"),
        ({"more": [math.inf]}, "line 4", "null"),
    ],
)
def test_a_bad_value_is_named_by_line_key_and_bound(change, where, told, row):
    with pytest.raises(InputError) as error:
        reader().read(4, json.dumps({**row, **change}))
    assert "f.jsonl, line 4" in error.value.where
    assert error.value.where.endswith(where)
    assert told in f"{error.value.what} {error.value.hint}"


@pytest.mark.parametrize("key", ["patient", "mode", "true_carbs", "est_carbs", "bg0"])
def test_a_missing_key_is_named(key, row):
    del row[key]
    with pytest.raises(InputError, match=key) as error:
        reader().read(1, json.dumps(row))
    assert "needed" in error.value.hint


@pytest.mark.parametrize("text", ["not json", "3", "null", '"x"', '{"a": 1', "[" * 100_000])
def test_what_is_no_object_is_refused(text):
    with pytest.raises(InputError) as error:
        reader().read(2, text)
    assert error.value.where == "f.jsonl, line 2"


def test_a_number_beyond_all_bounds_in_a_key_of_ones_own(row, tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps(row)[:-1] + ', "mine": 1e999}\n', "utf-8")
    with pytest.raises(InputError, match="no JSON"):
        simulate_file(path, tmp_path / "out.jsonl")
    simulate_file(path, tmp_path / "out.jsonl", on_error="keep")
    assert lines(tmp_path / "out.jsonl")[0]["status"] == "failed"


@pytest.mark.parametrize(
    "number", ["1" + "0" * 400 + ".0", "-1e999", "1" + "0" * 250 + "e99", "1" + "0" * 5000]
)
def test_numbers_beyond_all_bounds_never_stop_a_file_that_keeps(row, tmp_path, number):
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    odd = json.dumps(row)[:-1] + f', "mine": {number}}}\n'
    path.write_text(json.dumps(row) + "\n" + odd, "utf-8")
    with pytest.raises(InputError, match="beyond all bounds") as error:
        simulate_file(path, out)
    assert error.value.where == "in.jsonl, line 2"
    assert "sys." not in f"{error.value.what} {error.value.hint}"
    simulate_file(path, out, on_error="keep")
    good, failed = lines(out)
    assert len(good["bg"]) == 73
    assert failed["status"] == "failed"


def test_brackets_nested_too_deeply(row, tmp_path):
    """At every depth a line is simulated or told: none is read and then cannot be written."""
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    deep = [json.dumps(row)[:-1] + f', "m": {"[" * n}{"]" * n}}}' for n in range(750, 1050, 3)]
    path.write_text("\n".join(deep), "utf-8")
    with pytest.raises(InputError, match="nested too deeply") as error:
        simulate_file(path, out)
    assert "recursion" not in f"{error.value.what} {error.value.hint}"
    report = simulate_file(path, out, on_error="keep")
    assert report.records == len(deep)
    assert 0 < report.failed < len(deep)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"bg0": 90, "bg0": 120, ', "bg0"),
        ('{"mine": [{"x": 1, "y": 2, "x": 1}], ', "x"),
    ],
)
def test_a_key_that_stands_twice_is_named(row, tmp_path, text, key):
    del row["bg0"]
    path = tmp_path / "in.jsonl"
    path.write_text(text + json.dumps({**row, "z": 1})[1:], "utf-8")
    with pytest.raises(InputError, match=f"'{key}' stands twice") as error:
        simulate_file(path, tmp_path / "out.jsonl")
    assert error.value.where == "in.jsonl, line 1"


def test_results_of_an_earlier_run_do_not_stay(row, tmp_path):
    """What failed has no trace, and what is mended no error."""
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    path = write(tmp_path / "in.jsonl", [{**row, "note": "n"}, {**row, "bg0": 1}])
    simulate_file(path, first, on_error="keep")
    good, failed = lines(first)
    write(path, [{**good, "bg0": 1}, {**failed, "bg0": 120}, {**row, "status": "eaten"}])
    simulate_file(path, second, on_error="keep")
    now_failed, now_good, own = lines(second)
    assert set(now_failed) == set(row) | {
        "note", "true_absorption_min", "reported_absorption_min", "status", "error", "notice",
    }  # fmt: skip
    assert now_good == {k: v for k, v in good.items() if k != "note"}
    assert own["status"] == "eaten"


def test_profiles_of_both_ends_are_admitted(row):
    for isf, cir, basal in ((500, 62.5, 0.07), (12, 4, 1.9)):
        row["patient"] = {"isf": isf, "cir": cir, "basal": basal}
        patient = reader().read(1, json.dumps(row)).scenario.patient
        assert (patient.isf_mg_dl_per_u, patient.cir_g_per_u) == (isf, cir)
        assert patient.basal_u_per_h == basal


def test_large_meals_must_be_asked_for(row):
    row["true_carbs"] = 300
    assert reader(large_meals=True).read(1, json.dumps(row)).scenario.true_carb_g == 300
    with pytest.raises(InputError, match="250") as error:
        reader().read(1, json.dumps(row))
    assert "large meals" in error.value.hint
    row["true_carbs"] = 1001
    with pytest.raises(InputError, match="1000"):
        reader(large_meals=True).read(1, json.dumps(row))


def test_what_was_given_is_kept_in_order_and_the_rest_comes_behind(tmp_path, row):
    row |= {"mine": {"b": [1, None]}, "bg": "old"}
    out = tmp_path / "out.jsonl"
    report = simulate_file(write(tmp_path / "in.jsonl", [row]), out)
    (body,) = lines(out)
    keys = [
        "id", "patient", "mode", "variant", "true_carbs", "est_carbs", "bg0", "mine", "bg",
        "true_absorption_min", "reported_absorption_min", "iob", "basal_delivered_U", "bolus_U",
        "temp_basal_U_per_h", "metrics", "metrics_20_600", "quirks", "notice",
    ]  # fmt: skip
    assert list(body) == keys
    assert body["mine"] == {"b": [1, None]}
    truth = manual_trace(50, 10, 0.8, 60, 45, 120)
    for name, key in (("bg", "bg"), ("iob", "iob"), ("basal_delivered_U", "delivered")):
        assert len(body[name]) == 73
        assert body[name] == pytest.approx(truth[key], abs=6e-7)
    assert body["bolus_U"] == [[0, 4.5]]
    assert body["temp_basal_U_per_h"] == [None] * 73
    assert body["notice"] == "Research use, not dosing advice."
    assert (report.records, report.simulated, report.failed) == (1, 1, 0)


def test_glucose_below_zero_is_written_as_it_is(tmp_path, row):
    row |= {"true_carbs": 0, "est_carbs": 100}
    out = tmp_path / "out.jsonl"
    simulate_file(write(tmp_path / "in.jsonl", [row]), out)
    (body,) = lines(out)
    assert min(body["bg"]) < -300
    assert body["metrics"]["bgri"] > body["metrics_20_600"]["bgri"]


def test_metrics_by_hand():
    # 112.5174 mg/dL is no risk; 20 and 600 are the ends of the scale
    glucose = np.array([[112.5174, 20.0, 600.0, 10.0], [70.0, 180.0, 69.9, 180.1]])
    first, second = metrics_of(glucose)
    assert second["metrics"] | {"lbgi": 0, "hbgi": 0, "bgri": 0} == {
        "tir": 50, "tbr": 25, "tar": 25, "lbgi": 0, "hbgi": 0, "bgri": 0,
    }  # fmt: skip
    wide = first["metrics_20_600"]
    assert wide["lbgi"] == pytest.approx((100.04 + 100.04) / 4, abs=0.01)
    assert wide["hbgi"] == pytest.approx(99.95 / 4, abs=0.01)
    assert first["metrics"]["hbgi"] == pytest.approx(57.3 / 4, abs=0.01)
    assert first["metrics"]["bgri"] == first["metrics"]["lbgi"] + first["metrics"]["hbgi"]


def test_reference_risk(shared_dir):
    body = json.loads((shared_dir / "data/glucose/risk/bgri_vectors.json").read_text("utf-8"))
    for name in ("B_mixed_trace", "E_all_112.5"):  # all within both windows
        found = metrics_of(np.array([body[name]["bg_mgdl"]], dtype=float))[0]
        for key in ("lbgi", "hbgi", "bgri"):
            for window in ("metrics", "metrics_20_600"):
                assert found[window][key] == pytest.approx(body[name][key], abs=1e-8)


def test_reference_records_come_back(tmp_path, shared_dir):
    """Each manual record of the reference, with its stored traces as the truth."""
    source = shared_dir / "data/glucose/tidepool_sim/traces_manual.jsonl"
    out = tmp_path / "out.jsonl"
    report = simulate_file(source, out)
    assert report.records == report.simulated == 168
    for was, now in zip(lines(source), lines(out), strict=True):
        assert list(now)[: len(was)] == list(was)
        assert np.abs(np.subtract(was["bg"], now["bg"])).max() < 1e-5
        assert np.abs(np.subtract(was["iob"], now["iob"])).max() < 1e-4
        assert np.abs(np.subtract(was["basal_delivered_U"], now["basal_delivered_U"])).max() < 1e-6
        assert was["bolus_U"] == now["bolus_U"]
        for key, value in was["metrics"].items():
            assert now["metrics"][key] == pytest.approx(value, abs=1e-6)


def test_reference_loop_records_come_back(tmp_path, shared_dir):
    source = shared_dir / "data/glucose/tidepool_sim/traces_loop.jsonl"
    out = tmp_path / "out.jsonl"
    simulate_file(source, out)
    far = 0
    for was, now in zip(lines(source), lines(out), strict=True):
        apart = np.abs(np.subtract(was["bg"], now["bg"])).max()
        assert apart < 3
        far += apart >= 1e-4
        if apart < 1e-4:
            assert was["temp_basal_U_per_h"] == pytest.approx(now["temp_basal_U_per_h"], abs=6e-5)
            assert was["bolus_U"] == now["bolus_U"]
    assert far <= 2


def test_a_file_with_wrong_lines_stops_before_anything_is_written(tmp_path, row):
    rows = [row, {**row, "bg0": 1}, {**row, "mode": "x"}]
    out = tmp_path / "out.jsonl"
    with pytest.raises(InputError) as error:
        simulate_file(write(tmp_path / "in.jsonl", rows), out)
    assert "2 of 3 lines" in error.value.what
    assert error.value.where == "in.jsonl, line 2, bg0"
    assert "line 3, mode" in error.value.hint
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.jsonl"]


def test_a_wrong_line_can_be_kept_with_its_error(tmp_path, row):
    path = write(tmp_path / "in.jsonl", [row, {**row, "bg0": 1, "mine": 5}])
    odd = json.dumps({**row, "id": "c", "est_carbs": math.nan})
    path.write_text(
        "\n".join([path.read_text("utf-8"), "{broken", odd, json.dumps(row), ""]), "utf-8"
    )
    report = simulate_file(path, tmp_path / "out.jsonl", on_error="keep")
    assert (report.records, report.simulated, report.failed) == (5, 2, 3)
    ok, bad, broken, odd_kept, last = lines(tmp_path / "out.jsonl")
    assert "status" not in ok
    assert ok["bg"] == last["bg"]
    assert (bad["mine"], bad["status"], bad["error"]["where"]) == (
        5, "failed", "in.jsonl, line 2, bg0",
    )  # fmt: skip
    assert "bg" not in bad
    assert (broken["line"], broken["status"]) == (4, "failed")  # line 3 is blank
    assert (odd_kept["id"], odd_kept["est_carbs"], odd_kept["status"]) == ("c", None, "failed")


def test_the_whole_file(tmp_path, row):
    out = tmp_path / "out.jsonl"
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n\n", "utf-8")
    with pytest.raises(InputError, match="empty"):
        simulate_file(empty, out)
    array = tmp_path / "array.jsonl"
    array.write_text(json.dumps([row]), "utf-8")
    with pytest.raises(InputError, match="array") as error:
        simulate_file(array, out)
    assert "jq" in error.value.hint
    with pytest.raises(NotFoundError):
        simulate_file(tmp_path / "none.jsonl", out)
    good = write(tmp_path / "good.jsonl", [row])
    with pytest.raises(InputError, match="own input"):
        simulate_file(good, good, replace=True)
    with pytest.raises(NotFoundError, match="folder"):
        simulate_file(good, tmp_path / "no" / "out.jsonl")
    out.write_text("mine", "utf-8")
    with pytest.raises(InputError, match="there already"):
        simulate_file(good, out)
    assert out.read_text("utf-8") == "mine"
    simulate_file(good, out, replace=True)
    assert len(lines(out)) == 1
    with pytest.raises(InputError, match="policy"):
        simulate_file(good, out, replace=True, on_error="skip")  # type: ignore[arg-type]


def test_an_id_that_comes_again_is_told(tmp_path, row):
    report = simulate_file(
        write(tmp_path / "in.jsonl", [row, {**row, "id": "b"}, row]), tmp_path / "out.jsonl"
    )
    assert report.notes == ("records whose id was there before: 1 (line 3)",)


def test_many_lines_go_by_blocks(tmp_path, row, monkeypatch):
    monkeypatch.setattr("prandial.bench.risk.files._BLOCK", 3)
    rows = [{**row, "id": i, "true_carbs": i} for i in range(8)]
    heard: list[tuple[int, int]] = []
    source = write(tmp_path / "in.jsonl", rows)
    simulate_file(source, tmp_path / "a.jsonl", progress=lambda *x: heard.append(x))
    assert heard == [(0, 8), (3, 8), (6, 8), (8, 8)]
    monkeypatch.setattr("prandial.bench.risk.files._BLOCK", 100)
    simulate_file(source, tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


@settings(max_examples=60, deadline=None)
@given(
    isf=st.floats(5, 1000), cir=st.floats(1, 150), basal=st.floats(0.05, 10),
    true=st.floats(0, 250), estimate=st.integers(0, 250), start=st.floats(20, 600),
    minutes=st.floats(25, 595), extra=st.text(max_size=8),
)  # fmt: skip
def test_a_record_reads_back(isf, cir, basal, true, estimate, start, minutes, extra):
    given_row = {
        **ROW, "patient": {"isf": isf, "cir": cir, "basal": basal}, "true_carbs": true,
        "est_carbs": estimate, "bg0": start, "true_absorption_min": minutes, "note": extra,
    }  # fmt: skip
    found = reader().read(1, json.dumps(given_row))
    s = found.scenario
    assert found.given == given_row
    assert (s.true_carb_g, s.estimated_carb_g, s.start_glucose_mg_dl) == (true, estimate, start)
    assert (s.true_absorption_min, s.reported_absorption_min) == (minutes, 180)
    assert (s.patient.isf_mg_dl_per_u, s.patient.cir_g_per_u) == (isf, cir)
