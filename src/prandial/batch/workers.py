"""Work shared out among processes, started by *spawn*, which share no state with this one.

A worker leaves Ctrl-C to the process that started it, and ends by itself when that is gone.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from prandial.errors import PrandialError

__all__ = ["seldom_collected", "shared_out", "spare_collector", "usual_workers"]

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")
#: tasks a worker has waiting
_AHEAD: Final = 3
#: processes that are started when nobody says how many
_MOST: Final = 4


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Let the garbage collector run seldom for a while; the caller's setting returns."""
    before = gc.get_threshold()
    spare_collector()
    try:
        yield
    finally:
        gc.set_threshold(*before)


def shared_out(
    tasks: Iterable[_Task], work: Callable[[_Task], _Result], workers: int, *, again: str = ""
) -> Iterator[_Result]:
    """Yield what came of tasks, in their order, from several processes.

    Parameters
    ----------
    tasks : iterable
        Taken a few ahead of the work.
    work : callable
        Of a task; it, the tasks and what comes of them are sent between processes.
    workers : int
    again : str
        What happens when the same command is run again, for the message of a lost process.

    Raises
    ------
    PrandialError
        When a process ended unexpectedly.
    """
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_context

    others = set(active_children())
    pool = ProcessPoolExecutor(
        max_workers=workers, mp_context=get_context("spawn"), initializer=_become_worker
    )
    pending: deque[Future[_Result]] = deque()
    try:
        for task in tasks:
            pending.append(pool.submit(work, task))
            if len(pending) >= workers * _AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    except KeyboardInterrupt:
        for worker in set(active_children()) - others:
            worker.terminate()  # what they are at is of no use any more
        raise
    except BrokenProcessPool as error:
        raise PrandialError(
            "a worker process ended unexpectedly",
            where=f"workers={workers}",
            hint="was memory short? run the same command again with fewer workers"
            + (f": {again}" if again else "")
            + ". A script that asks for workers needs its work under if __name__ == '__main__':",
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def usual_workers(asked: int | None, tasks: int) -> int:
    """Return how many processes share out tasks: as many as cores, 4 at most, if not said."""
    return max(1, min(asked or min(os.cpu_count() or 1, _MOST), tasks))


def spare_collector() -> None:
    """Let the garbage collector run seldom: a run makes many objects and keeps most of them.

    Estimates leave no reference cycles, so that hardly anything waits for the
    collector. For processes that do nothing but estimate, and for the time of a
    chunk in a caller's own.
    """
    gc.set_threshold(2_000_000, 50, 1_000)


def _become_worker() -> None:
    """Leave Ctrl-C to the parent, and end when the parent is gone."""
    spare_collector()
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    from multiprocessing import connection

    connection.wait([sentinel])
    os._exit(1)
