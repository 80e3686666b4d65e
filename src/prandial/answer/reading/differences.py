"""Where our reading of replies differs from somebody else's, row by row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from prandial.answer.reading.meals import read_meal_reply
from prandial.records.bench import Reading

__all__ = ["ReadingDifference", "reading_differences"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadingDifference:
    """A reply that we and another reader take differently.

    Parameters
    ----------
    row : str
        Whatever names the row.
    kind : {'only we read it', 'only they read it', 'both read it', 'refusal kept as a number'}
    theirs : float, optional
        None when their reader found nothing.
    ours : Reading
    reply : str
    """

    row: str
    kind: Literal[
        "only we read it", "only they read it", "both read it", "refusal kept as a number"
    ]
    theirs: float | None
    ours: Reading
    reply: str


def reading_differences(
    rows: Iterable[tuple[str, str, float | None]],
    nutrient: str,
    *,
    method: str,
    tolerance: float = 1e-9,
) -> tuple[ReadingDifference, ...]:
    """Return every reply that another reader took differently.

    Parameters
    ----------
    rows : iterable of (row, reply, theirs)
        Their value is None where they found none.
    nutrient : str
    method : str
        That asked for the replies.
    tolerance : float
        Values this close, in the nutrient's unit, agree.

    Returns
    -------
    tuple of ReadingDifference
        In the order of the rows.
    """
    found = []
    for row, reply, theirs in rows:
        ours = read_meal_reply(reply, nutrient, method=method)
        kind = _kind(ours, theirs, tolerance)
        if kind is not None:
            found.append(
                ReadingDifference(row=row, kind=kind, theirs=theirs, ours=ours, reply=reply)
            )
    return tuple(found)


def _kind(
    ours: Reading, theirs: float | None, tolerance: float
) -> (
    Literal["only we read it", "only they read it", "both read it", "refusal kept as a number"]
    | None
):
    if ours.value is None:
        if theirs is None:
            return None
        refusal = ours.status == "refused" and theirs < 0
        return "refusal kept as a number" if refusal else "only they read it"
    if theirs is None:
        return "only we read it"
    return "both read it" if abs(ours.value - theirs) > tolerance else None
