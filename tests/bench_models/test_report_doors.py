"""The report as a function of the library and a verb of the command line."""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from typing import Any

import pytest
from tests.bench_models.made_report import MEALS, meal_run

from prandial.api.bench_reports import bench_report
from prandial.cli.bench_report import report
from prandial.errors import InputError, MissingDataError

LABELS = [m[0] for m in MEALS]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return meal_run(tmp_path / "run", LABELS)


def test_page_and_folder_are_written(run: Path, tmp_path: Path) -> None:
    made = bench_report([run], html=tmp_path / "r.html", md=tmp_path / "md", draws=20)
    assert made.facts["draws"] == 20
    assert (tmp_path / "r.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert (tmp_path / "md" / "report.md").is_file()


def test_outputs_are_looked_at_before_the_work(run: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.html"
    there.write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="there already"):
        bench_report([run, tmp_path / "no run"], html=there)
    with pytest.raises(InputError, match="draws"):
        bench_report([run], draws=0)


def test_what_is_no_run_is_said(run: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="no run here"):
        bench_report([tmp_path])
    with pytest.raises(InputError, match="named twice"):
        bench_report([run, run])
    with pytest.raises(InputError, match="no runs"):
        bench_report([])


def test_json_of_the_command_line(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report([run], draws=20, as_json=True) == 0
    body = json.loads(capsys.readouterr().out)
    assert body["title"] == "NutriBench: report of 1 run"
    assert body["facts"]["runs"][0]["model"] == "made/model"


def test_summary_of_the_command_line(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report([run], html=tmp_path / "r.html", draws=20) == 0
    said = capsys.readouterr()
    assert "NutriBench: report of 1 run" in said.out
    assert "r.html" in said.err
    with pytest.raises(InputError, match="where to write"):
        report([run])


def test_without_altair_the_hint_names_the_extra(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def absent(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "altair":
            raise ImportError("No module named 'altair'", name="altair")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(MissingDataError) as caught:
        bench_report([run], draws=20)
    assert "prandial[bench]" in (caught.value.hint or "")
