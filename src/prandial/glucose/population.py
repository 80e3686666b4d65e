"""Virtual patients: published profiles, a seeded synthetic population, rows of a user's.

The published study's 20 patients are not known. Ours are drawn by the rules by which first
pump settings are found: a total daily dose from weight and earlier dose, then
``ISF = 1700 / dose``, ``CIR = 450 / dose``, ``basal = dose / 2 / 24 h``, each with its own
jitter of 20 % (table ``glucose_population``). All results of a manual bolus scale with
``CSF = ISF / CIR``, so its distribution is told beside every assessment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

import numpy as np

from prandial.errors import InputError
from prandial.glucose.bounds import check_within, whole_number
from prandial.records import Patient
from prandial.tables.rules import read_rules

__all__ = [
    "check_patients",
    "csf_summary",
    "draw_patients",
    "published_patients",
]

#: column of a table of patients -> quantity of the table of bounds
_QUANTITY: Final = {"isf_mg_dl_per_u": "isf", "cir_g_per_u": "cir", "basal_u_per_h": "basal"}
_AGES: Final = ("child", "adolescent", "adult")


def published_patients() -> tuple[Patient, ...]:
    """Return Tidepool's published profiles (table ``glucose_profiles``)."""
    return tuple(
        Patient(name=row["name"], **{column: float(row[column]) for column in _QUANTITY})
        for row in read_rules("glucose_profiles")
    )


@cache
def _rules() -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """Return constants and shares by name, and ends of draws by ``kind name``."""
    rows = read_rules("glucose_population")
    values = {r["name"]: float(r["value"]) for r in rows if r["value"]}
    ends = {
        f"{r['kind']} {r['name']}": (float(r["low"]), float(r["high"])) for r in rows if r["low"]
    }
    return values, ends


def _between(ends: tuple[float, float], share: float) -> float:
    return ends[0] + share * (ends[1] - ends[0])


def _rounded(value: float, step: float) -> float:
    return round(round(value / step) * step, 10)


def _age_group(share: float, values: Mapping[str, float]) -> str:
    until = 0.0
    for age in _AGES:
        until += values[age]
        if share < until:
            return age
    return _AGES[-1]


def _drawn(number: int, shares: Sequence[float]) -> Patient:
    """Return a patient from six shares in [0, 1): age, weight, dose, three jitters."""
    values, ends = _rules()
    age = _age_group(shares[0], values)
    weight_kg = _between(ends[f"weight {age}"], shares[1])
    before_u = _between(ends[f"dose {age}"], shares[2])
    dose_u = (values["dose_per_kg"] * weight_kg + values["pump_share"] * before_u) / 2
    spread = (1 - values["jitter"], 1 + values["jitter"])
    isf, cir, basal = (_between(spread, share) for share in shares[3:])
    return Patient(
        name=f"{age}-{number:02d}",
        isf_mg_dl_per_u=_rounded(isf * values["isf_rule"] / dose_u, values["isf_step"]),
        cir_g_per_u=_rounded(cir * values["cir_rule"] / dose_u, values["cir_step"]),
        basal_u_per_h=_rounded(basal * values["basal_share"] * dose_u / 24, values["basal_step"]),
    )


def draw_patients(n: int = 20, *, seed: int = 0) -> tuple[Patient, ...]:
    """Draw a synthetic population, the same for the same seed.

    The first patients of a larger population are those of a smaller one. Nothing is redrawn or
    clipped: even the ends of every draw lie well within the bounds of a simulation.

    Parameters
    ----------
    n : int
        Number of patients, at least 1.
    seed : int
        Of ``numpy.random.default_rng``; 0 or more.

    Raises
    ------
    InputError
        On fewer than one patient or a negative seed.
    """
    whole_number(n, where="n", low=1, high=1_000_000)
    whole_number(seed, where="seed", low=0)
    shares = np.random.default_rng(seed).random((n, 6))
    patients = tuple(_drawn(i + 1, row) for i, row in enumerate(shares.tolist()))
    check_patients(patients)
    return patients


def csf_summary(patients: Sequence[Patient]) -> dict[str, float]:
    """Return the distribution of CSF = ISF / CIR, mg/dL per g: ends, quartiles, mean."""
    csf = np.array([p.csf_mg_dl_per_g for p in patients])
    lowest, q1, median, q3, highest = np.quantile(csf, (0.0, 0.25, 0.5, 0.75, 1.0)).tolist()
    return {
        "min": lowest,
        "q25": q1,
        "median": median,
        "q75": q3,
        "max": highest,
        "mean": float(csf.mean()),
    }


def check_patients(patients: Sequence[Patient]) -> None:
    """Refuse no patients, a name twice, and settings outside their bounds.

    Raises
    ------
    InputError
        Names the patient and the bound.
    """
    if not patients:
        raise InputError("no patients", where="patients", hint="give at least one")
    names = [p.name for p in patients]
    seen: dict[str, int] = {}
    for row, name in enumerate(names, start=1):
        if name in seen:
            raise InputError(
                f"two patients are named {name!r}",
                where=f"name, rows {seen[name]} and {row}",
                hint="give each patient a name of its own",
            )
        seen[name] = row
    places = [f"{row} ({name})" for row, name in enumerate(names, start=1)]
    for column, quantity in _QUANTITY.items():
        values = [getattr(p, column) for p in patients]
        check_within(quantity, values, where=column, rows=places)
