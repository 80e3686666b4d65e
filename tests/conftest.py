"""Shared fixtures, and a loud word about every test that could not run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FULL = os.environ.get("PRANDIAL_FULL") == "1"

_HEAVY = "heavy: runs with PRANDIAL_FULL=1"
_ABSENT = "the shared data is not here"


def shared_folder() -> Path:
    """Return where the shared data is looked for: PRANDIAL_SHARED, or beside the repository."""
    return Path(os.environ.get("PRANDIAL_SHARED") or ROOT.parent / "shared")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a file's bytes by their argument: every process must find the same names."""
    return argname if isinstance(val, bytes) and len(val) > 16 else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    absent = not shared_folder().is_dir()
    for item in items:
        if item.get_closest_marker("full") is not None and not FULL:
            item.add_marker(pytest.mark.skip(reason=_HEAVY))
        elif absent and "shared_dir" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason=_ABSENT))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    # from the reports, which come from every process that ran tests
    skipped = terminalreporter.stats.get("skipped", [])

    def because(reason: str) -> list[str]:
        return sorted(r.nodeid for r in skipped if reason in str(r.longrepr))

    for head, reason, red in (
        ("SHARED DATA ABSENT: {} tests did not run: ", _ABSENT, True),
        ("WEIGHTS ABSENT: {} tests did not run (make weights): ", "WEIGHTS ABSENT", True),
        ("HEAVY TESTS LEFT OUT: {} run with PRANDIAL_FULL=1 (make test-full): ", _HEAVY, False),
    ):
        if names := because(reason):
            line = head.format(len(names)) + ", ".join(names)
            terminalreporter.write_line(line, red=red, yellow=not red)


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """Folder of the shared data; tests that ask for it are skipped, loudly, without it."""
    return shared_folder()


@pytest.fixture(scope="session")
def repo() -> Path:
    """Folder of the repository."""
    return ROOT
