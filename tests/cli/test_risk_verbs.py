"""``prandial risk``: simulations, files of scenarios, assessments, and every refusal."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
from tests.bench_risk.conftest import ROW
from tests.bench_risk.plain import manual_trace

NOTICE = "Research use, not dosing advice."
ONE = ("risk", "simulate", "--isf", 50, "--cir", 10, "--basal", 0.8, "--carbs", 60)


@pytest.fixture
def scenarios(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    rows = [ROW, {**ROW, "id": "b", "true_carbs": 20, "mine": "x"}]
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")
    return path


def test_one_simulation(command, narrow):
    done = command(*ONE, "--estimate", 45, "--start", 120, "--mode", "manual")
    assert (done.code, done.err) == (0, "")
    narrow(done.out)
    assert done.out.rstrip().endswith(NOTICE)
    bg = manual_trace(50, 10, 0.8, 60, 45, 120)["bg"]
    in_range = 100 * sum(70 <= v <= 180 for v in bg) / 73
    for words in (
        "60 g carbohydrate, estimated as 45 g", "ISF 50 mg/dL per U", f"{in_range:.1f}",
        f"{max(bg):.0f} ({5 * bg.index(max(bg))})", f"{bg[-1]:.0f}", "mode manual",
    ):  # fmt: skip
        assert words in done.out
    # nothing of how much insulin was given: 4.5 U, or 6 U for a perfect estimate
    assert "4.5" not in done.out
    assert "bolus" not in done.out.lower()
    assert "recommend" not in done.out.lower()


def test_one_simulation_to_the_letter(command):
    """Numbers by the plain trace: tests/bench_risk/plain.py."""
    golden = Path(__file__).parents[1] / "bench_risk" / "golden" / "simulate.txt"
    done = command(*ONE, "--estimate", 45, "--start", 120)
    assert done.out == golden.read_text("utf-8")


def test_glucose_below_zero_is_told_for_what_it_is(command):
    done = command(*ONE, "--estimate", 200)
    assert "the model is linear" in done.out


def test_one_simulation_as_json(command):
    body = command(*ONE, "--estimate", 45, "--json").json
    assert body["notice"] == NOTICE
    truth = manual_trace(50, 10, 0.8, 60, 45, 120)
    assert body["bg"] == pytest.approx(truth["bg"], abs=6e-7)
    perfect = manual_trace(50, 10, 0.8, 60, 60, 120)["bg"]
    assert body["perfect_estimate"]["bg"] == pytest.approx(perfect, abs=6e-7)
    assert body["patient"] == {"isf": 50.0, "cir": 10.0, "basal": 0.8}
    assert body["at_min"] == list(range(0, 361, 5))
    assert (body["mode"], body["quirks"]) == ("manual", "pyloopkit")
    assert (body["true_absorption_min"], body["bg0"]) == (180, 120)
    assert {"metrics", "metrics_20_600"} <= set(body)
    # what the simulated pump gave stands in the batch form alone: 4.5 U here
    assert not {"iob", "temp_basal_U_per_h", "bolus_U", "basal_delivered_U"} & set(body)
    assert "bolus" not in json.dumps(body)


def test_options_reach_the_simulation(command):
    body = command(
        *ONE, "--estimate", 45, "--absorption", 240, "--start", 80, "--quirks", "exact", "--json"
    ).json
    truth = manual_trace(50, 10, 0.8, 60, 45, 80, 240)
    assert body["bg"] == pytest.approx(truth["bg"], abs=6e-7)
    assert body["quirks"] == "exact"


def test_a_plot(command, tmp_path):
    out = tmp_path / "a.svg"
    done = command(*ONE, "--estimate", 45, "--plot", out)
    assert done.code == 0
    assert str(out) in done.err
    assert NOTICE in out.read_text("utf-8")
    assert command(*ONE, "--estimate", 45, "--plot", out).code == 2
    assert command(*ONE, "--estimate", 45, "--plot", out, "--force").code == 0


@pytest.mark.parametrize(
    ("change", "where", "told"),
    [
        (("--estimate", -1), "--estimate", "0 to 250 g"),
        (("--estimate", 251), "--estimate", "0 to 250 g"),
        (("--estimate", "nan"), "--estimate", "no number"),
        (("--estimate", 45, "--isf", 2.8), "--isf", "mmol/L"),
        (("--estimate", 45, "--cir", 0), "--cir", "1 to 150"),
        (("--estimate", 45, "--basal", 0.013), "--basal", "U/min"),
        (("--estimate", 45, "--start", 6.7), "--start", "20 to 600"),
        (("--estimate", 45, "--absorption", 24), "--absorption", "25 to 595"),
        (("--estimate", 45, "--reported-absorption", 600), "--reported-absorption", "25 to 595"),
        (("--estimate", 45, "--mode", "autobolus"), "--mode", "loop_accept"),
        (("--estimate", 45, "--quirks", "all"), "--quirks", "exact"),
        (("--estimate", 45, "--engine", "gpu"), "--engine", "known: auto, numpy, numba"),
        (("--estimate", 45, "--output", "x"), "--output", "--input"),
        (("--estimate", 45, "--on-error", "keep"), "--on-error", "--input"),
        (("--estimate", 45, "--plot", "a.pdf"), "a.pdf", ".svg"),
        ((), "command line", "no --estimate"),
        (("--estimate", "much"), "command line", "--estimate"),
    ],
)
def test_refusals_of_one_simulation(refused, change, where, told):
    error = refused(2, *ONE, *change)
    assert error["where"] == where
    assert told in f"{error['what']} {error['hint']}"


def test_large_meals_must_be_asked_for(command, refused):
    large = ("risk", "simulate", "--isf", 50, "--cir", 10, "--basal", 1, "--carbs", 300,
             "--estimate", 280)  # fmt: skip
    refused(2, *large)
    assert command(*large, "--large-meals").code == 0


def test_a_file(command, scenarios, tmp_path):
    out = tmp_path / "out.jsonl"
    done = command("risk", "simulate", "--input", scenarios, "--output", out, "--no-progress")
    assert (done.code, done.err) == (0, "")
    assert NOTICE in done.out
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [r["id"] for r in rows] == ["a", "b"]
    assert rows[1]["mine"] == "x"
    assert rows[0]["bg"] == pytest.approx(manual_trace(50, 10, 0.8, 60, 45, 120)["bg"], abs=6e-7)
    first = out.read_bytes()
    again = ("risk", "simulate", "-i", scenarios, "-o", out)
    assert command(*again).code == 2
    assert out.read_bytes() == first
    body = command(*again, "--replace", "--json").json
    assert body["records"] == body["simulated"] == 2
    assert body["notice"] == NOTICE
    assert out.read_bytes() == first


def test_a_file_with_a_wrong_line(command, refused, scenarios, tmp_path):
    scenarios.write_text(scenarios.read_text("utf-8") + '{"id": 3}\n', "utf-8")
    out = tmp_path / "out.jsonl"
    files = ("risk", "simulate", "--input", scenarios, "--output", out)
    error = refused(2, *files)
    assert error["where"] == "in.jsonl, line 3"
    assert not out.exists()
    done = command(*files, "--on-error", "keep")
    assert done.code == 1
    assert "1 failed" in done.out
    last = json.loads(out.read_text("utf-8").splitlines()[-1])
    assert (last["id"], last["status"], last["error"]["kind"]) == (3, "failed", "InputError")


def test_refusals_of_a_file(refused, scenarios, tmp_path):
    out = tmp_path / "out.jsonl"
    assert refused(2, "risk", "simulate", "--input", scenarios)["where"] == "command line"
    error = refused(2, "risk", "simulate", "-i", scenarios, "-o", out, "--isf", 50)
    assert error["where"] == "--isf"
    error = refused(2, "risk", "simulate", "-i", scenarios, "-o", out, "--on-error", "skip")
    assert error["where"] == "--on-error"
    error = refused(2, "risk", "simulate", "-i", scenarios, "-o", out, "--engine", "gpu")
    assert error["where"] == "--engine"
    refused(2, "risk", "simulate", "-i", scenarios, "-o", scenarios, "--force")
    refused(3, "risk", "simulate", "-i", tmp_path / "none.jsonl", "-o", out)
    assert not out.exists()


@pytest.fixture
def estimates(tmp_path: Path) -> Path:
    path = tmp_path / "e.csv"
    path.write_text("meal_id,true_g,ours,gpt\nm1,60,45,50\nm2,30,,20-30\n", "utf-8")
    return path


def test_an_assessment(command, estimates, narrow, tmp_path):
    out = tmp_path / "r.md"
    done = command("risk", "assess", estimates, "--output", out, "--n-patients", 3, "--seed", 5)
    assert done.code == 0, done.err
    narrow(done.out)
    assert done.out.rstrip().endswith(NOTICE)
    for words in (
        "all setups", "loop_accept", "paired differences", "ours - gpt", "MAE 15.0 g",
        "ours: no answer for 1 of 2 meals", "meals: 1 of 2 (left out: m2); abstention",
            "gpt answered 1 of the 1 meals left out, MAE 5.0 g", "bias -15.0 g",
        "3 drawn with seed 5", "start glucose: 80, 120, 160, 200 mg/dL", "quirks: pyloopkit",
    ):  # fmt: skip
        assert words in done.out
    assert NOTICE in out.read_text("utf-8")
    # the name of a policy alone speaks of insulin
    assert "bolus" not in done.out.lower().replace("no_bolus", "")


def test_an_assessment_by_hand(command, estimates, tmp_path):
    """One patient, one start, a manual bolus: metrics of the plain trace."""
    patients = tmp_path / "p.csv"
    patients.write_text("isf,cir,basal\n50,10,0.8\n", "utf-8")
    body = command(
        "risk", "assess", estimates, "--patients", patients, "--starts", "120", "--modes",
        "manual", "--json", "--bootstrap", 0,
    ).json  # fmt: skip
    rows = {row["estimator"]: row for row in body["rows"]}
    assert list(rows) == ["ours", "gpt", "perfect"]
    for name, grams in (("ours", 45), ("gpt", 50), ("perfect", 60)):
        bg = np.array(manual_trace(50, 10, 0.8, 60, grams, 120)["bg"])
        told = rows[name]["metrics"]
        in_range = 100 * ((bg >= 70) & (bg <= 180)).mean()
        assert told["tir_percent"]["value"] == pytest.approx(in_range)
        risk = 10 * (1.509 * (np.log(np.clip(bg, 1, 401)) ** 1.084 - 5.381)) ** 2
        assert told["bgri_1_401"]["value"] == pytest.approx(risk.mean(), abs=1e-6)
        assert (told["tir_percent"]["low"], rows[name]["n_simulations"]) == (None, 1)
    assert rows["ours"]["n_abstained"] == 1
    assert (body["n_meals"], body["meals_left_out"]) == (1, ["m2"])


def test_choices_of_an_assessment(command, estimates, tmp_path):
    patients = tmp_path / "p.csv"
    patients.write_text("isf,cir,basal\n500,62.5,0.07\n", "utf-8")
    done = command(
        "risk", "assess", estimates, "--patients", patients, "--starts", "100", "--modes",
        "loop_temp", "--quirks", "exact", "--abstain", "no_bolus", "--reference", "gpt",
        "--bootstrap", 200, "--estimator", "gpt", "--json", "--plot", tmp_path / "t.png",
    )  # fmt: skip
    assert done.code == 0, done.err
    body = done.json
    assert body["notice"] == NOTICE
    assert [r["estimator"] for r in body["rows"]] == ["gpt", "perfect"]
    assert [(d["estimator"], d["reference"]) for d in body["differences"]] == [("perfect", "gpt")]
    told = body["parameters"]
    assert [p["isf_mg_dl_per_u"] for p in told["patients"]] == [500]
    assert told["start_glucose_mg_dl"] == [100]
    assert [(s["mode"], s["quirks"]["set"]) for s in told["setups"]] == [("loop_temp", "exact")]
    assert (told["policy"], told["bootstrap"]["resamples"]) == ("no_bolus", 200)
    assert [r["n_meals"] for r in body["ranges"]] == [1]
    assert (tmp_path / "t.png").read_bytes()[:4] == b"\x89PNG"


def test_everything_beside_the_table(command, estimates, tmp_path):
    picture, report = tmp_path / "s.svg", tmp_path / "r.csv"
    done = command(
        "risk", "assess", estimates, "--sensitivity", "--surface", "--plot-surface", picture,
        "--n-patients", 4, "--bootstrap", 100, "--output", report, "--json",
    )  # fmt: skip
    assert done.code == 0, done.err
    body = done.json
    choices = {row["choice"] for row in body["sensitivity"]["rows"]}
    assert {"patients", "quirks", "loop_mode", "window_mg_dl", "aggregation"} <= choices
    assert len(body["surface"]["grids"]["bgri_1_401"]) == len(body["surface"]["csf_mg_dl_per_g"])
    assert NOTICE in picture.read_text("utf-8")
    header = report.read_text("utf-8").splitlines()[0].split(",")
    assert {"tir_percent", "bgri_1_401", "floor_percent", "n_abstained"} <= set(header)


def test_the_second_patient(command, estimates):
    if importlib.util.find_spec("simglucose") is None:
        pytest.skip("SIMGLUCOSE ABSENT: pip install --no-deps simglucose==0.2.11")
    body = command(
        "risk", "assess", estimates, "--second-patient", "uva", "--bootstrap", 0, "--n-patients",
        2, "--starts", "120", "--json",
    ).json  # fmt: skip
    table = body["second_patient"]["table"]
    assert {row["estimator"] for row in table} == {"ours", "gpt", "perfect"}
    assert {row["same_order"] for row in table} <= {"yes", "no"}
    assert len(body["second_patient"]["parameters"]["patients"]) == 30


def test_estimators_named_like_columns_stay_apart(command, tmp_path):
    path, out = tmp_path / "e.csv", tmp_path / "r.md"
    path.write_text("meal_id,true_g,value,order\nm1,60,45,50\nm2,30,29,20\n", "utf-8")
    done = command(
        "risk", "assess", path, "--sensitivity", "--n-patients", 2, "--bootstrap", 0, "-o", out
    )
    assert done.code == 0, done.err
    assert "quirks: exact" in done.out
    assert "value (estimator) | order (estimator)" in out.read_text("utf-8")


def test_few_meals_or_patients_are_told(command, tmp_path):
    path = tmp_path / "e.csv"
    path.write_text("meal_id,true_g,a\nm1,60,45\n", "utf-8")
    done = command("risk", "assess", path, "--n-patients", 3)
    assert "there is one meal" in done.out
    assert "intervals are too narrow" in done.out
    row = command("risk", "assess", path, "--n-patients", 3, "--json").json["rows"][0]
    told = row["metrics"]["bgri_1_401"]
    assert told["low"] is None
    assert told["patients_low"] is not None


def test_a_surface_of_large_meals(command, tmp_path):
    """Relative errors that lead beyond every bound are left out, not found at the end."""
    path = tmp_path / "e.csv"
    path.write_text("meal_id,true_g,a\nm1,700,600\nm2,650,640\n", "utf-8")
    done = command(
        "risk", "assess", path, "--surface", "--large-meals", "--n-patients", 2, "--bootstrap", 0,
        "--json",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert max(done.json["surface"]["relative_errors"]) == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("code", "change", "where", "told"),
    [
        (2, ("--starts", "80,7"), "--starts", "20 to 600"),
        (2, ("--starts", "80,80"), "--starts", "once"),
        (2, ("--starts", "80,,90"), "--starts", "80,120"),
        (2, ("--starts", "low"), "--starts", "low"),
        (2, ("--modes", "auto"), "--modes", "loop_accept"),
        (2, ("--abstain", "zero"), "--abstain", "no_bolus"),
        (2, ("--quirks", "all"), "--quirks", "exact"),
        (2, ("--engine", "gpu"), "--engine", "known: auto, numpy, numba"),
        (2, ("--seed", -1), "--seed", "0"),
        (2, ("--incomplete", "guess"), "--incomplete", "abstain"),
        (3, ("--reference", "nobody"), "--reference", "ours, gpt, perfect"),
        (2, ("--bootstrap", -1), "--bootstrap", "0 to"),
        (2, ("--n-patients", 0), "--n-patients", "1 to"),
        (2, ("--second-patient", "bergman"), "--second-patient", "uva"),
        (2, ("--plot-surface", "s.svg"), "--plot-surface", "--surface"),
        (2, ("--plot", "s.pdf"), "s.pdf", ".svg"),
        (2, ("--output", "r.txt"), "r.txt", ".md"),
        (3, ("--patients", "none.csv"), "none.csv", "path"),
    ],
)
def test_refusals_of_an_assessment(refused, estimates, code, change, where, told):
    error = refused(code, "risk", "assess", estimates, *change)
    assert error["where"] == where
    assert told in f"{error['what']} {error['hint']}"


def test_the_baselines_name_is_taken(refused, tmp_path):
    path = tmp_path / "e.csv"
    path.write_text("meal_id,true_g,perfect\nm1,60,45\n", "utf-8")
    assert "rename" in refused(2, "risk", "assess", path)["hint"]


def test_patients_that_are_named_and_drawn(refused, estimates):
    error = refused(2, "risk", "assess", estimates, "--patients", "p.csv", "--n-patients", 3)
    assert error["where"] == "--n-patients"


def test_the_population(command, tmp_path):
    done = command("risk", "patients", "--n-patients", 2, "--seed", 3)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "name,isf_mg_dl_per_u,cir_g_per_u,basal_u_per_h"
    assert len(lines) == 3
    for line in lines[1:]:
        _, isf, cir, basal = line.split(",")
        assert 5 <= float(isf) <= 1000
        assert 1 <= float(cir) <= 150
        assert 0.05 <= float(basal) <= 10
    assert NOTICE in done.err
    out = tmp_path / "p.csv"
    assert command("risk", "patients", "--output", out).code == 0
    assert command("risk", "patients", "--output", out).code == 2
    assert command("risk", "patients", "-o", out, "--force").code == 0
    body = command("risk", "patients", "--json").json
    assert (len(body["patients"]), body["notice"]) == (20, NOTICE)
    first = body["patients"][0]
    csf = first["isf_mg_dl_per_u"] / first["cir_g_per_u"]
    assert first["csf_mg_dl_per_g"] == pytest.approx(csf, abs=1e-5)


def test_settings_of_loop_from_a_file(command, refused, estimates, tmp_path):
    """A higher suspend threshold, and absorption, reach the setups and their record."""
    path = tmp_path / "s.json"
    path.write_text('{"suspend_threshold": 90, "target_range": [110, 110]}', "utf-8")
    told = command(
        "risk", "assess", estimates, "--settings", path, "--absorption", 240,
        "--reported-absorption", 120, "--n-patients", 2, "--bootstrap", 0, "--json",
    ).json["parameters"]  # fmt: skip
    loop = told["setups"][1]["settings"]
    assert (loop["suspend_mg_dl"], loop["target_low_mg_dl"]) == (90, 110)
    assert (told["true_absorption_min"], told["reported_absorption_min"]) == (240, 120)
    body = command(*ONE, "--estimate", 45, "--mode", "loop_temp", "--settings", path, "--json").json
    assert body["settings"]["suspend_threshold"] == 90
    path.write_text('{"autobolus": true}', "utf-8")
    assert "autobolus" in refused(2, "risk", "assess", estimates, "--settings", path)["what"]
    path.write_text("{", "utf-8")
    refused(2, *ONE, "--estimate", 45, "--settings", path)
    refused(3, *ONE, "--estimate", 45, "--settings", tmp_path / "none.json")


def test_less_risk_than_perfect_is_told_for_what_it_is(command, tmp_path):
    """From a high start an estimate too high scores better; the note says that it is no advice."""
    path = tmp_path / "e.csv"
    path.write_text("meal_id,true_g,above\nm1,60,72\nm2,50,60\n", "utf-8")
    high = ("risk", "assess", path, "--starts", 200, "--modes", "manual", "--n-patients", 3,
            "--bootstrap", 0, "--json")  # fmt: skip
    body = command(*high).json
    told = {r["estimator"]: r["metrics"]["bgri_1_401"]["value"] for r in body["rows"]}
    assert told["above"] < told["perfect"]
    assert any("artefact" in note for note in body["notes"])
    low = [v if v != 200 else 80 for v in high]
    assert not any("artefact" in note for note in command(*low).json["notes"])


def test_estimates_of_a_part_of_a_meal(command, tmp_path):
    """Run records say that something was not understood; by choice that is no answer."""
    path = tmp_path / "run.jsonl"
    rows = [
        {"id": "m1", "true_g": 60, "totals": {"carb_g": {"low": 20, "mid": 28, "high": 30}},
         "complete": False},
        {"id": "m2", "true_g": 30, "totals": {"carb_g": {"low": 20, "mid": 28, "high": 30}},
         "complete": True},
    ]  # fmt: skip
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")
    few = ("risk", "assess", path, "--n-patients", 2, "--bootstrap", 0, "--json")
    counted = command(*few).json
    assert any("1 of 2 estimates are of a part" in n for n in counted["notes"])
    assert (counted["n_meals"], counted["abstained"]) == (2, {"run": 0})
    silent = command(*few, "--incomplete", "abstain").json
    assert (silent["n_meals"], silent["abstained"]) == (1, {"run": 1})
    assert command(*few, "--incomplete", "guess").code == 2


def test_a_silent_estimator_shows_in_the_sensitivity(command, tmp_path):
    path = tmp_path / "e.csv"
    path.write_text("meal_id,true_g,a,b\nm1,60,45,50\nm2,30,,29\nm3,20,22,18\n", "utf-8")
    body = command(
        "risk", "assess", path, "--sensitivity", "--n-patients", 2, "--bootstrap", 0, "--json"
    ).json
    rows = [r for r in body["sensitivity"]["rows"] if r["choice"] == "abstain"]
    assert [r["value"] for r in rows] == ["no_bolus"]


def test_a_column_of_energy_is_no_estimate(refused, command, tmp_path):
    path = tmp_path / "e.csv"
    path.write_text("meal_id,true_g,a,energy_kcal\nm1,60,45,180\nm2,30,28,90\n", "utf-8")
    error = refused(2, "risk", "assess", path)
    assert "energy_kcal" in error["what"]
    assert command("risk", "assess", path, "--estimator", "a", "--n-patients", 2).code == 0
    assert "a, energy_kcal" in refused(3, "risk", "assess", path, "--estimator", "x")["hint"]


def test_less_risk_in_one_setup_or_start_is_told_too(command, tmp_path):
    """A small share too much: worse over all, better where nothing corrects a high start."""
    path = tmp_path / "e.csv"
    path.write_text("meal_id,true_g,a\nm1,40,60\nm2,50,75\n", "utf-8")
    body = command("risk", "assess", path, "--n-patients", 3, "--bootstrap", 0, "--json").json
    told = {(r["estimator"], r["scope"]): r["metrics"]["bgri_1_401"]["value"] for r in body["rows"]}
    assert told["a", "all"] > told["perfect", "all"]
    (note,) = [n for n in body["notes"] if "artefact" in n]
    assert "manual from 200 mg/dL" in note
    assert "all setups" not in note


def test_patients_as_records(tmp_path):
    from prandial import api

    path = tmp_path / "e.csv"
    path.write_text("meal_id,true_g,a\nm1,60,45\nm2,50,52\n", "utf-8")
    report = api.risk_assess(path, patients=api.risk_patients(n_patients=2), bootstrap=0)
    assert report.assessment is not None
    assert len(report.assessment.design.patients) == 2
    report.write(str(tmp_path / "r.json"))
    assert (tmp_path / "r.json").exists()


def test_a_broken_line_that_is_kept_keeps_its_text(command, tmp_path):
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps(ROW) + "\n{broken\n", "utf-8")
    files = ("risk", "simulate", "-i", source, "-o", out, "--on-error", "keep")
    assert command(*files).code == 1
    last = json.loads(out.read_text("utf-8").splitlines()[-1])
    assert (last["line"], last["text"], last["status"]) == (2, "{broken", "failed")
