"""What a reader must know beside the tables of an assessment."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from prandial.bench.risk.estimates import EstimateTable
from prandial.glucose import PERFECT, Assessment
from prandial.glucose.assess import MOST_PAIRED
from prandial.glucose.result import ALL

__all__ = ["facts_of", "notes_of"]

#: below these, percentile intervals hold much less than they say
_FEW_MEALS: Final = 30
_FEW_PATIENTS: Final = 10
#: meals left out that are named
_NAMED: Final = 5


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
        "meals": f"{int(found.kept.sum())} of {len(found.kept)}{_left_out(found)}; abstention"
        f" policy: {design.policy}",
        "lowest BGRI [1,401]": _lowest(found),
        "simulations": f"{found.n_simulations:,} ({found.n_simulated:,} carried out: equal ones"
        " once, ends of ranges too)",
        "intervals": _intervals(found),
        "risk index": "BGRI [1,401]: glucose clipped to 1-401 mg/dL (paper-compatible; the"
        " study does not say); BGRI [20,600]: to the range of the scale",
        "legend": "TIR: time in 70-180 mg/dL, TBR below, TAR above; lower BGRI is better; <1 %:"
        " share of simulations in which glucose fell below 1 mg/dL",
    }


def _left_out(found: Assessment) -> str:
    gone = [
        meal for meal, kept in zip(found.estimates.meal_ids, found.kept, strict=True) if not kept
    ]
    if not gone:
        return ""
    more = ", ..." if len(gone) > _NAMED else ""
    return f" (left out: {', '.join(gone[:_NAMED])}{more})"


def _lowest(found: Assessment) -> str:
    """Name the best estimator, and whether it is told apart from the next."""
    order = found.ranking("bgri_1_401")
    if len(order) < 2:
        return order[0] if order else "no estimator"
    first, second = order[:2]
    for row in found.differences:
        if row.scope == ALL and {row.estimator, row.reference} == {first, second}:
            apart = row.metrics["bgri_1_401"]
            sign = 1 if row.estimator == first else -1
            value, low, high = sign * apart.value, *sorted((sign * apart.low, sign * apart.high))
            if math.isnan(low):
                return f"{first}; next {second}, difference {value:.1f}"
            told = "" if low <= 0 <= high else " (told apart)"
            not_told = " (not told apart)" if low <= 0 <= high else ""
            return (
                f"{first}; next {second}, difference {value:.1f} [{low:.1f},"
                f" {high:.1f}]{told}{not_told}"
            )
    return f"{first}; next {second}"


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


def _hidden(found: Assessment) -> list[str]:
    """Tell what estimators said of meals that were left out for another one's silence."""
    gone = ~found.kept
    if not gone.any():
        return []
    notes = []
    for name, said in found.estimates.columns.items():
        error = np.abs(said - found.estimates.true_g)[gone & ~np.isnan(said)]
        if error.size:
            notes.append(
                f"{name} answered {error.size} of the {int(gone.sum())} meals left out, MAE"
                f" {error.mean():.1f} g there: see --abstain no_bolus and skip"
            )
    return notes


def _better_than_perfect(found: Assessment) -> list[str]:
    """Say what it means, and what not, where an estimator has less risk than none would."""
    index = "bgri_1_401"
    places: dict[str, list[str]] = {}
    perfect = {r.scope: r.metrics[index].value for r in found.rows if r.estimator == PERFECT}
    for row in found.rows:
        if row.same_meals and row.metrics[index].value < perfect[row.scope]:
            scope = "all setups" if row.scope == ALL else row.scope
            places.setdefault(row.estimator, []).append(scope)
    at_start = {
        (r.setup, r.start_glucose_mg_dl): r.metrics[index]
        for r in found.starts
        if r.estimator == PERFECT
    }
    for start in found.starts if found.mask.all() else ():
        where = (start.setup, start.start_glucose_mg_dl)
        if start.metrics[index] < at_start[where] and start.setup not in places.get(
            start.estimator, ()
        ):
            told = f"{start.setup} from {start.start_glucose_mg_dl:g} mg/dL"
            places.setdefault(start.estimator, []).append(told)
    if not places:
        return []
    told = "; ".join(f"{name}: {', '.join(seen)}" for name, seen in places.items())
    manual = any(s.mode == "manual" for s in found.design.setups)
    bolus = ", and a manual bolus corrects no high start" if manual else ""
    note = (
        f"less risk than {PERFECT} ({told}) is an artefact of the study: a meal acts before"
        f" insulin{bolus}. It does not mean that estimating high is safer: see TBR"
    )
    return [note]


def notes_of(table: EstimateTable, found: Assessment) -> list[str]:
    """Return what limits the result: few meals or patients, abstentions, ranges."""
    notes = []
    meals, patients = int(found.kept.sum()), len(found.design.patients)
    if found.design.bootstrap and (meals < _FEW_MEALS or patients < _FEW_PATIENTS):
        notes.append(
            f"with few meals ({meals}) or patients ({patients}) the intervals are too narrow, most"
            " of all for BGRI: take them for a lower limit of what is unknown"
        )
    notes += _hidden(found)
    notes += _better_than_perfect(found)
    if found.design.reference is None and len(found.names) > MOST_PAIRED:
        notes.append(
            f"with more than {MOST_PAIRED - 1} estimators differences are told from {PERFECT}"
            " alone; --reference names another column"
        )
    if table.ranged:
        notes.append("estimates with a range: " + ", ".join(table.ranged))
    if not all(r.same_meals for r in found.rows):
        notes.append(
            "rows are of other meals where an estimator abstained: compare differences; orders are"
            " those of the meals all answered"
        )
    return notes
