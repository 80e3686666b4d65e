"""One writer of a run's folder at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from prandial.errors import InputError

__all__ = ["LOCK", "held"]

LOCK: Final = ".lock"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep other processes out of a run's folder, where the system can.

    The lock is the system's own and goes with the process, so that a run that was killed does
    not bar the way.

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
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:
            pass
        except BlockingIOError:
            raise InputError(
                "another process is at this run",
                where=str(folder),
                hint="wait until it is done, or name another folder",
            ) from None
        except OSError:
            pass  # a file system without locks
        yield
