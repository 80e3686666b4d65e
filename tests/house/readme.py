"""The output shown in the README: made here, and checked by a test.

Run as ``python -m tests.house.readme`` to refresh it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
_BLOCK = re.compile(r"(<!-- demo-output -->\n)(.*?)(<!-- /demo-output -->)", re.DOTALL)


def meal() -> str:
    """Return the meal of ``make demo``."""
    found = re.search(r"^MEAL := (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


def run_demo(home: Path) -> str:
    """Return the block with the real output, without tables of the user's own."""
    environ = {
        **{k: v for k, v in os.environ.items() if not k.startswith("PRANDIAL_")},
        "PRANDIAL_HOME": str(home),
        "COLUMNS": "80",
        "PYTHONUTF8": "1",
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "prandial", "estimate", meal()],
        env=environ,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    lines = "\n".join(line.rstrip() for line in done.stdout.splitlines()).strip("\n")
    return f'```text\n$ prandial estimate "{meal()}"\n{lines}\n```\n'


def shown() -> str:
    """Return the block as the README has it."""
    found = _BLOCK.search(README.read_text("utf-8"))
    assert found is not None, "README.md has no demo-output block"
    return found[2]


def refresh() -> None:
    """Write the real output into the README."""
    text = README.read_text("utf-8")
    block = run_demo(ROOT / "build" / "no-user-tables")
    README.write_text(_BLOCK.sub(lambda m: m[1] + block + m[3], text), "utf-8")


if __name__ == "__main__":
    refresh()
