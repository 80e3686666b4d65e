"""What a batch shares and what each row has of its own, for both engines.

Rows that differ in numbers alone (patient, meal, target, limits, absorption time) are carried
out together; only what changes the shape of the work splits a batch: the insulin model, the
spans of momentum and retrospective correction, switches and quirks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prandial.errors import InputError
from prandial.glucose.arrays import Scenarios
from prandial.glucose.bounds import bounds, check_within
from prandial.glucose.curves import LoopTables, loop_tables
from prandial.glucose.kernels import GRID_MIN, STEP_MIN, absorbed_fraction
from prandial.records import LoopSettings, Quirks, Setup

__all__ = [
    "SETTING_BOUNDS",
    "Columns",
    "Shape",
    "check_settings",
    "columns_of",
    "loop_groups",
    "setting_table",
]

Floats = NDArray[np.float64]

#: summed changes may be this much longer than their group (LoopKit's ``combinedSums``)
GROUP_SLACK = 1.01
#: group of changes where the interval is no number, min
DEFAULT_GROUP_MIN = 30.0
#: dates of the dynamic carb effect reach this multiple of the absorption time
DYNAMIC_SPAN = 1.7

#: setting -> quantity of the table of bounds
SETTING_BOUNDS = {
    "dia_min": "dia",
    "peak_min": "peak",
    "insulin_delay_min": "delay",
    "carb_delay_min": "delay",
    "target_low_mg_dl": "target",
    "target_high_mg_dl": "target",
    "suspend_mg_dl": "suspend",
    "max_basal_u_per_h": "max_basal",
    "max_bolus_u": "max_bolus",
    "step_u": "step",
    "momentum_min": "momentum",
    "correction_interval_min": "correction_interval",
    "correction_group_min": "correction_group",
}


def check_settings(settings: LoopSettings) -> None:
    """Refuse settings of Loop outside their bounds (table ``glucose_bounds``).

    Raises
    ------
    InputError
        Names setting, value and bound; also when the lower target is above the upper one,
        the peak is not before half the duration of action, or the duration is no multiple
        of 5 min.
    """
    for name, quantity in SETTING_BOUNDS.items():
        value = getattr(settings, name)
        if (name == "step_u" and value is None) or value is True:
            continue
        if value is None or value is False:
            bound = bounds()[quantity]
            raise InputError(
                f"{bound.what}: {value} is no number", where=name, hint=f"give {bound}"
            )
        check_within(quantity, value, where=name)
    if settings.target_low_mg_dl > settings.target_high_mg_dl:
        raise InputError(
            f"lower target {settings.target_low_mg_dl:g} mg/dL is above the upper one, "
            f"{settings.target_high_mg_dl:g} mg/dL",
            where="target_low_mg_dl",
            hint=f"give at most {settings.target_high_mg_dl:g} mg/dL",
        )
    if settings.peak_min >= settings.dia_min / 2:
        raise InputError(
            f"peak of insulin at {settings.peak_min:g} min is not before half of its "
            f"duration, {settings.dia_min:g} min",
            where="peak_min",
            hint=f"give less than {settings.dia_min / 2:g} min: the exponential curve asks for it",
        )
    if settings.dia_min % STEP_MIN:
        raise InputError(
            f"duration of insulin action {settings.dia_min:g} min is no multiple of 5 min",
            where="dia_min",
            hint="predictions stand on a grid of 5 min",
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """What all rows of a group share.

    ``changes`` intervals of 5 min are summed by retrospective correction, the last one ending
    at now; the changes by carbohydrate begin and end ``shift`` intervals later. ``back_min``
    is how far the carb effect reaches back.
    """

    dia_min: float
    peak_min: float
    insulin_delay_min: float
    momentum_min: float
    dynamic: bool
    correction: bool
    changes: int
    shift: int
    back_min: float
    group_min: float
    rounding: bool
    quirks: Quirks

    @classmethod
    def of(cls, setup: Setup) -> Shape:
        """Return the shape of one setup."""
        settings, quirks = setup.settings, setup.quirks
        interval = settings.correction_interval_min
        if interval is True:
            interval = 1.0 if quirks.true_is_one_minute else DEFAULT_GROUP_MIN
        interval = float(interval)
        group = settings.correction_group_min
        if quirks.correction_shifted:
            # both ends count: changes that end at or after now less the span
            spans = (math.ceil(interval / STEP_MIN), int(GROUP_SLACK * group // STEP_MIN))
            changes = min(spans) + 1
        else:
            changes = max(math.ceil(min(interval, group) / STEP_MIN), 1)
        return cls(
            dia_min=settings.dia_min,
            peak_min=settings.peak_min,
            insulin_delay_min=settings.insulin_delay_min,
            momentum_min=settings.momentum_min,
            dynamic=settings.dynamic_carbs,
            correction=settings.retrospective_correction,
            changes=changes,
            shift=int(quirks.correction_shifted),
            back_min=STEP_MIN * math.ceil(interval / STEP_MIN),
            group_min=group,
            rounding=settings.step_u is not None,
            quirks=quirks,
        )

    def tables(self) -> LoopTables:
        """Return the curves on the grid."""
        return loop_tables(
            dia_min=self.dia_min,
            peak_min=self.peak_min,
            delay_min=self.insulin_delay_min,
            momentum_min=self.momentum_min,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Columns:
    """Numbers of each row, shape (n,); ``rise`` is (73, n)."""

    isf: Floats
    csf: Floats
    basal: Floats
    start: Floats
    #: mg/dL that the true meal has brought by each point
    rise: Floats
    #: g told to Loop
    entry: Floats
    #: bolus of the user at the meal, U
    user_bolus: Floats
    #: 1 where Loop's recommended bolus is accepted
    accepts: NDArray[np.bool_]
    absorption: Floats
    carb_delay: Floats
    #: last date of the carb effect, min
    carb_end: Floats
    low: Floats
    high: Floats
    suspend: Floats
    max_basal: Floats
    max_bolus: Floats
    #: steps of the pump in one U (per hour); 1 where nothing is rounded
    per_unit: Floats

    def __len__(self) -> int:
        return int(self.isf.size)


def setting_table(setups: Sequence[Setup]) -> dict[str, NDArray[Any]]:
    """Return mode and numbers of each setup, shape (setups,)."""
    names = sorted({*SETTING_BOUNDS, "dynamic_carbs"} - {"correction_interval_min"})
    table: dict[str, NDArray[Any]] = {"mode": np.array([s.mode for s in setups])}
    for name in names:
        values = [getattr(s.settings, name) for s in setups]
        table[name] = np.array([1.0 if v is None else float(v) for v in values])
    return table


def columns_of(
    scenarios: Scenarios, table: dict[str, NDArray[Any]], rows: NDArray[np.intp]
) -> Columns:
    """Return the columns of some rows; ``table`` is that of :func:`setting_table`."""
    isf, cir = scenarios.isf_mg_dl_per_u[rows], scenarios.cir_g_per_u[rows]
    entry = scenarios.estimated_carb_g[rows]
    reported = scenarios.reported_absorption_min[rows]
    csf = isf / cir
    own = {name: values[scenarios.setup_of[rows]] for name, values in table.items()}
    times, place = np.unique(scenarios.true_absorption_min[rows], return_inverse=True)
    absorbed = absorbed_fraction(GRID_MIN[:, None], times[None, :])[:, place]
    end = np.where(own["dynamic_carbs"] > 0, DYNAMIC_SPAN, 1.0) * reported
    end += own["carb_delay_min"]
    return Columns(
        isf=isf,
        csf=csf,
        basal=scenarios.basal_u_per_h[rows],
        start=scenarios.start_glucose_mg_dl[rows],
        rise=(csf * scenarios.true_carb_g[rows]) * absorbed,
        entry=entry,
        user_bolus=np.where(own["mode"] == "loop_userbolus", entry / cir, 0.0),
        accepts=own["mode"] == "loop_accept",
        absorption=reported,
        carb_delay=own["carb_delay_min"],
        carb_end=STEP_MIN * np.ceil(np.round(end / STEP_MIN, 9)),
        low=own["target_low_mg_dl"],
        high=own["target_high_mg_dl"],
        suspend=own["suspend_mg_dl"],
        max_basal=own["max_basal_u_per_h"],
        max_bolus=own["max_bolus_u"],
        per_unit=1 / own["step_u"],
    )


def loop_groups(scenarios: Scenarios) -> Iterator[tuple[Shape, NDArray[np.intp]]]:
    """Yield each shape with the rows that have it, manual rows left out.

    Raises
    ------
    InputError
        See :func:`check_settings`.
    """
    of = scenarios.setup_of
    used = np.unique(of)
    groups: dict[Shape, list[int]] = {}
    for place in used.tolist():
        setup = scenarios.setups[place]
        if setup.mode != "manual":
            check_settings(setup.settings)
            groups.setdefault(Shape.of(setup), []).append(place)
    for shape, places in groups.items():
        wanted = np.zeros(len(scenarios.setups), dtype=np.bool_)
        wanted[places] = True
        yield shape, np.flatnonzero(wanted[of])
