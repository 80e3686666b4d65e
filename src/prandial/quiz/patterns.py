"""People grouped by pattern of needs, and which patterns are eligible for a food."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from prandial.records.quiz import Level
from prandial.tags.needed import HIGH, LOW, MAYBE_HIGH, MAYBE_LOW

__all__ = ["NeedPatterns", "Wish"]

_Masks = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Wish:
    """Nutrients of a food as bit masks, one bit a column.

    Tagged low, tagged high, of unknown amount, and those that the person must need.
    """

    low: int
    high: int
    unknown: int
    selected: int = 0

    @classmethod
    def of(cls, tags: npt.NDArray[np.int8], unknown: npt.NDArray[np.bool_]) -> Wish:
        """Return the masks of a food, nothing selected."""
        return cls(_mask(tags < 0), _mask(tags > 0), _mask(unknown & (tags == 0)))

    def asks(self, selected: int) -> Wish:
        """Return the same with the columns of this mask selected."""
        return Wish(self.low, self.high, self.unknown, selected)


def _mask(flags: npt.NDArray[np.bool_]) -> int:
    return sum(1 << c for c, flag in enumerate(flags.tolist()) if flag)


class NeedPatterns:
    """Distinct patterns of needs with the people of each.

    Parameters
    ----------
    needs : ndarray of uint8, shape (people, nutrients)
    published : bool
        Whether high overwrites low and unknown counts as no need.

    Attributes
    ----------
    people : ndarray of int64
        Rows of ``needs``, pattern after pattern, ascending within each.
    """

    def __init__(self, needs: npt.NDArray[np.uint8], *, published: bool) -> None:
        low = _bits(needs, LOW)
        high = _bits(needs, HIGH)
        maybe = _bits(needs, MAYBE_LOW | MAYBE_HIGH)
        either = low | high
        if published:
            low &= ~high
            maybe = np.zeros_like(maybe)
        else:
            low, high = low & ~high, high & ~low
        # a need that clashes is in neither, so it is never asked about and never counted
        keys = np.stack([low, high, maybe, either | maybe], axis=1)
        distinct, which = np.unique(keys, axis=0, return_inverse=True)
        which = which.reshape(-1)
        self._low, self._high, self._maybe, self._any = (
            np.ascontiguousarray(distinct[:, i]) for i in range(4)
        )
        self._published = published
        self.people: npt.NDArray[np.int64] = np.argsort(which, kind="stable").astype(np.int64)
        ends = np.concatenate([[0], np.cumsum(np.bincount(which, minlength=len(distinct)))])
        self._slices = [slice(int(a), int(b)) for a, b in pairwise(ends.tolist())]
        self._slices_of: dict[tuple[Wish, Level], list[slice]] = {}
        self._masks_of: dict[tuple[Wish, Level], list[int]] = {}

    def eligible(self, wish: Wish, level: Level) -> list[slice]:
        """Return slices of ``people`` who may be asked at a level.

        With columns selected only those whose needs on the food's tags are just these.
        """
        found = self._slices_of.get((wish, level))
        if found is None:
            fits = np.flatnonzero(self._fits(wish, level)).tolist()
            found = self._slices_of[wish, level] = [self._slices[p] for p in fits]
        return found

    def selections(self, wish: Wish, level: Level) -> list[int]:
        """Return the masks of selected columns that somebody eligible at the level has."""
        found = self._masks_of.get((wish, level))
        if found is None:
            needed = self._needed(wish)[self._fits(wish, level)]
            found = self._masks_of[wish, level] = np.unique(needed).tolist()
        return found

    def _needed(self, wish: Wish) -> _Masks:
        needed: _Masks = (self._low | self._high) & np.uint32(wish.low | wish.high)
        return needed

    def _fits(self, wish: Wish, level: Level) -> npt.NDArray[np.bool_]:
        needed = self._needed(wish)
        match = (self._low & np.uint32(wish.low)) | (self._high & np.uint32(wish.high))
        matches, against = np.bitwise_count(match), np.bitwise_count(needed & ~match)
        if level == "sparse":
            fits = matches + against == 1
        elif level == "standard":
            fits = (matches + against > 1) & ((matches == 0) | (against == 0))
        else:
            fits = (matches > 0) & (against > 0)
        if wish.selected:
            fits &= needed == np.uint32(wish.selected)
        if not self._published:
            fits &= matches != against
            fits &= (self._maybe & np.uint32(wish.low | wish.high)) == 0
            fits &= (self._any & np.uint32(wish.unknown)) == 0
        told: npt.NDArray[np.bool_] = fits
        return told


def _bits(needs: npt.NDArray[np.uint8], which: int) -> _Masks:
    columns = np.uint32(1) << np.arange(needs.shape[1], dtype=np.uint32)
    masks: _Masks = (((needs & which) > 0) * columns).sum(axis=1).astype(np.uint32)
    return masks
