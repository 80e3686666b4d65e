"""The command line: a door that speaks only to the API."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments after the program's name; those of the process when None.
    """
    from prandial.cli.run import run

    sys.exit(run(sys.argv[1:] if argv is None else argv))
