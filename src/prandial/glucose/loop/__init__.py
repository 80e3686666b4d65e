"""Loop as a pure function: an input record to a recommendation and every effect behind it.

Research use, not dosing advice. Follows PyLoopKit 9136221 (BSD-2) and, through it, LoopKit
(MIT); what differs, and each oddity that can be repaired, is on the page ``loop-quirks``.
"""

from __future__ import annotations

from prandial.glucose.loop.absorption import Absorption, observed_absorption
from prandial.glucose.loop.carbs import carb_effect, carbs_on_board
from prandial.glucose.loop.counteraction import counteraction_effect
from prandial.glucose.loop.dosing import correction_for, recommend_bolus, recommend_temp_basal
from prandial.glucose.loop.inputs import CarbEntry, Dose, LoopInput, Reading, RunningTemp
from prandial.glucose.loop.insulin import insulin_effect, insulin_on_board, net_units
from prandial.glucose.loop.momentum import momentum_effect
from prandial.glucose.loop.outputs import (
    Correction,
    LoopOutput,
    TempBasal,
    Timeline,
    Velocities,
)
from prandial.glucose.loop.prediction import predict
from prandial.glucose.loop.recommend import decide, recommend
from prandial.glucose.loop.retrospective import retrospective_correction
from prandial.glucose.loop.schedules import Schedule

__all__ = [
    "Absorption",
    "CarbEntry",
    "Correction",
    "Dose",
    "LoopInput",
    "LoopOutput",
    "Reading",
    "RunningTemp",
    "Schedule",
    "TempBasal",
    "Timeline",
    "Velocities",
    "carb_effect",
    "carbs_on_board",
    "correction_for",
    "counteraction_effect",
    "decide",
    "insulin_effect",
    "insulin_on_board",
    "momentum_effect",
    "net_units",
    "observed_absorption",
    "predict",
    "recommend",
    "recommend_bolus",
    "recommend_temp_basal",
    "retrospective_correction",
]
