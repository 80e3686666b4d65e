"""Files of the survey and of foods as a person reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from rich.text import Text

from prandial.cli.show import new_console, new_table, plain

if TYPE_CHECKING:
    from prandial.bench.ngqa import CycleAtHand
    from prandial.sources.datasets import PartAtHand
    from prandial.sources.food_files import ReleaseAtHand
    from prandial.sources.report import GetReport, Progress

__all__ = ["fetch_bar", "show_cycles", "show_fetched", "show_parts", "show_releases"]

_SHOWN: Final = 20
_MEGA: Final = 1e6


@contextmanager
def fetch_bar(*, show: bool) -> Iterator[Callable[[Progress], object] | None]:
    """Show a bar of bytes for each file that is being fetched, on stderr."""
    if not show:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn
    from rich.progress import Progress as Bar

    bar = Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        console=Console(stderr=True),
    )
    tasks: dict[str, int] = {}

    def hear(step: Progress) -> None:
        bar.start()
        if step.file not in tasks:
            tasks[step.file] = bar.add_task(step.file, total=step.total)
        bar.update(tasks[step.file], completed=step.done, total=step.total)  # type: ignore[arg-type]
        if step.status != "fetching":
            bar.remove_task(tasks.pop(step.file))  # type: ignore[arg-type]

    try:
        yield hear
    finally:
        if bar.live.is_started:
            bar.stop()


def show_fetched(report: GetReport) -> None:
    """Print what became of each file; the good ones in one line."""
    console = new_console()
    counts = ", ".join(f"{n} {status}" for status, n in report.counts.items() if n)
    size = sum(f.downloaded for f in report.files) / _MEGA
    console.print(Text(f"{report.target}: {counts or 'nothing'} ({size:.1f} MB fetched)"))
    odd = [f for f in report.files if f.status in ("absent", "failed") or f.why]
    if odd:
        table = new_table("file", "status", "why")
        for f in odd[:_SHOWN]:
            name = f.file if f.file.startswith(f.cycle) else f"{f.cycle} {f.file}"
            table.add_row(Text(plain(name)), f.status, Text(plain(f.why)))
        console.print(table)
        if len(odd) > _SHOWN:
            console.print(Text(f"and {len(odd) - _SHOWN} more (all with --json)"))


def show_cycles(found: Sequence[CycleAtHand]) -> None:
    """Print the cycles with files known and at hand."""
    table = new_table("cycle", "people", "files known", "at hand", "missing")
    for c in found:
        missing = "" if c.at_hand == 0 else ", ".join(c.missing[:6])
        more = f" and {len(c.missing) - 6} more" if missing and len(c.missing) > 6 else ""
        numbers = (f"{c.respondents:,}", str(c.files), str(c.at_hand))
        table.add_row(Text(c.cycle), *numbers, Text(missing + more))
    console = new_console()
    console.print(table)
    console.print(Text("prandial data get nhanes --cycle YEARS fetches what is missing"))


def show_releases(found: Sequence[ReleaseAtHand]) -> None:
    """Print the releases of foods with files known and at hand."""
    table = new_table("release", "at hand", "missing")
    for r in found:
        table.add_row(Text(r.release), Text(", ".join(r.at_hand)), Text(", ".join(r.missing)))
    console = new_console()
    console.print(table)
    console.print(Text("prandial data get foods fetches what is missing"))


def show_parts(dataset: str, found: Sequence[PartAtHand]) -> None:
    """Print the files of a data set on record, and where they lie."""
    table = new_table("part", "file", "at hand")
    for p in found:
        table.add_row(
            Text(p.part), Text(p.file), Text("" if p.path is None else plain(str(p.path)))
        )
    console = new_console()
    console.print(table)
    console.print(Text(f"prandial data get {dataset} fetches what is missing"))
