"""Nearest names by cosine: turned to principal axes, looked through twice.

A rotation changes no inner product. Turned to the principal axes of all names, the first
numbers of a vector hold most of what tells names apart: one pass over these (float32) picks
candidates, which the whole vectors (int8, a scale each) put in order. :meth:`Vectors.search`
with ``exact`` goes through all whole vectors instead; how often both agree is measured in
``benchmarks.retrieval_facts``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.compose.index.lexical import best_of

__all__ = ["VECTOR_FILES", "Vectors", "build_vectors", "open_vectors"]

_AXES: Final = "vector_axes.npy"
_LEAD: Final = "vector_lead.npy"
_CODES: Final = "vector_codes.npy"
_SCALES: Final = "vector_scales.npy"
VECTOR_FILES: Final = (_AXES, _LEAD, _CODES, _SCALES)
#: numbers of the first pass, and foods it hands on
_LEADING: Final = 64
_CANDIDATES: Final = 2000
_BLOCK: Final = 16_384

_Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Vectors:
    """The opened vectors."""

    axes: _Floats
    lead: _Floats
    codes: npt.NDArray[np.int8]
    scales: _Floats

    def __len__(self) -> int:
        return len(self.codes)

    def search(
        self, vector: _Floats, depth: int, *, exact: bool = False
    ) -> tuple[npt.NDArray[np.int32], _Floats]:
        """Return the foods nearest to a vector, nearest first.

        Parameters
        ----------
        vector : ndarray of float32
            Of length 1.
        depth : int
            Most foods.
        exact : bool
            Look through all whole vectors.

        Returns
        -------
        foods : ndarray of int32
        scores : ndarray of float32
            Cosines.
        """
        turned = np.asarray(vector, dtype=np.float32) @ self.axes
        if exact or len(self.lead) <= _CANDIDATES:
            scores = np.concatenate(
                [self._whole(turned, block) for block in _blocks(len(self.codes))]
                or [np.zeros(0, dtype=np.float32)]
            )
            best = best_of(scores, depth)
            return best.astype(np.int32), scores[best]
        first = self.lead @ turned[: self.lead.shape[1]]
        edge = len(first) - max(_CANDIDATES, depth)
        picked = np.sort(np.argpartition(first, edge)[edge:])
        scores = self._whole(turned, picked)
        best = best_of(scores, depth)
        return picked[best].astype(np.int32), scores[best]

    def _whole(self, turned: _Floats, rows: slice | npt.NDArray[np.intp]) -> _Floats:
        scored: _Floats = (self.codes[rows].astype(np.float32) @ turned) * self.scales[rows]
        return scored


def _blocks(size: int) -> Iterator[slice]:
    return (slice(start, start + _BLOCK) for start in range(0, size, _BLOCK))


def build_vectors(vectors: npt.NDArray[np.float16], folder: Path) -> None:
    """Write the vectors of names for :func:`open_vectors`.

    Parameters
    ----------
    vectors : ndarray of float16, shape (foods, size)
        Unit vectors.
    folder : Path
    """
    size = vectors.shape[1]
    moment = np.zeros((size, size), dtype=np.float64)
    for block in _blocks(len(vectors)):
        rows = vectors[block].astype(np.float32)
        moment += rows.T @ rows
    _, axes = np.linalg.eigh(moment)  # of rising weight
    turn = np.ascontiguousarray(axes[:, ::-1]).astype(np.float32)
    lead = np.empty((len(vectors), min(_LEADING, size)), dtype=np.float32)
    codes = np.empty(vectors.shape, dtype=np.int8)
    scales = np.empty(len(vectors), dtype=np.float32)
    for block in _blocks(len(vectors)):
        rows = vectors[block].astype(np.float32) @ turn
        lead[block] = rows[:, : lead.shape[1]]
        scale = np.maximum(np.abs(rows).max(axis=1), 1e-12) / 127.0
        codes[block] = np.rint(rows / scale[:, None]).astype(np.int8)
        scales[block] = scale
    np.save(folder / _AXES, turn)
    np.save(folder / _LEAD, lead)
    np.save(folder / _CODES, codes)
    np.save(folder / _SCALES, scales)


def open_vectors(folder: Path) -> Vectors:
    """Open vectors; whole ones stay on disk until used, the leading numbers are read."""
    return Vectors(
        axes=np.load(folder / _AXES),
        lead=np.load(folder / _LEAD),
        codes=np.load(folder / _CODES, mmap_mode="r"),
        scales=np.load(folder / _SCALES),
    )
