"""Kernels and curves against tables of data-science-models and PyLoopKit (shared data)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from prandial.glucose.curves import (
    effect_share,
    loop_tables,
    momentum_shares,
    parabolic_share,
    remaining_share,
)
from prandial.glucose.delivery import insulin_on_board
from prandial.glucose.kernels import absorbed_fraction, insulin_used_fraction


@pytest.fixture
def curves(shared_dir: Path) -> dict[str, Any]:
    path = shared_dir / "data/glucose/loop_unit/curves.json"
    told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return told


def test_insulin_of_the_patient(curves: dict[str, Any]) -> None:
    used = insulin_used_fraction(curves["grid_min"])
    np.testing.assert_allclose(used, curves["palerm_cum_fraction"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(1 - used, curves["palerm_iob_1U"], rtol=0, atol=1e-12)


def test_carbohydrate_of_the_patient(curves: dict[str, Any]) -> None:
    assert len(curves["cescon"]) == 10
    for minutes, told in curves["cescon"].items():
        ours = absorbed_fraction(curves["grid_min"], float(minutes))
        np.testing.assert_allclose(ours, told, rtol=0, atol=1e-12, err_msg=minutes)


def test_loop_insulin(curves: dict[str, Any]) -> None:
    assert len(curves["loop_fraction_remaining"]) == 4
    for name, told in curves["loop_fraction_remaining"].items():
        dia, peak = map(float, name.split("_"))
        at = 5.0 * np.arange(len(told))
        ours = remaining_share(at, dia_min=dia, peak_min=peak)
        np.testing.assert_allclose(ours, told, rtol=0, atol=1e-12, err_msg=name)
        later = effect_share(at + 10, dia_min=dia, peak_min=peak, delay_min=10)
        np.testing.assert_allclose(later, 1 - np.array(told), rtol=0, atol=1e-12)


def test_static_absorption(curves: dict[str, Any]) -> None:
    told = curves["loop_parabolic_absorbed_180"]
    ours = parabolic_share(5.0 * np.arange(len(told)), 180.0)
    np.testing.assert_allclose(ours, told, rtol=0, atol=1e-12)


def test_steady_state_of_scheduled_basal(curves: dict[str, Any]) -> None:
    # 1 U/h given before the meal and no more: upstream's table falls from its steady state
    told = np.array(curves["steady_state_iob_1Uph"])[:73]
    given = np.zeros((1, 73))
    given[0, 0] = 1 / 12
    ours = insulin_on_board(given, np.zeros((1, 73)), np.ones(1))
    np.testing.assert_allclose(ours[0], told, rtol=0, atol=1e-9)


def test_momentum_falls_from_one_to_nothing() -> None:
    # by hand: with 15 min, four readings; the next point all momentum, the one after it half
    readings, shares = momentum_shares(15)
    assert readings == 4
    assert shares.tolist() == [1, 0.5, 0]


def test_tables_end_where_insulin_has_acted() -> None:
    tables = loop_tables(dia_min=360, peak_min=75, delay_min=10, momentum_min=15)
    assert tables.horizon == 72
    assert tables.effect[-1] == 1
    assert tables.effect[0] == tables.effect[2] == 0 < tables.effect[3]
    # retrospective correction falls linearly: 5 min of the velocity, then 1/11 less each
    np.testing.assert_allclose(tables.decay * 11, 5.0 * np.arange(11, 0, -1)[: tables.decay.size])
