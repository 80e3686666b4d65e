"""The package as a whole: quick to import, typed, locked, its name and version in one place."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import prandial

ROOT = Path(__file__).resolve().parents[2]


def test_import_loads_no_room() -> None:
    code = (
        "import sys, prandial; print([m for m in sys.modules"
        " if m in ('numpy', 'duckdb', 'rich', 'typer') or m.startswith('prandial.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_can_be_had() -> None:
    for name in prandial.__all__:
        assert getattr(prandial, name) is not None
    assert set(prandial.__all__) <= set(dir(prandial))


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = prandial.no_such_name


def test_one_version() -> None:
    assert metadata.version("prandial") == prandial.__version__
    assert f"## {prandial.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_typed() -> None:
    assert (Path(prandial.__file__).parent / "py.typed").is_file()


@pytest.mark.parametrize(
    "name",
    [
        "requirements.lock",
        "requirements-dev.lock",
        "requirements-train.lock",
        "requirements-lmeval.lock",
    ],
)
def test_locks_hold_hashes_and_no_addresses(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    pins = re.findall(r"^[a-z0-9_.-]+==", text, re.MULTILINE)
    assert len(pins) >= 8
    assert text.count("--hash=sha256:") >= len(pins)
    assert not re.search(r"https?:|file:|index-url|find-links|@ ", text)


def test_locks_hold_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = project["project"]["dependencies"]
    for requirement in wanted:
        name = re.split(r"[<>=]", requirement)[0]
        assert re.search(rf"^{name}==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
        assert ">=" in requirement
        assert "<" in requirement


def test_the_test_tools_are_locked_with_every_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lock = (ROOT / "requirements-dev.lock").read_text("utf-8")
    extras = project["project"]["optional-dependencies"]
    # what trains models is large, and locked apart
    wanted = [r for name, rs in extras.items() if name != "train" for r in rs]
    wanted += project["dependency-groups"]["dev"]
    names = [re.split(r"[<>=\[]", r)[0].replace(".", "-") for r in wanted]
    assert len(names) > 20
    assert [n for n in names if not re.search(rf"^{n}==", lock, re.MULTILINE)] == []


def test_ci_runs_the_readme_command() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert "make test" in script.read_text("utf-8")
    assert "make test" in (ROOT / "README.md").read_text("utf-8")


def test_modules_stop_at_500_lines() -> None:
    long = {
        path.relative_to(ROOT).as_posix(): n
        for path in (ROOT / "src").rglob("*.py")
        if (n := len(path.read_text("utf-8").splitlines())) > 500
    }
    assert long == {}


def test_no_room_hides_a_public_name() -> None:
    rooms = {path.stem for path in Path(prandial.__file__).parent.iterdir()}
    assert rooms.isdisjoint(prandial.__all__)
