"""Which runs of atoms are items: the cheapest way to explain the whole text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

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

if TYPE_CHECKING:
    from prandial.meal.weights import Weights

__all__ = ["Segment", "best_way", "edges", "is_metric", "is_terse", "segment"]

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


class _Facts(NamedTuple):
    """What joining an atom with others depends on, found once an atom.

    ``mass`` counts stated weights outside brackets; ``own`` tells that an
    amount belongs to the atom's own words; ``first`` and ``last`` are its food
    words, ``joined`` that "and" or "with" stands before them.
    """

    content: bool
    hard: bool
    comma: bool
    mass: int
    own: bool
    starts_item: bool
    weighed: bool
    numbered: bool
    first: str
    last: str
    joined: bool
    anded: bool


def _facts(reading: Reading, atom: Atom) -> _Facts:
    tokens, classes = reading.tokens, reading.classes
    content = atom.content > 0
    words: list[str] = []
    joined = anded = False
    for i in range(atom.start, atom.end):
        if classes[i] == CONTENT:
            words.append(tokens[i].stem)
        elif classes[i] == JOIN:
            joined = joined or tokens[i].text in ("and", "with", "&")
            anded = anded or tokens[i].text in ("and", "&")
    free = () if atom.bracketed else [m for m in atom.marks if not m.bracketed]
    own = content and any(_counts(reading, atom, m) for m in free)
    return _Facts(
        content,
        atom.hard,
        content and tokens[atom.start].text == ",",
        sum(map(_is_mass, free)),
        own,
        own and _new_item(reading, atom),
        any(map(_is_mass, atom.marks)),
        any(m.numbered for m in atom.marks),
        words[0] if words else "",
        words[-1] if words else "",
        joined,
        anded,
    )


def _closes_bracket(reading: Reading, atom: Atom) -> bool:
    """Tell whether an atom is an amount in brackets behind a food word."""
    return (
        atom.bracketed
        and not atom.content
        and bool(atom.marks)
        and atom.start > 0
        and reading.tokens[atom.start].text == "("
        and reading.classes[atom.start - 1] == CONTENT
    )


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


def _runs_together(facts: Sequence[_Facts], match: Match, matcher: Matcher) -> bool:
    """Tell whether a food says "pancake syrup" where the text says "pancakes and syrup"."""
    last = ""
    for fact in facts:
        if fact.first:
            if last and fact.joined:
                have = matcher.index.food_terms(match.best_food)
                if f"{last}_{fact.first}" in have:
                    return True
                if f"{last}_{fact.last}" in have and facts[0].numbered and not facts[0].weighed:
                    return True
                if (
                    fact.anded
                    and facts[0].numbered
                    and not facts[0].weighed
                    and last in matcher.index.heads
                    and fact.first == fact.last
                    and fact.last in matcher.index.heads
                    and not matcher.links(match.best_food)
                ):
                    return True  # "two eggs and toast" is no egg bread
            last = fact.last
    return False


def _counts(reading: Reading, atom: Atom, mark: Mark) -> bool:
    """Tell whether a mark is an amount of what follows it in the atom."""
    if mark.unit is not None and mark.unit.kind == "length":
        return False
    if not mark.numbered and mark.unit is None and _after_place(reading, mark):
        return False
    return any(reading.classes[i] == CONTENT for i in range(mark.end, atom.end))


def _span_cost(facts: Sequence[_Facts], w: Weights, metric: bool, marked: bool) -> float | None:
    """Cost of joining atoms into one item; None when they, and more of them, cannot be one.

    ``metric`` tells that the text gives weights, ``marked`` that it gives amounts.
    """
    mass = amounts = commas = 0
    content = late = broken = False
    for k, fact in enumerate(facts):
        broken = broken or (k > 0 and fact.hard)
        if broken and fact.content:
            return None
        commas += content and fact.comma
        mass += fact.mass
        if fact.own:
            if amounts and fact.starts_item:
                return None
            amounts += 1
            late = late or content
        content = content or fact.content
    if mass > 1:
        return None
    cost = w.item + w.comma * commas
    if amounts > 1:
        cost += w.extra_amount * (amounts - 1)
    elif late:
        cost += w.late_amount
    if metric and not any(fact.weighed for fact in facts):
        cost += w.no_weight * (_COUNTED if any(fact.numbered for fact in facts) else 1.0)
    elif not metric and amounts == 0 and marked:
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
    """Tell whether a text gives metric weights."""
    return any(
        m.numbered and m.unit is not None and m.unit.name in ("g", "kg", "mg")
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
    ways = (
        (first, last, match, -cost if match is None else match.score - cost)
        for first, last, match, cost in edges(reading, matcher)
    )
    return best_way(ways, len(reading.atoms))


def best_way(ways: Iterable[tuple[int, int, Match | None, float]], n: int) -> list[Segment]:
    """Return the best way through ``n`` atoms.

    Parameters
    ----------
    ways : iterable of (first, last, match, worth)
        Ordered by where they end.
    n : int

    Returns
    -------
    list of Segment
    """
    best: list[float] = [0.0] + [float("-inf")] * n
    back: list[tuple[int, Match | None]] = [(0, None)] * (n + 1)
    for first, last, match, worth in ways:
        total = best[first] + worth
        if total > best[last]:
            best[last], back[last] = total, (first, match)
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
    facts = [_facts(reading, atom) for atom in atoms]
    weights, marked = matcher.index.weights, bool(reading.marks)
    for j in range(1, len(atoms) + 1):
        yield j - 1, j, None, _junk_cost(reading, atoms[j - 1], matcher)
        for i in range(j - 1, max(j - _MAX_ATOMS, 0) - 1, -1):
            span = atoms[i:j]
            if span[-1].end - span[0].start > _MAX_TOKENS:
                break
            cost = _span_cost(facts[i:j], weights, metric, marked)
            if cost is None:
                break
            if span[0].negated or not any(fact.content for fact in facts[i:j]):
                continue
            if j - i > 1 and _closes_bracket(reading, span[0]):
                continue  # "(45 g), toast": the amount belongs to what stands before
            match = matcher.match(reading, span)
            if match is None or (j - i > 1 and _runs_together(facts[i:j], match, matcher)):
                continue
            if terse and j - i > 1 and _swallows(reading, span, match, matcher):
                continue
            yield i, j, match, cost
