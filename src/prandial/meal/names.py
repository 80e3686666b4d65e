"""Food names read for matching: words, their weights, and the head noun.

Names follow the manner of USDA tables: the thing first, qualifiers after
commas, brands in brackets ("Sports drink, low calorie (Gatorade G2)").
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from prandial.meal.tokens import Token, tokenize

if TYPE_CHECKING:
    from prandial.meal.weights import Weights

__all__ = ["INNER_MATCH", "Name", "Terms", "brand_of", "category_words", "read_name", "synonyms"]

#: word -> (match weight, miss weight)
Terms = dict[str, tuple[float, float]]

#: match weight of words after "with", "on", "in" in a name; marks them too
INNER_MATCH: Final = 0.94
_LATER_MATCH: Final = 0.95
_OR_MISS: Final = 0.35
_RAW_MISS: Final = 0.35
_NEGATED_MISS: Final = 0.3
_NUMBER_MISS: Final = 0.2
_MOST_SYNONYMS: Final = 24
_LONGEST_SYNONYM: Final = 60

_SKIP: Final = frozenset(
    "with and or of in for as to the a an on from by at made nfs ns not other type any all "
    "eaten variety product by includes".split()
)
_CUT: Final = frozenset(("with", "in", "on", "from", "made", "for", "and"))
#: where a food was made or bought, which speakers seldom say
_WHERE_FROM: Final = frozenset(
    "fast food restaurant school cafeteria home recipe frozen fresh bakery purchased".split()
)
#: words of a category that its foods answer to, though their names lack them
_CATEGORY_WORD: Final = re.compile(
    r"sandwich|burger|candy|cereal|cookie|cracker|chip|soup|beer|wine"
)
_BRAND: Final = re.compile(r"\(([^()%]*[A-Z][^()%]*)\)")
_SCOPE_NOTE: Final = re.compile(r"\b(ns as to|nfs|ns|not specified|unknown)\b", re.IGNORECASE)


@dataclass(slots=True)
class Name:
    """A name being read: its words so far and where in the name we are."""

    weights: Weights
    usual_raw: bool
    terms: Terms = field(default_factory=dict)
    head: str = ""
    segment: int = 0
    inner: bool = False
    bracket: bool = False
    excluded: bool = False
    negated: bool = False
    last: str = ""
    pair: str = ""

    def mark(self, text: str) -> bool:
        """Take a comma, bracket or negation; tell whether it was one."""
        if text in (",", ";"):
            if not (self.excluded and text == ","):
                self.segment += 1
                self.inner = self.excluded = False
            self.negated = False
        elif text in ("(", ")"):
            self.bracket = text == "("
        elif text in ("excluding", "except"):
            self.excluded = True
        elif text in ("no", "without", "not"):
            self.negated = text != "not"
        else:
            return False
        return True

    def word(self, token: Token, *, either: bool, capitals: bool) -> None:
        """Take a word; ``either`` beside "or", ``capitals`` when written in capitals."""
        if token.text == "free" and self.last in self.terms:
            self.terms["no:" + self.last] = self.terms.pop(self.last)
            self.head = "" if self.head == self.last else self.head
            return
        if token.text in _SKIP:
            self.inner = self.inner or (self.segment == 0 and token.text in _CUT)
            return
        match, miss = self._place(token)
        if capitals:
            miss = max(miss, self.weights.brand)
        if either:
            miss *= _OR_MISS
        term = token.stem
        if self.negated:
            term = "no:" + term
            miss *= _NEGATED_MISS
        elif self._in_front() and token.kind == "word":
            self.head = term
        self.last = term
        if self.pair and self.segment == 0 and not self.bracket:
            self.terms.setdefault(f"{self.pair}_{term}", (1.0, 0.0))
        self.pair = term
        old = self.terms.get(term)
        if old is None or old[1] < miss:
            self.terms[term] = (match, miss)

    def _in_front(self) -> bool:
        return self.segment == 0 and not self.inner and not self.bracket

    def _place(self, token: Token) -> tuple[float, float]:
        """Match weight and miss weight of a word by its place in the name."""
        w = self.weights
        match, miss = 1.0, 1.0
        if self.bracket:
            front = token.text[0].isalpha() and self.segment == 0
            miss = w.brand if front else w.later
        elif self.segment > 0:
            match, miss = _LATER_MATCH, w.later
        elif self.inner:
            match, miss = INNER_MATCH, w.inner
        if self.segment > 0 and token.stem == "raw" and self.usual_raw:
            miss *= _RAW_MISS
        elif self.segment > 0 and token.stem in _WHERE_FROM:
            miss *= w.where_from
        elif token.kind == "num" and token.text[-1] != "%":
            miss *= _NUMBER_MISS
        return match, miss

    def finish(self) -> tuple[Terms, str]:
        """Return the words and the head noun; the words of a long name weigh less each."""
        w = self.weights
        terms = self.terms
        crowd = [t for t, (_, miss) in terms.items() if miss <= w.later]
        if len(crowd) > 2:
            shrink = float((2 / len(crowd)) ** w.crowd)
            for t in crowd:
                match, miss = terms[t]
                terms[t] = (match, miss * shrink)
        if self.head in terms:
            match, miss = terms[self.head]
            terms[self.head] = (match, miss * w.doc_head)
        return terms, self.head


def read_name(name: str, w: Weights, *, usual_raw: bool = False) -> tuple[Terms, str]:
    """Return the words of a food name with their match and miss weights.

    Parameters
    ----------
    name : str
        A food name in the manner of USDA tables ("Milk, reduced fat (2%)").
    w : Weights
    usual_raw : bool
        True where "raw" is the usual state (FNDDS has raw fruit and vegetables only).

    Returns
    -------
    terms : dict
        word -> (match weight, miss weight).
    head : str
        The head noun of the first part, or an empty string.
    """
    reader = Name(w, usual_raw)
    tokens = tokenize(name)
    mixed = any(c.islower() for c in name)
    n = len(tokens)
    i = 0
    while i < n:
        token = tokens[i]
        text = token.text
        if token.kind == "punct" or text in _CUT:
            reader.pair = ""
        if text == "ns" and i + 2 < n and tokens[i + 1].text == "as":
            while i + 1 < n and tokens[i + 1].text not in (",", ";", ")"):
                i += 1
        elif not reader.mark(text) and token.kind != "punct" and not reader.excluded:
            either = "or" in (
                tokens[i - 1].text if i else "",
                tokens[i + 1].text if i + 1 < n else "",
            )
            written = name[token.start : token.end]
            capitals = mixed and len(written) > 2 and written.isupper() and written.isalpha()
            reader.word(token, either=either, capitals=capitals)
        i += 1
    return reader.finish()


def category_words(category: str) -> list[str]:
    """Return the words of a category that its foods answer to."""
    return _CATEGORY_WORD.findall(category.lower())


def brand_of(name: str) -> str:
    """Return the brand in a name's brackets, or an empty string."""
    found = _BRAND.search(name)
    return found.group(1) if found is not None else ""


def synonyms(raw: str) -> list[str]:
    """Return the entries of an additional description that are names, not scope notes."""
    entries = [piece.strip() for piece in raw.split(";")]
    return [e for e in entries if e and len(e) < _LONGEST_SYNONYM and not _SCOPE_NOTE.search(e)][
        :_MOST_SYNONYMS
    ]
