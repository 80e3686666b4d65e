"""Folders of runs: one writer, damage told or mended, nothing of others written over."""

from __future__ import annotations

import json
import multiprocessing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.bench_models.made_report import answer, meals, record

from prandial.bench.runner import BenchSettings, run_bench
from prandial.bench.runs import RunFolder, read_run
from prandial.errors import InputError, MissingDataError, SchemaError
from prandial.sources.exclusive import held


def begun(folder: Path, *values: float | str) -> Path:
    """A run with the first meals answered."""
    run = RunFolder(folder)
    run.begin(record("nutribench"), meals())
    for question, value in zip(meals(), values, strict=False):
        run.add(answer(question.id, value))
    return folder


def hold(folder: Path, ready: Any, done: Any) -> None:
    with held(folder):
        ready.set()
        done.wait(60)


def test_a_second_process_is_kept_out_until_the_first_is_gone(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    ready, done = spawn.Event(), spawn.Event()
    other = spawn.Process(target=hold, args=(tmp_path, ready, done))
    other.start()
    assert ready.wait(60)
    with pytest.raises(InputError, match="another process"), held(tmp_path):
        pass
    other.kill()  # as kill -9 does: the lock goes with the process
    other.join(60)
    with held(tmp_path):
        pass


def test_a_run_takes_the_lock(meals: Path, tmp_path: Path) -> None:
    settings = BenchSettings(benchmark="nutribench", model="prandial/grounded", data=meals)
    with held(tmp_path / "run"), pytest.raises(InputError, match="another process"):
        run_bench(settings, tmp_path / "run", prandial_version="1")
    assert not (tmp_path / "run" / "run.json").exists()


@pytest.mark.parametrize("name", ["run.json", "questions.jsonl", "answers.jsonl"])
@pytest.mark.parametrize("body", ['{"my": "file"}', "{}"])
def test_files_of_something_else_are_not_written_over(tmp_path: Path, name: str, body: str) -> None:
    (tmp_path / name).write_text(body, encoding="utf-8")
    with pytest.raises(InputError, match="no run"):
        RunFolder(tmp_path).begin(record("nutribench"), meals())
    assert (tmp_path / name).read_text(encoding="utf-8") == body


def test_a_reply_that_was_cut_within_a_character_is_half_a_line(tmp_path: Path) -> None:
    folder = begun(tmp_path, 10.0, 20.0)
    with (folder / "answers.jsonl").open("ab") as out:
        out.write('{"question": "x", "raw_text": "é'.encode()[:-1])
    assert len(read_run(folder).predictions) == 2
    assert len(RunFolder(folder).begin(record("nutribench"), meals())) == 2


def test_lines_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    folder = begun(tmp_path, 10.0, 20.0)
    path = folder / "answers.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    one = json.loads(lines[1])
    wrong = [b"\xff\xfe\n", b"{}\n", b"[]\n"]
    for reading in ({"status": "sure"}, {"value": "20"}, {"value": float("nan")}):
        body = one | {"reading": one["reading"] | reading}
        wrong.append(json.dumps(body).encode() + b"\n")
    for line in wrong:
        path.write_bytes(lines[0] + line)
        with pytest.raises(SchemaError) as told:
            read_run(folder)
        assert told.value.where.endswith("line 2"), line
    path.write_bytes(lines[0].replace(one["question"].encode(), b"x") + b"")
    stranger = json.dumps(one | {"question": "stranger"}).encode() + b"\n"
    path.write_bytes(stranger)
    with pytest.raises(SchemaError, match="'stranger'"):
        read_run(folder)


@pytest.mark.parametrize("damage", [None, b"", b'{"half'])
def test_lost_questions_are_written_again_when_the_run_goes_on(
    tmp_path: Path, damage: bytes | None
) -> None:
    folder = begun(tmp_path, 10.0)
    path = folder / "questions.jsonl"
    whole = path.read_bytes()
    path.unlink() if damage is None else path.write_bytes(damage)
    assert len(RunFolder(folder).begin(record("nutribench"), meals())) == 1
    assert path.read_bytes() == whole


def test_half_a_character_can_be_kept(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    one = replace(answer(meals()[0].id, 5.0), raw_text="5 g \ud83d")
    RunFolder(folder).add(one)
    (kept,) = read_run(folder).predictions.values()
    assert kept.raw_text == "5 g \ufffd"


def test_runs_within_a_folder_are_named(tmp_path: Path) -> None:
    begun(tmp_path / "fat_g")
    with pytest.raises(MissingDataError) as told:
        read_run(tmp_path)
    assert str(tmp_path / "fat_g") in told.value.hint
