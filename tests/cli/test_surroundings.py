"""The command line where something around it is missing: streams, disk, home folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

MEAL = "100 g of cooked white rice"
COMMAND = [sys.executable, "-m", "prandial"]


@pytest.mark.parametrize(
    ("stream", "text", "code"), [(1, MEAL, 0), (2, MEAL, 0), (1, "", 2), (2, "", 2)]
)
def test_a_closed_stream_changes_no_exit_code(tmp_path, stream, text, code):
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {stream}>&-', "sh", *COMMAND, "estimate", text],
        env={**os.environ, "PRANDIAL_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stderr
    assert "unexpected" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_full_disk_is_told(tmp_path):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "estimate", MEAL, "--json"],
            env={**os.environ, "PRANDIAL_HOME": str(tmp_path)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_estimate_needs_no_home_folder():
    gone = ("HOME", "XDG_DATA_HOME", "PRANDIAL_HOME", "LOCALAPPDATA", "USERPROFILE")
    done = subprocess.run(
        [*COMMAND, "estimate", MEAL],
        env={k: v for k, v in os.environ.items() if k not in gone},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "total" in done.stdout


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_workers_end_when_their_parent_is_killed(tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("meal\n" + "".join(f"{i} g of rice and {i} eggs\n" for i in range(1, 5000)))
    process = subprocess.Popen(
        [*COMMAND, "estimate", "-i", str(source), "-o", str(tmp_path / "out.csv"), "-c", "meal",
         "-w", "2"],
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    workers = _wait(lambda: _children(process.pid), at_least=2)
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=30)
    _wait(lambda: [w for w in workers if not _alive(w)], at_least=len(workers))


def _children(pid: int) -> list[int]:
    """Return the worker processes of a process."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            command = (stat.parent / "cmdline").read_bytes()
        except (OSError, IndexError):
            continue  # it ended while we looked
        if parent == pid and b"spawn_main" in command:
            found.append(int(stat.parent.name))
    return found


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _wait(look, *, at_least: int) -> list[int]:
    """Look again and again until enough is found."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = look()
        if len(found) >= at_least:
            return found
        time.sleep(0.05)
    raise AssertionError(f"fewer than {at_least} within a minute")
