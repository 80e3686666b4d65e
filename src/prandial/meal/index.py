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
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from prandial.meal.names import INNER_MATCH, brand_of, category_words, read_name, synonyms

if TYPE_CHECKING:
    from prandial.meal.weights import Weights
    from prandial.tables import FoodTable

__all__ = ["FoodIndex"]


@dataclass(slots=True)
class _Doc:
    food: int
    alt: bool
    terms: dict[str, tuple[float, float]] = field(default_factory=dict)


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
        docs, heads = self._name_docs()
        self.n_foods = len(docs)
        self.heads = {h: np.array(rows, dtype=np.int64) for h, rows in heads.items()}
        frequency: dict[str, int] = {}
        for doc in docs:
            for term in doc.terms:
                frequency[term] = frequency.get(term, 0) + 1
        for doc in self._other_docs(docs):
            docs.append(doc)
            for term in doc.terms:
                frequency.setdefault(term, 1)
        self.frequency = frequency
        self.doc_food = np.array([d.food for d in docs], dtype=np.int64)
        self._food_order = np.argsort(self.doc_food, kind="stable")
        self._by_food = self.doc_food[self._food_order]
        self._food_terms: dict[int, frozenset[str]] = {}
        self.doc_terms: list[frozenset[str]] = [frozenset(d.terms) for d in docs]
        self.word_weight = {t: self._weight(c) for t, c in frequency.items()}
        self._postings(docs)

    def _name_docs(self) -> tuple[list[_Doc], dict[str, list[int]]]:
        """One document a food, from its name and category."""
        table, weights = self.table, self.weights
        docs: list[_Doc] = []
        heads: dict[str, list[int]] = {}
        for row, name in enumerate(table.names):
            terms, head = read_name(name, weights, usual_raw=table.table_of[row] == "fndds")
            for word in category_words(table.categories[row]):
                terms.setdefault(word, (0.9, 0.0))
            docs.append(_Doc(row, False, terms))
            if head:
                heads.setdefault(head, []).append(row)
        return docs, heads

    def _other_docs(self, docs: Sequence[_Doc]) -> list[_Doc]:
        """Documents for brands in brackets and for additional descriptions."""
        table, weights = self.table, self.weights
        out: list[_Doc] = []
        for row, raw in enumerate(table.alt_names):
            base = docs[row].terms
            brand = brand_of(table.names[row])
            if brand:
                terms, _ = read_name(brand, weights)
                merged = {t: (m, v * weights.brand_rest) for t, (m, v) in base.items()}
                merged.update({t: (1.0, v) for t, (_, v) in terms.items()})
                out.append(_Doc(row, False, merged))
            for entry in synonyms(raw):
                terms, _ = read_name(entry, weights)
                if terms:
                    merged = {t: (m, v * 0.5) for t, (m, v) in base.items() if t not in terms}
                    for t, (m, v) in terms.items():
                        merged[t] = (m, v * 0.9 if t in base else v)
                    out.append(_Doc(row, True, merged))
        return out

    def _weight(self, count: int) -> float:
        w = self.weights
        idf = math.log((self.n_foods + 1) / (count + 0.5))
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
        terms: Sequence[tuple[str, float]],
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
        self._ruled_out(terms, negated, ids, values)
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

    def _ruled_out(
        self,
        terms: Sequence[tuple[str, float]],
        negated: Sequence[str],
        ids: list[Any],
        values: list[Any],
    ) -> None:
        """Words the query rules out, and documents that rule out its words."""
        w = self.weights
        for term in negated:
            posting = self.postings.get(term)
            if posting is not None:
                ids.append(posting[0])
                values.append(np.full(len(posting[0]), -w.negated))
            free = self.postings.get("no:" + term)
            if free is not None:
                ids.append(free[0])
                values.append(free[2] + w.no_gain)
        for term, _ in terms:
            documents = self.free_of.get(term)
            if documents is not None:
                ids.append(documents)
                values.append(np.full(len(documents), -w.conflict))

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
                inner = posting[1] == INNER_MATCH
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
        ranked = sorted(zip((-score[near]).tolist(), documents[near].tolist(), foods, strict=True))
        for value, document, food in ranked:
            if food not in seen:
                seen.add(food)
                out.append((food, document, -value))
                if len(out) >= k:
                    break
        return out
