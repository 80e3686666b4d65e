"""Runs of benchmarks as a person reads them, and their progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from prandial.cli.show import new_console, new_table, plain

if TYPE_CHECKING:
    from prandial.bench.runner import Progress
    from prandial.bench.runs import Run

__all__ = ["bench_bar", "money", "run_to_dict", "show_cost", "show_methods", "show_run"]


#: status -> how it is told
_STATUSES: Final = (
    ("answered", "answered"),
    ("refused", "refused"),
    ("unreadable", "unreadable"),
    ("failed", "failed"),
    ("not_asked", "not asked"),
)


@contextmanager
def bench_bar(*, show: bool) -> Iterator[Callable[[Progress], object] | None]:
    """Show the progress of a run on stderr."""
    if not show:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[told]}"),
    )
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=None, told="")

        def hear(progress: Progress) -> None:
            told = ", ".join(f"{n} {s}" for s, n in progress.statuses.items() if s != "answered")
            if progress.cost is not None:
                told += f"{', ' if told else ''}cost {progress.cost:.4f}"
            bar.update(task, completed=progress.done, total=progress.total, told=told)

        yield hear


def run_to_dict(run: Run) -> dict[str, Any]:
    """Return the JSON form of a run: its record and what happened."""
    from prandial.bench.runner import run_summary
    from prandial.bench.runs import forms

    return {
        "folder": str(run.folder),
        "record": forms.record_to(run.record),
        "summary": run_summary(run),
    }


def show_run(run: Run) -> None:
    """Print what happened in a run."""
    from prandial.bench.runner import run_summary

    told, record = run_summary(run), run.record
    lines = [
        f"{record.benchmark} {record.method} {record.model or '(no model)'}: run {record.run}",
        f"{told['questions']} questions: " + ", ".join(f"{told[s]} {w}" for s, w in _STATUSES),
    ]
    if told["incomplete"]:
        lines.append(f"{told['incomplete']} answers are of less than the whole meal (see detail)")
    lines += [f"data: {note}" for note in record.data.get("notes", ())]
    if told["failures"]:
        kinds = ", ".join(f"{n} {kind}" for kind, n in told["failures"].items())
        lines.append(f"failed: {kinds}; run the same command again to ask them again")
        lines += [f"  {kind}, such as {where}" for kind, where in told["failed_at"].items()]
    if told["not_asked"]:
        lines.append("not asked: the maximum cost is reached; raise it to go on")
    if told["calls"]:
        into, out = told["input_tokens"], told["output_tokens"]
        tokens = "tokens not told" if into is None else f"{into:,} tokens in, {out:,} out"
        lines.append(f"{told['calls']} requests, {tokens}")
    if told["seconds"] is not None:
        lines.append(f"{told['seconds']:.1f} s in {told['sittings']} sitting(s)")
    lines.append(f"kept in {run.folder}")
    sys.stdout.write("".join(f"{plain(line)}\n" for line in lines))


def money(amount: float) -> str:
    """Return an amount of money: two decimals, four below 1."""
    return f"{amount:.4f}" if amount < 1 else f"{amount:.2f}"


def show_methods(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print methods by benchmark."""
    console = new_console()
    table = new_table("benchmark", "method", "what it does", "options")
    for row in rows:
        options = ", ".join(f"{k}={v}" for k, v in row["options"].items())
        about = row["problem"] or row["about"]
        table.add_row(row["benchmark"] or "?", row["method"], plain(about), plain(options))
    console.print(table)


def show_cost(told: Mapping[str, Any], model: str) -> None:
    """Print an estimate of cost."""
    how = f"(from {told['sampled']} prompts, with made-up replies)"
    into, out = told["input_tokens"], told["most_output_tokens"]
    lines = [
        f"{told['questions']} questions, {told['calls']:g} requests each {how}",
        f"about {into:,.0f} tokens in, at most {out:,.0f} out ({told['tokens_by']})",
    ]
    if told["cost"] is None:
        lines.append("no price given: --price-in and --price-out, a million tokens")
    else:
        least, most = money(told["cost"]), money(told["most_cost"])
        lines.append(f"cost of {model}: {least} to {most}")
    sys.stdout.write("".join(f"{plain(line)}\n" for line in lines))
