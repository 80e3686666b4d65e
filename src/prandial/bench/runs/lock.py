"""One writer of a run's folder at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from prandial.errors import InputError
from prandial.sources.exclusive import only_writer

__all__ = ["LOCK", "held"]

LOCK: Final = ".lock"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep other processes out of a run's folder, where the system can.

    Parameters
    ----------
    folder : Path
        Made when it is missing.

    Raises
    ------
    InputError
        When another process writes to it, or it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / LOCK).open("ab")
    except OSError as error:
        raise InputError(
            "the folder cannot be made or written to",
            where=str(folder),
            hint=error.strerror or "name another folder",
        ) from error
    with file:
        if not only_writer(file):
            raise InputError(
                "another process is at this run",
                where=str(folder),
                hint="wait until it is done, or name another folder",
            )
        yield
