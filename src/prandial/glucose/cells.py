"""Carry out a design by blocks: no more than one block of traces is ever held.

A simulation depends on a meal and an estimator only through the pair (true g, estimated g), so
each different pair is simulated once for every patient, start and setup. Of the metrics two
means are kept: over starts, from which every table and interval follows, and over patients.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from prandial.errors import SimulationError
from prandial.glucose.arrays import Scenarios
from prandial.glucose.design import Design
from prandial.glucose.engine import simulate_glucose
from prandial.glucose.risk import METRICS, risk_metrics

__all__ = ["BLOCK_ROWS", "Cells", "Pairs", "Progress", "Simulate", "simulate_cells"]

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
#: a patient model: scenarios to true glucose of shape (n, points), mg/dL
Simulate = Callable[[Scenarios], Floats]
#: called with the number of simulations finished since the last call
Progress = Callable[[int], None]

#: simulations carried out at a time
BLOCK_ROWS = 16_384


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """The different (true, estimated) amounts of several columns of estimates.

    Parameters
    ----------
    true_g, estimated_g : ndarray
        Shape (u,).
    place : ndarray of int
        Shape (columns, meals): where each meal's pair is; 0 where there is none.
    """

    true_g: Floats
    estimated_g: Floats
    place: Places

    @classmethod
    def of(cls, true_g: Floats, columns: Sequence[Floats], mask: NDArray[np.bool_]) -> Pairs:
        """Return the pairs of columns, of the meals in ``mask`` (columns, meals)."""
        estimated = np.stack(columns)
        true = np.broadcast_to(true_g, estimated.shape)
        both = np.stack([true[mask], estimated[mask]], axis=1)
        unique, inverse = np.unique(both, axis=0, return_inverse=True)
        place = np.zeros(estimated.shape, dtype=np.int64)
        place[mask] = inverse.reshape(-1)
        return cls(true_g=unique[:, 0], estimated_g=unique[:, 1], place=place)

    def __len__(self) -> int:
        return len(self.true_g)


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Means of metrics of the simulations of a design, metrics in the order of ``METRICS``.

    Parameters
    ----------
    by_setup : ndarray
        Shape (metrics, setups, pairs, patients): mean over starts.
    by_start : ndarray
        Shape (metrics, setups, starts, pairs): mean over patients.
    n_simulated : int
        Simulations carried out.
    """

    by_setup: Floats
    by_start: Floats
    n_simulated: int


def _scenarios(
    design: Design, pairs: Pairs, settings: Floats, rows: NDArray[np.int64], large_meals: bool
) -> Scenarios:
    """Return the block: setups x (pair, patient) x starts."""
    pair, patient = np.divmod(rows, settings.shape[1])
    starts = np.asarray(design.start_glucose_mg_dl)
    n_setups, n_starts = len(design.setups), len(starts)

    def spread(values: Floats) -> Floats:
        return np.tile(np.repeat(values, n_starts), n_setups)

    return Scenarios(
        isf_mg_dl_per_u=spread(settings[0, patient]),
        cir_g_per_u=spread(settings[1, patient]),
        basal_u_per_h=spread(settings[2, patient]),
        true_carb_g=spread(pairs.true_g[pair]),
        estimated_carb_g=spread(pairs.estimated_g[pair]),
        start_glucose_mg_dl=np.tile(starts, n_setups * len(rows)),
        true_absorption_min=design.true_absorption_min,
        reported_absorption_min=design.reported_absorption_min,
        setups=design.setups,
        setup_of=np.repeat(np.arange(n_setups), len(rows) * n_starts),
        large_meals=large_meals,
    )


def simulate_cells(
    design: Design,
    pairs: Pairs,
    *,
    simulate: Simulate | None = None,
    progress: Progress | None = None,
    large_meals: bool = False,
    block_rows: int = BLOCK_ROWS,
) -> Cells:
    """Simulate every pair for every patient, start and setup, and keep means of the metrics.

    Parameters
    ----------
    design : Design
    pairs : Pairs
    simulate : callable, optional
        Another patient model; :func:`prandial.glucose.engine.simulate_glucose` unless given.
    progress : callable, optional
        Called after each block with the number of its simulations.
    large_meals : bool
        Whether amounts above 250 g are meant.
    block_rows : int
        Most simulations at a time; at least one pair of one patient is taken.

    Raises
    ------
    SimulationError
        When the patient model returns glucose of another shape.
    """
    run: Simulate = simulate_glucose if simulate is None else simulate
    n_setups, n_starts = len(design.setups), len(design.start_glucose_mg_dl)
    n_patients, n_pairs = len(design.patients), len(pairs)
    settings = np.array(
        [(p.isf_mg_dl_per_u, p.cir_g_per_u, p.basal_u_per_h) for p in design.patients]
    ).T
    by_setup = np.empty((len(METRICS), n_setups, n_pairs * n_patients))
    by_start = np.zeros((len(METRICS), n_setups, n_starts, n_pairs))
    step = max(1, block_rows // (n_setups * n_starts))
    for first in range(0, n_pairs * n_patients, step):
        rows = np.arange(first, min(first + step, n_pairs * n_patients))
        scenarios = _scenarios(design, pairs, settings, rows, large_meals)
        glucose = run(scenarios)
        if np.ndim(glucose) != 2 or len(glucose) != len(scenarios):
            raise SimulationError(
                f"the patient model gave glucose of shape {np.shape(glucose)} for "
                f"{len(scenarios):,} scenarios",
                where="simulate",
                hint="return one row for each scenario",
            )
        metrics = risk_metrics(glucose).reshape(len(METRICS), n_setups, len(rows), n_starts)
        by_setup[:, :, rows] = metrics.mean(axis=3)
        pair = rows // n_patients
        edges = np.flatnonzero(np.diff(pair, prepend=-1))
        sums = np.add.reduceat(metrics, edges, axis=2)
        by_start[:, :, :, pair[edges]] += sums.swapaxes(2, 3)
        if progress is not None:
            progress(len(scenarios))
    return Cells(
        by_setup=by_setup.reshape(len(METRICS), n_setups, n_pairs, n_patients),
        by_start=by_start / n_patients,
        n_simulated=n_pairs * n_patients * n_setups * n_starts,
    )
