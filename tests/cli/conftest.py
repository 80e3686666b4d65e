"""Running the command line inside the test's process."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from prandial.cli.run import run


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, str]:
        body = json.loads(self.err)
        assert list(body) == ["error"]
        return dict(body["error"])


Command = Callable[..., Done]


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """User tables of a test live in its own folder."""
    home = tmp_path / "prandial-home"
    monkeypatch.setenv("PRANDIAL_HOME", str(home))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("PRANDIAL_DEBUG", raising=False)
    return home


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return a function that runs ``prandial`` with some arguments."""

    def call(*arguments: object, stdin: bytes | None = None) -> Done:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = run([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return call


Refused = Callable[..., dict[str, str]]


@pytest.fixture
def refused(command: Command) -> Refused:
    """Return a function that runs a command that must fail and returns its error.

    It runs twice, for people and for programs: both tell what, where and what to do next,
    with the same exit code, no traceback and nothing on standard output.
    """

    def call(code: int, *arguments: object) -> dict[str, str]:
        plain, told = command(*arguments), command(*arguments, "--json")
        for done in (plain, told):
            assert (done.code, done.out) == (code, ""), done
            assert "Traceback" not in done.err
            assert "unexpected failure" not in done.err
        error = told.error
        assert all(error[k] for k in ("kind", "what", "where", "hint")), error
        for part in (error["what"], f"  where: {error['where']}", f"  next: {error['hint']}"):
            assert part in plain.err
        return error

    return call


@pytest.fixture
def narrow() -> Callable[[str], None]:
    """Return a check that a text fits a terminal of 80 columns."""

    def check(text: str) -> None:
        assert text
        assert max(map(len, text.splitlines())) <= 80, max(text.splitlines(), key=len)

    return check
