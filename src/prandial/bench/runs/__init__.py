"""Runs on disk: the record, the questions, one line an answer."""

from prandial.bench.runs.store import Run, RunFolder, read_run

__all__ = ["Run", "RunFolder", "read_run"]
