"""The meals of the risk table: the same texts answered by everybody.

English originals of the 18-language file, with gpt-4o-2024-08-06's recorded answers. Five of
them its authors could not parse (escaped quotes); they are read again here from the raw
answer, so that the same meals stand in every column. The constant is the median of the other
shared v2 meals: it has seen none of these.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from benchmarks.meals import is_tune
from prandial.meal import Estimator

__all__ = ["RiskMeals", "load_risk_meals", "read_answer"]

_ANSWER = re.compile(r"total_carbohydrates\W{1,8}(-?\d+(?:\.\d+)?)\s*\}")


@dataclass(frozen=True)
class RiskMeals:
    """Meals in the order of the file; an estimate of NaN is an abstention."""

    ids: list[str]
    true_g: Any
    estimates: dict[str, Any]
    low_g: dict[str, Any]
    high_g: dict[str, Any]
    #: whether the meal belongs to the half that nothing was chosen on
    test: Any
    #: answers read again from the raw text
    read_again: int


def read_answer(raw: str) -> float:
    """Return the last stated total of a raw answer in grams, NaN when there is none.

    >>> read_answer('... Output: {\\\\"total_carbohydrates\\\\": 65}')
    65.0
    """
    found = _ANSWER.findall(raw)
    return float(found[-1]) if found else float("nan")


def load_risk_meals(shared: Path, estimator: Estimator) -> RiskMeals:
    """Load the meals and answer each with our estimator, without and with its country."""
    folder = shared / "data" / "nutribench"
    v2 = str(folder / "nutribench_v2.parquet")
    con = duckdb.connect()
    rows = con.execute(
        "SELECT m.source_index, m.meal_group, m.original_query, m.carb_g, m.gpt4o_carb_g,"
        " m.gpt4o_output, v.country FROM read_parquet(?) m"
        " LEFT JOIN read_parquet(?) v ON v.row = m.v2_row"
        " WHERE m.language = 'english' ORDER BY m.source_index",
        [str(folder / "nutribench_v2_multilingual_gpt4o.parquet"), v2],
    ).fetchall()
    groups = [r[1] for r in rows]
    others = con.execute(
        "SELECT median(carb_g) FROM read_parquet(?) WHERE NOT list_contains(?, meal_group)",
        [v2, groups],
    ).fetchone()
    answers = [read_answer(r[5]) if r[4] is None else float(r[4]) for r in rows]
    plain = [_band(estimator, r[2]) for r in rows]
    told = [_band(estimator, r[2], r[6]) for r in rows]
    estimates = {
        "prandial": np.array([b[1] for b in plain]),
        "prandial, country given": np.array([b[1] for b in told]),
        "gpt-4o, recorded": np.array(answers),
        "constant": np.full(len(rows), float((others or (np.nan,))[0])),
    }
    return RiskMeals(
        ids=[f"v2-{r[0]}" for r in rows],
        true_g=np.array([float(r[3]) for r in rows]),
        estimates=estimates,
        low_g={"prandial": np.array([b[0] for b in plain])},
        high_g={"prandial": np.array([b[2] for b in plain])},
        test=np.array([not is_tune(g) for g in groups]),
        read_again=sum(r[4] is None for r in rows),
    )


def _band(estimator: Estimator, text: str, country: str | None = None) -> tuple[float, ...]:
    estimate = estimator.estimate(text, country=country)
    band = estimate.totals.get("carb_g")
    if band is None:
        return (float("nan"),) * 3
    return band.low, band.mid, band.high
