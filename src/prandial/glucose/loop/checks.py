"""Checks of what the Loop function is given; each error names field, row and bound."""

from __future__ import annotations

import math
from itertools import pairwise

from prandial.errors import InputError
from prandial.glucose.bounds import bounds, check_within
from prandial.glucose.loop.inputs import DOSE_KINDS, Dose, LoopInput, Reading
from prandial.glucose.loop.times import TINY_MIN
from prandial.glucose.plan import SETTING_BOUNDS
from prandial.records.glucose import LoopSettings

__all__ = ["check", "check_settings"]

#: settings that may be something else than a number
_APART = ("step_u", "correction_interval_min")


def check(given: LoopInput) -> None:
    """Raise on the first thing that no decision can rest on.

    Raises
    ------
    InputError
        On a reading that is no number or out of order, negative amounts, an absorption time
        outside its bound, and other impossible rows; names field, row and bound.
    """
    check_settings(given.settings)
    _check_readings(given.glucose, given.now_min, given.settings.dia_min)
    for row, dose in enumerate(given.doses, 1):
        _check_dose(dose, given.now_min, f"doses, row {row}")
    if given.carb_entries:
        rows = [f"{i}" for i in range(1, len(given.carb_entries) + 1)]
        for quantity, name in (("carb_when_asked", "carb_g"), ("absorption", "absorption_min")):
            values = [getattr(entry, name) for entry in given.carb_entries]
            check_within(quantity, values, where=f"carb_entries {name}", rows=rows)
    check_within("isf", given.isf_mg_dl_per_u.value, where="isf_mg_dl_per_u")
    check_within("cir", given.cir_g_per_u.value, where="cir_g_per_u")
    check_within("basal", given.basal_u_per_h.value, where="basal_u_per_h")
    low, high = given.target
    check_within("target", low.value, where="target_low_mg_dl")
    check_within("target", high.value, where="target_high_mg_dl")
    for start in sorted({*low.start_min, *high.start_min}):
        if low.at(start) > high.at(start):
            raise InputError(
                f"target {low.at(start):g} to {high.at(start):g} mg/dL is upside down",
                where=f"target at {start:g} min of the day",
                hint="the low end first",
            )


def check_settings(settings: LoopSettings) -> None:
    """Raise on a setting outside its bound (table ``glucose_bounds``).

    Raises
    ------
    InputError
        Names the setting and its bound.
    """
    for name, quantity in SETTING_BOUNDS.items():
        if name in _APART:
            continue
        check_within(quantity, getattr(settings, name), where=f"settings {name}")
    if settings.step_u is not None:
        check_within("step", settings.step_u, where="settings step_u")
    if not isinstance(settings.correction_interval_min, bool):
        check_within(
            "correction_interval",
            settings.correction_interval_min,
            where="settings correction_interval_min",
        )
    if 2 * settings.peak_min >= settings.dia_min:
        raise InputError(
            f"peak {settings.peak_min:g} min is not before half of {settings.dia_min:g} min",
            where="settings peak_min",
            hint="the exponential insulin curve needs a peak in the first half of its duration",
        )


def _check_readings(readings: tuple[Reading, ...], now_min: float, dia_min: float) -> None:
    if not readings:
        raise InputError("there is no glucose reading", where="glucose", hint="give one or more")
    bound = bounds()["start_glucose"]
    for row, reading in enumerate(readings, 1):
        value = reading.glucose_mg_dl
        if not bound.low <= value <= bound.high:
            said = "no number" if math.isnan(value) else f"{value:g} mg/dL"
            raise InputError(
                f"glucose reading: {said} is outside {bound}",
                where=f"glucose, row {row}",
                hint=f"give {bound}; below {bound.low:g} it is most likely mmol/L",
            )
    for row, (before, after) in enumerate(pairwise(readings), 2):
        if after.at_min < before.at_min:
            raise InputError(
                f"reading at {after.at_min:g} min comes after that at {before.at_min:g} min",
                where=f"glucose, row {row}",
                hint="sort the readings by time",
            )
    last = readings[-1].at_min
    if not now_min - dia_min < last <= now_min + TINY_MIN:
        raise InputError(
            f"the last reading, at {last:g} min, does not reach now, {now_min:g} min",
            where=f"glucose, row {len(readings)}",
            hint=f"readings end at now, or less than {dia_min:g} min before it",
        )


def _check_dose(dose: Dose, now_min: float, where: str) -> None:
    if dose.kind not in DOSE_KINDS:
        raise InputError(
            f"no kind of dose {dose.kind!r}", where=where, hint="known: " + ", ".join(DOSE_KINDS)
        )
    for name in ("value", "delivered_u"):
        amount = getattr(dose, name)
        if amount is not None and not 0 <= amount < math.inf:
            raise InputError(
                f"{name} {amount:g} is no amount of insulin",
                where=where,
                hint="0 or more; delivered_u is absolute, scheduled basal included",
            )
    if not dose.start_min <= dose.end_min:
        raise InputError(
            f"ends at {dose.end_min:g} min, before its start at {dose.start_min:g} min",
            where=where,
            hint="end_min at or after start_min",
        )
    if dose.start_min > now_min + TINY_MIN:
        raise InputError(
            f"starts at {dose.start_min:g} min, after now, {now_min:g} min",
            where=where,
            hint="give only doses that have begun",
        )
