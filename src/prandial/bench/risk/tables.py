"""Tables of an assessment as a person reads them: flat rows with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from prandial.glucose import (
    PERFECT,
    Assessment,
    Measured,
    Sensitivity,
    Surface,
    ranking_agreement,
)

__all__ = [
    "HEADINGS",
    "PERFECT",
    "SHOWN",
    "TOLD_APART",
    "assessment_tables",
    "ranking_table",
    "sensitivity_table",
    "surface_table",
]

Row = dict[str, Any]

#: metrics of the table of estimators; the first four are those of the published table
SHOWN: Final = (
    "tir_percent",
    "tbr_percent",
    "tar_percent",
    "bgri_1_401",
    "bgri_20_600",
    "lbgi_1_401",
    "hbgi_1_401",
    "below_54_percent",
    "above_250_percent",
    "below_1",
)
#: metrics of a difference
TOLD_APART: Final = SHOWN[:5]
#: column -> its heading where a person reads it
HEADINGS: Final[dict[str, str]] = {
    "tir_percent": "TIR %",
    "tbr_percent": "TBR %",
    "tar_percent": "TAR %",
    "bgri_1_401": "BGRI [1,401]",
    "bgri_20_600": "BGRI [20,600]",
    "lbgi_1_401": "LBGI",
    "hbgi_1_401": "HBGI",
    "below_54_percent": "below 54 %",
    "above_250_percent": "above 250 %",
    "below_1": "floor share",
    "mae_g": "MAE g",
    "n_meals": "meals",
    "n_simulations": "simulations",
    "n_abstained": "abstained",
    "start_glucose_mg_dl": "start mg/dL",
    "csf_mg_dl_per_g": "CSF mg/dL per g",
    "kendall_tau": "Kendall's tau",
}


def _measured(name: str, found: Measured) -> Row:
    row: Row = {name: found.value}
    if not math.isnan(found.low):
        row |= {f"{name}_low": found.low, f"{name}_high": found.high}
    return row


def _cells(names: Sequence[str], metrics: Mapping[str, Measured]) -> Row:
    row: Row = {}
    for name in names:
        row |= _measured(name, metrics[name])
    return row


def assessment_tables(found: Assessment) -> dict[str, list[Row]]:
    """Return the tables of an assessment, the table of estimators first.

    An interval is that of meals and patients resampled together; those of each alone stand in
    the JSON form.
    """
    tables: dict[str, list[Row]] = {
        "estimators": [
            {
                "estimator": r.estimator,
                "setup": r.scope,
                **_cells(SHOWN, r.metrics),
                "mae_g": r.mae_g,
                "n_meals": r.n_meals,
                "n_simulations": r.n_simulations,
                "n_abstained": r.n_abstained,
            }
            for r in found.rows
        ],
        "paired_differences": [
            {
                "difference": f"{r.estimator} - {r.reference}",
                "setup": r.scope,
                **_cells(TOLD_APART, r.metrics),
                "n_meals": r.n_meals,
            }
            for r in found.differences
        ],
        "by_start_glucose": [
            {
                "estimator": r.estimator,
                "setup": r.setup,
                "start_glucose_mg_dl": f"{r.start_glucose_mg_dl:g}",
                **{name: r.metrics[name] for name in TOLD_APART},
            }
            for r in found.starts
        ],
    }
    if found.ranges:
        tables["if_insulin_followed_the_ends_of_the_range"] = [
            {
                "estimator": r.estimator,
                "metric": HEADINGS[name],
                "n_meals": r.n_meals,
                **r.metrics[name],
            }
            for r in found.ranges
            for name in TOLD_APART
        ]
    return {k: v for k, v in tables.items() if v}


def sensitivity_table(found: Sensitivity) -> list[Row]:
    """Return what each changed choice does to the index of every estimator, and their order."""
    return [
        {
            "choice": r.choice,
            "value": r.value or "as given",
            "metric": HEADINGS[r.metric],
            **r.values,
            "order": " < ".join(r.ranking),
            "order_changed": "yes" if r.changed else "no",
        }
        for r in found.rows
    ]


def surface_table(found: Surface) -> list[Row]:
    """Return risk by relative error and carbohydrate sensitivity, one row a cell."""
    grids = {name: found.grid(name) for name in TOLD_APART}
    return [
        {
            "csf_mg_dl_per_g": round(float(csf), 2),
            "relative_error": error,
            **{name: float(grid[i, j]) for name, grid in grids.items()},
        }
        for i, csf in enumerate(found.csf_mg_dl_per_g)
        for j, error in enumerate(found.relative_errors)
    ]


def ranking_table(first: Assessment, second: Assessment) -> list[Row]:
    """Return both patient models' values of each estimator, and whether their orders agree."""
    rows: list[Row] = []
    for metric in ("bgri_1_401", "bgri_20_600", "tir_percent"):
        agreement = ranking_agreement(first, second, metric=metric)
        ours, theirs = first.values(metric), second.values(metric)
        order = [*agreement.first, PERFECT]
        rows += [
            {
                "metric": HEADINGS[metric],
                "estimator": estimator,
                f"{first.model}_manual": ours[estimator],
                second.model: theirs[estimator],
                "kendall_tau": agreement.tau,
                "same_order": "no" if agreement.swapped else "yes",
            }
            for estimator in order
        ]
    return rows
