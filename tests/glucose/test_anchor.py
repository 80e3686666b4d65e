"""The published study's pairs of time below range and risk index, as far as they can be had."""

from __future__ import annotations

import numpy as np
import pytest

from prandial.glucose import Design, Estimates, assess, draw_patients

#: time below range of Table 4 -> (lowest, highest) BGRI with 1-401, with 20-600:
#: 120 runs of the full design by another program, with other patients and meals of the same kind
SEEN = {
    4.2: ((7.5, 24.1), (6.7, 13.3)),
    6.8: ((14.0, 35.2), (8.9, 15.8)),
    7.6: ((14.8, 35.2), (9.3, 15.8)),
    8.8: ((18.0, 37.8), (9.3, 18.5)),
}


def answers(rng, true):
    """Four estimators of growing error, in relative terms, as people make them."""
    return {
        f"error-{size}": np.clip(true * rng.lognormal(0, size, true.size), 0, 250)
        for size in (0.25, 0.4, 0.55, 0.7)
    }


@pytest.mark.full
def test_risk_at_the_published_time_below_range():
    points = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        true = np.clip(rng.gamma(2.0, 20.0, 70), 2, 200)
        meals = Estimates(
            meal_ids=list(map(str, range(70))), true_g=true, columns=answers(rng, true)
        )
        design = Design(patients=draw_patients(20, seed=seed), bootstrap=0)
        result = assess(meals, design)
        tables = [result.values(m) for m in ("tbr_percent", "bgri_1_401", "bgri_20_600", "below_1")]
        points += [[t[name] for t in tables] for name in meals.names]
    tbr, paper, scale, _ = np.array(points).T
    assert np.corrcoef(tbr, paper)[0, 1] > 0.8
    for at, (wide, narrow) in SEEN.items():
        near = np.abs(tbr - at) < 1.0
        if near.any():
            assert wide[0] <= paper[near].mean() <= wide[1], at
            assert narrow[0] <= scale[near].mean() <= narrow[1], at
    assert any((np.abs(tbr - at) < 1.0).any() for at in SEEN)
