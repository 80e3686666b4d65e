"""One writer of a file at a time, where the system can tell."""

from __future__ import annotations

from typing import IO, Any

__all__ = ["only_writer"]


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
