"""A meal as a list of items: each has its words for the food and for how much.

The list is read as one text, so that foods still say something about each other
(milk beside coffee, milk beside cereal), and every item of the result is traced back
to its line. Where two lines run together in one text, each is read by itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from prandial.errors import InputError
from prandial.meal.estimator import Estimator
from prandial.records import Band, Estimate, MealItem

__all__ = ["ListedEstimate", "SaidItem", "estimate_items"]

#: ways to write a list, the one that keeps most lines apart first
_SEPARATORS: Final = (", ", "; ")
_SPACE: Final = re.compile(r"[\s;]+")
_APART: Final = "bands of lines read apart are added end to end: wider than 90 %"


@dataclass(frozen=True, kw_only=True, slots=True)
class SaidItem:
    """One item in words.

    Parameters
    ----------
    food : str
        Words of the food; not blank.
    quantity : str
        Number, in digits or words; empty if not said.
    unit : str
        Measure, such as ``cup`` or ``small can``; empty if there is none.
    """

    food: str
    quantity: str = ""
    unit: str = ""

    def line(self) -> str:
        """Return the item as one line; what two fields both say is written once."""
        words: list[str] = []
        for part in (self.quantity, self.unit, self.food):
            new = _SPACE.sub(" ", part).strip(" ,.").split(" ")
            if not _said(words, new):
                words += [w for w in new[_overlap(words, new) :] if w]
        return " ".join(words)


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedEstimate:
    """The estimate of a list.

    Parameters
    ----------
    estimate : Estimate
        Its text holds the lines; the spans of its items are places there.
    lines : tuple of str
    items_of : tuple of tuple of int
        For each line, the numbers of its items in the estimate; empty where a line
        names no food that is known as one.
    together : bool
        False when each line was read by itself.
    """

    estimate: Estimate
    lines: tuple[str, ...]
    items_of: tuple[tuple[int, ...], ...]
    together: bool


def estimate_items(
    items: Sequence[SaidItem],
    *,
    estimator: Estimator,
    locale: str = "en-US",
    nutrients: Sequence[str] | None = None,
    country: str | None = None,
) -> ListedEstimate:
    """Estimate a meal given as a list of items.

    Parameters
    ----------
    items : sequence of SaidItem
        At least one.
    estimator : Estimator
    locale, nutrients, country
        As :meth:`Estimator.estimate`.

    Returns
    -------
    ListedEstimate

    Raises
    ------
    InputError
        For an empty list, and an item without a food.

    Examples
    --------
    >>> from prandial.meal import SaidItem, estimate_items, get_estimator
    >>> half = SaidItem(quantity="1/2", food="banana")
    >>> found = estimate_items([half], estimator=get_estimator())
    >>> found.lines, found.estimate.items[0].portion.grams.mid
    (('1/2 banana',), 63.0)
    """
    lines = _lines_of(items)
    fallback: ListedEstimate | None = None
    for separator in _SEPARATORS:
        text = separator.join(lines)
        estimate = estimator.estimate(text, locale=locale, nutrients=nutrients, country=country)
        items_of = _items_of(estimate, lines, len(separator))
        if items_of is None:
            continue
        found = ListedEstimate(estimate=estimate, lines=lines, items_of=items_of, together=True)
        if all(len(numbers) == 1 for numbers in items_of):
            return found
        if fallback is None and all(items_of):
            fallback = found
    if fallback is not None:
        return fallback
    return _apart(
        lines,
        [
            estimator.estimate(line, locale=locale, nutrients=nutrients, country=country)
            for line in lines
        ],
    )


def _said(words: Sequence[str], new: Sequence[str]) -> bool:
    """Tell whether ``words`` end with all of ``new``, spaces aside: "100g" says "g"."""
    old, end = "".join(words).casefold(), "".join(new).casefold()
    if not end or not old.endswith(end):
        return not end
    before = old[: -len(end)][-1:]
    return not (before.isalnum() and before.isalpha() == end[0].isalpha())


def _overlap(words: Sequence[str], new: Sequence[str]) -> int:
    """Count the words at the start of ``new`` that ``words`` end with."""
    low, fresh = [w.casefold() for w in words], [w.casefold() for w in new]
    for n in range(min(len(low), len(fresh)), 0, -1):
        if low[-n:] == fresh[:n]:
            return n
    return 0


def _lines_of(items: Sequence[SaidItem]) -> tuple[str, ...]:
    if not items:
        raise InputError("no items", where="items", hint="give at least one")
    for k, item in enumerate(items):
        if not _SPACE.sub("", item.food):
            raise InputError(
                "an item without a food", where=f"items[{k}]", hint="leave it out, or name it"
            )
    return tuple(item.line() for item in items)


def _items_of(
    estimate: Estimate, lines: Sequence[str], gap: int
) -> tuple[tuple[int, ...], ...] | None:
    """Return the items of each line; None when an item reaches over two lines."""
    found: list[tuple[int, ...]] = []
    start = placed = 0
    for line in lines:
        end = start + len(line)
        inside = tuple(
            k for k, i in enumerate(estimate.items) if start <= i.span[0] and i.span[1] <= end
        )
        placed += len(inside)
        found.append(inside)
        start = end + gap
    return tuple(found) if placed == len(estimate.items) else None


def _apart(lines: tuple[str, ...], estimates: Sequence[Estimate]) -> ListedEstimate:
    """Put together the estimates of lines that were read by themselves."""
    gap = len(_SEPARATORS[0])
    items: list[MealItem] = []
    items_of: list[tuple[int, ...]] = []
    start = 0
    for line, one in zip(lines, estimates, strict=True):
        items_of.append(tuple(range(len(items), len(items) + len(one.items))))
        items += [replace(i, span=(i.span[0] + start, i.span[1] + start)) for i in one.items]
        start += len(line) + gap
    known = [e for e in estimates if any(i.portion is not None for i in e.items)]
    sure = [e.confidence for e in known if e.confidence is not None]
    first = estimates[0]
    unread = [line for line, numbers in zip(lines, items_of, strict=True) if not numbers]
    notes = [note for e in estimates for note in e.notes]
    notes += [f"not in the total: '{line}' (no food found)" for line in unread]
    estimate = replace(
        first,
        text=_SEPARATORS[0].join(lines),
        items=tuple(items),
        totals={k: _added([e.totals[k] for e in known]) for k in first.totals},
        totals_50={k: _added([e.totals_50[k] for e in known]) for k in first.totals_50},
        complete=all(e.complete for e in estimates),
        status="ok"
        if all(e.status == "ok" for e in estimates)
        else ("incomplete" if items else first.status),
        notes=tuple(dict.fromkeys([*notes, _APART] if len(known) > 1 else notes)),
        confidence=math.prod(sure) if sure else None,
        because=None,
    )
    return ListedEstimate(estimate=estimate, lines=lines, items_of=tuple(items_of), together=False)


def _added(bands: Sequence[Band | None]) -> Band | None:
    """Add bands end to end; unknown when one is, or when there are none."""
    known = [b for b in bands if b is not None]
    if not known or len(known) < len(bands):
        return None
    return Band(
        low=math.fsum(b.low for b in known),
        mid=math.fsum(b.mid for b in known),
        high=math.fsum(b.high for b in known),
    )
