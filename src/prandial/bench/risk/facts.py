"""What a reader must know beside the tables of an assessment."""

from __future__ import annotations

from typing import Any, Final

from prandial.bench.risk.estimates import EstimateTable
from prandial.glucose import Assessment

__all__ = ["facts_of", "notes_of"]

#: below these, percentile intervals hold much less than they say
_FEW_MEALS: Final = 30
_FEW_PATIENTS: Final = 10


def facts_of(found: Assessment) -> dict[str, Any]:
    """Return what a reader must know beside the tables."""
    design = found.design
    csf = design.to_dict()["csf_mg_dl_per_g"]
    return {
        "patients": f"{len(design.patients)} ({design.patients_origin}),"
        f" CSF {csf['min']:.2f} to {csf['max']:.2f}, median {csf['median']:.2f} mg/dL per g",
        "start glucose": ", ".join(f"{g:g}" for g in design.start_glucose_mg_dl) + " mg/dL",
        "setups": ", ".join(design.labels),
        "quirks": design.setups[0].quirks.name,
        "meals": f"{int(found.kept.sum())} of {len(found.kept)}; abstention policy:"
        f" {design.policy}",
        "simulations": f"{found.n_simulations:,} ({found.n_simulated:,} carried out: equal ones"
        " once, ends of ranges too)",
        "intervals": _intervals(found),
        "risk index": "BGRI [1,401]: glucose clipped to 1-401 mg/dL (paper-compatible; the"
        " study does not say); BGRI [20,600]: to the range of the scale",
        "floor": "share of simulations in which glucose fell below 1 mg/dL",
    }


def _intervals(found: Assessment) -> str:
    """Say what the intervals are, or why there are none."""
    design, meals = found.design, int(found.kept.sum())
    if not design.bootstrap:
        return "none asked for"
    few = [n for n, k in (("meal", meals), ("patient", len(design.patients))) if k < 2]
    if few:
        return f"none over meals and patients together, as there is one {' and one '.join(few)}"
    return (
        f"{100 * design.level:g} %, {design.bootstrap:,} draws of meals and of patients, seed"
        f" {design.seed}; each by itself, not corrected for the number of comparisons"
    )


def notes_of(table: EstimateTable, found: Assessment) -> list[str]:
    """Return what limits the result: few meals or patients, abstentions, ranges."""
    notes = []
    meals, patients = int(found.kept.sum()), len(found.design.patients)
    if found.design.bootstrap and (meals < _FEW_MEALS or patients < _FEW_PATIENTS):
        notes.append(
            f"with {meals} meals and {patients} patients the intervals are too narrow, most of all"
            " for BGRI: take them for a lower limit of what is unknown"
        )
    if table.ranged:
        notes.append("estimates with a range: " + ", ".join(table.ranged))
    if not all(r.same_meals for r in found.rows):
        notes.append(
            "rows are of other meals where an estimator abstained: compare differences; orders are"
            " those of the meals all answered"
        )
    return notes
