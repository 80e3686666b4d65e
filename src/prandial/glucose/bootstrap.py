"""Intervals by resampling meals and patients, as products of weight matrices.

Simulations of one meal, or of one patient, are not independent of each other, so whole meals
and whole patients are resampled with replacement: both at once and independently (the pigeonhole
bootstrap, Owen 2007, Ann. Appl. Stat. 1:386-411, doi 10.1214/07-AOAS122), meals alone, patients
alone. Intervals are percentiles of the resampled means. All columns share the resamples, so that
differences are paired. With few meals or patients such intervals are too narrow, the more so for
BGRI, whose mean hangs on rare falls: simulated, 95 % intervals of a difference held the truth in
93 to 96 % of 70 meals x 20 patients, in 87 % of 20 x 20, and in 77 % of 10 x 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["KINDS", "Resamples", "intervals", "means"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: what is resampled
KINDS: Final = ("both", "meals", "patients")
#: most numbers in one product of resamples: few large products cost less than many small ones
_MOST: Final = 2_000_000


@dataclass(frozen=True, kw_only=True)
class Resamples:
    """How often each meal and each patient is drawn.

    Parameters
    ----------
    meals : ndarray
        Shape (resamples, meals), rows sum to the number of meals.
    patients : ndarray
        Shape (resamples, patients), rows sum to the number of patients.
    """

    meals: NDArray[np.float32]
    patients: NDArray[np.float32]

    @classmethod
    def draw(cls, n: int, *, meals: int, patients: int, seed: int) -> Resamples:
        """Draw ``n`` resamples, the same for the same seed."""
        generators = np.random.default_rng(seed).spawn(2)
        counts = [
            _counts(generator, n, size)
            for generator, size in zip(generators, (meals, patients), strict=True)
        ]
        return cls(meals=counts[0], patients=counts[1])

    def __len__(self) -> int:
        return len(self.meals)

    def arranged(self, meals: Sequence[str], patients: Sequence[str]) -> Resamples:
        """Return draws that belong to names: the order of rows then changes no interval."""
        return Resamples(
            meals=self.meals[:, _ranks(meals)], patients=self.patients[:, _ranks(patients)]
        )


def _ranks(names: Sequence[str]) -> NDArray[np.intp]:
    order = sorted(range(len(names)), key=lambda i: (names[i], i))
    ranks = np.empty(len(names), dtype=np.intp)
    ranks[order] = np.arange(len(names))
    return ranks


def _counts(generator: np.random.Generator, n: int, size: int) -> NDArray[np.float32]:
    counts = np.empty((n, size), dtype=np.float32)
    for row in range(n):
        drawn = generator.integers(0, size, size)
        counts[row] = np.bincount(drawn, minlength=size)
    return counts


def means(cells: Floats, mask: Flags) -> Floats:
    """Return the mean of each column over its meals and all patients.

    Parameters
    ----------
    cells : ndarray
        Shape (meals, columns, patients), one metric; finite where ``mask`` is set.
    mask : ndarray of bool
        Shape (meals, columns): meals that count.

    Returns
    -------
    ndarray
        Shape (columns,); NaN for a column without meals.
    """
    counts = mask.sum(axis=0)
    sums = np.where(mask[:, :, None], cells, 0.0).sum(axis=(0, 2))
    return np.where(counts > 0, sums / (np.maximum(counts, 1) * cells.shape[2]), np.nan)


def _resampled(cells: Floats, mask: Flags, draws: Resamples) -> dict[str, Floats]:
    """Return the mean of each column in each resample, shape (columns, resamples), by kind."""
    n_meals, n_columns, n_patients = cells.shape
    filled = np.where(mask[:, :, None], cells, 0.0)
    flat = filled.reshape(n_meals, n_columns * n_patients)
    weighed = mask.astype(np.float64)
    out = {kind: np.empty((n_columns, len(draws))) for kind in KINDS}
    per_patient = filled.sum(axis=0) / np.maximum(weighed.sum(axis=0), 1.0)[:, None]
    step = max(1, _MOST // max(n_meals, n_columns * n_patients))
    for first in range(0, len(draws), step):
        rows = slice(first, first + step)
        of_meals = draws.meals[rows].astype(np.float64)
        of_patients = draws.patients[rows].astype(np.float64) / n_patients
        total = (of_meals @ flat).reshape(-1, n_columns, n_patients)
        counts = float(n_meals) if mask.all() else of_meals @ weighed
        with np.errstate(invalid="ignore"):  # 0 / 0: none of the column's meals was drawn
            out["both"][:, rows] = (np.einsum("rjp,rp->rj", total, of_patients) / counts).T
            out["meals"][:, rows] = (total.mean(axis=2) / counts).T
        out["patients"][:, rows] = per_patient @ of_patients.T
    return out


def _ends(draws: Floats, level: float) -> Floats:
    """Return low and high of each row, shape (2, rows)."""
    tail = (1.0 - level) / 2.0
    quantile = np.nanquantile if np.isnan(draws).any() else np.quantile
    ends: Floats = quantile(draws, (tail, 1.0 - tail), axis=-1)
    return ends


def intervals(
    cells: Floats,
    mask: Flags,
    draws: Resamples,
    *,
    pairs: Sequence[tuple[int, int]],
    level: float,
) -> tuple[Floats, Floats]:
    """Return intervals of columns and of differences between pairs of columns.

    Parameters
    ----------
    cells : ndarray
        Shape (meals, columns, patients), one metric.
    mask : ndarray of bool
        Shape (meals, columns). The two columns of a pair must have the same meals.
    draws : Resamples
    pairs : sequence of (int, int)
        Columns (a, b), for a - b.
    level : float
        Such as 0.95.

    Returns
    -------
    of_columns : ndarray
        Shape (kinds, 2, columns): low and high by kind of :data:`KINDS`. NaN where a single
        meal or patient is there to be drawn, as nothing is known of their spread, and of
        ``both`` too. Resamples that hold none of a column's meals do not count.
    of_pairs : ndarray
        Shape (kinds, 2, pairs).
    """
    resampled = _resampled(cells, mask, draws)
    first = np.array([a for a, _ in pairs], dtype=np.int64)
    second = np.array([b for _, b in pairs], dtype=np.int64)
    of_columns = np.empty((len(KINDS), 2, cells.shape[1]))
    of_pairs = np.empty((len(KINDS), 2, len(pairs)))
    n_meals = mask.sum(axis=0)
    few = {"meals": n_meals < 2, "patients": (n_meals < 1) | (cells.shape[2] < 2)}
    few["both"] = few["meals"] | few["patients"]
    for place, kind in enumerate(KINDS):
        drawn = resampled[kind]
        drawn[few[kind]] = np.nan
        known = ~few[kind]
        of_columns[place] = np.nan
        of_columns[place][:, known] = _ends(drawn[known], level)
        of_pairs[place] = np.nan
        both = known[first] & known[second]
        if both.any():
            of_pairs[place][:, both] = _ends(drawn[first[both]] - drawn[second[both]], level)
    return of_columns, of_pairs
