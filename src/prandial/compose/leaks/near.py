"""Near duplicates: all pairs of texts whose word pairs overlap by a share or more, and no others.

A text is the set of its neighbouring word pairs. Two sets of at least a share ``t`` in common
(Jaccard, their shared pairs to all their pairs) must share one of the ``n - ceil(t n) + 1`` pairs
of either set that are rarest in the known texts, whatever n, in an order that is the same for
all texts (prefix filtering: Chaudhuri, Ganti and Kaushik 2006, doi:10.1109/ICDE.2006.9; Bayardo,
Ma and Srikant 2007, doi:10.1145/1242572.1242591). So only those are looked up, and every pair
found is then counted in full: nothing is missed and nothing is estimated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.compose.quality.texts import words_of
from prandial.errors import InputError

__all__ = ["KnownTexts", "jaccard"]

_Ints = npt.NDArray[np.int64]
#: word pairs of candidates that are counted at a time
_BATCH: Final = 4_000_000
#: stands behind the last word, so that a text of one word has a pair too
_END: Final = 0
#: words below this number get pairs of their own
_WORDS: Final = 1 << 31


def jaccard(first: str, second: str) -> float:
    """Return the share of word pairs two texts have in common, the slow and obvious way.

    Parameters
    ----------
    first, second : str

    Returns
    -------
    float
        0 when one of them has no word.
    """
    one, other = _pairs_of(words_of(first)), _pairs_of(words_of(second))
    return len(one & other) / len(one | other) if one and other else 0.0


def _pairs_of(words: list[str]) -> set[tuple[str, str]]:
    return set(pairwise(words)) if len(words) > 1 else {(w, "") for w in words}


@dataclass(frozen=True, slots=True)
class _Sets:
    """Sets of word pairs, one after another: ``ranks[starts[k]:starts[k + 1]]``, rarest first."""

    ranks: _Ints
    starts: _Ints

    @property
    def sizes(self) -> _Ints:
        return np.diff(self.starts)


class KnownTexts:
    """Texts that others are compared with.

    Parameters
    ----------
    texts : sequence of str
    least : float
        Share of word pairs in common from which two texts are near.

    Raises
    ------
    InputError
        On a share that is not above 0 and up to 1.
    """

    def __init__(self, texts: Sequence[str], *, least: float) -> None:
        if not 0.0 < least <= 1.0:
            raise InputError(f"a share of {least}", where="least", hint="above 0, up to 1")
        self._least = least
        self._words: dict[str, int] = {}
        keys, starts = self._keys(texts, self._words)
        self._pairs, ranks = _ranked(keys)
        self._sets = _in_order(ranks, starts)
        self._index, self._docs = _inverted(self._sets, least)

    def near(self, texts: Sequence[str]) -> Iterator[tuple[int, int, float]]:
        """Yield (text, known text, share in common) of all near pairs.

        Parameters
        ----------
        texts : sequence of str
            Some thousand at a time; memory grows with them.

        Yields
        ------
        tuple
            Place in ``texts``, place in the known texts, Jaccard; by the first, then the second.
        """
        others: dict[str, int] = {}
        keys, starts = self._keys(texts, self._words, others)
        place = np.searchsorted(self._pairs[0], keys)
        place[place == len(self._pairs[0])] = 0
        known = self._pairs[0][place] == keys if len(self._pairs[0]) else np.zeros(len(keys), bool)
        # pairs that no known text has are the rarest; each keeps a rank of its own below 0
        ranks = np.where(known, self._pairs[1][place] if len(self._pairs[1]) else 0, -1 - keys)
        sets = _in_order(ranks, starts)
        mine, theirs = self._candidates(sets)
        for start, stop in _batches(sets.sizes[mine] + self._sets.sizes[theirs]):
            one, other = mine[start:stop], theirs[start:stop]
            common = _common(sets, one, self._sets, other)
            union = sets.sizes[one] + self._sets.sizes[other] - common
            share = common / union
            near = share >= self._least - 1e-12
            yield from zip(
                one[near].tolist(), other[near].tolist(), share[near].tolist(), strict=True
            )

    def _candidates(self, sets: _Sets) -> tuple[_Ints, _Ints]:
        """Return pairs that share a rare word pair and whose sizes allow the share."""
        ranks, docs = _prefixes(sets, self._least)
        low = np.searchsorted(self._index, ranks, side="left")
        many = np.searchsorted(self._index, ranks, side="right") - low
        mine = np.repeat(docs, many)
        theirs = self._docs[np.repeat(low - (np.cumsum(many) - many), many) + np.arange(many.sum())]
        sizes, known = sets.sizes[mine], self._sets.sizes[theirs]
        fits = np.minimum(sizes, known) >= self._least * np.maximum(sizes, known) - 1e-9
        both = np.unique(mine[fits] * max(len(self._sets.sizes), 1) + theirs[fits])
        found = np.divmod(both, max(len(self._sets.sizes), 1))
        return found[0], found[1]

    @staticmethod
    def _keys(
        texts: Sequence[str], words: dict[str, int], others: dict[str, int] | None = None
    ) -> tuple[_Ints, _Ints]:
        """Return the distinct word pairs of each text as numbers, and where each text starts.

        Words that ``words`` lacks are added to it, or to ``others`` where that is given.
        """
        flat: list[int] = []
        lengths: list[int] = []
        into = words if others is None else others
        for text in texts:
            said = words_of(text)
            for word in said:
                number = words.get(word)
                if number is None:
                    number = into.setdefault(word, len(words) + len(others or ()) + 1)
                flat.append(number)
            if said:
                flat.append(_END)
            lengths.append(len(said) + bool(said))
        return _distinct_pairs(
            np.array(flat, dtype=np.int64), np.array(lengths, dtype=np.int64), len(texts)
        )


def _distinct_pairs(words: _Ints, lengths: _Ints, n: int) -> tuple[_Ints, _Ints]:
    """Return the distinct pairs of neighbours of each text, and where each text starts."""
    docs = np.repeat(np.arange(n, dtype=np.int64), lengths)
    if not len(words):
        return np.zeros(0, np.int64), np.zeros(n + 1, np.int64)
    second = np.append(words[1:], _END)
    # the last word and the end are a pair only where there is no other word
    keep = (words != _END) & ((second != _END) | (np.repeat(lengths, lengths) == 2))
    keys, docs = words[keep] * _WORDS + second[keep], docs[keep]
    order = np.lexsort((keys, docs))
    keys, docs = keys[order], docs[order]
    new = np.ones(len(keys), dtype=bool)
    new[1:] = (keys[1:] != keys[:-1]) | (docs[1:] != docs[:-1])
    starts = np.zeros(n + 1, np.int64)
    starts[1:] = np.cumsum(np.bincount(docs[new], minlength=n))
    return keys[new], starts


def _ranked(keys: _Ints) -> tuple[tuple[_Ints, _Ints], _Ints]:
    """Return the pairs there are, with their ranks from the rarest, and the rank of each key."""
    pairs, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
    rank = np.empty(len(pairs), np.int64)
    rank[np.argsort(counts, kind="stable")] = np.arange(len(pairs))
    return (pairs, rank), rank[place.reshape(-1)]


def _in_order(ranks: _Ints, starts: _Ints) -> _Sets:
    docs = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return _Sets(ranks[np.lexsort((ranks, docs))], starts)


def _prefixes(sets: _Sets, least: float) -> tuple[_Ints, _Ints]:
    """Return the rarest pairs of each set, enough to hold a shared one, and whose they are."""
    sizes = sets.sizes
    most = sizes - np.ceil(least * sizes - 1e-9).astype(np.int64) + 1
    docs = np.repeat(np.arange(len(sizes)), sizes)
    within = np.arange(len(sets.ranks)) - np.repeat(sets.starts[:-1], sizes)
    taken = within < most[docs]
    return sets.ranks[taken], docs[taken]


def _inverted(sets: _Sets, least: float) -> tuple[_Ints, _Ints]:
    ranks, docs = _prefixes(sets, least)
    order = np.argsort(ranks, kind="stable")
    return ranks[order], docs[order]


def _common(sets: _Sets, one: _Ints, known: _Sets, other: _Ints) -> _Ints:
    """Count the word pairs that each pair of texts has in common."""
    mine, at_mine = _members(sets, one)
    theirs, at_theirs = _members(known, other)
    far = int(max(mine.max(initial=0), theirs.max(initial=0))) + 1
    kept = mine >= 0
    mine_keys = at_mine[kept] * far + mine[kept]
    shared = np.isin(mine_keys, at_theirs * far + theirs, assume_unique=True)
    return np.bincount(at_mine[kept][shared], minlength=len(one))


def _members(sets: _Sets, docs: _Ints) -> tuple[_Ints, _Ints]:
    sizes = sets.sizes[docs]
    which = np.repeat(np.arange(len(docs)), sizes)
    offset = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return sets.ranks[np.repeat(sets.starts[docs], sizes) + offset], which


def _batches(sizes: _Ints) -> Iterator[tuple[int, int]]:
    """Yield ranges whose sizes add up to about a batch."""
    if not len(sizes):
        return
    batch = np.cumsum(sizes) // _BATCH
    edges = np.flatnonzero(np.diff(batch)) + 1
    stops = [*edges.tolist(), len(sizes)]
    yield from zip([0, *edges.tolist()], stops, strict=True)
