"""Tables of an assessment as a person reads them: flat rows with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from prandial.glucose import (
    PERFECT,
    Assessment,
    Measured,
    Sensitivity,
    SensitivityRow,
    Surface,
    ranking_agreement,
)
from prandial.glucose.result import ALL

__all__ = [
    "FLOOR",
    "HEADINGS",
    "PERFECT",
    "SENSITIVITY_WORDS",
    "SHOWN",
    "TOLD_APART",
    "assessment_tables",
    "meals_table",
    "ranking_table",
    "sensitivity_table",
    "surface_table",
]

Row = dict[str, Any]

#: share of simulations in which glucose fell below 1 mg/dL, %
FLOOR: Final = "floor_percent"
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
    FLOOR,
)
#: metrics of a difference
TOLD_APART: Final = SHOWN[:5]
#: columns of the sensitivity table that are no estimator
SENSITIVITY_WORDS: Final = ("choice", "value", "metric", "order", "order_changed")
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
    "floor_percent": "<1 %",
    "mae_g": "MAE g",
    "bias_g": "bias g",
    "n_answered": "answered",
    "true_g": "true g",
    "estimate_g": "said g",
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
        row |= _measured(name, _percent(metrics["below_1"]) if name == FLOOR else metrics[name])
    return row


def _percent(share: Measured) -> Measured:
    return Measured(**{k: 100 * v for k, v in asdict(share).items()})


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
                "bias_g": r.bias_g,
                "n_answered": r.n_answered,
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


def meals_table(found: Assessment, *, worst: int | None = None) -> list[Row]:
    """Return what each estimate of each meal does, the riskiest first.

    A row is of one meal and estimator, mean over patients, starts and setups; ``worst`` keeps
    that many.
    """
    kept = [i for i, k in enumerate(found.kept) if k]
    shown = {m: found.of_meals(m) for m in TOLD_APART}
    rows: list[Row] = [
        {
            "meal": found.estimates.meal_ids[i],
            "estimator": name,
            "true_g": float(found.estimates.true_g[i]),
            "estimate_g": float(found.estimates.columns[name][i]),
            **{m: float(shown[m][j, k]) for m in TOLD_APART},
        }
        for j, name in enumerate(found.names)
        if name != PERFECT
        for k, i in enumerate(kept)
        if not math.isnan(shown["bgri_1_401"][j, k])
    ]
    rows.sort(key=lambda r: (-r["bgri_1_401"], r["meal"], r["estimator"]))
    return rows if worst is None else rows[:worst]


def sensitivity_table(found: Sensitivity, base: Assessment) -> list[Row]:
    """Return what each changed choice does to the index of every estimator, and their order.

    A change of order between estimators that the base does not tell apart either is noise;
    where the base has no interval of their difference that is unknown.
    """
    return [
        {
            "choice": r.choice,
            "value": r.value or "as given",
            "metric": HEADINGS[r.metric],
            "order": " < ".join(r.ranking),
            "order_changed": _order_changed(found.rows[0], r, base),
            **{_apart(name): value for name, value in r.values.items()},
        }
        for r in found.rows
    ]


def _order_changed(first: SensitivityRow, row: SensitivityRow, base: Assessment) -> str:
    if not row.changed:
        return "no"
    ranks = {name: i for i, name in enumerate(row.ranking)}
    order = first.ranking
    swapped = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :] if ranks[a] > ranks[b]]
    apart = {frozenset((d.estimator, d.reference)): d for d in base.differences if d.scope == ALL}
    found = [apart.get(frozenset(pair)) for pair in swapped]
    ends = [(m.low, m.high) for d in found if d is not None for m in (d.metrics[first.metric],)]
    known = [(low, high) for low, high in ends if not math.isnan(low)]
    if any(not low <= 0 <= high for low, high in known):
        return "yes"
    return "within noise" if len(known) == len(swapped) else "noise unknown"


def _apart(name: str) -> str:
    """Return an estimator's name as a column that is none of the table's own, nor an interval."""
    taken = name in SENSITIVITY_WORDS or name.endswith(("_low", "_high"))
    return f"{name} (estimator)" if taken else name


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


_SAME: Final = {True: "yes", False: "no", None: "unknown"}


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
                "same_order": _SAME[agreement.same_order],
            }
            for estimator in order
        ]
    return rows
