"""Three-valued truth: yes, no, unknown (Kleene's strong logic), also for whole arrays.

A comparison with a missing value (NaN) is unknown, never no. Source: S. C. Kleene,
Introduction to Metamathematics (1952), section 64.
"""

from __future__ import annotations

from enum import IntEnum
from functools import reduce
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = [
    "Truth",
    "TruthArray",
    "above",
    "at_least",
    "at_most",
    "below",
    "both",
    "either",
    "equals",
    "holds",
    "negate",
    "one_of",
]

TruthArray = npt.NDArray[np.uint8]
_Numbers = npt.NDArray[np.float64]


class Truth(IntEnum):
    """Whether something holds."""

    NO = 0
    YES = 1
    UNKNOWN = 2

    @property
    def word(self) -> str:
        """``yes``, ``no`` or ``unknown``."""
        return self.name.lower()


_NO, _YES, _UNKNOWN = (np.uint8(t) for t in (Truth.NO, Truth.YES, Truth.UNKNOWN))
#: rows and columns in the order no, yes, unknown
_AND: Final = np.array([[0, 0, 0], [0, 1, 2], [0, 2, 2]], dtype=np.uint8)
_OR: Final = np.array([[0, 1, 2], [1, 1, 1], [2, 1, 2]], dtype=np.uint8)
_NOT: Final = np.array([1, 0, 2], dtype=np.uint8)


def holds(answer: npt.NDArray[np.bool_], *, known: npt.NDArray[np.bool_]) -> TruthArray:
    """Return yes or no where known, and unknown elsewhere."""
    return np.where(known, np.where(answer, _YES, _NO), _UNKNOWN).astype(np.uint8)


def both(*parts: TruthArray) -> TruthArray:
    """Kleene's and over one or more arrays."""
    return reduce(lambda a, b: _AND[a, b], parts)


def either(*parts: TruthArray) -> TruthArray:
    """Kleene's or over one or more arrays."""
    return reduce(lambda a, b: _OR[a, b], parts)


def negate(part: TruthArray) -> TruthArray:
    """Kleene's not."""
    return _NOT[part]


def at_least(values: _Numbers, threshold: float | _Numbers) -> TruthArray:
    """``values >= threshold``; unknown where either is NaN."""
    return holds(values >= threshold, known=_known(values, threshold))


def above(values: _Numbers, threshold: float | _Numbers) -> TruthArray:
    """``values > threshold``; unknown where either is NaN."""
    return holds(values > threshold, known=_known(values, threshold))


def at_most(values: _Numbers, threshold: float | _Numbers) -> TruthArray:
    """``values <= threshold``; unknown where either is NaN."""
    return holds(values <= threshold, known=_known(values, threshold))


def below(values: _Numbers, threshold: float | _Numbers) -> TruthArray:
    """``values < threshold``; unknown where either is NaN."""
    return holds(values < threshold, known=_known(values, threshold))


def equals(values: _Numbers, code: float) -> TruthArray:
    """``values == code``; unknown where missing."""
    return holds(values == code, known=~np.isnan(values))


def one_of(values: _Numbers, codes: tuple[float, ...]) -> TruthArray:
    """``values in codes``; unknown where missing."""
    return holds(np.isin(values, codes), known=~np.isnan(values))


def _known(values: _Numbers, threshold: float | _Numbers) -> npt.NDArray[np.bool_]:
    return ~(np.isnan(values) | np.isnan(np.asarray(threshold, dtype=np.float64)))
