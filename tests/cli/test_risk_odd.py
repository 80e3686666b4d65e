"""``prandial risk`` where something is odd: files that are one, names that steer, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.bench_risk.conftest import ROW
from tests.cli.interrupts import hears_interrupt

ONE = ("risk", "simulate", "--isf", 50, "--cir", 10, "--basal", 0.8, "--carbs", 60)
FEW = ("--n-patients", 2, "--bootstrap", 0, "--starts", "120", "--modes", "manual")


@pytest.fixture
def estimates(tmp_path: Path) -> Path:
    path = tmp_path / "e.csv"
    path.write_text("meal_id,true_g,ours\nm1,60,45\nm2,30,25\n", "utf-8")
    return path


def test_no_output_replaces_an_input_or_another_output(refused, estimates, tmp_path):
    patients, truth = tmp_path / "p.csv", tmp_path / "t.csv"
    patients.write_text("isf,cir,basal\n50,10,0.8\n", "utf-8")
    truth.write_text("meal_id,true_g\nm1,60\n", "utf-8")
    settings = tmp_path / "s.json"
    settings.write_text("{}", "utf-8")
    before = {p: p.read_bytes() for p in (estimates, patients, truth, settings)}
    base = ("risk", "assess", estimates, "--replace")
    for change in (
        ("-o", estimates),
        ("-o", patients, "--patients", patients),
        ("-o", truth, "--truth", truth),
        ("-o", settings, "--settings", settings),
    ):
        assert "own input" in refused(2, *base, *change)["what"]
    link = tmp_path / "link.svg"
    link.symlink_to(tmp_path / "a.svg")
    for plot in (tmp_path / "a.svg", link):
        both = ("--surface", "--plot", plot, "--plot-surface", tmp_path / "a.svg")
        assert "two outputs" in refused(2, *base, *both)["what"]
    drawn = tmp_path / "s.svg"
    drawn.write_text("{}", "utf-8")
    error = refused(2, *ONE, "--estimate", 45, "--settings", drawn, "--plot", drawn, "--replace")
    assert "own input" in error["what"]
    assert {p: p.read_bytes() for p in before} == before


def test_what_is_no_file_is_named(refused, estimates, tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe.csv")
    monkeypatch.chdir(tmp_path)
    assert "pipe" in refused(2, "risk", "assess", "pipe.csv")["what"]
    assert "folder" in refused(2, "risk", "assess", tmp_path)["what"]
    assert "standard input" in refused(2, "risk", "assess", "-")["what"]
    assert "pipe" in refused(2, "risk", "patients", "-o", "pipe.csv", "--replace")["what"]
    assert "folder" in refused(2, "risk", "simulate", "-i", ".", "-o", "o.jsonl")["what"]


def test_nothing_that_is_told_steers_the_terminal(command, tmp_path):
    name = "a\x1b[31m\x9b\u202e\nb.svg"
    done = command(*ONE, "--estimate", 45, "--plot", tmp_path / name)
    assert done.code == 0
    again = command(*ONE, "--estimate", 45, "--plot", tmp_path / name)
    assert again.code == 2
    for err in (done.err, again.err):
        assert not {"\x1b", "\x9b", "\u202e"} & set(err)
    assert len(done.err.splitlines()) == 1
    told = command(*ONE, "--estimate", 45, "--plot", tmp_path / name, "--json")
    assert not {"\x1b", "\x9b", "\u202e"} & set(told.err)
    assert told.error["where"].endswith(name)


def test_json_keeps_letters_and_escapes_what_steers(command, tmp_path):
    path = tmp_path / "e.csv"
    path.write_text("meal_id,true_g,süß\u202e\x9b\nm1,60,45\nm2,30,25\n", "utf-8")
    done = command("risk", "assess", path, *FEW, "--json")
    assert done.code == 0, done.err
    assert not {"\x9b", "\u202e"} & set(done.out)
    assert "süß" in done.out
    assert any("süß" in row["estimator"] for row in done.json["rows"])


def test_a_drawing_that_fails_loses_no_table(command, estimates, tmp_path, monkeypatch):
    def fails(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("prandial.cli.show_risk.save_chart", fails)
    report = tmp_path / "r.md"
    done = command("risk", "assess", estimates, *FEW, "--plot", tmp_path / "a.svg", "-o", report)
    assert done.code != 0
    assert "bias" in done.out
    assert report.is_file()
    assert f"wrote {report}" in done.err
    monkeypatch.setattr("prandial.bench.risk.plots.save_chart", fails)
    done = command(*ONE, "--estimate", 45, "--plot", tmp_path / "b.svg")
    assert (done.code != 0, "mode manual" in done.out) == (True, True)


@pytest.mark.parametrize("width", ["0", "1", "19", "-5", "x", "9" * 5000])
def test_a_width_that_makes_no_sense_is_passed_over(command, monkeypatch, narrow, width):
    monkeypatch.setenv("COLUMNS", width)
    done = command(*ONE, "--estimate", 45)
    assert "60 g carbohydrate, estimated as 45 g" in done.out
    narrow(done.out)


@pytest.mark.parametrize("verb", ["simulate", "assess", "patients"])
def test_each_help_says_what_it_is_not(command, verb):
    assert "Research use, not dosing advice." in command("risk", verb, "--help").out


@pytest.mark.parametrize(("terminal", "options"), [(False, ()), (True, ("--json",))])
def test_no_bar_where_nobody_looks(command, estimates, monkeypatch, terminal, options):
    import rich.progress

    def shown(*_: object, **__: object) -> None:
        raise AssertionError("a bar")

    monkeypatch.setattr(rich.progress.Progress, "start", shown)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    done = command("risk", "assess", estimates, *FEW, *options)
    assert (done.code, done.err) == (0, "")


def start(*arguments: object, first: str = "") -> subprocess.Popen[str]:
    code = f"{first}\nfrom prandial.cli import main\nmain()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=hears_interrupt,
    )  # fmt: skip


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_ctrl_c_in_an_assessment_is_told(estimates, options):
    slow = (
        "import sys, time\nfrom prandial import api\n"
        "def wait(*a, **k):\n    print('ready', flush=True)\n    time.sleep(60)\n"
        "api.risk_assess = wait"
    )
    process = start("risk", "assess", estimates, *options, first=slow)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    if options:
        assert json.loads(err)["error"]["what"] == "interrupted"
    else:
        assert err == "prandial: interrupted\n"


def test_ctrl_c_in_a_file_of_scenarios_leaves_nothing_half(tmp_path):
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text((json.dumps({**ROW, "mode": "loop_accept"}) + "\n") * 30_000, "utf-8")
    process = start("risk", "simulate", "-i", source, "-o", out, "--engine", "numpy")
    until = time.monotonic() + 30
    while not list(tmp_path.glob(".*.part")):  # it writes
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    told, err = process.communicate(timeout=20)
    assert (process.returncode, told, err) == (130, "", "prandial: interrupted\n")
    assert [p.name for p in tmp_path.iterdir()] == ["in.jsonl"]
