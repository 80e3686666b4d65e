"""A span of text against the foods and their measures."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from prandial.meal.amounts import Amount, Mark, combine
from prandial.meal.index import FoodIndex
from prandial.meal.lexicon import Lexicon
from prandial.meal.measures import MeasureBook
from prandial.meal.portions import Draft, Option, draft_options, finish, prepare
from prandial.meal.query import Query, read_query
from prandial.meal.reading import SIZE, Atom, Reading
from prandial.meal.tokens import fold

if TYPE_CHECKING:
    from prandial.meal.index import Scored
    from prandial.meal.segment import Segment

__all__ = ["Depth", "Match", "Matcher", "Query", "Ranker"]

_PLENTY: Final = 3
_CACHE_SIZE: Final = 12_000


@dataclass(frozen=True, slots=True)
class Depth:
    """How many foods and readings of a span are looked at."""

    foods: int = 8
    margin: float = 4.5
    keep: float = 2.5
    options: int = 12


class Ranker(Protocol):
    """What a learned ranking does (see ``prandial.meal.trained``)."""

    country: str

    def top(self, index: FoodIndex, scored: Scored, depth: Depth) -> list[tuple[int, int, float]]:
        """Return the foods to look at as (food row, document, score), best first."""

    def segment(self, reading: Reading, matcher: Matcher) -> list[Segment]:
        """Cut a reading into items."""


class Match:
    """The readings of a span as (food, measure), best first.

    Only the score is needed to cut a text; the options are finished when asked
    for.

    Attributes
    ----------
    score : float
        Score of the best reading.
    query : Query
    amount : Amount
    """

    __slots__ = ("_book", "_drafts", "_options", "amount", "query", "score")

    def __init__(
        self, drafts: list[Draft], query: Query, amount: Amount, book: MeasureBook
    ) -> None:
        self._drafts = drafts
        self._book = book
        self._options: list[Option] | None = None
        self.score = -drafts[0][0]
        self.query = query
        self.amount = amount

    @property
    def drafts(self) -> list[Draft]:
        """The readings before they are finished, best first."""
        return self._drafts

    def ranked(self, drafts: list[Draft]) -> Match:
        """Return this match with its readings ranked anew, best first."""
        return Match(drafts, self.query, self.amount, self._book)

    @property
    def best_food(self) -> int:
        """Row of the best reading's food."""
        return self._drafts[0][1]

    @property
    def best_measure_words(self) -> AbstractSet[str]:
        """Words of the best reading's measure."""
        place = self._drafts[0][2]
        rows = self._book.of(self.best_food).rows
        return rows[place].words if place < len(rows) else frozenset()

    @property
    def options(self) -> list[Option]:
        """The best readings, best first."""
        if self._options is None:
            self._options = [finish(d, self.amount, self._book) for d in self._drafts]
        return self._options


class Matcher:
    """Scores spans of a reading; equal spans are scored once."""

    def __init__(self, index: FoodIndex, book: MeasureBook, lexicon: Lexicon) -> None:
        self.index = index
        self.book = book
        self.lexicon = lexicon
        self.trained: Ranker | None = None
        self.depth = Depth()
        self._cache: dict[tuple[object, ...], Match | None] = {}
        self._spelling: dict[str, str | None] = {}
        self._by_first: dict[str, list[str]] = {}

    def correct(self, word: str) -> str | None:
        """Return the nearest known word of a misspelt one, or None."""
        if word in self._spelling:
            return self._spelling[word]
        best: str | None = None
        if 4 <= len(word) <= 24 and word.isascii():
            verb = word.endswith(("ing", "ed", "ly"))
            limit = 2 if len(word) >= 9 and not verb else 1 if len(word) > 4 else 0
            found = process.extractOne(
                word,
                self._starting_with(word[0]),
                scorer=DamerauLevenshtein.distance,
                score_cutoff=limit,
            )
            if found is not None:
                best = found[0]
        if len(self._spelling) < _CACHE_SIZE:
            self._spelling[word] = best
        return best

    def forget(self) -> None:
        """Forget the spans scored so far."""
        self._cache.clear()

    def _starting_with(self, letter: str) -> list[str]:
        """Return the known words that begin with a letter."""
        if not self._by_first:
            for term in sorted(self.index.postings):
                if len(term) >= 4 and term.isalpha():
                    self._by_first.setdefault(term[0], []).append(term)
        return self._by_first.get(letter, [])

    def query(self, reading: Reading, start: int, end: int) -> Query:
        """Sort the words of tokens ``[start, end)``."""
        return read_query(reading, start, end, self.index, self.lexicon, self.correct)

    def unused_words(self, match: Match) -> list[str]:
        """Words of a span that neither the chosen food nor its measure accounts for."""
        best = match.options[0]
        have = self.index.food_terms(best.food)
        measure = set(fold(best.measure).replace(",", " ").split())
        said = {*match.amount.words, *match.amount.extra}
        standins = match.query.standins
        return [
            t
            for t in match.query.content
            if t not in have
            and t not in said
            and t not in measure
            and have.isdisjoint(standins.get(t, ()))
        ]

    def match(self, reading: Reading, atoms: Sequence[Atom]) -> Match | None:
        """Match the span of some neighbouring atoms; None when it has no food word."""
        start, end = atoms[0].start, atoms[-1].end
        marks = [m for a in atoms for m in a.marks]
        brackets = tuple(m.bracketed for m in marks)
        country = "" if self.trained is None else self.trained.country
        key = (country, reading.locale, brackets, *filter(None, reading.keys[start:end]))
        if key in self._cache:
            return self._cache[key]
        result = self._match(reading, start, end, marks)
        if len(self._cache) >= _CACHE_SIZE:
            self._cache.clear()
        self._cache[key] = result
        return result

    def _match(self, reading: Reading, start: int, end: int, marks: Sequence[Mark]) -> Match | None:
        index = self.index
        q = self.query(reading, start, end)
        if q.no_entry:
            return None  # a dish that no table has, though its words have other meanings
        if not any(index.known(t) for t, _ in q.terms) and not q.implied:
            return None
        scored = index.scores(q.terms, q.implied, q.negated, q.head, q.implied_heads, q.pairs)
        if scored is None:
            return None
        amount = combine(marks, self.lexicon.household_ml)
        units = self.lexicon.units
        sizes = [
            units[reading.tokens[i].text].name
            for i in range(start, end)
            if reading.classes[i] == SIZE
        ]
        sizes = [word for size in sizes for word in size.split()]
        said = prepare(
            q.terms,
            sizes,
            amount,
            (*(t for t in q.implied if t not in units), *(p.replace("_", "") for p in q.pairs)),
            index.weights,
        )
        refund = sum(v for _, v in q.terms) + 2.0
        drafts: list[Draft] = []
        best = float("inf")
        depth = self.depth
        ranked = (
            index.top(scored, k=depth.foods, margin=depth.margin)
            if self.trained is None
            else self.trained.top(index, scored, depth)
        )
        for food, doc, food_score in ranked:
            if food_score + (0.0 if len(drafts) > _PLENTY else refund) < -best - depth.keep:
                break
            found = draft_options(
                food, index.doc_terms(doc), food_score, said, self.book, index.weights
            )
            drafts += found
            best = min(best, min(found)[0])
        if not drafts:
            return None
        drafts.sort()
        return Match(drafts[: depth.options], q, amount, self.book)
