"""A span of text against the foods and their measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from prandial.meal.amounts import Amount, Mark, combine
from prandial.meal.index import FoodIndex
from prandial.meal.lexicon import Lexicon
from prandial.meal.measures import MeasureBook
from prandial.meal.portions import Draft, Option, draft_options, finish, prepare
from prandial.meal.reading import (
    CONTENT,
    FILLER,
    JOIN,
    NEGATION,
    NUMBER,
    PLACE,
    SIZE,
    UNIT,
    Atom,
    Reading,
)
from prandial.meal.tokens import fold

__all__ = ["Match", "Matcher", "Query"]

_FOODS_PER_SPAN: Final = 8
_MARGIN: Final = 4.5
_KEEP: Final = 2.5
_PLENTY: Final = 3
_OPTIONS: Final = 12
_CACHE_SIZE: Final = 50_000
_ENDS_CORE: Final = frozenset(
    ", ( ) from made that of for to which while who so was is as using filled prepared served "
    "covered coated".split()
)


@dataclass(slots=True)
class Query:
    """The words of a span, sorted by what they do."""

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


@dataclass(slots=True)
class Match:
    """The best (food, measure) options of a span, best first."""

    score: float
    options: list[Option]
    query: Query
    amount: Amount


class Matcher:
    """Scores spans of a reading; equal spans are scored once."""

    def __init__(self, index: FoodIndex, book: MeasureBook, lexicon: Lexicon) -> None:
        self.index = index
        self.book = book
        self.lexicon = lexicon
        self._cache: dict[tuple[object, ...], Match | None] = {}
        self._spelling: dict[str, str | None] = {}
        self._vocabulary = sorted(t for t in index.postings if len(t) >= 4 and t.isalpha())
        self._by_first: dict[str, list[str]] = {}
        for t in self._vocabulary:
            self._by_first.setdefault(t[0], []).append(t)

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
                self._by_first.get(word[0], []),
                scorer=DamerauLevenshtein.distance,
                score_cutoff=limit,
            )
            if found is not None:
                best = found[0]
        if len(self._spelling) < _CACHE_SIZE:
            self._spelling[word] = best
        return best

    def query(self, reading: Reading, start: int, end: int) -> Query:
        """Sort the words of tokens ``[start, end)``."""
        q = Query()
        index, lexicon = self.index, self.lexicon
        w = index.weights
        tokens, classes = reading.tokens, reading.classes
        stems: list[str] = []
        core = True
        seen = False
        negating = False
        head = ""
        last = ""
        q_last = ""
        terms: dict[str, float] = {}
        for i in range(start, end):
            token, cls = tokens[i], classes[i]
            if cls == NEGATION:
                negating = True
                core = False
                continue
            if cls in (JOIN, PLACE) or token.text in _ENDS_CORE:
                if token.text not in ("of",):
                    core = core and not seen
                    if token.text not in ("and", "or"):
                        negating = False
                elif seen and last and head:
                    core = False
                continue
            if cls not in (CONTENT, FILLER, UNIT, SIZE):
                continue
            stem = token.stem
            if cls == FILLER and i + 1 < end and classes[i + 1] == CONTENT:
                if f"{stem}_{tokens[i + 1].stem}" in index.postings:
                    cls = CONTENT  # "hot chocolate", "sweet potato"
            if cls == CONTENT:
                known = index.known(stem) or (stem,) in lexicon.implies
                if not known and stem not in lexicon.implies_words:
                    fixed = self.correct(stem)
                    if fixed is not None:
                        q.corrected.append((stem, fixed))
                        stem = fixed
                        known = True
                if stem == "free" and q_last in terms:
                    terms.pop(q_last)
                    q.negated.append(q_last)
                    stems.append(stem)
                    if head == q_last:
                        head = ""
                    continue
                if negating or (
                    i > 1 and tokens[i - 1].text == "-" and tokens[i - 2].text in ("no", "non")
                ):
                    q.negated.append(stem)
                    stems.append("no:" + stem)
                    continue
                stems.append(stem)
                if token.stem == stem and cls == classes[i]:
                    q.content.append(stem)
                if q_last and i and tokens[i - 1].stem == q_last:
                    q.pairs.append(f"{q_last}_{stem}")
                q_last = stem
                seen = True
                if known:
                    weight = index.word_weight.get(stem, w.unknown * 0.3)
                    terms[stem] = max(terms.get(stem, 0.0), weight)
                else:
                    q.unknown.append(stem)
                    terms[stem] = w.unknown
                if core:
                    last = stem
                    if stem in index.heads or not known:
                        head = stem
                        q.head_unknown = not known
            else:
                if negating:
                    continue
                stems.append(stem)
                if index.known(stem):
                    base = index.word_weight[stem]
                    factor = w.decor if cls == FILLER else 0.25
                    terms.setdefault(stem, base * factor)
        q.head = head or last
        q.terms = list(terms.items())
        q.words = set(terms)
        self._imply(stems, q)
        return q

    def _imply(self, stems: Sequence[str], q: Query) -> None:
        first, implies = self.lexicon.implies_first, self.lexicon.implies
        n = len(stems)
        i = 0
        while i < n:
            longest = first.get(stems[i], 0)
            step = 1
            for length in range(min(longest, n - i), 0, -1):
                key = tuple(stems[i : i + length])
                extra = implies.get(key)
                if extra is not None:
                    replaced = key in self.lexicon.replaced
                    q.no_entry = q.no_entry or not extra
                    for term in extra:
                        if term not in q.words:
                            q.implied.append(term)
                    if q.head in key:
                        q.implied_heads.extend(extra)
                    if replaced:
                        q.terms = [
                            (t, 0.0 if t in key and t not in extra else v) for t, v in q.terms
                        ]
                        q.unknown = [u for u in q.unknown if u not in key]
                        q.content = [c for c in q.content if c not in key]
                        q.head_unknown = q.head_unknown and q.head not in key
                        if extra and q.head in key and q.head not in extra:
                            q.head = extra[-1]
                    step = length
                    break
            i += step

    def unused_words(self, match: Match) -> list[str]:
        """Words of a span that neither the chosen food nor its measure accounts for."""
        best = match.options[0]
        have = self.index.food_terms(best.food)
        measure = set(fold(best.measure).replace(",", " ").split())
        said = {*match.amount.words, *match.amount.extra}
        return [
            t
            for t in match.query.content
            if t not in have and t not in said and t not in measure
        ]

    def match(self, reading: Reading, atoms: Sequence[Atom]) -> Match | None:
        """Match the span of some neighbouring atoms; None when it has no food word."""
        start, end = atoms[0].start, atoms[-1].end
        marks = [m for a in atoms for m in a.marks]
        tokens, classes = reading.tokens, reading.classes
        key: tuple[object, ...] = (
            reading.locale,
            *(
                (tokens[i].text, classes[i])
                for i in range(start, end)
                if classes[i] in (CONTENT, FILLER, UNIT, SIZE, NUMBER, NEGATION, JOIN, PLACE)
                or tokens[i].text in ("(", ")", ",", "of", "from", "made", "that", '"')
            ),
        )
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
            (*q.implied, *(p.replace("_", "") for p in q.pairs)),
            index.weights,
        )
        refund = sum(v for _, v in q.terms) + 2.0
        drafts: list[Draft] = []
        best = float("inf")
        for food, doc, food_score in index.top(scored, k=_FOODS_PER_SPAN, margin=_MARGIN):
            if food_score + (0.0 if len(drafts) > _PLENTY else refund) < -best - _KEEP:
                break
            found = draft_options(
                food, index.doc_terms[doc], food_score, said, self.book, index.weights
            )
            drafts += found
            best = min(best, min(found)[0])
        drafts.sort()
        options = [finish(d, amount, self.book) for d in drafts[:_OPTIONS]]
        return Match(options[0].score, options, q, amount)
