"""The bar of steps that long verbs show on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["build_progress"]

#: told before each step: its name, its number from 0, and how many there are
Hear = Callable[[str, int, int], object]


@contextmanager
def build_progress(*, show: bool) -> Iterator[Hear | None]:
    """Show the steps of a build on stderr."""
    if not show:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
    )
    task = bar.add_task("build", total=None)

    def hear(step: str, number: int, of: int) -> None:
        bar.start()  # only now: an error before the first step stands alone on stderr
        bar.update(task, description=step, completed=number, total=of)

    try:
        yield hear
        bar.update(task, description="done", completed=bar.tasks[task].total)
    finally:
        if bar.live.is_started:
            bar.stop()
