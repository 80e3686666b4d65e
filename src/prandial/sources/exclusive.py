"""One writer of a file at a time, where the system can tell."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

from prandial.errors import InputError

__all__ = ["LOCK", "held", "only_writer"]

#: lies in a folder that is written
LOCK: Final = ".lock"


def only_writer(file: IO[Any]) -> bool:
    """Return whether this process has an open file to itself, until it is closed.

    The lock is the system's own and goes with the process, so that one that was killed does
    not bar the way. A system, or a file system, without locks lets everyone in.
    """
    try:
        import fcntl

        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        pass  # there are no locks here
    return True


def _lies_at(file: IO[Any], path: Path) -> bool:
    """Whether an opened file is still the one at its path: a writer takes it away when done."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False


@contextmanager
def held(folder: Path, *, by: str = "run", leave: bool = True) -> Iterator[None]:
    """Keep other processes out of a folder, where the system can.

    Parameters
    ----------
    folder : Path
        Made when it is missing.
    by : str
        What writes there, for the message: a run, a build.
    leave : bool
        Whether the lock's file stays, which means nothing by itself; if not, a folder that was
        made and is still empty goes, too.

    Raises
    ------
    InputError
        When another process writes to it, or it cannot be made.
    """
    path = folder / LOCK
    made = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = path.open("ab")
    except OSError as error:
        raise InputError(
            "the folder cannot be made or written to",
            where=str(folder),
            hint=error.strerror or "name another folder",
        ) from error
    with file:
        if not only_writer(file) or not _lies_at(file, path):
            raise InputError(
                f"another process is at this {by}",
                where=str(folder),
                hint="wait until it is done, or name another folder",
            )
        try:
            yield
        finally:
            if not leave:
                with suppress(OSError):  # where open files cannot be removed, it stays
                    path.unlink()
                    if made:
                        folder.rmdir()  # which only an empty folder allows
