"""Run UVA/Padova patients: rows of meals, or a whole design by blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from prandial.errors import InputError
from prandial.glucose.bounds import check_within
from prandial.glucose.kernels import STEP_MIN
from prandial.glucose.uva.model import insulin_action
from prandial.glucose.uva.parameters import UvaPatients, check_patients
from prandial.glucose.uva.stepping import Block, run_block

__all__ = ["OWN", "UvaBlock", "UvaTraces", "simulate_uva", "uva_design"]

Floats = NDArray[np.float64]

#: stands for the patient's own start glucose in a design
OWN: Final = "own"
#: simulations stepped together, so that their arrays stay in the processor's cache
BLOCK: Final = 16384
#: patients whose insulin is held at once
PATIENTS_AT_ONCE: Final = 64


@dataclass(frozen=True, kw_only=True)
class UvaTraces:
    """Glucose of many simulations, mg/dL, each of shape (n, points), every five minutes."""

    plasma_mg_dl: Floats
    subcutaneous_mg_dl: Floats

    def __len__(self) -> int:
        return len(self.plasma_mg_dl)


@dataclass(frozen=True, kw_only=True)
class UvaBlock:
    """A part of a design.

    Parameters
    ----------
    patients, meals : slice
        Which patients and meals of the design the block holds.
    glucose_mg_dl : array of shape (E, patients, B, meals, points)
        Plasma glucose.
    """

    patients: slice
    meals: slice
    glucose_mg_dl: Floats


def simulate_uva(
    patients: UvaPatients,
    *,
    true_carb_g: ArrayLike,
    bolus_u: ArrayLike,
    start_glucose_mg_dl: ArrayLike | None = None,
    step_min: float = 1.0,
    duration_min: int = 360,
    large_meals: bool = False,
) -> UvaTraces:
    """Simulate meals of UVA/Padova patients, one row each.

    The meal is eaten at 5 g/min from minute 0, the bolus injected evenly within minute 0,
    and each patient's own basal rate runs throughout.

    Parameters
    ----------
    patients : UvaPatients
        One row a simulation, or one for all; ``patients.take`` repeats rows.
    true_carb_g : array_like
        Carbohydrate eaten, g.
    bolus_u : array_like
        Insulin injected, U.
    start_glucose_mg_dl : array_like, optional
        Plasma glucose at minute 0; without it the patient's own start state, which is steady
        (133 to 153 mg/dL in the published patients). A given level is **not** a steady
        state: plasma and subcutaneous glucose are set to it, tissue glucose to what balances
        a plasma held at that level, insulin to its basal level; then the patient is let go,
        and would without a meal drift back to the own level over hours.
    step_min : float
        A whole part of a minute: 1, 0.5, 0.25, ...
    duration_min : int
        A multiple of 5.
    large_meals : bool
        Whether meals above 250 g are meant.

    Returns
    -------
    UvaTraces
        With 73 points for 360 min.

    Raises
    ------
    InputError
        On unequal lengths, or a value that is no number or outside its bound: names row and
        bound.
    """
    per_min = _steps_in_a_minute(step_min)
    minutes = _minutes(duration_min)
    check_patients(patients)
    carb = _carb(true_carb_g, "true_carb_g", large_meals)
    bolus = check_within("bolus_given", bolus_u, where="bolus_u")
    own = start_glucose_mg_dl is None
    start = (
        patients.own_glucose_mg_dl
        if start_glucose_mg_dl is None
        else check_within("start_glucose", start_glucose_mg_dl, where="start_glucose_mg_dl")
    )
    given = {"true_carb_g": carb, "bolus_u": bolus, "start_glucose_mg_dl": start}
    n = max(len(patients), *(v.size for v in given.values()))
    for name, values in (*given.items(), ("patients", np.arange(len(patients)))):
        if values.ndim != 1 or values.size not in (1, n):
            raise InputError(
                f"{name} has {values.size:,} values, other columns {n:,}",
                where=name,
                hint="give one value, or one for each simulation",
            )
    carb, bolus, start = (np.broadcast_to(given[name], n) for name in given)
    people, person = patients.distinct()
    person = np.broadcast_to(person, n)
    plasma = np.empty((n, minutes // STEP_MIN + 1))
    skin = np.empty_like(plasma)
    # rows by patient, so that few patients are in hand at a time
    order = np.argsort(person, kind="stable")
    bounds = np.searchsorted(person[order], np.arange(0, len(people), PATIENTS_AT_ONCE))
    for first, rows_of in zip(
        range(0, len(people), PATIENTS_AT_ONCE), np.split(order, bounds[1:]), strict=True
    ):
        some = people.take(slice(first, first + PATIENTS_AT_ONCE))
        rest, unit = insulin_action(some, minutes, per_min)
        for at in range(0, rows_of.size, BLOCK):
            rows = rows_of[at : at + BLOCK]
            whose = person[rows] - first
            meals, meal = np.unique(
                np.column_stack([whose, carb[rows]]), axis=0, return_inverse=True
            )
            block = Block(
                patients=some,
                rest=rest,
                unit=unit,
                meal_patient=meals[:, 0].astype(np.intp),
                meal_carb_g=meals[:, 1],
                patient=whose,
                meal=meal.reshape(-1),
                bolus_u=bolus[rows],
                start_mg_dl=start[rows][None],
                own=np.full((1, rows.size), own),
            )
            above, below = run_block(block, minutes=minutes, per_min=per_min)
            plasma[rows], skin[rows] = above[0], below[0]
    return UvaTraces(plasma_mg_dl=plasma, subcutaneous_mg_dl=skin)


def uva_design(
    patients: UvaPatients,
    estimates_g: ArrayLike,
    true_g: ArrayLike,
    starts: Sequence[float | Literal["own"]],
    *,
    step_min: float = 1.0,
    large_meals: bool = False,
) -> Iterator[UvaBlock]:
    """Simulate every patient with every estimator, start glucose and meal.

    Each patient injects estimate / own carbohydrate ratio, no correction; the true meal is
    eaten. Blocks come in the order of patients, then meals; each simulation has the numbers
    that :func:`simulate_uva` gives it, whatever the blocks.

    Parameters
    ----------
    patients : UvaPatients
        P of them.
    estimates_g : array_like, shape (E, M)
        Estimated carbohydrate by estimator and meal, g; no gaps.
    true_g : array_like, shape (M,)
        True carbohydrate of each meal, g.
    starts : sequence
        B start levels, mg/dL, or ``"own"`` for the patient's own steady state. For what a
        given level means see :func:`simulate_uva`.
    step_min : float
        A whole part of a minute.
    large_meals : bool
        Whether meals above 250 g are meant.

    Returns
    -------
    iterator of UvaBlock
        Together the design (E, P, B, M) with 73 points each; memory does not grow with P
        and M.

    Raises
    ------
    InputError
        As :func:`simulate_uva`, at the call and not at the first block; a bad estimate is
        named by estimator and meal.
    """
    per_min = _steps_in_a_minute(step_min)
    check_patients(patients)
    true = _carb(true_g, "true_g", large_meals)
    estimates = _estimates(estimates_g, true.size, large_meals)
    level, own = _starts(starts)
    return _blocks(patients, estimates, true, level, own, per_min)


def _blocks(
    patients: UvaPatients,
    estimates: Floats,
    true: Floats,
    level: Floats,
    own: NDArray[np.bool_],
    per_min: int,
    minutes: int = 360,
) -> Iterator[UvaBlock]:
    """Cut the design into blocks of patients and meals."""
    n_estimators, n_meals = estimates.shape
    room = max(1, BLOCK // (n_estimators * level.size))
    m_step = min(n_meals, room)
    p_step = max(1, min(room // m_step, PATIENTS_AT_ONCE))
    ahead = max(1, PATIENTS_AT_ONCE // p_step)
    for p_at in range(0, len(patients), p_step):
        some = patients.take(slice(p_at, p_at + p_step))
        # insulin of many patients costs hardly more than of one
        held = p_at % (ahead * p_step)
        if held == 0:
            many = patients.take(slice(p_at, p_at + ahead * p_step))
            rests, units = insulin_action(many, minutes, per_min)
        rest = rests[..., held : held + len(some)]
        unit = units[..., held : held + len(some)]
        for m_at in range(0, n_meals, m_step):
            part = slice(m_at, min(m_at + m_step, n_meals))
            carb = true[part]
            shape = (n_estimators, len(some), carb.size)
            whose, which = (
                np.broadcast_to(axis, shape).ravel()
                for axis in (np.arange(len(some))[:, None], np.arange(carb.size))
            )
            dose = estimates[:, None, part] / some.cr_g_per_u[:, None]
            block = Block(
                patients=some,
                rest=rest,
                unit=unit,
                meal_patient=np.repeat(np.arange(len(some)), carb.size),
                meal_carb_g=np.tile(carb, len(some)),
                patient=whose,
                meal=whose * carb.size + which,
                bolus_u=dose.ravel(),
                start_mg_dl=np.broadcast_to(level[:, None], (level.size, whose.size)),
                own=np.broadcast_to(own[:, None], (level.size, whose.size)),
            )
            plasma, _ = run_block(block, minutes=minutes, per_min=per_min)
            by_axis = plasma.reshape(level.size, *shape, -1)
            yield UvaBlock(
                patients=slice(p_at, p_at + len(some)),
                meals=part,
                glucose_mg_dl=np.moveaxis(by_axis, 0, 2),
            )


def _steps_in_a_minute(step_min: float) -> int:
    steps = round(1 / step_min) if 0.01 <= step_min <= 1 else 0
    if not steps or abs(steps * step_min - 1) > 1e-9:
        raise InputError(
            f"a step of {step_min:g} min is no whole part of a minute from 0.01 to 1",
            where="step_min",
            hint="give 1, 0.5, 0.25 or 0.1",
        )
    return steps


def _minutes(duration_min: float) -> int:
    if not 0 < duration_min <= 2880 or duration_min % STEP_MIN:
        raise InputError(
            f"{duration_min:g} min is no multiple of 5 from 5 to 2880",
            where="duration_min",
            hint="give 360 for six hours",
        )
    return int(duration_min)


def _carb(values: Any, where: str, large_meals: bool) -> Floats:
    """Check grams of carbohydrate."""
    quantity = "carb_when_asked" if large_meals else "carb"
    hint = "" if large_meals else "give grams; above 250 g say that large meals are meant"
    checked = check_within(quantity, values, where=where, hint=hint)
    if checked.ndim != 1 or not checked.size:
        raise InputError(f"{where} is no list of meals", where=where, hint="one value a meal")
    return checked


def _estimates(values: Any, n_meals: int, large_meals: bool) -> Floats:
    """Check the estimates (E, M)."""
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or not table.size or table.shape[1] != n_meals:
        raise InputError(
            f"estimates of shape {table.shape} for {n_meals:,} meals",
            where="estimates_g",
            hint="one row an estimator, one column a meal",
        )
    for number, row in enumerate(table, start=1):
        _carb(row, f"estimates_g, estimator {number}", large_meals)
    return table


def _starts(starts: Sequence[float | Literal["own"]]) -> tuple[Floats, NDArray[np.bool_]]:
    """Return start levels and which of them are the patient's own (there any number)."""
    for start in starts:
        if isinstance(start, str) and start != OWN:
            raise InputError(
                f"no start glucose {start!r}", where="starts", hint="give mg/dL, or 'own'"
            )
    own = np.array([isinstance(start, str) for start in starts], dtype=np.bool_)
    if not own.size:
        raise InputError("no start glucose", where="starts", hint="give mg/dL, or 'own'")
    level = np.array([120.0 if isinstance(start, str) else start for start in starts])
    return check_within("start_glucose", level, where="starts"), own
