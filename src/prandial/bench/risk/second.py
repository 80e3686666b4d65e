"""The second patient: UVA/Padova 2008 under the same meals and starts, with a manual bolus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import metadata
from typing import Any

from prandial.glucose import Assessment, Design, Estimates, assess
from prandial.records import Setup

__all__ = ["SecondPatient", "manual_alone"]


@dataclass(frozen=True, kw_only=True)
class SecondPatient:
    """The UVA/Padova patients under a design, manual bolus alone."""

    design: Design
    simulate: Any
    release: str

    @classmethod
    def of(cls, design: Design) -> SecondPatient:
        """Return the design with these patients.

        Raises
        ------
        MissingDataError
            When no simglucose is installed, whose table of patients is read.
        """
        from prandial.glucose.uva import load_uva_patients, uva_model, uva_records

        patients = load_uva_patients()
        changed = replace(
            design,
            patients=uva_records(patients),
            patients_origin=f"UVA/Padova 2008, {len(patients)} virtual patients of simglucose",
            setups=(Setup(mode="manual"),),
            true_absorption_min=180.0,
            reported_absorption_min=180.0,
        )
        return cls(design=changed, simulate=uva_model(patients), release=_simglucose())

    def told(self, found: Assessment) -> dict[str, Any]:
        """Return the JSON form: what drives this model, and its rows."""
        said = found.to_dict()
        parameters = said["parameters"]
        for of_the_other_model in ("true_absorption_min", "reported_absorption_min"):
            del parameters[of_the_other_model]
        parameters |= {
            "patient_parameters": self.release,
            "eating_g_per_min": 5,
            "integration_step_min": 1,
            "bolus": "estimate / the patient's own ratio, in minute 0; basal that keeps the own"
            " steady state",
            "start": "plasma and subcutaneous glucose set to the start, tissue glucose in balance"
            " with it, insulin at its basal level: no steady state, it drifts back over hours",
        }
        return {"parameters": parameters, "rows": said["rows"]}

    def assess(self, estimates: Estimates, *, progress: Callable[[int], None]) -> Assessment:
        """Assess estimates on these patients."""
        return assess(
            estimates, self.design, simulate=self.simulate, model="uva_padova", progress=progress
        )


def _simglucose() -> str:
    try:
        return f"simglucose {metadata.version('simglucose')}"
    except metadata.PackageNotFoundError:
        return "simglucose, version unknown"


def manual_alone(
    estimates: Estimates,
    design: Design,
    found: Assessment,
    simulate: Any,
    hear: Callable[[int], None],
) -> Assessment:
    """Return the assessment with a manual bolus alone, as the second patient has it."""
    if [s.mode for s in design.setups] == ["manual"]:
        return found
    plain = replace(design, setups=(Setup(mode="manual"),), bootstrap=0)
    return assess(estimates, plain, simulate=simulate, model="tidepool", progress=hear)
