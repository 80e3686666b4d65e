"""Shared fixtures, and a loud word about every test that could not run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FULL = os.environ.get("PRANDIAL_FULL") == "1"

_shared_absent = pytest.StashKey[list[str]]()
_full_left_out = pytest.StashKey[list[str]]()


def shared_folder() -> Path:
    """Return where the shared data is looked for: PRANDIAL_SHARED, or beside the repository."""
    return Path(os.environ.get("PRANDIAL_SHARED") or ROOT.parent / "shared")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_shared_absent] = []
    config.stash[_full_left_out] = []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    absent = not shared_folder().is_dir()
    for item in items:
        if item.get_closest_marker("full") is not None and not FULL:
            config.stash[_full_left_out].append(item.nodeid)
            item.add_marker(pytest.mark.skip(reason="heavy: runs with PRANDIAL_FULL=1"))
        elif absent and "shared_dir" in getattr(item, "fixturenames", ()):
            config.stash[_shared_absent].append(item.nodeid)
            item.add_marker(pytest.mark.skip(reason="the shared data is not here"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    stash = terminalreporter.config.stash
    absent, left_out = stash[_shared_absent], stash[_full_left_out]
    if absent:
        terminalreporter.write_line(
            f"SHARED DATA ABSENT: {len(absent)} tests did not run: " + ", ".join(absent), red=True
        )
    skipped = terminalreporter.stats.get("skipped", [])
    without = [r.nodeid for r in skipped if "WEIGHTS ABSENT" in str(r.longrepr)]
    if without:
        terminalreporter.write_line(
            f"WEIGHTS ABSENT: {len(without)} tests did not run (make weights): "
            + ", ".join(without),
            red=True,
        )
    if left_out:
        terminalreporter.write_line(
            f"HEAVY TESTS LEFT OUT: {len(left_out)} run with PRANDIAL_FULL=1 (make test-full): "
            + ", ".join(left_out),
            yellow=True,
        )


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """Folder of the shared data; tests that ask for it are skipped, loudly, without it."""
    return shared_folder()


@pytest.fixture(scope="session")
def repo() -> Path:
    """Folder of the repository."""
    return ROOT
