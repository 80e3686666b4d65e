"""An estimate told step by step."""

from __future__ import annotations

from collections.abc import Sequence

from prandial.meal.reading import Reading
from prandial.nutrients import LABELS, unit_of
from prandial.records import Estimate

__all__ = ["explanation_lines"]


def explanation_lines(
    estimate: Estimate,
    reading: Reading | None,
    parts: Sequence[tuple[int, int, str, int]],
) -> tuple[str, ...]:
    """Return the steps of an estimate as lines.

    Parameters
    ----------
    estimate : Estimate
    reading : Reading or None
        None when the text was not read.
    parts : sequence of (start, end, role, item)
        Roles of the parts of the text.

    Returns
    -------
    tuple of str
    """
    lines: list[str] = [f"text: {estimate.text!r}", f"table: {estimate.release}"]
    if reading is not None:
        for mark in reading.marks:
            piece = estimate.text[
                reading.tokens[mark.start].start : reading.tokens[mark.end - 1].end
            ]
            number = mark.number
            value = (
                f"{number.mid:g}"
                if number.low == number.high
                else f"{number.low:g} to {number.high:g}, middle {number.mid:g}"
            )
            unit = "" if mark.unit is None else f" {mark.unit.name} ({mark.unit.kind})"
            lines.append(f"amount read: {piece!r} = {value}{unit}")
        skipped = [
            estimate.text[s:e]
            for s, e, role, item in parts
            if item < 0 and role not in ("space", "punctuation")
        ]
        if skipped:
            lines.append("words outside the items: " + " ".join(skipped))
    for k, item in enumerate(estimate.items, start=1):
        lines.append(f"item {k}: {item.text!r} at {item.span[0]}-{item.span[1]}: {item.status}")
        lines += [f"  {step}" for step in item.steps]
        for c in item.candidates:
            lines.append(
                f"  candidate {c.share:6.1%}  score {c.score:7.2f}  {c.name} [{c.source.id}],"
                f" '{c.measure}', {c.grams:.1f} g"
            )
        for name, band in item.nutrients.items():
            label = LABELS.get(name, name)
            if band is None:
                lines.append(f"  {label}: unknown")
            else:
                lines.append(
                    f"  {label}: {band.mid:.1f} {unit_of(name)} ({band.low:.1f} to {band.high:.1f})"
                )
    for name, total in estimate.totals.items():
        label = LABELS.get(name, name)
        lines.append(
            f"total {label}: unknown"
            if total is None
            else f"total {label}: {total.mid:.1f} {unit_of(name)}"
            f" ({total.low:.1f} to {total.high:.1f})"
        )
    lines += [f"note: {note}" for note in estimate.notes]
    lines.append(f"status: {estimate.status}; carbohydrate: {estimate.carbohydrate_definition}")
    return tuple(lines)
