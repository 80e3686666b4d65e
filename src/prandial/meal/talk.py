"""Sentences that talk of other things than food.

A text of several sentences may hold some about the weather or the bus. A stray
word there ("the power went out") still finds a food ("POWER BAR"). A sentence is
taken for talk when it states no weight, volume or package, counts no food by
words that are all the food's own, names none, and another sentence does.

A food is named when the words hold its head noun, or are all its own and hold
half of its brand or the whole of one of its other names.
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

__all__ = ["names_food", "talk"]

_FOOD_UNITS: Final = frozenset(("mass", "volume", "container"))
#: a corrected word shorter than this names no food by itself
_LONG: Final = 6


def talk(reading: Reading, segments: Sequence[Segment], matcher: Matcher) -> set[int]:
    """Return the places of the segments that stand in sentences of talk.

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
    at_of = [
        next(
            (sentence_of[a] for a in range(s.first, s.last) if reading.atoms[a].content),
            sentence_of[s.first],
        )
        for s in segments
    ]
    named = {
        at
        for at, seg in zip(at_of, segments, strict=True)
        if seg.match is not None
        and (_measured(reading, seg, matcher) or names_food(seg.match, matcher))
    }
    return {k for k, at in enumerate(at_of) if named and at not in named}


def _measured(reading: Reading, seg: Segment, matcher: Matcher) -> bool:
    """Tell whether a weight, volume or package is stated, or a food counted by its own words."""
    marks = [m for a in reading.atoms[seg.first : seg.last] for m in a.marks]
    if any(m.unit is not None and m.unit.kind in _FOOD_UNITS for m in marks):
        return True
    match = seg.match
    return (
        match is not None
        and any(m.numbered for m in marks)
        and not (match.query.unknown or match.query.corrected or matcher.unused_words(match))
    )


def names_food(match: Match, matcher: Matcher) -> bool:
    """Tell whether a span's words name its food."""
    index, food, q = matcher.index, match.best_food, match.query
    guessed = {fixed for word, fixed in q.corrected if len(word) < _LONG}
    said = {*q.words, *q.implied, *q.implied_heads} - guessed
    for word in said:
        rows = index.heads.get(word)
        if rows is not None and food in rows:
            return True
    if q.unknown or matcher.unused_words(match):
        return False
    brand = [
        t.stem in said for t in tokenize(brand_of(index.table.names[food])) if t.kind == "word"
    ]
    if brand and 2 * sum(brand) >= len(brand):
        return True
    return any(
        all(t.stem in said for t in tokenize(entry) if t.kind == "word")
        for entry in synonyms(index.table.alt_names[food])
    )
