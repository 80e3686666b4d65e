"""The food index: which foods could a run of words mean, and how well.

Each food is one document made of its name; each entry of its additional
description (a synonym or a brand) is a further document for the same food. A
query's score for a document is a log-like sum of costs:

* a query word that the document does not hold costs ``alpha`` times its weight
  (rare words weigh more);
* a document word that the query does not hold costs ``beta`` times its weight
  (words in the first part of a name weigh more than qualifiers after commas);
* a query whose head noun the document lacks pays ``head``;
* a food eaten often in the recalls pays less (``gamma`` times log frequency).

All parts are additive over words, so one pass over the posting lists of the
query's words scores every document.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from prandial.meal.tokens import Token, tokenize
from prandial.tables import FoodTable

__all__ = ["FoodIndex", "Weights", "name_terms"]

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
_CATEGORY_WORD: Final = re.compile(r"sandwich|burger|candy|cereal|cookie|cracker|chip|soup|beer|wine")
_BRAND: Final = re.compile(r"\(([^()%]*[A-Z][^()%]*)\)")
#: match weight of words after "with", "on", "in" in a name; marks them too
_INNER_MATCH: Final = 0.94
_SCOPE_NOTE: Final = re.compile(r"\b(ns as to|nfs|ns|not specified|unknown)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """Constants of the ranking; set by hand and checked on tuning meals."""

    alpha: float = 1.0
    beta: float = 0.315
    gamma: float = 0.45
    head: float = 2.5
    implied: float = 0.7
    alt: float = 2.4696
    sr: float = 0.7
    later: float = 1.05
    brand_rest: float = 0.15
    where_from: float = 0.4
    bigram: float = 0.56
    crowd: float = 0.6
    nfs: float = 0.42
    no_gain: float = 3.5
    self_row: float = 0.6
    like_unit: float = 0.35
    wrong_cup: float = 1.05
    inner: float = 2.3324
    inner_head: float = 0.4
    conflict: float = 1.5
    late_amount: float = 1.96
    doc_head: float = 1.5
    brand: float = 1.6
    idf_power: float = 0.8
    unknown: float = 0.84
    decor: float = 0.3293
    negated: float = 2.0
    junk: float = 1.3
    item: float = -1.5
    row_gain: float = 1.0
    row_miss: float = 0.7
    row_prior: float = 0.35
    unit_miss: float = 3.136
    extra_amount: float = 3.5
    no_weight: float = 3.92
    lost_weight: float = 8.0
    lost_amount: float = 2.0
    unamounted: float = 0.6
    comma: float = 1.5
    junk_atom: float = 0.5
    same_head: float = 1.0
    sr_count: float = 8.0
    temperature: float = 1.0


@dataclass(slots=True)
class _Doc:
    food: int
    alt: bool
    terms: dict[str, tuple[float, float]] = field(default_factory=dict)


def _is_or(tokens: Sequence[Token], i: int) -> bool:
    return (i > 0 and tokens[i - 1].text == "or") or (
        i + 1 < len(tokens) and tokens[i + 1].text == "or"
    )


def name_terms(
    name: str, w: Weights, *, usual_raw: bool = False
) -> tuple[dict[str, tuple[float, float]], str]:
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
    terms: dict[str, tuple[float, float]] = {}
    head = ""
    segment = 0
    inner = False
    bracket = False
    excluded = False
    negated = False
    terms_last = ""
    pair = ""
    tokens = tokenize(name)
    n = len(tokens)
    i = 0
    while i < n:
        token = tokens[i]
        text = token.text
        if token.kind == "punct" or text in _CUT:
            pair = ""
        if text in (",", ";"):
            if not (excluded and text == ","):
                segment += 1
                inner = False
                excluded = False
            negated = False
        elif text == "(":
            bracket = True
        elif text == ")":
            bracket = False
        elif text in ("excluding", "except"):
            excluded = True
        elif text == "ns" and i + 2 < n and tokens[i + 1].text == "as":
            while i + 1 < n and tokens[i + 1].text not in (",", ";", ")"):
                i += 1
        elif text in ("no", "without", "not"):
            negated = text != "not"
        elif token.kind == "punct" or excluded:
            pass
        elif text in ("free", "-") and i and text == "free" and terms_last in terms:
            terms["no:" + terms_last] = terms.pop(terms_last)
            if head == terms_last:
                head = ""
        elif text in _SKIP:
            if segment == 0 and text in _CUT:
                inner = True
        else:
            match, miss = 1.0, 1.0
            if bracket:
                miss = w.brand if text[0].isalpha() and segment == 0 else w.later
            elif segment > 0:
                match, miss = 0.95, w.later
            elif inner:
                match, miss = _INNER_MATCH, w.inner
            if _is_or(tokens, i):
                miss *= 0.35
            term = token.stem
            if term == "raw" and segment > 0 and usual_raw:
                miss *= 0.35
            elif segment > 0 and term in _WHERE_FROM:
                miss *= w.where_from
            elif token.kind == "num" and text[-1] != "%":
                miss *= 0.2
            if negated:
                term = "no:" + term
                miss *= 0.3
            elif segment == 0 and not inner and not bracket and token.kind == "word":
                head = term
            terms_last = term
            if pair and segment == 0 and not bracket:
                terms.setdefault(f"{pair}_{term}", (1.0, 0.0))
            pair = term
            old = terms.get(term)
            if old is None or old[1] < miss:
                terms[term] = (match, miss)
        i += 1
    later = sum(1 for _, v in terms.values() if v <= w.later)
    if later > 2:
        shrink = (2 / later) ** w.crowd
        terms = {t: (m, v * shrink if v <= w.later else v) for t, (m, v) in terms.items()}
    if head and head in terms:
        terms[head] = (terms[head][0], terms[head][1] * w.doc_head)
    return terms, head


def _alt_entries(raw: str) -> list[str]:
    entries = []
    for piece in raw.split(";"):
        piece = piece.strip()
        if piece and not _SCOPE_NOTE.search(piece) and len(piece) < 60:
            entries.append(piece)
    return entries[:24]


class FoodIndex:
    """Scores of all foods of a table for a bag of words.

    Parameters
    ----------
    table : FoodTable
    weights : Weights
    """

    def __init__(self, table: FoodTable, weights: Weights) -> None:
        self.table = table
        self.weights = weights
        docs: list[_Doc] = []
        heads: dict[str, list[int]] = {}
        for row, name in enumerate(table.names):
            terms, head = name_terms(name, weights, usual_raw=table.table_of[row] == "fndds")
            for word in _CATEGORY_WORD.findall(table.categories[row].lower()):
                terms.setdefault(word, (0.9, 0.0))
            docs.append(_Doc(row, False, terms))
            if head:
                heads.setdefault(head, []).append(row)
        self.n_foods = len(docs)
        self.heads = {h: np.array(rows, dtype=np.int64) for h, rows in heads.items()}
        frequency: dict[str, int] = {}
        for doc in docs:
            for term in doc.terms:
                frequency[term] = frequency.get(term, 0) + 1
        self._n = max(len(docs), 1)
        for row, raw in enumerate(table.alt_names):
            base = docs[row].terms
            brand = _BRAND.search(table.names[row])
            if brand is not None:
                terms, _ = name_terms(brand.group(1), weights)
                merged = {t: (m, v * weights.brand_rest) for t, (m, v) in base.items()}
                merged.update({t: (1.0, v) for t, (_, v) in terms.items()})
                docs.append(_Doc(row, False, merged))
            if not raw:
                continue
            for entry in _alt_entries(raw):
                terms, _ = name_terms(entry, weights)
                if not terms:
                    continue
                merged = {t: (m, v * 0.5) for t, (m, v) in base.items() if t not in terms}
                for t, (m, v) in terms.items():
                    merged[t] = (m, v * 0.9 if t in base else v)
                docs.append(_Doc(row, True, merged))
                for t in terms:
                    frequency.setdefault(t, 1)
        self.frequency = frequency
        self.doc_food = np.array([d.food for d in docs], dtype=np.int64)
        self._food_order = np.argsort(self.doc_food, kind="stable")
        self._by_food = self.doc_food[self._food_order]
        self._food_terms: dict[int, frozenset[str]] = {}
        self.doc_terms: list[frozenset[str]] = [frozenset(d.terms) for d in docs]
        self.word_weight = {t: self._weight(c) for t, c in frequency.items()}
        self._postings(docs)

    def _weight(self, count: int) -> float:
        w = self.weights
        idf = math.log((self._n + 1) / (count + 0.5))
        return float(max(idf, 0.3) ** w.idf_power)

    def _postings(self, docs: list[_Doc]) -> None:
        w = self.weights
        table = self.table
        lists: dict[str, tuple[list[int], list[float], list[float]]] = {}
        base = np.zeros(len(docs))
        ww = self.word_weight
        for d, doc in enumerate(docs):
            missing = 0.0
            for term, (match, miss) in doc.terms.items():
                posting = lists.get(term)
                if posting is None:
                    posting = lists[term] = ([], [], [])
                cost = w.beta * miss * ww[term] if miss else 0.0
                posting[0].append(d)
                posting[1].append(match)
                posting[2].append(cost)
                missing += cost
            base[d] = -missing
        counts = np.asarray(table.eaten_count, dtype=np.float64)
        total = max(float(counts.sum()), 1.0)
        prior = w.gamma * np.log((counts + 1.0) / total)
        is_sr = np.array([t == "sr" for t in table.table_of])
        prior = np.where(is_sr, w.gamma * math.log(w.sr_count / total) - w.sr, prior)
        base += prior[self.doc_food]
        nfs = np.array(["NFS" in n or "NS as to" in n for n in table.names])
        base += w.nfs * nfs[self.doc_food]
        base -= w.alt * np.array([d.alt for d in docs])
        self.base = base
        self.prior = prior
        self.postings: dict[
            str, tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.float64]]
        ] = {
            t: (np.array(i, dtype=np.int64), np.array(m), np.array(c))
            for t, (i, m, c) in lists.items()
        }
        #: documents that say they are free of a word
        self.free_of = {t[3:]: p[0] for t, p in self.postings.items() if t.startswith("no:")}

    def food_terms(self, food: int) -> frozenset[str]:
        """Return the words of a food's name and of its further names."""
        found = self._food_terms.get(food)
        if found is None:
            lo, hi = np.searchsorted(self._by_food, [food, food + 1])
            found = frozenset().union(*(self.doc_terms[d] for d in self._food_order[lo:hi]))
            self._food_terms[food] = found
        return found

    def known(self, term: str) -> bool:
        """Tell whether any food holds the word."""
        return term in self.postings

    def scores(
        self,
        terms: Iterable[tuple[str, float]],
        implied: Sequence[str],
        negated: Sequence[str],
        head: str,
        implied_heads: Sequence[str] = (),
        pairs: Sequence[str] = (),
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]] | None:
        """Score the documents that hold at least one word of the query.

        Parameters
        ----------
        terms : iterable of (word, weight)
            Words of the query; the weight is the cost when a document lacks it.
        implied : sequence of str
            Words that the query suggests without saying them.
        negated : sequence of str
            Words the query rules out.
        head : str
            Head noun, or an empty string.
        implied_heads : sequence of str
            Words that satisfy the head test too.
        pairs : sequence of str
            Neighbouring words, joined by an underscore.

        Returns
        -------
        documents, scores : ndarray, or None
            Aligned; a document may stand more than once with the same score.
            None when no word is known.
        """
        w = self.weights
        ids: list[Any] = []
        values: list[Any] = []
        found: list[Any] = []
        constant = 0.0
        postings = self.postings
        for term, weight in terms:
            cost = w.alpha * weight
            constant -= cost
            posting = postings.get(term)
            if posting is not None:
                ids.append(posting[0])
                values.append(cost * posting[1] + posting[2])
                if weight > 0.8:
                    found.append(posting[0])
        for term in implied:
            posting = postings.get(term)
            if posting is not None:
                gain = w.alpha * w.implied * self.word_weight[term]
                ids.append(posting[0])
                values.append(gain * posting[1] + posting[2])
                found.append(posting[0])
        if not ids:
            return None
        for term in negated:
            posting = postings.get(term)
            if posting is not None:
                ids.append(posting[0])
                values.append(np.full(len(posting[0]), -w.negated))
            posting = postings.get("no:" + term)
            if posting is not None:
                ids.append(posting[0])
                values.append(posting[2] + w.no_gain)
        for term, _ in terms:
            posting = self.free_of.get(term)
            if posting is not None:
                ids.append(posting)
                values.append(np.full(len(posting), -w.conflict))
        for pair in pairs:
            posting = postings.get(pair)
            if posting is not None:
                ids.append(posting[0])
                values.append(np.full(len(posting[0]), w.bigram))
        if head:
            constant -= w.head
            self._head_gains(head, implied_heads, ids, values)
            same = self.heads.get(head)
            if same is not None:
                ids.append(same)
                values.append(np.full(len(same), w.same_head))
        total = np.bincount(
            np.concatenate(ids), weights=np.concatenate(values), minlength=len(self.base)
        )
        documents = np.concatenate(found) if found else np.concatenate(ids)
        return documents, total[documents] + self.base[documents] + constant

    def _head_gains(
        self, head: str, implied_heads: Sequence[str], ids: list[Any], values: list[Any]
    ) -> None:
        """Add what documents gain by holding the head noun, each at most once."""
        w = self.weights
        gains = []
        for term in (head, *dict.fromkeys(implied_heads)):
            posting = self.postings.get(term)
            if posting is not None:
                factor = w.head if term == head else w.head * 0.9
                inner = posting[1] == _INNER_MATCH
                gains.append((posting[0], np.where(inner, factor * w.inner_head, factor)))
        if len(gains) == 1:
            ids.append(gains[0][0])
            values.append(gains[0][1])
        elif gains:
            best = np.zeros(len(self.base))
            for documents, gain in gains:
                best[documents] = np.maximum(best[documents], gain)
            documents = np.flatnonzero(best)
            ids.append(documents)
            values.append(best[documents])

    def top(
        self,
        scored: tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]],
        *,
        k: int,
        margin: float,
    ) -> list[tuple[int, int, float]]:
        """Return the best foods as (food row, document, score), best first."""
        documents, score = scored
        near = np.flatnonzero(score > float(score.max()) - margin)
        if len(near) > 12 * k:
            near = near[np.argpartition(score[near], -12 * k)[-12 * k :]]
        out: list[tuple[int, int, float]] = []
        seen: set[int] = set()
        foods = self.doc_food[documents[near]].tolist()
        ranked = sorted(
            zip((-score[near]).tolist(), documents[near].tolist(), foods, strict=True)
        )
        for value, document, food in ranked:
            if food not in seen:
                seen.add(food)
                out.append((food, document, -value))
                if len(out) >= k:
                    break
        return out
