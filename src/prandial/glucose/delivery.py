"""Insulin on board of the patient: all insulin given, by what of it has not yet acted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from prandial.glucose.kernels import GRID_MIN, N_POINTS, STEP_MIN, insulin_used_fraction

__all__ = ["insulin_on_board"]

Floats = NDArray[np.float64]

#: basal of this many points before the meal still counts: 8 h, as upstream keeps
EARLIER_POINTS = 95


def insulin_on_board(delivered: Floats, bolus: Floats, basal: Floats) -> Floats:
    """Return true insulin on board, U, shape (n, 73), scheduled basal before the meal included.

    Parameters
    ----------
    delivered, bolus : array, shape (n, 73)
        U given in the 5 min that end at each point, and at the point.
    basal : array, shape (n,)
        Scheduled rate, U/h.
    """
    given = np.ascontiguousarray((delivered + bolus).T)
    left = 1 - insulin_used_fraction(GRID_MIN)
    earlier = 1 - insulin_used_fraction(STEP_MIN * np.arange(EARLIER_POINTS + 1))
    # a point n of the trace still has what was given 1 to 95 - n points before the meal
    tail = np.append(np.cumsum(earlier[::-1])[::-1], 0.0)[1 : N_POINTS + 1]
    on_board = tail[:, None] * (basal * 5.0 / 60.0)
    for at in range(N_POINTS):
        on_board[at:] += given[at] * left[: N_POINTS - at, None]
    return on_board.T
