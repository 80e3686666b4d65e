"""Studies of people as a person reads them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from prandial.cli.show import new_console, new_table, plain

if TYPE_CHECKING:
    from prandial.bench.raters import Exported, Imported, PeopleFigures
    from prandial.records.bench import Score
    from prandial.score.people import Disagreement, PeopleRow, Wins

__all__ = ["show_export", "show_figures", "show_import"]

_SERVINGS = ("metric", "natural")


def show_export(done: Exported) -> None:
    """Print what was written, and what to do with it."""
    say = new_console().print
    servings = ", ".join(f"{n} {plain(s) or 'of no serving'}" for s, n in done.servings.items())
    say(Text(f"{len(done.sheets)} sheets of {done.meals} meals in all ({servings})"))
    say(Text(f"send:  {plain(str(done.sheets[0].parent))}"), soft_wrap=True)
    for path in (*done.instructions, *done.sheets):
        say(Text(f"  {plain(path.name)}"), soft_wrap=True)
    say(Text(f"keep:  {plain(str(done.key))} (labels; never send it)"), soft_wrap=True)
    models = plain(shlex.quote(str(done.key.with_name("meals.jsonl"))))
    say(Text("the same meals for models:"))
    # in one piece, so that it can be copied
    say(Text(f"  prandial bench run nutribench --data {models} --out RUN"), soft_wrap=True)
    say(Text("who rates with and without look-up does the part without first"))


def show_import(done: Sequence[Imported]) -> None:
    """Print the runs that were made."""
    say = new_console().print
    table = new_table("rater", "arm", "meals", "answered", "refused", "unreadable", "minutes")
    for one in done:
        table.add_row(
            plain(one.rater),
            one.arm,
            str(one.meals),
            str(one.answered),
            str(one.refused),
            str(one.unreadable),
            "?" if one.minutes is None else f"{one.minutes:.1f}",
        )
    say(table)
    say(Text("runs, for 'bench people figures', 'bench score' and 'bench report':"))
    for one in done:
        say(Text(f"  {plain(str(one.folder))}"), soft_wrap=True)
    for one in done:
        for note in one.notes:
            say(Text(f"note: {plain(note)}"))


def show_figures(found: PeopleFigures) -> None:
    """Print all figures of a study; what needs two raters or a model only where there are."""
    console = new_console()
    say = console.print
    say(Text(f"rules: {found.rules}; shares in %, with 95 % intervals over meals"))
    _serving(console, found)
    for arm, wins in found.wins.items():
        if len(wins) > 1:
            _wins(console, arm, wins)
    for arm, found_sweeps in found.sweeps.items():
        for one in found_sweeps:
            say(
                Text(
                    f"{arm}: of {one.meals} meals {plain(one.model)} is nearer than every person"
                    f" on {len(one.model_nearest)}, every person is nearer on"
                    f" {len(one.people_nearer)}"
                )
            )
    for arm, groups in found.disagreement.items():
        for group in groups:
            _disagreement(console, arm, group)
    _time(console, found)
    _paired(console, found)
    for note in found.notes:
        say(Text(f"note: {plain(note)}"))


def _serving(console: Console, found: PeopleFigures) -> None:
    table = new_table(
        "who", "arm", "right,\nall", *(f"right,\n{s}" for s in _SERVINGS), "MAE", "answers"
    )
    for row in found.serving:
        total = _of(row, "acc_all", "")
        table.add_row(
            plain(row.name),
            row.arm or "model",
            *(_share(row, s) for s in ("", *(f"serving={s}" for s in _SERVINGS))),
            _mae(row),
            _answers(row, total),
        )
    # the paper's rules: its rows never stand beside figures by others
    for paper in found.published if found.rules == "published" else ():
        percents = (paper.acc_all_percent, paper.acc_metric_percent, paper.acc_natural_percent)
        table.add_row(
            plain(f"{paper.method}, published"),
            paper.arm or "model",
            *(f"{p:.2f}" for p in percents),
            "",
            str(paper.meals),
        )
    console.print(table)
    if found.rules != "published":
        console.print(
            Text("the paper's rows (Table 10) stand beside the figures by its own rules:")
        )
        console.print(Text("  --rules published"))


def _of(row: PeopleRow, metric: str, slice_: str) -> Score | None:
    return next((s for s in row.scores if (s.metric, s.slice) == (metric, slice_)), None)


def _share(row: PeopleRow, slice_: str) -> str:
    score = _of(row, "acc_all", slice_)
    if score is None or score.value is None:
        return "-"
    told = f"{100 * score.value:.1f}"
    if score.low is None or score.high is None:
        return told
    return f"{told}\n({100 * score.low:.0f}-{100 * score.high:.0f})"


def _answers(row: PeopleRow, total: Score | None) -> str:
    """Return over how many answers the error is, of how many meals."""
    asked = 0 if total is None else total.n_scored
    errors = next((s for s in row.scores if s.metric.startswith("mae_") and not s.slice), None)
    return f"{0 if errors is None else errors.n_scored} of {asked}"


def _mae(row: PeopleRow) -> str:
    found = [s for s in row.scores if s.metric.startswith("mae_") and not s.slice]
    if not found or found[0].value is None:
        return "-"
    return f"{found[0].value:.1f} {found[0].unit}"


def _wins(console: Console, arm: str, wins: Sequence[Wins]) -> None:
    console.print(Text(f"nearest to the label, {arm} (shared where several are)"))
    table = new_table("who", "wins", "alone", "answered", "meals")
    for one in wins:
        table.add_row(
            plain(one.name), f"{one.wins:.1f}", str(one.alone), str(one.answered), str(one.meals)
        )
    console.print(table)


def _disagreement(console: Console, arm: str, group: Disagreement) -> None:
    console.print(
        Text(
            f"the {len(group.meals)} of {group.of} meals of the {group.group} variance over"
            f" raters, {arm} ({group.low:.3g} to {group.high:.3g})"
        )
    )
    table = new_table("who", "arm", "right, %", "MAE", "answered", "meals")
    for one in group.figures:
        table.add_row(
            plain(one.name),
            one.arm or "model",
            f"{100 * one.acc:.1f}",
            "-" if one.mae is None else f"{one.mae:.1f}",
            str(one.answered),
            str(one.meals),
        )
    console.print(table)


def _time(console: Console, found: PeopleFigures) -> None:
    if all(r.minutes is None for r in found.time):
        return
    table = new_table("who", "arm", "minutes", "for", "minutes a meal")
    for row in found.time:
        table.add_row(
            plain(row.name),
            row.arm,
            "?" if row.minutes is None else f"{row.minutes:.1f}",
            f"{row.timed} of {row.meals} meals",
            "?" if row.minutes_per_meal is None else f"{row.minutes_per_meal:.2f}",
        )
    console.print(table)


def _paired(console: Console, found: PeopleFigures) -> None:
    if not found.paired:
        return
    console.print(Text("people less model on the same meals: right in points of %, mean error"))
    table = new_table("who", "arm", "model", "right", "p", "error", "p", "n")
    for row in found.paired:
        right = row.acc_difference
        error = row.error_difference
        table.add_row(
            plain(row.name),
            row.arm,
            plain(row.model),
            _interval(right.value, right.low, right.high, 100),
            _p(row.acc_p),
            _interval(error.value, error.low, error.high, 1),
            _p(row.error_p),
            str(row.meals),
        )
    console.print(table)


def _p(value: float | None) -> str:
    if value is None:
        return "-"
    return "<.001" if value < 0.001 else f"{value:.3f}"


def _interval(value: float | None, low: float | None, high: float | None, times: float) -> str:
    if value is None:
        return "-"
    told = f"{times * value:+.1f}"
    if low is None or high is None:
        return told
    return f"{told}\n({times * low:+.1f} to {times * high:+.1f})"
