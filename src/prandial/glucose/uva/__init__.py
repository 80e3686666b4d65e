"""UVA/Padova 2008, a second kind of virtual patient, to see whether a ranking holds.

Nothing in it is linear and no parameter is shared with the patient of the main assessment.
Research use, not dosing advice.
"""

from __future__ import annotations

from prandial.glucose.uva.adapter import uva_model, uva_records
from prandial.glucose.uva.parameters import UvaPatients, load_uva_patients
from prandial.glucose.uva.simulate import UvaBlock, UvaTraces, simulate_uva, uva_design

__all__ = [
    "UvaBlock",
    "UvaPatients",
    "UvaTraces",
    "load_uva_patients",
    "simulate_uva",
    "uva_design",
    "uva_model",
    "uva_records",
]
