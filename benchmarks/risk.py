"""Glucose risk: agreement, time, and the table of estimators; result lines are kept.

``python -m benchmarks.risk`` needs the shared data (PRANDIAL_SHARED or ../shared). Lines go to
``benchmarks/history/risk/<version>.jsonl``; the page is made from the newest.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.meals import find_shared
from benchmarks.risk_agree import agreement
from benchmarks.risk_meals import RiskMeals, load_risk_meals
from benchmarks.risk_speed import speed
from benchmarks.run import HISTORY, commit
from prandial.bench.risk.tables import SHOWN as COLUMNS
from prandial.errors import MissingDataError
from prandial.glucose import (
    Assessment,
    Design,
    Estimates,
    assess,
    ranking_agreement,
    response_surface,
    sensitivity,
    typical_meals,
)
from prandial.meal import get_estimator
from prandial.records import Setup
from prandial.tables import DEFAULT_RELEASE

__all__ = ["measure"]

KEPT = HISTORY / "risk"
SHOWN = (*COLUMNS[:-1], "below_1")


def _estimates(meals: RiskMeals, pick: Any) -> Estimates:
    return Estimates(
        meal_ids=[i for i, p in zip(meals.ids, pick, strict=True) if p],
        true_g=meals.true_g[pick],
        columns={k: v[pick] for k, v in meals.estimates.items()},
        bands={k: (meals.low_g[k][pick], meals.high_g[k][pick]) for k in meals.low_g},
        large_meals=True,
    )


def _rows(found: Assessment) -> dict[str, Any]:
    """Return the figures of an assessment that are kept, rounded."""

    def cells(metrics: Any) -> dict[str, list[float]]:
        return {m: [round(v, 3) for v in _three(metrics[m])] for m in SHOWN}

    return {
        "meals": int(found.kept.sum()),
        "simulations": found.n_simulations,
        "abstained": found.estimates.abstained,
        "rows": [
            {
                "estimator": r.estimator,
                "setup": r.scope,
                "mae_g": round(r.mae_g, 2),
                "bias_g": round(r.bias_g, 2),
                **cells(r.metrics),
            }
            for r in found.rows
        ],
        "differences": [
            {
                "estimator": r.estimator,
                "reference": r.reference,
                "setup": r.scope,
                **cells(r.metrics),
                "bgri_1_401_by_meals": [
                    round(r.metrics["bgri_1_401"].meals_low, 3),
                    round(r.metrics["bgri_1_401"].meals_high, 3),
                ],
                "bgri_1_401_by_patients": [
                    round(r.metrics["bgri_1_401"].patients_low, 3),
                    round(r.metrics["bgri_1_401"].patients_high, 3),
                ],
            }
            for r in found.differences
        ],
        "ranges": [
            {
                "estimator": r.estimator,
                "meals": r.n_meals,
                **{k: round(v, 3) for k, v in r.metrics["bgri_1_401"].items()},
            }
            for r in found.ranges
        ],
    }


def _three(found: Any) -> tuple[float, float, float]:
    return found.value, found.low, found.high


def _second(estimates: Estimates, design: Design) -> dict[str, Any]:
    from prandial.glucose.uva import load_uva_patients, uva_model, uva_records

    try:
        patients = load_uva_patients()
    except MissingDataError as error:
        return {"not_run": error.what}
    manual = replace(design, setups=(Setup(mode="manual"),), bootstrap=0)
    ours = assess(estimates, manual)
    other = assess(
        estimates,
        replace(manual, patients=uva_records(patients), patients_origin="UVA/Padova 2008"),
        simulate=uva_model(patients),
        model="uva_padova",
    )
    return {
        metric: {
            "tidepool": {k: round(v, 3) for k, v in ours.values(metric).items()},
            "uva_padova": {k: round(v, 3) for k, v in other.values(metric).items()},
            **ranking_agreement(ours, other, metric=metric).to_dict(),
        }
        for metric in ("bgri_1_401", "bgri_20_600", "tir_percent")
    } | {"patients": len(patients), "simulations": other.n_simulations}


def table(shared: Path) -> dict[str, Any]:
    """Assess everybody's answers to the same meals."""
    meals = load_risk_meals(shared, get_estimator(DEFAULT_RELEASE))
    every = _estimates(meals, np.ones(len(meals.ids), dtype=bool))
    design = Design()
    found = assess(every, design)
    print(f"table: {found.n_simulations:,} simulations", file=sys.stderr)
    varied = sensitivity(every, design)
    surface = response_surface(typical_meals(every.true_g), design, large_meals=True)
    return {
        "read_again": meals.read_again,
        "all": _rows(found),
        "test_half": _rows(assess(_estimates(meals, meals.test), design)),
        "csf": found.design.to_dict()["csf_mg_dl_per_g"],
        "sensitivity": [
            {
                "choice": r.choice,
                "value": r.value,
                "metric": r.metric,
                "values": {k: round(v, 3) for k, v in r.values.items()},
                "order_changed": r.changed,
            }
            for r in varied.rows
        ],
        "second_patient": _second(every, design),
        "surface": {
            "relative_errors": list(surface.relative_errors),
            "csf_mg_dl_per_g": [round(float(c), 3) for c in surface.csf_mg_dl_per_g],
            "bgri_1_401": np.round(surface.grid("bgri_1_401"), 2).tolist(),
        },
    }


def measure(shared: Path, *, largest: int) -> dict[str, Any]:
    """Run every part."""
    found: dict[str, Any] = {"agreement": agreement(shared)}
    found["table"] = table(shared)
    found["speed"] = speed(shared, largest=largest)
    return found


def main() -> None:
    """Measure, print and keep a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=4_480_000, help="runs at the end of growth")
    parser.add_argument("--no-keep", action="store_true", help="do not write a result line")
    args = parser.parse_args()
    shared = find_shared()
    if shared is None or not (shared / "data" / "glucose").is_dir():
        sys.exit("SHARED GLUCOSE DATA ABSENT: set PRANDIAL_SHARED to the folder that holds data/")
    from prandial import __version__

    found = {
        "version": __version__,
        "commit": commit(),
        **measure(shared, largest=args.largest),
    }
    print(json.dumps(found, indent=1))
    if not args.no_keep:
        kept = KEPT / f"{__version__}.jsonl"
        kept.parent.mkdir(exist_ok=True)
        with kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
