"""A review of errors as a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from prandial.cli.show import NOT_ADVICE, new_console, new_table, plain
from prandial.nutrients import LABELS, unit_of
from prandial.score import REASONS

if TYPE_CHECKING:
    from rich.console import Console

    from prandial.score import ErrorReview, ItemReview, MealReview, Summary

__all__ = ["show_review"]

_TEXT_CHARS: Final = 120
_CELLS: Final = 10


def show_review(review: ErrorReview, *, most: int | None = None) -> None:
    """Print figures, the worst meals, reasons and confusion.

    Parameters
    ----------
    review : ErrorReview
    most : int, optional
        Most meals to print.
    """
    console = new_console()
    console.print(Text(plain(f"{review.file}: {review.rows} rows; {review.estimator}")))
    for summary in review.summaries.values():
        console.print(Text(_figures(summary)))
    for finding in review.findings:
        console.print(Text(f"note: {plain(finding)}"))
    if review.worst:
        _show_meals(console, review.worst[:most], review.nutrient)
    if review.reasons:
        wrong = sum(review.reasons.values())
        table = new_table("why meals missed", "meals", "share")
        for reason, n in review.reasons.items():
            table.add_row(REASONS[reason][0], str(n), f"{100 * n / wrong:.0f} %")
        console.print(table)
    if review.with_gold:
        _show_confusion(console, review)
    console.print(Text(NOT_ADVICE))


def _figures(s: Summary) -> str:
    unit = unit_of(s.nutrient)
    name = LABELS[s.nutrient]
    if s.right is None or s.right_low is None or s.right_high is None:
        return f"{name}: no labelled meals"
    told = (
        f"{name}: {s.n} meals, {s.answered} answered; within {s.limit:g} {unit}:"
        f" {100 * s.right:.1f} % (95 %: {100 * s.right_low:.1f}-{100 * s.right_high:.1f})"
    )
    if s.mae is not None:
        told += (
            f"; mean error {s.mae:.2f} {unit}, median {s.median_error:.2f},"
            f" 90th percentile {s.p90_error:.2f}"
        )
    if s.covered is not None and s.covered_low is not None and s.covered_high is not None:
        meant = "" if s.range_meant is None else f" (meant: {100 * s.range_meant:.0f} %)"
        told += (
            f"; range holds the label: {100 * s.covered:.1f} % (95 %:"
            f" {100 * s.covered_low:.1f}-{100 * s.covered_high:.1f}){meant},"
            f" median width {s.median_width:.1f} {unit}"
        )
    return told


def _show_meals(console: Console, meals: tuple[MealReview, ...], nutrient: str) -> None:
    unit = unit_of(nutrient)
    table = new_table("row", "meal and what was read", "reason")
    for name in ("label", "estimate", "error"):
        table.add_column(f"{name}\n{unit}", justify="right", no_wrap=True)
    for meal in meals:
        o = meal.outcome
        lines = [_short(meal.text), *(_item(i) for i in meal.items)]
        estimate = "none" if o.mid is None else f"{o.mid:.1f}"
        if o.low is not None and o.high is not None:
            estimate += f"\n{o.low:.0f}-{o.high:.0f}"
        table.add_row(
            str(meal.row) if meal.id is None else Text(f"{meal.row}\n{plain(str(meal.id))}"),
            Text("\n".join(lines)),
            REASONS[meal.reason][0],
            f"{o.truth:.1f}",
            estimate,
            "none" if o.error is None else f"{o.error:+.1f}",
        )
    console.print(table)


def _item(review: ItemReview) -> str:
    item, gold = review.item, review.gold
    read = "nothing"
    if item is not None:
        read = "no food found" if item.food is None else plain(item.food.name)
        if item.portion is not None:
            read += f", {item.portion.grams.mid:.0f} g"
    if gold is None:
        return f"  {'extra: ' if review.verdict is not None else ''}{read}"
    eaten = plain(gold.name) + ("" if gold.grams is None else f", {gold.grams:.0f} g")
    if review.verdict is None:
        return f"  {eaten}"
    return f"  {read}" + ("" if review.verdict == "right" else f"  [gold: {eaten}]")


def _show_confusion(console: Console, review: ErrorReview) -> None:
    unit = unit_of(review.nutrient)
    table = new_table("eaten", "read as")
    for name in ("items", f"lost\n{unit}"):
        table.add_column(name, justify="right", no_wrap=True)
    for gold, read, cell in review.confusion.top(_CELLS):
        table.add_row(Text(plain(gold)), Text(plain(read)), str(cell.items), f"{cell.lost:.0f}")
    console.print(Text(f"confusion by food group, {review.with_gold} meals with gold items"))
    console.print(table)


def _short(text: str) -> str:
    line = plain(" ".join(text.split()))
    return line if len(line) <= _TEXT_CHARS else line[: _TEXT_CHARS - 3] + "..."
