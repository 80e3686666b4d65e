"""Folders of runs to runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from prandial.bench.runs import Run, read_run
from prandial.errors import InputError

__all__ = ["read_runs"]


def read_runs(folders: Sequence[Path]) -> list[Run]:
    """Read runs, in the order given.

    Raises
    ------
    InputError
        Without folders, and on a folder that is named twice.
    MissingDataError, SchemaError
        As :func:`prandial.bench.runs.read_run`.
    """
    if not folders:
        raise InputError("no runs to report", where="runs", hint="name the folders of runs")
    seen: set[Path] = set()
    for folder in folders:
        place = folder.resolve()
        if place in seen:
            raise InputError("a run is named twice", where=str(folder), hint="name it once")
        seen.add(place)
    return [read_run(folder) for folder in folders]
