"""Which runs of atoms are items: the cheapest way to explain the whole text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from prandial.meal.amounts import Mark
from prandial.meal.match import Match, Matcher
from prandial.meal.reading import (
    CONTENT,
    DROPPED,
    FILLER,
    JOIN,
    PLACE,
    PUNCT,
    STOP,
    Atom,
    Reading,
)

__all__ = ["Segment", "edges", "is_metric", "is_terse", "segment"]

_MAX_ATOMS: Final = 6
_MAX_TOKENS: Final = 48
#: share of the cost of lacking a weight that an item with a count pays
_COUNTED: Final = 0.3
_ENTRY_LEAD: Final = frozenset((",", "and", "&", "+", "plus", ".", "-"))


@dataclass(frozen=True, slots=True)
class Segment:
    """Atoms ``[first, last)`` as one item, or as words that are no item."""

    first: int
    last: int
    match: Match | None


def _is_mass(mark: Mark) -> bool:
    return (
        mark.numbered
        and mark.unit is not None
        and (mark.unit.kind == "mass" or mark.unit.name in ("ml", "l", "dl", "cl"))
    )


def _junk_cost(reading: Reading, atom: Atom, matcher: Matcher) -> float:
    w = matcher.index.weights
    cost = 0.0
    weights = matcher.index.word_weight
    food_words = matcher.lexicon.implies_words
    named = False
    for i in range(atom.start, atom.end):
        if reading.classes[i] == CONTENT:
            word = reading.tokens[i].stem
            weight = weights.get(word)
            if weight is None:
                weight = 4.0 if word in food_words else 0.3
            named = named or weight > 1.0
            cost += w.junk * weight
    if named:
        cost += w.junk_atom
    for mark in atom.marks:
        if _is_mass(mark):
            cost += w.lost_weight
        elif mark.numbered or mark.unit is not None:
            bare = not atom.content and (mark.unit is not None or not _quoted(reading, atom))
            cost += 1.5 * w.lost_weight if bare else w.lost_amount
        elif atom.content:
            cost += 0.5 * w.lost_amount
    return cost


def _quoted(reading: Reading, atom: Atom) -> bool:
    """Tell whether a number stands between quotation or equal signs, as in code."""
    return any(reading.tokens[i].text in ("'", '"', "=") for i in range(atom.start, atom.end))


@dataclass(slots=True)
class _Span:
    """What stands against joining some atoms into one item."""

    mass: int = 0
    amounts: int = 0
    commas: int = 0
    late: bool = False
    content: bool = False

    def add(self, reading: Reading, atom: Atom) -> bool:
        """Add an atom; tell whether it can belong to the same item."""
        if self.content and atom.content and reading.tokens[atom.start].text == ",":
            self.commas += 1
        own = False
        for mark in atom.marks:
            if mark.bracketed or atom.bracketed:
                continue
            self.mass += _is_mass(mark)
            own = own or _counts(reading, atom, mark)
        if own and atom.content:
            if self.amounts and _new_item(reading, atom):
                return False
            self.amounts += 1
            self.late = self.late or self.content
        self.content = self.content or atom.content > 0
        return True


def _bare_entry(reading: Reading, atom: Atom) -> bool:
    """Tell whether an atom is a bare entry of a list: ", toast" or "and beans"."""
    classes = reading.classes
    lead = [i for i in range(atom.start, atom.end) if classes[i] in (JOIN, PUNCT)]
    rest = [i for i in range(atom.start, atom.end) if classes[i] not in (JOIN, PUNCT)]
    return (
        bool(rest)
        and all(classes[i] == CONTENT for i in rest)
        and all(reading.tokens[i].text in _ENTRY_LEAD for i in lead)
        and (atom.start == 0 or bool(lead))
    )


def _swallows(reading: Reading, atoms: Sequence[Atom], match: Match, matcher: Matcher) -> bool:
    """Tell whether a food leaves all words of an entry such as "and beans" unexplained."""
    have = matcher.index.food_terms(match.best_food)
    standins = match.query.standins
    for atom in atoms:
        if not _bare_entry(reading, atom):
            continue
        named = False
        for i in range(atom.start, atom.end):
            if reading.classes[i] != CONTENT:
                continue
            word = reading.tokens[i].stem
            if word in have or not have.isdisjoint(standins.get(word, ())):
                break
            if word in match.query.negated or word in match.best_measure_words:
                break
            named = word in matcher.index.heads
        else:
            if named:
                return True
    return False


def _runs_together(reading: Reading, atoms: Sequence[Atom], match: Match, matcher: Matcher) -> bool:
    """Tell whether a food says "pancake syrup" where the text says "pancakes and syrup"."""
    have = matcher.index.food_terms(match.best_food)
    last = ""
    for atom in atoms:
        words = [
            reading.tokens[i].stem
            for i in range(atom.start, atom.end)
            if reading.classes[i] == CONTENT
        ]
        joined = any(
            reading.tokens[i].text in ("and", "with", "&")
            for i in range(atom.start, atom.end)
            if reading.classes[i] == JOIN
        )
        if words:
            if last and joined and f"{last}_{words[0]}" in have:
                return True
            last = words[-1]
    return False


def _counts(reading: Reading, atom: Atom, mark: Mark) -> bool:
    """Tell whether a mark is an amount of what follows it in the atom."""
    if mark.unit is not None and mark.unit.kind == "length":
        return False
    if not mark.numbered and mark.unit is None and _after_place(reading, mark):
        return False
    return any(reading.classes[i] == CONTENT for i in range(mark.end, atom.end))


def _span_cost(
    reading: Reading, atoms: Sequence[Atom], matcher: Matcher, metric: bool
) -> float | None:
    """Cost of joining atoms into one item; None when they cannot be one."""
    w = matcher.index.weights
    span = _Span()
    for k, atom in enumerate(atoms):
        if (k and atom.hard and atom.content) or not span.add(reading, atom):
            return None
    if span.mass > 1:
        return None
    cost = w.item + w.comma * span.commas
    if span.amounts > 1:
        cost += w.extra_amount * (span.amounts - 1)
    elif span.late:
        cost += w.late_amount
    marks = [m for a in atoms for m in a.marks]
    if metric and not any(_is_mass(m) for m in marks):
        cost += w.no_weight * (_COUNTED if any(m.numbered for m in marks) else 1.0)
    elif not metric and span.amounts == 0 and reading.marks:
        cost += w.unamounted
    return cost


_NEW_ITEM: Final = frozenset(
    ", and plus alongside along accompanied paired complemented followed together then & + und og"
    " et con".split()
)


def _new_item(reading: Reading, atom: Atom) -> bool:
    """Tell whether an atom begins another item: "and 2 slices of ..."."""
    if not any(m.numbered or m.unit is not None for m in atom.marks):
        return False
    for i in range(atom.start, atom.end):
        if reading.classes[i] in (JOIN, PUNCT):
            return reading.tokens[i].text in _NEW_ITEM
        if reading.classes[i] not in (STOP, FILLER, DROPPED):
            return False
    return False


def _after_place(reading: Reading, mark: Mark) -> bool:
    return mark.start > 0 and reading.classes[mark.start - 1] == PLACE


def is_metric(reading: Reading) -> bool:
    """Tell whether a text gives metric weights or millilitres."""
    return any(
        m.numbered and m.unit is not None and m.unit.name in ("g", "kg", "mg", "ml")
        for m in reading.marks
    )


def is_terse(reading: Reading) -> bool:
    """Tell whether a text is a bare list, without wording around its entries."""
    return not any(c in (FILLER, DROPPED) for c in reading.classes)


def segment(reading: Reading, matcher: Matcher) -> list[Segment]:
    """Cut a reading into items.

    Parameters
    ----------
    reading : Reading
    matcher : Matcher

    Returns
    -------
    list of Segment
        Covers all atoms in order; segments without a match are not items.
    """
    if matcher.trained is not None:
        return matcher.trained.segment(reading, matcher)
    atoms = reading.atoms
    n = len(atoms)
    metric = is_metric(reading)
    terse = is_terse(reading)
    best: list[float] = [0.0] + [float("-inf")] * n
    back: list[tuple[int, Match | None]] = [(0, None)] * (n + 1)
    for j in range(1, n + 1):
        junk = best[j - 1] - _junk_cost(reading, atoms[j - 1], matcher)
        best[j], back[j] = junk, (j - 1, None)
        for i in range(j - 1, max(j - _MAX_ATOMS, 0) - 1, -1):
            span = atoms[i:j]
            if span[-1].end - span[0].start > _MAX_TOKENS:
                break
            cost = _span_cost(reading, span, matcher, metric)
            if cost is None:
                break
            if not any(a.content for a in span) or span[0].negated:
                continue
            match = matcher.match(reading, span)
            if match is None:
                continue
            if j - i > 1 and _runs_together(reading, span, match, matcher):
                continue
            if terse and j - i > 1 and _swallows(reading, span, match, matcher):
                continue
            total = best[i] + match.score - cost
            if total > best[j]:
                best[j], back[j] = total, (i, match)
    out: list[Segment] = []
    j = n
    while j > 0:
        i, match = back[j]
        out.append(Segment(i, j, match))
        j = i
    out.reverse()
    return out


def edges(reading: Reading, matcher: Matcher) -> Iterator[tuple[int, int, Match | None, float]]:
    """List every item a text could have, and what each atom costs as no item.

    Parameters
    ----------
    reading : Reading
    matcher : Matcher

    Yields
    ------
    first, last, match, cost
        Atoms ``[first, last)``, ordered by where they end; no match when the
        atom is left out.
    """
    atoms = reading.atoms
    metric = is_metric(reading)
    terse = is_terse(reading)
    for j in range(1, len(atoms) + 1):
        yield j - 1, j, None, _junk_cost(reading, atoms[j - 1], matcher)
        for i in range(j - 1, max(j - _MAX_ATOMS, 0) - 1, -1):
            span = atoms[i:j]
            if span[-1].end - span[0].start > _MAX_TOKENS:
                break
            cost = _span_cost(reading, span, matcher, metric)
            if cost is None:
                break
            if not any(a.content for a in span) or span[0].negated:
                continue
            match = matcher.match(reading, span)
            if match is None or (j - i > 1 and _runs_together(reading, span, match, matcher)):
                continue
            if terse and j - i > 1 and _swallows(reading, span, match, matcher):
                continue
            yield i, j, match, cost
