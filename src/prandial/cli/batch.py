"""A file of meals on the command line: progress, summary, interruption."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from prandial import api
from prandial.errors import InputError, PrandialError

if TYPE_CHECKING:
    from prandial.batch import BatchReport, Progress

__all__ = ["Count", "estimate_file", "progress_bar"]

_INTERRUPTED: Final = 130


class Count:
    """Rows done and in all, as last heard."""

    def __init__(self) -> None:
        self.first: int | None = None
        self.done = 0
        self.total = 0

    def hear(self, done: int, total: int) -> None:
        """Take note of the progress."""
        if self.first is None:
            self.first = done
        self.done, self.total = done, total


def estimate_file(
    input_path: Path,
    output: Path | None,
    *,
    show_progress: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Estimate a file of meals and tell what was done.

    Returns
    -------
    int
        0 when every row was estimated, 1 when the estimator failed on some
        (their rows say so), 130 when interrupted.
    """
    if output is None:
        raise InputError(
            "where to write?", where="command line", hint="name a .csv, .jsonl or .parquet --output"
        )
    count = Count()
    start = time.perf_counter()
    try:
        with progress_bar(count, show=show_progress) as hear:
            report = api.estimate_file(input_path, output, progress=hear, **options)
    except KeyboardInterrupt:
        _say_interrupted(count, output)
        return _INTERRUPTED
    seconds = time.perf_counter() - start
    _say_done(report, count, seconds)
    if as_json:
        sys.stdout.write(json.dumps(report.to_dict(), ensure_ascii=False) + "\n")
    return PrandialError.exit_code if report.broken else 0


def _say_interrupted(count: Count, output: Path) -> None:
    kept = f"{count.done} of {count.total} rows are kept in {output}.part; " if count.total else ""
    sys.stderr.write(
        f"prandial: interrupted; {kept}run the same command again to go on, or with --fresh to"
        " start anew\n"
    )


def _say_done(report: BatchReport, count: Count, seconds: float) -> None:
    say = sys.stderr.write
    for line in report.findings:
        say(f"note: {line}\n")
    if report.resumed_at:
        say(f"note: went on after {report.resumed_at} rows of an interrupted run\n")
    for row in report.broken[:5]:
        say(f"prandial failed on row {row}: see its note, and please report it\n")
    kinds = ", ".join(f"{n} {status}" for status, n in report.statuses.items())
    new = report.rows - (count.first or 0)
    rate = f", {new / seconds:.0f} meals/s" if new else ""
    say(f"wrote {report.rows} rows to {report.output}: {kinds or 'none'} ({seconds:.1f} s{rate})\n")


@contextmanager
def progress_bar(count: Count, *, show: bool, unit: str = "meals") -> Iterator[Progress]:
    """Show a bar on stderr while rows are done; ``unit`` is what is counted."""
    if not show:
        yield count.hear
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    bar = Bar(
        TextColumn(unit),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    start = time.perf_counter()
    task = bar.add_task(unit, total=None, rate="")

    def hear(done: int, total: int) -> None:
        bar.start()  # only now: an error before the first row stands alone on stderr
        count.hear(done, total)
        speed = (done - (count.first or 0)) / max(time.perf_counter() - start, 1e-9)
        bar.update(task, completed=done, total=total, rate=f"{speed:.0f} {unit}/s")

    try:
        yield hear
    finally:
        if bar.live.is_started:
            bar.stop()
