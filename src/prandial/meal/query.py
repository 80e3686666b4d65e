"""The words of a span, sorted by what they do in the search for a food."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from prandial.meal.reading import (
    CONTENT,
    FILLER,
    JOIN,
    NEGATION,
    PLACE,
    SIZE,
    UNIT,
    Reading,
)

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from prandial.meal.country import Found
    from prandial.meal.index import FoodIndex
    from prandial.meal.lexicon import Lexicon

__all__ = ["Query", "read_query"]

#: words after which no head noun is looked for
_ENDS_CORE: Final = frozenset(
    ", ( ) from made that of for to which while who so was is as using filled prepared served "
    "covered coated".split()
)
#: share of a word's weight that unit and size words pay when a food lacks them
_UNIT_FACTOR: Final = 0.25


@dataclass(slots=True)
class Query:
    """The words of a span, sorted by what they do.

    Attributes
    ----------
    terms : list of (word, weight)
        Words and what it costs when a food lacks them.
    implied, negated, pairs : list of str
        Words suggested, words ruled out, neighbouring words.
    head, implied_heads
        Head noun, and words that stand in for it.
    content : list of str
        Food words as written, for telling which were not used.
    unknown, corrected
        Words no food has; misspelt words with what they were read as.
    no_entry : bool
        The words name a dish that no table has.
    standins : dict
        word of a phrase -> the words that stand for the phrase.
    staple : str
        How a country's staple was taken; empty when none was.
    """

    terms: list[tuple[str, float]] = field(default_factory=list)
    implied: list[str] = field(default_factory=list)
    negated: list[str] = field(default_factory=list)
    head: str = ""
    implied_heads: list[str] = field(default_factory=list)
    pairs: list[str] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    content: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    corrected: list[tuple[str, str]] = field(default_factory=list)
    head_unknown: bool = False
    no_entry: bool = False
    standins: dict[str, tuple[str, ...]] = field(default_factory=dict)
    staple: str = ""

    def take_staple(self, found: Found, terms: AbstractSet[str]) -> None:
        """Note that a country's staple accounts for the words it names."""
        self.staple = found.step
        self.no_entry = False
        self.standins.update(dict.fromkeys(found.words, tuple(sorted(terms))))
        self.unknown = [u for u in self.unknown if u not in found.words]
        self.corrected = [c for c in self.corrected if c[0] not in found.words]
        self.head_unknown = False
        self.content += sorted(found.words.difference(self.content))


class _QueryReader:
    """Reads a span's tokens into a :class:`Query`."""

    def __init__(
        self,
        reading: Reading,
        end: int,
        index: FoodIndex,
        lexicon: Lexicon,
        correct: Callable[[str], str | None],
    ) -> None:
        self.tokens = reading.tokens
        self.classes = reading.classes
        self.end = end
        self.index = index
        self.lexicon = lexicon
        self.correct = correct
        self.query = Query()
        self.terms: dict[str, float] = {}
        self.stems: list[str] = []
        self.core = True
        self.after_of = False
        self.seen = False
        self.negating = False
        self.head = ""
        self.last_core = ""
        self.last = ""

    def take(self, i: int) -> None:
        """Take the token at a position."""
        text, cls = self.tokens[i].text, self.classes[i]
        if cls == CONTENT and text not in _ENDS_CORE:
            self._content(i)
        elif cls == NEGATION:
            self.negating = True
            self.core = False
        elif cls in (JOIN, PLACE) or text in _ENDS_CORE:
            self._link(text)
        elif cls == FILLER and self._pairs_with_next(i):
            self._content(i)
        elif cls in (FILLER, UNIT, SIZE) and not self.negating:
            if cls == SIZE and self._pairs_with_next(i):  # "medium patties"
                self.query.pairs.append(f"{self.tokens[i].stem}_{self.tokens[i + 1].stem}")
            self._plain(self.tokens[i].stem, cls)

    def _link(self, text: str) -> None:
        if text == "of":
            self.after_of = self.core and bool(self.seen and self.last_core and self.head)
            self.core = self.core and not self.after_of
            return
        self.after_of = False
        self.core = self.core and not self.seen
        if text not in ("and", "or"):
            self.negating = False

    def _pairs_with_next(self, i: int) -> bool:
        """Tell whether a plain word and the next name a food: "hot chocolate"."""
        if i + 1 >= self.end or self.classes[i + 1] != CONTENT:
            return False
        return f"{self.tokens[i].stem}_{self.tokens[i + 1].stem}" in self.index.number

    def _content(self, i: int) -> None:
        q, token = self.query, self.tokens[i]
        stem, known = self._spell(token.stem)
        if stem == "free" and self.last in self.terms:
            self.terms.pop(self.last)
            q.content = [c for c in q.content if c != self.last]
            q.negated.append(self.last)
            self.stems.append(stem)
            self.head = "" if self.head == self.last else self.head
            return
        if self.negating or self._compound_no(i):
            q.negated.append(stem)
            self.stems.append("no:" + stem)
            return
        self.stems.append(stem)
        if token.stem == stem and self.classes[i] == CONTENT:
            q.content.append(stem)
        if self.last and i and self.tokens[i - 1].stem == self.last:
            q.pairs.append(f"{self.last}_{stem}")
        self.last = stem
        self.seen = True
        w = self.index.weights
        if known:
            weight = self.index.word_weight.get(stem, w.unknown * 0.3)
            self.terms[stem] = max(self.terms.get(stem, 0.0), weight)
        else:
            q.unknown.append(stem)
            self.terms[stem] = w.unknown
        if self.after_of and stem in self.index.heads:
            q.implied_heads = [stem]  # "puree of peas"
        if self.core:
            self.last_core = stem
            if stem in self.index.heads or not known:
                self.head = stem
                q.head_unknown = not known

    def _spell(self, stem: str) -> tuple[str, bool]:
        """Return a word as some food writes it, and whether any does."""
        if stem in self.index.number or (stem,) in self.lexicon.implies:
            return stem, True
        if stem in self.lexicon.implies_words:
            return stem, False
        fixed = self.correct(stem)
        if fixed is None:
            return stem, False
        self.query.corrected.append((stem, fixed))
        return fixed, self.index.known(fixed) or (fixed,) in self.lexicon.implies

    def _compound_no(self, i: int) -> bool:
        tokens = self.tokens
        return i > 1 and tokens[i - 1].text == "-" and tokens[i - 2].text in ("no", "non")

    def _plain(self, stem: str, cls: int) -> None:
        self.stems.append(stem)
        if stem in self.index.number:
            factor = self.index.weights.decor if cls == FILLER else _UNIT_FACTOR
            self.terms.setdefault(stem, self.index.word_weight[stem] * factor)

    def finish(self) -> Query:
        """Return the query, with what its phrases imply."""
        q = self.query
        q.head = self.head or self.last_core
        q.terms = list(self.terms.items())
        q.words = set(self.terms)
        self._imply()
        return q

    def _imply(self) -> None:
        first, implies = self.lexicon.implies_first, self.lexicon.implies
        stems = self.stems
        n = len(stems)
        i = 0
        while i < n:
            step = 1
            longest = first.get(stems[i], 0)
            for length in range(min(longest, n - i), 0, -1) if longest else ():
                key = tuple(stems[i : i + length])
                if key in implies:
                    self._apply(key, implies[key])
                    step = length
                    break
            i += step

    def _apply(self, key: tuple[str, ...], extra: Sequence[str]) -> None:
        q = self.query
        q.no_entry = q.no_entry or not extra
        q.standins.update(dict.fromkeys(key, tuple(extra)))
        q.implied += [term for term in extra if term not in q.words]
        if q.head in key:
            q.implied_heads.extend(extra)
        if key in self.lexicon.replaced:
            q.terms = [(t, 0.0 if t in key and t not in extra else v) for t, v in q.terms]
            q.unknown = [u for u in q.unknown if u not in key]
            q.content = [c for c in q.content if c not in key or c in extra]
            q.head_unknown = q.head_unknown and q.head not in key
            if extra and q.head in key and q.head not in extra:
                q.head = extra[-1]


def read_query(
    reading: Reading,
    start: int,
    end: int,
    index: FoodIndex,
    lexicon: Lexicon,
    correct: Callable[[str], str | None],
) -> Query:
    """Sort the words of tokens ``[start, end)``.

    Parameters
    ----------
    reading : Reading
    start, end : int
        Token positions.
    index : FoodIndex
    lexicon : Lexicon
    correct : callable
        Returns the known word nearest to a misspelt one, or None.

    Returns
    -------
    Query
    """
    reader = _QueryReader(reading, end, index, lexicon, correct)
    for i in range(start, end):
        reader.take(i)
    return reader.finish()
