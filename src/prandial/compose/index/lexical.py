"""Names found by their words: BM25 over an inverted index in plain arrays.

BM25 (S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond",
2009, equations 3.15 and 4.6 for weighted fields)::

    score(d, q) = sum over terms t of q:  idf(t) * f (k1 + 1) / (f + k1 (1 - b + b |d| / avg))
    idf(t) = ln(1 + (N - n_t + 0.5) / (n_t + 0.5))

where f is the term's count in the document, each field's times its weight, and |d| the same
sum over all terms, over its mean among foods of the same kind (reference tables, labels). All of
it but the sum is known at build time, so a posting holds its whole contribution, and a query
adds up a few rows of numbers.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.compose.index.terms import terms_of

__all__ = ["LEXICAL_FILES", "Lexical", "Weighting", "best_of", "build_lexical", "open_lexical"]

_TERMS: Final = "terms.txt"
_STARTS: Final = "term_starts.npy"
_FOODS: Final = "posting_foods.npy"
_IMPACTS: Final = "posting_impacts.npy"
LEXICAL_FILES: Final = (_TERMS, _STARTS, _FOODS, _IMPACTS)

_Ints = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, slots=True)
class Weighting:
    """Of BM25.

    The defaults are the usual constants of BM25; on the tuning half of the foods
    (``benchmarks.retrieval_facts --tune``) no others of the grid were better by more than
    1.2 points of recall@5.

    Attributes
    ----------
    k1, b : float
    other : float
        Weight of words of other names; 0 leaves them out.
    """

    k1: float = 1.2
    b: float = 0.75
    other: float = 0.3


@dataclass(frozen=True, slots=True)
class Lexical:
    """The opened index."""

    terms: dict[str, int]
    starts: npt.NDArray[np.int64]
    foods: _Ints
    impacts: _Floats
    size: int

    def search(self, query: str, depth: int) -> tuple[_Ints, _Floats]:
        """Return the best foods for the words of a query, best first.

        Parameters
        ----------
        query : str
        depth : int
            Most foods.

        Returns
        -------
        foods : ndarray of int32
            Only those with a word of the query; of equal scores the lower number first.
        scores : ndarray of float32
        """
        known = sorted({self.terms[t] for t in terms_of(query) if t in self.terms})
        scores = np.zeros(self.size, dtype=np.float32)
        for term in known:
            one, two = int(self.starts[term]), int(self.starts[term + 1])
            scores[self.foods[one:two]] += self.impacts[one:two]  # a food once a term
        touched = np.flatnonzero(scores)
        best = best_of(scores[touched], depth)
        found = touched[best]
        return found.astype(np.int32), scores[found]


def best_of(scores: _Floats, k: int) -> npt.NDArray[np.intp]:
    """Return the places of the k largest scores, largest first, of equal ones the first place."""
    if len(scores) > k:
        edge = np.partition(scores, len(scores) - k)[len(scores) - k]
        picked = np.flatnonzero(scores >= edge)
    else:
        picked = np.arange(len(scores))
    return picked[np.argsort(-scores[picked], kind="stable")[:k]]


def build_lexical(
    names: Sequence[str],
    others: Sequence[str],
    folder: Path,
    *,
    first_label: int,
    weighting: Weighting,
) -> None:
    """Write the index of names.

    Parameters
    ----------
    names, others : sequence of str
        Of each food its name, and its other names with ``;`` between them.
    folder : Path
    first_label : int
        Number of the first food from labels; those before it are of reference tables.
    weighting : Weighting
    """
    numbers: dict[str, int] = {}
    term_of, food_of, count_of = array("i"), array("i"), array("f")
    for food, (name, other) in enumerate(zip(names, others, strict=True)):
        counted = _counted(name, other, weighting)
        for term, count in counted.items():
            term_of.append(numbers.setdefault(term, len(numbers)))
            food_of.append(food)
            count_of.append(count)
    terms = sorted(numbers)
    place = np.empty(len(terms), dtype=np.int32)
    place[[numbers[t] for t in terms]] = np.arange(len(terms), dtype=np.int32)
    of = place[np.frombuffer(term_of, dtype=np.int32)] if terms else np.zeros(0, np.int32)
    foods = np.array(food_of, dtype=np.int32)
    counts = np.array(count_of, dtype=np.float32)
    order = np.lexsort((foods, of))
    of, foods, counts = of[order], foods[order], counts[order]
    lengths = _lengths(foods, counts, len(names), first_label)
    impacts = _impacts(of, foods, counts, lengths, weighting)
    starts = np.searchsorted(of, np.arange(len(terms) + 1)).astype(np.int64)
    (folder / _TERMS).write_text("".join(f"{t}\n" for t in terms), encoding="utf-8")
    np.save(folder / _STARTS, starts)
    np.save(folder / _FOODS, foods)
    np.save(folder / _IMPACTS, impacts)


def _counted(name: str, other: str, weighting: Weighting) -> dict[str, float]:
    counted: dict[str, float] = {}
    parts: Iterable[tuple[str, float]] = (
        (name, 1.0),
        (other, weighting.other),
    )
    for text, weight in parts:
        if weight:
            for term in terms_of(text):
                counted[term] = counted.get(term, 0.0) + weight
    return counted


def _lengths(foods: _Ints, counts: _Floats, size: int, first_label: int) -> _Floats:
    """Return |d| over its mean among foods of the same kind."""
    lengths = np.zeros(size, dtype=np.float64)
    for low, high in ((0, first_label), (first_label, size)):
        own = (foods >= low) & (foods < high)
        if not own.any():
            continue
        weights = counts[own].astype(np.float64)
        lengths += np.bincount(foods[own], weights=weights, minlength=size)
        mean = lengths[low:high].mean()
        lengths[low:high] /= mean if mean > 0 else 1.0
    return lengths.astype(np.float32)


def _idf(term: _Ints, total: int) -> npt.NDArray[np.float64]:
    within = np.bincount(term).astype(np.float64)
    idf: npt.NDArray[np.float64] = np.log1p((total - within + 0.5) / (within + 0.5))
    return idf


def _impacts(
    term: _Ints, foods: _Ints, counts: _Floats, lengths: _Floats, weighting: Weighting
) -> _Floats:
    norm = weighting.k1 * (1.0 - weighting.b + weighting.b * lengths[foods])
    saturated = counts * (weighting.k1 + 1.0) / (counts + norm)
    return (_idf(term, len(lengths))[term] * saturated).astype(np.float32)


def open_lexical(folder: Path, size: int) -> Lexical:
    """Open an index written by :func:`build_lexical`; the postings stay on disk until used."""
    lines = (folder / _TERMS).read_text(encoding="utf-8").splitlines()
    return Lexical(
        terms={t: i for i, t in enumerate(lines)},
        starts=np.load(folder / _STARTS),
        foods=np.load(folder / _FOODS, mmap_mode="r"),
        impacts=np.load(folder / _IMPACTS, mmap_mode="r"),
        size=size,
    )
