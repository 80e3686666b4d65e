"""Checks of a compiled food table, counted for its card."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from prandial.nutrients import atwater_energy_kcal

#: most that protein, carbohydrate, fat, water and alcohol of 100 g may weigh
MOST_PARTS_G = 105.0
#: stated and Atwater energy may differ by this share, or this many kcal
ENERGY_SHARE = 0.15
ENERGY_KCAL = 15.0
NAMED = 8

Values = dict[str, npt.NDArray[np.float64]]


def energy_offenders(values: Values) -> npt.NDArray[np.float64]:
    """Stated minus Atwater energy where they differ too much, else 0 (NaN unknown)."""
    atwater = atwater_energy_kcal(
        carb_g=values["carb_g"],
        protein_g=values["protein_g"],
        fat_g=values["fat_g"],
        alcohol_g=np.nan_to_num(values["alcohol_g"]),
    )
    gap = values["energy_kcal"] - atwater
    allowed = np.maximum(ENERGY_KCAL, ENERGY_SHARE * np.maximum(atwater, values["energy_kcal"]))
    return np.where(np.abs(gap) > allowed, gap, np.where(np.isnan(gap), np.nan, 0.0))


def check_foods(ids: list[str], names: list[str], values: Values) -> dict[str, Any]:
    """Count what is odd; refuse what cannot be right."""
    if len(set(ids)) != len(ids):
        raise SystemExit("a food id occurs twice")
    negative = sum(int((v < 0).sum()) for v in values.values())
    if negative:
        raise SystemExit(f"{negative} negative values")
    parts = np.nansum(
        [values[k] for k in ("protein_g", "carb_g", "fat_g", "water_g", "alcohol_g")], axis=0
    )
    if bool((parts > MOST_PARTS_G).any()):
        raise SystemExit(f"{names[int(parts.argmax())]}: parts weigh {parts.max():.1f} g in 100 g")
    gap = energy_offenders(values)
    outside = [int(i) for i in np.argsort(-np.abs(np.nan_to_num(gap)), kind="stable") if gap[i]]
    outside = [i for i in outside if not np.isnan(gap[i])]
    return {
        "ids_twice": 0,
        "names_twice": len(names) - len(set(names)),
        "negative_values": 0,
        "most_parts_g_in_100_g": round(float(parts.max()), 2),
        "energy_against_4_4_9_7": {
            "rule": f"apart by more than {ENERGY_KCAL:g} kcal and {ENERGY_SHARE:.0%}",
            "foods_compared": int((~np.isnan(gap)).sum()),
            "foods_outside": len(outside),
            "why": "stated energy uses factors of each food; fibre, sugar alcohols, organic acids"
            " and alcohol that is not listed make the difference",
            "widest": [f"{ids[i]} {names[i]}: {gap[i]:+.0f} kcal" for i in outside[:NAMED]],
        },
    }
