"""Sentences that talk of other things than food.

A text of several sentences may hold some about the weather or the bus. A stray
word there ("the power went out") still finds a food ("POWER BAR"). A sentence is
taken for talk when it states no weight, volume or package, none of its foods is
really named, and another sentence of the text does name one.

A food is named when the words hold its head noun, a word of its brand, or the
whole of one of its other names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from prandial.meal.names import brand_of, synonyms
from prandial.meal.tokens import tokenize

if TYPE_CHECKING:
    from prandial.meal.match import Match, Matcher
    from prandial.meal.reading import Reading
    from prandial.meal.segment import Segment

__all__ = ["talk"]

_FOOD_UNITS: Final = frozenset(("mass", "volume", "container"))
#: a corrected word shorter than this names no food by itself
_LONG: Final = 6


def talk(reading: Reading, segments: Sequence[Segment], matcher: Matcher) -> set[int]:
    """Return the places of the segments whose food is not to be believed.

    Parameters
    ----------
    reading : Reading
    segments : sequence of Segment
    matcher : Matcher

    Returns
    -------
    set of int
        Empty for a text of one sentence.
    """
    if not any(a.hard for a in reading.atoms):
        return set()
    sentence_of: list[int] = []
    number = 0
    for atom in reading.atoms:
        number += atom.hard
        sentence_of.append(number)
    named: set[int] = set()
    weak: dict[int, list[int]] = {}
    for k, seg in enumerate(segments):
        if seg.match is None:
            continue
        at = next(
            (sentence_of[a] for a in range(seg.first, seg.last) if reading.atoms[a].content),
            sentence_of[seg.first],
        )
        if _measured(reading, seg) or _named(seg.match, matcher):
            named.add(at)
        else:
            weak.setdefault(at, []).append(k)
    if not named:
        return set()
    return {k for at, places in weak.items() if at not in named for k in places}


def _measured(reading: Reading, seg: Segment) -> bool:
    return any(
        m.unit is not None and m.unit.kind in _FOOD_UNITS
        for a in reading.atoms[seg.first : seg.last]
        for m in a.marks
    )


def _named(match: Match, matcher: Matcher) -> bool:
    """Tell whether a span's words name its food."""
    index, food, q = matcher.index, match.best_food, match.query
    guessed = {fixed for word, fixed in q.corrected if len(word) < _LONG}
    said = {*q.words, *q.implied, *q.implied_heads} - guessed
    for word in said:
        rows = index.heads.get(word)
        if rows is not None and food in rows:
            return True
    brand = brand_of(index.table.names[food])
    if any(t.stem in said for t in tokenize(brand) if t.kind == "word"):
        return True
    return any(
        all(t.stem in said for t in tokenize(entry) if t.kind == "word")
        for entry in synonyms(index.table.alt_names[food])
    )
