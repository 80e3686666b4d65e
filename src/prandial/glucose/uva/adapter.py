"""UVA/Padova patients in an assessment: as records, and as a patient model for scenarios."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from prandial.errors import InputError
from prandial.glucose.arrays import Scenarios
from prandial.glucose.uva.parameters import UvaPatients
from prandial.glucose.uva.simulate import simulate_uva
from prandial.records import Patient

__all__ = ["uva_model", "uva_records"]

Floats = NDArray[np.float64]


def uva_records(patients: UvaPatients) -> tuple[Patient, ...]:
    """Return patients as records: ISF is their correction factor, CIR their ratio, basal in U/h."""
    return tuple(
        Patient(
            name=name,
            isf_mg_dl_per_u=float(cf),
            cir_g_per_u=float(cr),
            basal_u_per_h=float(60.0 * basal),
        )
        for name, cf, cr, basal in zip(
            patients.names,
            patients.cf_mg_dl_per_u,
            patients.cr_g_per_u,
            patients.basal_u_per_min,
            strict=True,
        )
    )


def uva_model(patients: UvaPatients, *, step_min: float = 1.0) -> Callable[[Scenarios], Floats]:
    """Return a patient model for :func:`prandial.glucose.assess.assess`.

    A row's patient is found by its ISF, CIR and basal, which must be those of
    :func:`uva_records`. The bolus is estimate / CIR; plasma glucose is set to the start, which
    is no steady state (see :func:`simulate_uva`).

    Raises
    ------
    InputError
        From the model: on a setup other than a manual bolus, a meal absorbed in another time
        than the default, or a patient that is none of these.
    """
    known = {
        (p.isf_mg_dl_per_u, p.cir_g_per_u, p.basal_u_per_h): i
        for i, p in enumerate(uva_records(patients))
    }
    if len(known) < len(patients):
        raise InputError("two patients have the same factors", where="patients")

    def model(scenarios: Scenarios) -> Floats:
        if any(s.mode != "manual" for s in scenarios.setups):
            raise InputError(
                "only a manual bolus is simulated with UVA/Padova patients",
                where="setups",
                hint="give the setup of mode 'manual' alone",
            )
        if np.any(scenarios.true_absorption_min != 180.0):
            raise InputError(
                "UVA/Padova patients absorb a meal in their own time",
                where="true_absorption_min",
                hint="leave it at 180",
            )
        triples = zip(
            scenarios.isf_mg_dl_per_u.tolist(),
            scenarios.cir_g_per_u.tolist(),
            scenarios.basal_u_per_h.tolist(),
            strict=True,
        )
        places = [known.get(t) for t in triples]
        if None in places:
            raise InputError(
                "a row's patient is no UVA/Padova patient",
                where=f"row {places.index(None) + 1}",
                hint="take the patients of uva_records",
            )
        return simulate_uva(
            patients.take(np.array(places, dtype=np.intp)),
            true_carb_g=scenarios.true_carb_g,
            bolus_u=scenarios.estimated_carb_g / scenarios.cir_g_per_u,
            start_glucose_mg_dl=scenarios.start_glucose_mg_dl,
            step_min=step_min,
            large_meals=scenarios.large_meals,
        ).plasma_mg_dl

    return model
