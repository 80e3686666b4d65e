"""Processes that can be interrupted, however the tests themselves were started.

A shell without job control starts background commands with SIGINT ignored, which every child
inherits: there a test of Ctrl-C would wait for something that cannot come.
"""

from __future__ import annotations

import signal


def hears_interrupt() -> None:
    """Run in a child before its program: SIGINT does what it does at a terminal."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
