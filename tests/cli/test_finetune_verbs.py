"""The verbs of fine-tuning that need no further library, and what is said without it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from prandial.cli.finetune import app
from prandial.errors import InputError, MissingDataError, NotFoundError


def _call(*arguments: object):
    return CliRunner().invoke(app, [str(a) for a in arguments])


SMALL = ("--natural", 0, "--metric", 0, "--combined", 60)


def test_rows_and_their_record(tmp_path: Path) -> None:
    done = _call("rows", "--out", tmp_path, *SMALL, "--seed", 3, "--json")
    assert done.exception is None
    told = json.loads(done.stdout)
    assert told["made"]["combined natural"] + told["made"]["combined metric"] <= 60
    assert set(told["made"]) == {"combined metric", "combined natural"}
    assert told["rows"] == sum(told["kept"].values())
    assert json.loads((tmp_path / "tuning.json").read_text("utf-8")) == told
    lines = (tmp_path / "train.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == told["files"]["train.jsonl"]["rows"]
    assert set(json.loads(lines[0])) >= {"messages", "answer", "foods", "grams"}


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        (("--valid", 1), "--valid"),
        (("--combined", -1), "--combined"),
        (("--near", 0.1), "--near"),
        (("--method", "rag"), "--method"),
        (("--nutrient", "salt"), "--nutrient"),
        (("--data", "nowhere.csv"), "--data"),
    ],
)
def test_errors_name_the_option(tmp_path: Path, arguments: tuple, where: str) -> None:
    done = _call("rows", "--out", tmp_path, *arguments)
    assert isinstance(done.exception, InputError | NotFoundError)
    assert done.exception.where == where
    assert done.exception.hint


def test_launch_is_printed() -> None:
    assert "num_processes: 8" in _call("launch", "eight-gpus").stdout
    assert isinstance(_call("launch", "abacus").exception, NotFoundError)


def test_train_without_rows(tmp_path: Path) -> None:
    done = _call("train", "--rows", tmp_path, "--base", "b", "--out", tmp_path / "o")
    assert isinstance(done.exception, MissingDataError)
    assert "prandial finetune rows" in done.exception.hint
    done = _call("train", "--rows", tmp_path, "--base", "b", "--out", tmp_path / "o", "--rank", 0)
    assert isinstance(done.exception, InputError)
    assert done.exception.where == "--rank"
