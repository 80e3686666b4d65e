"""English originals of the 18-language file, beside gpt-4o's recorded answers.

The file holds 100 meals (75 or so are shared), each once a language; the
English text is the same in every row. gpt-4o-2024-08-06 answered with a chain
of thought; its answers are those its authors parsed, and one they could not
parse counts as unanswered and so as wrong. The meals were drawn by carbohydrate
band, so there are more large ones than in v2; US and GIFT meals stand together.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from benchmarks.carbs import carb_errors, compared, summary
from benchmarks.meals import is_tune
from prandial.meal import Estimator

__all__ = ["measure_languages"]


def measure_languages(estimator: Estimator, shared: Path, *, half: str) -> list[dict[str, Any]]:
    """Score our answers and the recorded ones on the same English texts."""
    folder = shared / "data" / "nutribench"
    found = duckdb.connect().execute(
        "SELECT m.meal_group, m.original_query, m.carb_g, m.gpt4o_carb_g, v.country"
        " FROM read_parquet(?) m LEFT JOIN read_parquet(?) v ON v.row = m.v2_row"
        " WHERE m.language = 'english' ORDER BY m.source_index",
        [
            str(folder / "nutribench_v2_multilingual_gpt4o.parquet"),
            str(folder / "nutribench_v2.parquet"),
        ],
    )
    rows = {r[1]: r for r in found.fetchall() if is_tune(r[0]) == (half == "tune")}.values()
    groups = [r[0] for r in rows]
    truth = np.array([r[2] for r in rows], dtype=np.float64)
    recorded = np.abs(
        np.array([np.nan if r[3] is None else r[3] for r in rows], dtype=np.float64) - truth
    )
    labels, texts = truth.tolist(), [r[1] for r in rows]
    plain = carb_errors(estimator, texts, labels)
    told = carb_errors(estimator, texts, labels, [r[4] for r in rows])
    us = np.array([r[4] == "USA" for r in rows])
    out = []
    for title, pick in (("all", us | ~us), ("US meals", us), ("GIFT meals", ~us)):
        own = [g for g, p in zip(groups, pick, strict=True) if p]
        if not own:
            continue
        out.append(
            {
                "meals": title,
                "prandial": summary(plain[pick], own),
                "prandial, country given": summary(told[pick], own),
                "gpt-4o, recorded": summary(recorded[pick], own),
                "prandial against gpt-4o": compared(recorded[pick], plain[pick], own),
            }
        )
    return out
