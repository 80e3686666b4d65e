"""Means block by block equal means at once."""

from __future__ import annotations

import numpy as np
import pytest
from tests.glucose.drawn import random_scenarios

from prandial.errors import InputError
from prandial.glucose import METRICS, Scenarios, mean_risk, risk_metrics, simulate_glucose


@pytest.mark.parametrize("step", [1, 7, 40])
def test_blocks_do_not_show(step):
    many = Scenarios.of(random_scenarios(40, 3))
    whole = risk_metrics(simulate_glucose(many)).mean(axis=1)
    seen = []
    found = mean_risk(
        (many.take(slice(i, i + step)) for i in range(0, 40, step)), progress=seen.append
    )
    assert (found.n_simulations, sum(seen)) == (40, 40)
    assert [found.metrics[m] for m in METRICS] == pytest.approx(whole.tolist())


def test_nothing_at_all():
    many = Scenarios.of(random_scenarios(3, 3))
    with pytest.raises(InputError, match="no scenarios"):
        mean_risk([])
    with pytest.raises(InputError, match="no scenarios"):
        mean_risk([many.take(np.zeros(3, dtype=bool))])
