"""What is written is whole and touches no other file; what cannot be meant is refused."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from prandial.bench.risk.files import simulate_file
from prandial.bench.risk.outputs import (
    check_input,
    check_output,
    check_outputs,
    write_whole,
    writing,
)
from prandial.errors import InputError, NotFoundError


def write(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")
    return path


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_files_named_like_a_part_are_left_alone(tmp_path, row):
    """A file .part of the user's own may even be the input of the same output."""
    keep = write(tmp_path / "keep.jsonl.part", [row])
    before = keep.read_bytes()
    simulate_file(keep, tmp_path / "keep.jsonl")
    assert keep.read_bytes() == before
    assert len((tmp_path / "keep.jsonl").read_text("utf-8").splitlines()) == 1
    mine = tmp_path / "mine.txt"
    mine.write_text("mine", "utf-8")
    (tmp_path / "out.jsonl.part").symlink_to(mine)
    simulate_file(keep, tmp_path / "out.jsonl")
    assert mine.read_text("utf-8") == "mine"
    assert names(tmp_path) == [
        "keep.jsonl", "keep.jsonl.part", "mine.txt", "out.jsonl", "out.jsonl.part",
    ]  # fmt: skip


def test_two_runs_into_one_file_do_not_mix(tmp_path, row, monkeypatch):
    """The second run ends while the first is at work: each writes a file of its own."""
    monkeypatch.setattr("prandial.bench.risk.files._BLOCK", 1)
    first = write(tmp_path / "a.jsonl", [{**row, "id": f"a{i}"} for i in range(4)])
    second = write(tmp_path / "b.jsonl", [{**row, "id": f"b{i}"} for i in range(9)])
    out = tmp_path / "out.jsonl"
    inner: list[Any] = []

    def between(done: int, total: int) -> None:
        if done == 2 and not inner:
            inner.append(simulate_file(second, out, replace=True))

    simulate_file(first, out, replace=True, progress=between)
    assert inner[0].records == 9
    ids = [json.loads(line)["id"] for line in out.read_text("utf-8").splitlines()]
    assert ids == ["a0", "a1", "a2", "a3"]
    assert names(tmp_path) == ["a.jsonl", "b.jsonl", "out.jsonl"]


def test_a_file_that_came_to_be_meanwhile_is_not_replaced(tmp_path, row):
    out = tmp_path / "out.jsonl"
    with pytest.raises(InputError, match="came to be"):
        simulate_file(
            write(tmp_path / "in.jsonl", [row]),
            out,
            progress=lambda *_: out.write_text("mine", "utf-8"),
        )
    assert out.read_text("utf-8") == "mine"
    assert names(tmp_path) == ["in.jsonl", "out.jsonl"]


def test_an_input_that_changes_while_it_is_read_is_told(tmp_path, row):
    source = write(tmp_path / "in.jsonl", [row, row])
    with pytest.raises(InputError, match="changed while"):
        simulate_file(
            source, tmp_path / "out.jsonl", progress=lambda *_: write(source, [row]) and None
        )
    with pytest.raises(InputError, match="changed while"):
        simulate_file(
            write(source, [row]),
            tmp_path / "out.jsonl",
            progress=lambda *_: write(source, [{**row, "bg0": 1}]) and None,
        )
    assert names(tmp_path) == ["in.jsonl"]


def test_a_failure_leaves_what_was_there(tmp_path):
    out = tmp_path / "r.txt"
    out.write_text("old", "utf-8")

    def half() -> None:
        with writing(out, replace=True) as file:
            file.write("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    assert out.read_text("utf-8") == "old"
    assert names(tmp_path) == ["r.txt"]


def test_a_new_file_has_the_usual_rights_and_an_old_one_keeps_its_own(tmp_path):
    out, usual = tmp_path / "a.txt", tmp_path / "usual"
    usual.touch()
    write_whole(out, "x")
    assert out.stat().st_mode == usual.stat().st_mode
    out.chmod(0o640)
    write_whole(out, "y\ud800", replace=True)
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    assert out.read_text("utf-8") == "y\ufffd"


def test_links(tmp_path):
    """A link stands for its target, which is replaced; one that points nowhere is there too."""
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old", "utf-8")
    link.symlink_to(real)
    with pytest.raises(InputError, match="there already"):
        check_output(link)
    write_whole(link, "new", replace=True)
    assert link.is_symlink()
    assert real.read_text("utf-8") == "new"
    lost = tmp_path / "lost.txt"
    lost.symlink_to(tmp_path / "nothing.txt")
    with pytest.raises(InputError, match="there already"):
        check_output(lost)
    check_output(lost, replace=True)
    write_whole(lost, "x", replace=True)
    assert (tmp_path / "nothing.txt").read_text("utf-8") == "x"
    far = tmp_path / "far.txt"
    far.symlink_to(tmp_path / "no" / "x.txt")
    with pytest.raises(NotFoundError, match="folder"):
        check_output(far, replace=True)
    ring = tmp_path / "ring.txt"
    ring.symlink_to(ring)
    with pytest.raises(InputError):
        check_output(ring)


def test_what_is_no_regular_file(tmp_path):
    fifo = tmp_path / "pipe.jsonl"
    os.mkfifo(fifo)
    link = tmp_path / "link.jsonl"
    link.symlink_to(fifo)
    for path, what in (
        (fifo, "pipe"), (link, "pipe"), (tmp_path, "folder"), (Path(os.devnull), "device"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=what):
            check_output(path, replace=True)
        with pytest.raises(InputError, match=what):
            check_input(path)
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_outputs_and_inputs_that_are_one_file(tmp_path):
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    a.touch()
    b.symlink_to(a)
    hard = tmp_path / "hard.csv"
    os.link(a, hard)
    for out in (a, b, hard, tmp_path / "x" / ".." / "a.csv"):
        with pytest.raises(InputError, match="own input"):
            check_output(out, read=[tmp_path / "other.csv", a], replace=True)
    new = tmp_path / "new.svg"
    with pytest.raises(InputError, match="two outputs"):
        check_outputs([new, tmp_path / "." / "new.svg"])
    with pytest.raises(InputError, match="two outputs"):
        check_outputs([a, b], replace=True)
    check_outputs([new, tmp_path / "new.png"], read=[a])


def test_inputs_of_a_batch(tmp_path, row, monkeypatch):
    import gzip

    out = tmp_path / "out.jsonl"
    packed = tmp_path / "in.jsonl.gz"
    packed.write_bytes(gzip.compress(json.dumps(row).encode()))
    with pytest.raises(InputError, match="compressed") as error:
        simulate_file(packed, out, on_error="keep")
    assert error.value.hint == "gunzip it first"
    with pytest.raises(InputError, match="folder"):
        simulate_file(tmp_path, out)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe"):
        simulate_file(tmp_path / "pipe", out)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="standard input"):
        simulate_file(Path("-"), out)
    good = write(tmp_path / "in.jsonl", [row])
    for name in ("out.csv", "out", "out.jsonl.gz"):
        with pytest.raises(InputError, match="format"):
            simulate_file(good, tmp_path / name)
    simulate_file(good, tmp_path / "out.ndjson")
