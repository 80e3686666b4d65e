"""A span of text against the foods and their measures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from prandial.meal.amounts import Amount, Mark, combine
from prandial.meal.country import CountryBook, Found
from prandial.meal.index import FoodIndex
from prandial.meal.lexicon import Lexicon
from prandial.meal.measures import MeasureBook
from prandial.meal.portions import (
    Draft,
    Option,
    Said,
    draft_options,
    draft_weighed,
    finish,
    is_weighed,
    prepare,
    scaled,
)
from prandial.meal.query import Query, read_query
from prandial.meal.reading import SIZE, Atom, Reading
from prandial.meal.tokens import fold

if TYPE_CHECKING:
    from prandial.meal.index import Scored
    from prandial.meal.segment import Segment

__all__ = ["Depth", "Match", "Matcher", "Query", "Ranker"]

_PLENTY: Final = 3
#: a country's staple stands this far above the next food
_LIFT: Final = 0.8
_CACHE_SIZE: Final = 12_000
_LINK: Final = re.compile(r"\b(and|with|or|on|in)\b|[&/]")
#: tables whose foods stand for themselves
_OWN_TABLES: Final = ("user", "trained")
#: letters of a word -> the fewest records of foods with the word it is corrected to
_OFTEN: Final = {3: 10_000.0, 4: 500.0}


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

    __slots__ = (
        "_book",
        "_drafts",
        "_moved",
        "_options",
        "amount",
        "explained",
        "query",
        "score",
        "unused",
    )

    def __init__(
        self, drafts: list[Draft], query: Query, amount: Amount, book: MeasureBook
    ) -> None:
        self._drafts = drafts
        self._book = book
        self._options: list[Option] | None = None
        self._moved: dict[tuple[tuple[int, float], ...], Match] = {}
        self.unused: list[str] | None = None
        self.explained: float | None = None
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

    def foods(self) -> list[int]:
        """Rows of the foods among the readings, each once."""
        return list(dict.fromkeys(d[1] for d in self._drafts))

    def moved(self, gains: Mapping[int, float], others: float) -> Match:
        """Return the match with some foods' scores raised, all others by ``others``."""
        key = tuple(sorted((f, round(g, 3)) for f, g in gains.items()))
        made = self._moved.get(key)
        if made is None:
            drafts = []
            for minus, food, place, food_score, unsaid, option in self._drafts:
                gain = gains.get(food, others)
                if option is not None:
                    option = replace(option, score=option.score + gain)
                drafts.append((minus - gain, food, place, food_score, unsaid, option))
            drafts.sort(key=lambda d: d[:3])
            made = self._moved[key] = Match(drafts, self.query, self.amount, self._book)
        return made

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
        self.countries = CountryBook(index.table)
        self.trained: Ranker | None = None
        self.depth = Depth()
        self._cache: dict[tuple[object, ...], Match | None] = {}
        self._spelling: dict[str, str | None] = {}
        self._links: dict[int, bool] = {}
        self._by_first: dict[str, list[str]] = {}

    def correct(self, word: str) -> str | None:
        """Return the nearest known word of a misspelt one, or None."""
        if word in self._spelling:
            return self._spelling[word]
        best: str | None = None
        if 3 <= len(word) <= 24 and word.isascii() and not self.lexicon.has_role(word, "ordinary"):
            verb = word.endswith(("ing", "ed", "ly"))
            limit = 2 if len(word) >= 9 and not verb else 1
            found = process.extract(
                word,
                self._starting_with(word[0]),
                scorer=DamerauLevenshtein.distance,
                score_cutoff=limit,
                limit=None,
            )
            if len(word) in _OFTEN:  # so short a word has many neighbours
                found = [f for f in found if self._eaten(f[0]) >= _OFTEN[len(word)]]
            if found:
                best = min(found, key=lambda f: (f[1], -self._eaten(f[0])))[0]
        if len(self._spelling) < _CACHE_SIZE:
            self._spelling[word] = best
        return best

    def _eaten(self, term: str) -> float:
        """Return how often foods with a word in their name stand in the recalls."""
        posting = self.index.postings.get(term)
        if posting is None:
            return max((self._eaten(t) for t in self.lexicon.implies.get((term,), ())), default=0.0)
        names = posting[0][posting[0] < self.index.n_foods]
        return float(self.index.table.eaten_count[names].sum())

    def forget(self) -> None:
        """Forget the spans scored so far."""
        self._cache.clear()

    def _starting_with(self, letter: str) -> list[str]:
        """Return the known words that begin with a letter."""
        if not self._by_first:
            phrases, foreign = self.lexicon.implies, self.lexicon.foreign
            whole = (key[0] for key in phrases if len(key) == 1 and key not in foreign)
            for term in sorted({*self.index.postings, *whole}):
                if len(term) >= 4 and term.isalpha():
                    self._by_first.setdefault(term[0], []).append(term)
        return self._by_first.get(letter, [])

    def query(self, reading: Reading, start: int, end: int) -> Query:
        """Sort the words of tokens ``[start, end)``."""
        return read_query(reading, start, end, self.index, self.lexicon, self.correct)

    def unused_words(self, match: Match) -> list[str]:
        """Words of a span that neither the chosen food nor its measure accounts for."""
        if match.unused is None:
            match.unused = self._unused_words(match)
        return match.unused

    def _unused_words(self, match: Match) -> list[str]:
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
        key = (reading.locale, reading.country, brackets, *filter(None, reading.keys[start:end]))
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
        amount = combine(marks, self.lexicon.household_ml)
        staple = None
        if reading.country:
            weighed = is_weighed(amount)
            staple = self.countries.find(reading, start, end, q.negated, weighed=weighed)
        if staple is None:
            if q.no_entry:
                return None  # a dish that no table has, though its words have other meanings
            if index.number.keys().isdisjoint(q.words) and not q.implied:
                return None
        foods = self._foods(q)
        if not foods and staple is None:
            return None
        refund = sum(v for _, v in q.terms) + 2.0
        bare = is_weighed(amount) and staple is None and not index.weights.listed_grams
        said = None if bare else self._said(reading, start, end, q, amount)
        drafts: list[Draft] = []
        best = float("inf")
        for food, doc, food_score in foods:
            if food_score + (0.0 if len(drafts) > _PLENTY else refund) < -best - self.depth.keep:
                break
            if said is None:
                drafts.append(draft_weighed(food, food_score))
                best = min(best, -food_score)
            else:
                found = draft_options(
                    food, index.doc_terms(doc), food_score, said, self.book, index.weights
                )
                drafts += found
                best = min(best, min(found)[0])
        if staple is not None and said is not None and not self._own_food(drafts):
            drafts += self._lifted(staple, q, said, -best)
            q.take_staple(staple, index.food_terms(staple.food))
        if not drafts:
            return None
        drafts.sort()
        return Match(drafts[: self.depth.options], q, amount, self.book)

    def _foods(self, q: Query) -> Sequence[tuple[int, int, float]]:
        """Return the foods to look at as (food row, document, score), best first."""
        words = (q.terms, q.implied, q.negated, q.head, q.implied_heads, q.pairs)
        depth = self.depth
        if self.trained is None:
            return self.index.ranked(*words, k=depth.foods, margin=depth.margin)
        scored = self.index.scores(*words)
        return () if scored is None else self.trained.top(self.index, scored, depth)

    def links(self, food: int) -> bool:
        """Tell whether a food's names join things, as in "macaroni with cheese"."""
        found = self._links.get(food)
        if found is None:
            table = self.index.table
            names = f"{table.names[food]} {table.alt_names[food]}".lower()
            found = self._links[food] = _LINK.search(names) is not None
        return found

    def _own_food(self, drafts: Sequence[Draft]) -> bool:
        """Tell whether a food of the user's own or a learned table fits best."""
        return bool(drafts) and self.index.table.table_of[min(drafts)[1]] in _OWN_TABLES

    def _lifted(self, found: Found, q: Query, said: Said, best: float) -> list[Draft]:
        """Return readings of a country's staple, above those of all other foods."""
        w = self.index.weights
        food = found.food
        left = sum(v for t, v in q.terms if t not in found.words)
        score = float(self.index.prior[food]) + w.same_head - 0.5 * w.alpha * left
        own = self.index.doc_terms(food)
        drafts = draft_options(food, own, score, said, self.book, w)
        short = best + _LIFT + min(drafts)[0]
        if short > 0:
            drafts = draft_options(food, own, score + short, said, self.book, w)
        if found.factor == 1.0:
            return drafts
        return [scaled(finish(d, said.amount, self.book), found.factor) for d in drafts]

    def _said(self, reading: Reading, start: int, end: int, q: Query, amount: Amount) -> Said:
        """Prepare the amount words of a span."""
        units = self.lexicon.units
        sizes: list[str] = []
        for i in range(start, end):
            if reading.classes[i] == SIZE:
                sizes += units[reading.tokens[i].text].name.split()
        implied = [t for t in q.implied if t not in units]
        implied += [p.replace("_", "") for p in q.pairs]
        return prepare(q.terms, sizes, amount, implied, self.index.weights)
