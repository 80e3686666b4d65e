"""Setup 1: the user gives a bolus for the estimate and nothing corrects it.

Closed form, ``BG(t) = BG0 + CSF * (true * A(t) - estimate * F(t))``: the patient enters
by CSF alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from prandial.glucose.arrays import Scenarios
from prandial.glucose.kernels import GRID_MIN, absorbed_fraction, insulin_used_fraction

__all__ = ["manual_glucose"]


def manual_glucose(scenarios: Scenarios) -> NDArray[np.float64]:
    """Return true glucose of a manual bolus, mg/dL, shape (n, 73), not clipped."""
    csf = scenarios.isf_mg_dl_per_u / scenarios.cir_g_per_u
    times = np.unique(scenarios.true_absorption_min)
    place = np.searchsorted(times, scenarios.true_absorption_min)
    absorbed = absorbed_fraction(GRID_MIN[None, :], times[:, None])[place]
    used = insulin_used_fraction(GRID_MIN)
    rise = scenarios.true_carb_g[:, None] * absorbed
    fall = scenarios.estimated_carb_g[:, None] * used[None, :]
    glucose: NDArray[np.float64] = scenarios.start_glucose_mg_dl[:, None] + csf[:, None] * (
        rise - fall
    )
    return glucose
