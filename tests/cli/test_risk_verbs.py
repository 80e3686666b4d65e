"""``prandial risk``: simulations, files of scenarios, assessments, and every refusal."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from tests.bench_risk.conftest import ROW, simulates
from tests.bench_risk.plain import manual_trace, plain_simulate

from prandial.glucose import engine
from prandial.records import Patient

NOTICE = "Research use, not dosing advice."
ONE = ("risk", "simulate", "--isf", 50, "--cir", 10, "--basal", 0.8, "--carbs", 60)


@pytest.fixture(autouse=True)
def an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    if not simulates():
        monkeypatch.setattr(engine, "simulate", plain_simulate)


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
    assert {"metrics", "metrics_20_600", "iob", "temp_basal_U_per_h"} <= set(body)


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
        (("--estimate", 45, "--mode", "autobolus"), "mode", "loop_accept"),
        (("--estimate", 45, "--quirks", "all"), "quirks", "exact"),
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
    refused(2, "risk", "simulate", "-i", scenarios, "-o", out, "--on-error", "skip")
    refused(2, "risk", "simulate", "-i", scenarios, "-o", scenarios, "--force")
    refused(3, "risk", "simulate", "-i", tmp_path / "none.jsonl", "-o", out)
    assert not out.exists()


class Study:
    """Stands in for the study: what it was asked, and a small result."""

    def __init__(self) -> None:
        self.asked: dict[str, Any] = {}

    def assess(self, **asked: Any) -> Study:
        self.asked = asked
        asked["progress"](4)
        return self

    def to_dict(self) -> dict[str, Any]:
        names = [*self.asked["estimates"], "perfect"]
        return {
            "table": [
                {"estimator": n, "mode": s.mode, "runs": 4, "tir": 60.5, "tbr": 4.25, "tar": 35.25,
                 "bgri": 9.5 + k, "bgri_low": 9.0 + k, "bgri_high": 10.0 + k, "bgri_20_600": 8.0}
                for k, n in enumerate(names) for s in self.asked["setups"]
            ],
            "quirks": "pyloopkit",
        }  # fmt: skip


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Study:
    found = Study()
    monkeypatch.setattr(
        "prandial.bench.risk.assessment.population",
        lambda n, seed: tuple(
            Patient(name=f"s{seed}-{i}", isf_mg_dl_per_u=50, cir_g_per_u=10, basal_u_per_h=1)
            for i in range(n)
        ),
    )
    room = ModuleType("prandial.glucose.assess")
    room.assess = found.assess  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, room.__name__, room)
    return found


@pytest.fixture
def estimates(tmp_path: Path) -> Path:
    path = tmp_path / "e.csv"
    path.write_text("meal_id,true_g,ours,gpt\nm1,60,45,50\nm2,30,,20-30\n", "utf-8")
    return path


def test_an_assessment(command, estimates, study, narrow, tmp_path):
    out = tmp_path / "r.md"
    done = command("risk", "assess", estimates, "--output", out, "--n-patients", 3, "--seed", 5)
    assert done.code == 0, done.err
    narrow(done.out)
    assert done.out.rstrip().endswith(NOTICE)
    assert "9.50 [9.00, 10.00]" in done.out
    assert "ours: no answer for 1 of 2 meals" in done.out
    assert NOTICE in out.read_text("utf-8")
    asked = study.asked
    assert asked["meal_ids"] == ("m1", "m2")
    assert asked["true_carb_g"].tolist() == [60, 30]
    np.testing.assert_equal(asked["estimates"]["ours"], [45, np.nan])
    np.testing.assert_equal(asked["ranges"]["gpt"], ([50, 20], [50, 30]))
    assert [p.name for p in asked["patients"]] == ["s5-0", "s5-1", "s5-2"]
    assert asked["start_glucose_mg_dl"] == (80, 120, 160, 200)
    assert [s.mode for s in asked["setups"]] == ["manual", "loop_accept"]
    assert {s.quirks.name for s in asked["setups"]} == {"pyloopkit"}
    assert (asked["abstain"], asked["reference"], asked["bootstrap"]) == (
        "exclude", "perfect", 1000,
    )  # fmt: skip


def test_choices_of_an_assessment(command, estimates, study, tmp_path):
    patients = tmp_path / "p.csv"
    patients.write_text("isf,cir,basal\n500,62.5,0.07\n", "utf-8")
    done = command(
        "risk", "assess", estimates, "--patients", patients, "--starts", "100", "--modes",
        "loop_temp", "--quirks", "exact", "--abstain", "no_bolus", "--reference", "gpt",
        "--bootstrap", 0, "--estimator", "gpt", "--json", "--plot", tmp_path / "t.png",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert done.json["notice"] == NOTICE
    assert [r["estimator"] for r in done.json["table"]] == ["gpt", "perfect"]
    asked = study.asked
    assert [p.isf_mg_dl_per_u for p in asked["patients"]] == [500]
    assert asked["start_glucose_mg_dl"] == (100,)
    assert [(s.mode, s.quirks.name) for s in asked["setups"]] == [("loop_temp", "exact")]
    assert (asked["abstain"], asked["reference"], asked["bootstrap"]) == ("no_bolus", "gpt", 0)
    assert (tmp_path / "t.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("code", "change", "where", "told"),
    [
        (2, ("--starts", "80,7"), "starts", "20 to 600"),
        (2, ("--starts", "80,80"), "starts", "once"),
        (2, ("--starts", "80,,90"), "--starts", "80,120"),
        (2, ("--starts", "low"), "--starts", "low"),
        (2, ("--modes", "auto"), "modes", "loop_accept"),
        (2, ("--abstain", "zero"), "abstain", "no_bolus"),
        (2, ("--quirks", "all"), "quirks", "exact"),
        (3, ("--reference", "nobody"), "reference", "ours, gpt, perfect"),
        (2, ("--bootstrap", -1), "bootstrap", "0 to"),
        (2, ("--n-patients", 0), "n_patients", "1 to"),
        (2, ("--second-patient", "bergman"), "second_patient", "uva"),
        (2, ("--plot-surface", "s.svg"), "--plot-surface", "--surface"),
        (2, ("--plot", "s.pdf"), "s.pdf", ".svg"),
        (2, ("--output", "r.txt"), "r.txt", ".md"),
        (3, ("--patients", "none.csv"), "none.csv", "path"),
    ],
)
def test_refusals_of_an_assessment(refused, estimates, study, code, change, where, told):
    error = refused(code, "risk", "assess", estimates, *change)
    assert error["where"] == where
    assert told in f"{error['what']} {error['hint']}"
    assert not study.asked


def test_the_baselines_name_is_taken(refused, study, tmp_path):
    path = tmp_path / "e.csv"
    path.write_text("meal_id,true_g,perfect\nm1,60,45\n", "utf-8")
    assert "rename" in refused(2, "risk", "assess", path)["hint"]


def test_patients_that_are_named_and_drawn(refused, estimates, study):
    error = refused(2, "risk", "assess", estimates, "--patients", "p.csv", "--n-patients", 3)
    assert error["where"] == "--n-patients"


def test_the_population(command, study, tmp_path):
    done = command("risk", "patients", "--n-patients", 2, "--seed", 3)
    assert done.code == 0
    assert done.out.splitlines() == [
        "name,isf_mg_dl_per_u,cir_g_per_u,basal_u_per_h", "s3-0,50,10,1", "s3-1,50,10,1",
    ]  # fmt: skip
    assert NOTICE in done.err
    out = tmp_path / "p.csv"
    assert command("risk", "patients", "--output", out).code == 0
    assert command("risk", "patients", "--output", out).code == 2
    assert command("risk", "patients", "-o", out, "--force").code == 0
    body = command("risk", "patients", "--json").json
    assert (len(body["patients"]), body["notice"]) == (20, NOTICE)
    assert body["patients"][0]["csf_mg_dl_per_g"] == 5
