"""Risk as it answers to the error of an estimate and to the patient's sensitivity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from prandial.errors import InputError
from prandial.glucose.bounds import bounds, check_within, numbers_of
from prandial.glucose.cells import Pairs, Progress, Simulate, simulate_cells
from prandial.glucose.design import Design
from prandial.glucose.result import NOTE, json_safe, metric_named
from prandial.glucose.risk import METRICS
from prandial.records import Patient

__all__ = ["QUANTILES", "RELATIVE_ERRORS", "Surface", "response_surface", "typical_meals"]

Floats = NDArray[np.float64]

#: -100 % to +100 % in steps of 10 %
RELATIVE_ERRORS: Final = tuple(round(-1 + i / 10, 1) for i in range(21))
#: of the patients' CSF
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


def typical_meals(true_g: ArrayLike, n: int = 9) -> Floats:
    """Return ``n`` meals that stand for many: the middles of n equal parts of the distribution.

    Parameters
    ----------
    true_g : array_like
        Carbohydrate of meals, g.
    n : int
        At least 1.

    Raises
    ------
    InputError
        On no meals or fewer than one part.
    """
    meals = numbers_of(true_g, where="true_g")
    if np.isnan(meals).any():
        raise InputError("a meal is no number", where="true_g", hint="leave it out")
    if meals.size == 0 or n < 1:
        raise InputError(
            f"{n} typical of {meals.size} meals", where="true_g", hint="give at least one of each"
        )
    return np.quantile(meals, (np.arange(n) + 0.5) / n)


@dataclass(frozen=True, kw_only=True)
class Surface:
    """Mean metrics over meals and starts, for each patient and relative error.

    Parameters
    ----------
    true_g : tuple of float
        The meals.
    relative_errors : tuple of float
        (estimate - truth) / truth, the same for all meals of a point.
    patients : tuple of Patient
        Members of the population nearest to the quantiles of its CSF, least CSF first.
    design : Design
        Its patients are those above.
    model : str
    by_setup : ndarray
        Shape (metrics, setups, patients, errors), metrics in the order of ``METRICS``.
    """

    true_g: tuple[float, ...]
    relative_errors: tuple[float, ...]
    patients: tuple[Patient, ...]
    design: Design
    model: str
    by_setup: Floats = field(repr=False)

    @property
    def csf_mg_dl_per_g(self) -> Floats:
        """CSF of the patients, shape (patients,)."""
        return np.array([p.csf_mg_dl_per_g for p in self.patients])

    def grid(self, metric: str, *, setup: str | None = None) -> Floats:
        """Return one metric, shape (patients, errors), over all setups or of one.

        Raises
        ------
        NotFoundError
            On an unknown metric.
        InputError
            On an unknown setup.
        """
        of_metric = self.by_setup[metric_named(metric)]
        if setup is None:
            mean: Floats = of_metric.mean(axis=0)
            return mean
        labels = self.design.labels
        if setup not in labels:
            raise InputError(f"no setup {setup!r}", where="setup", hint=", ".join(labels))
        one: Floats = of_metric[labels.index(setup)]
        return one

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form; each grid has a row for a patient and a column for an error."""
        grids = {m: self.grid(m) for m in METRICS}
        setups = {s: {m: self.grid(m, setup=s) for m in METRICS} for s in self.design.labels}
        choices = self.design.to_dict()
        del choices["policy"], choices["reference"], choices["bootstrap"]
        said: dict[str, Any] = json_safe(
            {
                "note": NOTE,
                "parameters": {"model": self.model, **choices},
                "true_g": list(self.true_g),
                "relative_errors": list(self.relative_errors),
                "csf_mg_dl_per_g": self.csf_mg_dl_per_g,
                "grids": grids,
                "by_setup": setups,
            }
        )
        return said


def _nearest(patients: Sequence[Patient], quantiles: Sequence[float]) -> tuple[Patient, ...]:
    ordered = sorted(patients, key=lambda p: (p.csf_mg_dl_per_g, p.name))
    csf = np.array([p.csf_mg_dl_per_g for p in ordered])
    places = [int(np.abs(csf - q).argmin()) for q in np.quantile(csf, quantiles).tolist()]
    return tuple(ordered[i] for i in sorted(set(places)))


def response_surface(
    true_g: ArrayLike,
    design: Design | None = None,
    *,
    relative_errors: Sequence[float] = RELATIVE_ERRORS,
    quantiles: Sequence[float] = QUANTILES,
    simulate: Simulate | None = None,
    model: str = "",
    progress: Progress | None = None,
    large_meals: bool = False,
) -> Surface:
    """Simulate a set of meals under equal relative errors, for patients across the CSF.

    Parameters
    ----------
    true_g : array_like
        Meals, such as of :func:`typical_meals`; estimates may go beyond 250 g, meals only where
        ``large_meals`` says so.
    design : Design, optional
        Starts, setups, absorption, and the patients among whom some are taken.
    relative_errors : sequence of float
        -1 to 1: nothing estimated, to twice the truth.
    quantiles : sequence of float
        Of the patients' CSF.
    simulate, model, progress
        As in :func:`prandial.glucose.assess.assess`.
    large_meals : bool
        Whether meals above 250 g are meant.

    Raises
    ------
    InputError
        On a meal outside its bound, a relative error outside -1 to 1, a quantile outside 0 to 1.
    """
    design = Design() if design is None else design
    meals = check_within("carb_when_asked" if large_meals else "carb", true_g, where="true_g")
    errors = tuple(float(e) for e in relative_errors)
    for name, given, low in (("relative_errors", errors, -1.0), ("quantiles", quantiles, 0.0)):
        if not len(given) or not all(low <= v <= 1.0 for v in given):
            raise InputError(
                f"{name} are empty or outside {low:g} to 1",
                where=name,
                hint=f"give shares from {low:g} to 1",
            )
    chosen = replace(design, patients=_nearest(design.patients, quantiles))
    estimated = meals[None, :] * (1.0 + np.array(errors)[:, None])
    pairs = Pairs.of(meals, list(estimated), np.ones(estimated.shape, dtype=bool))
    cells = simulate_cells(
        chosen,
        pairs,
        simulate=simulate,
        progress=progress,
        large_meals=large_meals or bool(estimated.max() > bounds()["carb"].high),
    )
    # (metrics, setups, errors, meals, patients), mean over meals
    by_setup = cells.by_setup[:, :, pairs.place].mean(axis=3).swapaxes(2, 3)
    return Surface(
        true_g=tuple(meals.tolist()),
        relative_errors=errors,
        patients=tuple(chosen.patients),
        design=chosen,
        model=model or ("tidepool" if simulate is None else "given"),
        by_setup=by_setup,
    )
