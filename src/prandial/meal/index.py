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
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from prandial.meal.documents import Documents, documents_of
from prandial.meal.kept import Kept
from prandial.meal.names import INNER_MATCH

if TYPE_CHECKING:
    from prandial.meal.weights import Weights
    from prandial.tables import FoodTable

__all__ = ["FoodIndex", "Scored"]


#: words in nearly every name still weigh this much
_LEAST_IDF: Final = 0.3

#: states of a food that rule one another out
_RAW: Final = frozenset(("raw", "uncooked", "dry"))
_COOKED: Final = frozenset(("cooked", "boiled"))
_RAW_OR_COOKED: Final = _RAW | {"cooked"}
#: words of less weight do not find foods, they only rank them
_FINDS: Final = 0.8
#: a word that stands in for the head noun counts this much
_STANDIN_HEAD: Final = 0.9
#: most records that a food without any is taken to have
_MOST_RECORDS: Final = 60.0
_KEPT_GAINS: Final = 10_000
_KEPT_QUERIES: Final = 12_000

#: documents and what each gains
Gain = tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]
#: documents and their scores
Scored = tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]
Posting = tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.float64]]


class _Postings:
    """word -> (documents, match weights, miss costs), cut from three long arrays."""

    def __init__(
        self, number: dict[str, int], ends: npt.NDArray[np.int64], columns: Posting
    ) -> None:
        self._number = number
        self._ends = ends.tolist()
        self._columns = columns

    def __contains__(self, term: str) -> bool:
        return term in self._number

    def __iter__(self) -> Iterator[str]:
        return iter(self._number)

    def __getitem__(self, term: str) -> Posting:
        k = self._number[term]
        lo, hi = (self._ends[k - 1] if k else 0), self._ends[k]
        documents, matches, costs = self._columns
        return documents[lo:hi], matches[lo:hi], costs[lo:hi]

    def get(self, term: str) -> Posting | None:
        """Return a word's posting, or None."""
        return self[term] if term in self._number else None


class FoodIndex:
    """Scores of all foods of a table for a bag of words.

    Parameters
    ----------
    table : FoodTable
    weights : Weights
    documents : Documents, optional
        Those of the table when None.
    """

    def __init__(
        self, table: FoodTable, weights: Weights, documents: Documents | None = None
    ) -> None:
        self.table = table
        self.weights = weights
        docs = documents_of(table, weights) if documents is None else documents
        self.n_foods = len(table.ids)
        self.doc_food = docs.food
        self._terms = docs.terms
        self._food_order = np.argsort(docs.food, kind="stable")
        self._by_food = docs.food[self._food_order]
        self._food_terms: dict[int, frozenset[str]] = {}
        self._doc_terms: dict[int, frozenset[str]] = {}
        self._entry_term = docs.entry_term
        self._gains: Kept[tuple[object, ...], Gain | None] = Kept(_KEPT_GAINS)
        self._word_gains: dict[tuple[str, float], Gain] = {}
        self._ranked: Kept[tuple[object, ...], tuple[tuple[int, int, float], ...] | None]
        self._ranked = Kept(_KEPT_QUERIES)
        self._doc_end = np.cumsum(np.bincount(docs.entry_doc, minlength=len(docs.food)))
        n = len(docs.terms)
        counted = docs.counted if docs.counted >= 0 else self.n_foods
        in_names = docs.entry_term[docs.entry_doc < counted]
        counts = np.maximum(np.bincount(in_names, minlength=n), 1)
        idf = np.log((counted + 1) / (counts + 0.5))
        word_weight = np.maximum(idf, _LEAST_IDF) ** weights.idf_power
        self.word_weight: dict[str, float] = dict(
            zip(docs.terms, word_weight.tolist(), strict=True)
        )
        costs = weights.beta * docs.entry_miss * word_weight[docs.entry_term]
        self.base = self._base(docs, costs)
        #: the words some food holds
        self.number = number = {t: k for k, t in enumerate(docs.terms)}
        order = np.argsort(docs.entry_term, kind="stable")
        columns = (docs.entry_doc[order], docs.entry_match[order], costs[order])
        self.postings = _Postings(
            number, np.cumsum(np.bincount(docs.entry_term, minlength=n)), columns
        )
        #: documents that say they are free of a word
        self.free_of = {t[3:]: self.postings[t][0] for t in docs.terms if t.startswith("no:")}
        by_head = np.argsort(docs.head, kind="stable")
        heads, starts = np.unique(docs.head[by_head], return_index=True)
        self.heads = {
            docs.terms[h]: rows
            for h, rows in zip(heads.tolist(), np.split(by_head, starts[1:]), strict=True)
            if h >= 0
        }

    def _base(self, docs: Documents, costs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Score of each document when the query holds none of its words."""
        w = self.weights
        missing = np.bincount(docs.entry_doc, weights=costs, minlength=len(docs.food))
        nfs = np.array(["NFS" in n or "NS as to" in n for n in self.table.names])
        self.prior = self._prior()
        return (self.prior + w.nfs * nfs)[docs.food] - missing - w.alt * docs.alt

    def _prior(self) -> npt.NDArray[np.float64]:
        """Log share of each food in the recalls, weighted."""
        w = self.weights
        counts = np.asarray(self.table.eaten_count, dtype=np.float64)
        total = max(float(counts.sum()), 1.0)
        if w.new_food:
            counts = self._unknown_filled(counts)
        prior = w.gamma * np.log((counts + 1.0) / total)
        elsewhere = np.array([t != "fndds" for t in self.table.table_of])
        prior = np.where(elsewhere, w.gamma * math.log(w.sr_count / total) - w.sr, prior)
        own = np.array([t == "user" for t in self.table.table_of])
        return np.where(own, w.gamma * math.log(w.own_count / total), prior)

    def _unknown_filled(self, counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Give foods that no recall holds a part of their category's median count.

        Most of them have codes newer than the recalls: how often they are eaten is
        not known, which is not never.
        """
        categories = np.array(self.table.categories)
        main = np.array([t == "fndds" for t in self.table.table_of])
        filled = counts.copy()
        for category in np.unique(categories[main & (counts == 0)]):
            here = main & (categories == category)
            known = counts[here & (counts > 0)]
            if len(known):
                usual = min(self.weights.new_food * float(np.median(known)), _MOST_RECORDS)
                filled[here & (counts == 0)] = usual
        return filled

    def doc_terms(self, document: int) -> frozenset[str]:
        """Return the words of a document."""
        found = self._doc_terms.get(document)
        if found is None:
            lo = int(self._doc_end[document - 1]) if document else 0
            numbers = self._entry_term[lo : int(self._doc_end[document])].tolist()
            found = self._doc_terms[document] = frozenset(self._terms[k] for k in numbers)
        return found

    def food_terms(self, food: int) -> frozenset[str]:
        """Return the words of a food's name and of its further names."""
        found = self._food_terms.get(food)
        if found is None:
            lo, hi = np.searchsorted(self._by_food, [food, food + 1])
            found = frozenset[str]().union(
                *(self.doc_terms(d) for d in self._food_order[lo:hi].tolist())
            )
            self._food_terms[food] = found
        return found

    def known(self, term: str) -> bool:
        """Tell whether any food holds the word."""
        return term in self.number

    def ranked(
        self,
        terms: Sequence[tuple[str, float]],
        implied: Sequence[str],
        negated: Sequence[str],
        head: str,
        implied_heads: Sequence[str] = (),
        pairs: Sequence[str] = (),
        *,
        k: int,
        margin: float,
    ) -> tuple[tuple[int, int, float], ...]:
        """Return the best foods for the words of a query; equal queries are scored once.

        Parameters are those of :meth:`scores` and :meth:`top`.

        Returns
        -------
        tuple of (food row, document, score)
            Best first; empty when no word is known.
        """
        key = (
            *(tuple(terms), tuple(implied), tuple(negated), head),
            *(tuple(implied_heads), tuple(pairs), k, margin),
        )
        best = self._ranked.get(key, None)
        if best is None:
            scored = self.scores(terms, implied, negated, head, implied_heads, pairs)
            best = () if scored is None else tuple(self.top(scored, k=k, margin=margin))
            self._ranked.put(key, best)
        return best

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
        number = self.number
        documents: list[npt.NDArray[np.int64]] = []
        values: list[npt.NDArray[np.float64]] = []
        found: list[npt.NDArray[np.int64]] = []
        constant = 0.0
        for term, weight in terms:
            constant -= w.alpha * weight
            if term in number:
                rows, gain = self._word_gain(term, weight)
                documents.append(rows)
                values.append(gain)
                if weight > _FINDS:
                    found.append(rows)
        for term in implied:
            if term in number:
                rows, gain = self._word_gain(term, w.implied * self.word_weight.get(term, 0.0))
                documents.append(rows)
                values.append(gain)
                found.append(rows)
        if not documents:
            return None
        found = found or documents[:]
        more = self._ruled_out(terms, negated)
        more += [self._pair_gain(pair) for pair in pairs if pair in number]
        if head:
            constant -= w.head
            more.append(self._head_gains(head, tuple(implied_heads)))
        for rows, gain in more:
            documents.append(rows)
            values.append(gain)
        total: Any = np.bincount(
            np.concatenate(documents), weights=np.concatenate(values), minlength=len(self.base)
        )
        candidates = np.concatenate(found) if len(found) > 1 else found[0]
        score = total.take(candidates)
        score += self.base.take(candidates)
        score += constant
        return candidates, score

    def _kept(self, key: tuple[object, ...], make: Callable[[], Gain]) -> Gain:
        """Gains that depend on a few words only are made once."""
        gain = self._gains.get(key, None)
        if gain is None:
            gain = make()
            self._gains.put(key, gain)
        return gain

    def _word_gain(self, term: str, weight: float) -> Gain:
        """Return what documents gain by holding a word that costs ``weight`` to lack."""
        key = (term, weight)
        gain = self._word_gains.get(key)
        if gain is None:
            documents, matches, costs = self.postings[term]
            gain = (documents, self.weights.alpha * weight * matches + costs)
            if len(self._word_gains) >= _KEPT_GAINS:
                self._word_gains.clear()
            self._word_gains[key] = gain
        return gain

    def _same_gain(self, term: str, value: float) -> Gain:
        """Return the same gain for all documents that hold a word."""

        def make() -> Gain:
            documents = self.postings[term][0]
            return documents, np.full(len(documents), value)

        return self._kept(("same", term, value), make)

    def _pair_gain(self, pair: str) -> Gain:
        return self._same_gain(pair, self.weights.bigram)

    def _ruled_out(self, terms: Sequence[tuple[str, float]], negated: Sequence[str]) -> list[Gain]:
        """Words the query rules out, and documents that rule out its words."""
        w = self.weights
        gains: list[Gain] = []
        for term in negated:
            if term in self.number:
                gains.append(self._same_gain(term, -w.negated))
            free = self.postings.get("no:" + term)
            if free is not None:
                gains.append((free[0], free[2] + w.no_gain))
        words = {t for t, _ in terms}
        if not words.isdisjoint(_RAW_OR_COOKED):
            wrong = (_COOKED if words & _RAW else _RAW) - words
            gains += [self._same_gain(term, -w.state) for term in wrong if term in self.number]
        gains += [
            self._same_gain("no:" + term, -w.conflict) for term in words & self.free_of.keys()
        ]
        return gains

    def _head_gains(self, head: str, implied_heads: tuple[str, ...]) -> Gain:
        """Return what documents gain by holding the head noun, each at most once."""
        return self._kept(
            ("head", head, implied_heads), lambda: self._make_head_gains(head, implied_heads)
        )

    def _make_head_gains(self, head: str, implied_heads: tuple[str, ...]) -> Gain:
        w = self.weights
        best = np.zeros(len(self.base))
        for term in (head, *implied_heads):
            posting = self.postings.get(term)
            if posting is not None:
                factor = w.head if term == head else w.head * _STANDIN_HEAD
                inner = posting[1] == INNER_MATCH
                gain = np.where(inner, factor * w.inner_head, factor)
                best[posting[0]] = np.maximum(best[posting[0]], gain)
        same = self.heads.get(head)
        if same is not None:
            best[same] += w.same_head
        documents = np.flatnonzero(best)
        return documents, best[documents]

    def top(
        self,
        scored: tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]],
        *,
        k: int,
        margin: float,
    ) -> list[tuple[int, int, float]]:
        """Return the best foods as (food row, document, score), best first."""
        documents, score = scored
        near = (score > score.max() - margin).nonzero()[0]
        values = score.take(near)
        for most in (3 * k, 12 * k):
            if len(near) > most:  # a few of the best are mostly enough
                best = values.argpartition(-most)[-most:]
                some, some_values = near.take(best), values.take(best)
                least = float(some_values.min())
            else:
                some, some_values, least = near, values, -math.inf
            out = self._best_foods(documents.take(some), some_values, k)
            if least == -math.inf or (len(out) >= k and out[-1][2] > least):
                break
        return out

    def _best_foods(
        self, documents: npt.NDArray[np.int64], values: npt.NDArray[np.float64], k: int
    ) -> list[tuple[int, int, float]]:
        """Return the first ``k`` foods with their best document, best first."""
        out: list[tuple[int, int, float]] = []
        seen: set[int] = set()
        foods = self.doc_food.take(documents).tolist()
        ranked = sorted(zip((-values).tolist(), documents.tolist(), foods, strict=True))
        for value, document, food in ranked:
            if food not in seen:
                seen.add(food)
                out.append((food, document, -value))
                if len(out) >= k:
                    break
        return out
