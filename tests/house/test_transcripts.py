"""What pages show of the command line is what it prints.

A block ``csv NAME`` is a file, and each ``$ prandial ...`` of a block ``console`` is run beside
it, page by page in a folder of its own. ``...`` in the output stands for anything.
"""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from prandial.cli.run import run

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"^```(console|csv [\w.-]+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def _steps(page: Path) -> list[tuple[str, str]]:
    """Return files (name, text) and commands (``$ ...``, output) in their order."""
    steps = []
    for kind, body in _BLOCK.findall(page.read_text("utf-8")):
        if kind != "console":
            steps.append((kind.removeprefix("csv "), body))
            continue
        for part in re.split(r"^(?=\$ )", body, flags=re.MULTILINE):
            if part:
                command, _, shown = part.partition("\n")
                steps.append((command, shown))
    return steps


PAGES = [p for p in sorted(ROOT.glob("docs/*.md")) if "```console\n" in p.read_text("utf-8")]


def _told(text: str) -> str:
    """Return lines without what nobody sees: blank ones, and spaces at an end."""
    lines = [line.rstrip() for line in text.splitlines()]
    return "".join(f"{line}\n" for line in lines if line)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_commands_print_what_the_page_shows(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in (("PRANDIAL_HOME", str(tmp_path / "home")), ("COLUMNS", "100"),
                        ("NO_COLOR", "1")):  # fmt: skip
        monkeypatch.setenv(name, value)
    for name in ("PRANDIAL_DATA", "PRANDIAL_DEBUG", "PRANDIAL_WEIGHTS"):
        monkeypatch.delenv(name, raising=False)
    same = doctest.OutputChecker().check_output
    ran = 0
    for what, shown in _steps(page):
        if not what.startswith("$ "):
            Path(what).write_text(shown, "utf-8")
            continue
        program, *words = shlex.split(what.removeprefix("$ "))
        assert program == "prandial", what
        capsys.readouterr()
        run(words)
        out, err = capsys.readouterr()
        got = _told(out + err)
        assert same(_told(shown), got, doctest.ELLIPSIS), f"{what}\n{got}"
        ran += 1
    assert ran > 0


def test_the_guide_to_benches_has_transcripts() -> None:
    assert "bench.md" in [p.name for p in PAGES]
