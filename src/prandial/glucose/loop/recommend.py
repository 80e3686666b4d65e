"""One decision of Loop as a pure function. Research use, not dosing advice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from prandial.glucose.loop.carbs import carb_effect, carbs_on_board
from prandial.glucose.loop.checks import check
from prandial.glucose.loop.counteraction import counteraction_effect
from prandial.glucose.loop.dosing import (
    bolus_notice,
    correction_for,
    recommend_bolus,
    recommend_temp_basal,
)
from prandial.glucose.loop.inputs import LoopInput
from prandial.glucose.loop.insulin import insulin_effect, insulin_on_board
from prandial.glucose.loop.momentum import momentum_effect
from prandial.glucose.loop.outputs import Correction, LoopOutput, Timeline, Velocities
from prandial.glucose.loop.prediction import extended, predict
from prandial.glucose.loop.retrospective import correction_interval_min, retrospective_correction
from prandial.glucose.loop.times import DAY_MIN, STEP_MIN, TINY_MIN

__all__ = ["decide", "recommend"]

#: readings of the last day are used
_HISTORY_MIN: Final = DAY_MIN


def recommend(given: LoopInput | Mapping[str, Any]) -> LoopOutput:
    """Return what Loop would do now, and every effect behind it.

    A pure function: no clock, no state. Research use, not dosing advice.

    Parameters
    ----------
    given : LoopInput or mapping
        The record, or its JSON form (see :meth:`LoopInput.from_dict`).

    Returns
    -------
    LoopOutput
        Effects in mg/dL by minute, both predictions, correction, temp basal and bolus.

    Raises
    ------
    InputError
        On input no decision can rest on; names field, row and bound.

    Notes
    -----
    Equal to PyLoopKit 9136221 with the quirks named ``pyloopkit``, but where no dose is known:
    there the insulin effect is 0, while PyLoopKit has none and leaves counteraction out.
    """
    if not isinstance(given, LoopInput):
        given = LoopInput.from_dict(given)
    check(given)
    counteraction = _counteraction(given)
    settings, quirks = given.settings, given.quirks
    seen = counteraction if settings.dynamic_carbs else Velocities()
    last = given.glucose[-1].at_min
    interval = correction_interval_min(settings, quirks)
    carbs = carb_effect(
        given.carb_entries,
        start_min=last - interval,
        counteraction=seen,
        isf_mg_dl_per_u=given.isf_mg_dl_per_u,
        cir_g_per_u=given.cir_g_per_u,
        delay_min=settings.carb_delay_min,
        without_delay=quirks.absorption_without_delay,
    )
    insulin = insulin_effect(
        given.doses,
        start_min=given.now_min,
        isf_mg_dl_per_u=given.isf_mg_dl_per_u,
        basal_u_per_h=given.basal_u_per_h,
        settings=settings,
        quirks=quirks,
        since_min=given.now_min - settings.dia_min,
    )
    momentum = momentum_effect(
        given.glucose, now_min=given.now_min, momentum_min=settings.momentum_min
    )
    return decide(
        given,
        insulin=insulin,
        carbs=carbs,
        counteraction=counteraction,
        momentum=momentum,
        cob_g=carbs_on_board(
            given.carb_entries,
            at_min=given.now_min,
            counteraction=seen,
            isf_mg_dl_per_u=given.isf_mg_dl_per_u,
            cir_g_per_u=given.cir_g_per_u,
            delay_min=settings.carb_delay_min,
            without_delay=quirks.absorption_without_delay,
        ),
    )


def decide(
    given: LoopInput,
    *,
    insulin: Timeline,
    carbs: Timeline,
    counteraction: Velocities,
    momentum: Timeline,
    cob_g: float = 0.0,
) -> LoopOutput:
    """Return the decision that follows from effects already known.

    Parameters
    ----------
    given : LoopInput
        Last reading, schedules, settings, quirks; its doses and entries are not looked at
        but for insulin on board.
    insulin, carbs, momentum : Timeline
        Effects, mg/dL.
    counteraction : Velocities
    cob_g : float
        Carbohydrate on board, passed on.
    """
    settings, quirks = given.settings, given.quirks
    last = given.glucose[-1]
    retrospective = retrospective_correction(
        counteraction,
        carbs,
        now_min=given.now_min,
        last_at_min=last.at_min,
        last_mg_dl=last.glucose_mg_dl,
        settings=settings,
        quirks=quirks,
    )
    corrected = Timeline() if retrospective is None else retrospective.effect
    prediction = predict(
        at_min=last.at_min,
        glucose_mg_dl=last.glucose_mg_dl,
        effects=(carbs, insulin, corrected),
        momentum=momentum,
    )
    prediction = extended(prediction, last.at_min + settings.dia_min)
    rises = retrospective is not None and retrospective.mg_dl_per_min > 0
    for_bolus = predict(
        at_min=last.at_min,
        glucose_mg_dl=last.glucose_mg_dl,
        effects=(carbs, insulin, Timeline() if rises else corrected),
        momentum=None if momentum.change_mg_dl > 0 else momentum,
    )
    if not quirks.bolus_prediction_short:
        for_bolus = extended(for_bolus, given.now_min + settings.dia_min)
    correction = _correction(given, prediction)
    bolus = _correction(given, for_bolus)
    return LoopOutput(
        insulin_effect=insulin,
        carb_effect=carbs,
        counteraction=counteraction,
        retrospective_correction=corrected,
        momentum=momentum,
        prediction=prediction,
        prediction_for_bolus=for_bolus,
        discrepancy_mg_dl=None if retrospective is None else retrospective.discrepancy_mg_dl,
        correction=correction,
        temp_basal=recommend_temp_basal(
            correction,
            now_min=given.now_min,
            basal_u_per_h=given.basal_u_per_h.at(given.now_min),
            settings=settings,
            quirks=quirks,
            running=given.running_temp,
        ),
        bolus_u=recommend_bolus(bolus, settings=settings),
        notice=bolus_notice(bolus),
        iob_u=insulin_on_board(
            given.doses,
            at_min=given.now_min,
            basal_u_per_h=given.basal_u_per_h,
            settings=settings,
            quirks=quirks,
        ),
        cob_g=cob_g,
    )


def _counteraction(given: LoopInput) -> Velocities:
    since = given.now_min - _HISTORY_MIN - TINY_MIN
    readings = [r for r in given.glucose if r.at_min >= since]
    if len(readings) < 2:
        return Velocities()
    insulin = insulin_effect(
        given.doses,
        start_min=readings[0].at_min,
        end_min=readings[-1].at_min + 2 * STEP_MIN,
        isf_mg_dl_per_u=given.isf_mg_dl_per_u,
        basal_u_per_h=given.basal_u_per_h,
        settings=given.settings,
        quirks=given.quirks,
    )
    return counteraction_effect(readings, insulin)


def _correction(given: LoopInput, prediction: Timeline) -> Correction:
    low, high = given.target
    return correction_for(
        prediction,
        now_min=given.now_min,
        isf_mg_dl_per_u=given.isf_mg_dl_per_u.at(given.now_min),
        target_low_mg_dl=low,
        target_high_mg_dl=high,
        settings=given.settings,
    )
