"""Step the glucose of a block of simulations, with its meals and insulin beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prandial.glucose.kernels import STEP_MIN
from prandial.glucose.uva.model import REACH, WEIGHTS, Meal, held_tissue_glucose
from prandial.glucose.uva.parameters import STATES, UvaPatients

__all__ = ["Block", "run_block"]

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

#: parameters that glucose itself needs
_OWN: Final = ("k1", "k2", "kp1", "kp2", "kp3", "ke1", "ke2", "Fsnc", "Vm0", "Vmx", "Km0", "ksc")

#: where plasma glucose stays once it is used up: the limit of ever smaller steps
EMPTY_MG_KG: Final = -1e-9


@dataclass(frozen=True, kw_only=True)
class Block:
    """Simulations that are stepped together: R doses, each from B start levels.

    Parameters
    ----------
    patients : UvaPatients
        Different patients, p of them.
    rest, unit : arrays of shape (2 * steps + 1, 2, p)
        Their insulin actions, see :func:`prandial.glucose.uva.model.insulin_action`.
    meal_patient, meal_carb_g : arrays of shape (u,)
        Different meals: whose, and how much.
    patient, meal : arrays of shape (R,)
        Patient and meal of each dose.
    bolus_u : array of shape (R,)
    start_mg_dl : array of shape (B, R)
        Plasma glucose at minute 0.
    own : array of bool, shape (B, R)
        Whether the patient's own start state is taken instead.
    """

    patients: UvaPatients
    rest: Floats
    unit: Floats
    meal_patient: Places
    meal_carb_g: Floats
    patient: Places
    meal: Places
    bolus_u: Floats
    start_mg_dl: Floats
    own: NDArray[np.bool_]


class _Glucose:
    """Glucose in plasma, in tissue and under the skin, mg/kg, each of shape (B, R)."""

    def __init__(self, patients: UvaPatients, start_mg_dl: Floats, own: NDArray[np.bool_]) -> None:
        self.p = {name: patients[name] for name in _OWN}
        held = start_mg_dl * patients["Vg"]
        self.plasma = np.where(own, patients[STATES[3]], held)
        self.tissue = np.where(own, patients[STATES[4]], held_tissue_glucose(patients, held))
        self.skin = np.where(own, patients[STATES[12]], held)
        self._work = np.empty_like(self.plasma)
        self._slope = [np.empty_like(self.plasma) for _ in range(3)]
        self._at = [np.empty_like(self.plasma) for _ in range(3)]
        self._total = [np.empty_like(self.plasma) for _ in range(3)]

    def _slopes(self, at: list[Floats], appearance: Floats, action: tuple[Floats, Floats]) -> None:
        """Write the slopes of the three; all in place, since this is the inner loop."""
        p, work = self.p, self._work
        plasma, tissue, skin = at
        to_plasma, to_tissue, to_skin = self._slope
        # liver: kp1 - kp2 Gp - kp3 Xl, never negative
        np.multiply(plasma, p["kp2"], out=work)
        np.subtract(p["kp1"] - p["kp3"] * action[1], work, out=to_plasma)
        np.maximum(to_plasma, 0.0, out=to_plasma)
        to_plasma += appearance - p["Fsnc"]
        # kidney: ke1 (Gp - ke2), never negative
        np.subtract(plasma, p["ke2"], out=work)
        np.maximum(work, 0.0, out=work)
        work *= p["ke1"]
        to_plasma -= work
        # to tissue: k1 Gp - k2 Gt
        np.multiply(plasma, p["k1"], out=to_tissue)
        np.multiply(tissue, p["k2"], out=work)
        to_tissue -= work
        to_plasma -= to_tissue
        # uptake: (Vm0 + Vmx X) Gt / (Km0 + Gt)
        np.multiply(tissue, p["Vm0"] + p["Vmx"] * action[0], out=work)
        np.add(tissue, p["Km0"], out=to_skin)
        work /= to_skin
        to_tissue -= work
        # under the skin: ksc (Gp - Gs)
        np.subtract(plasma, skin, out=to_skin)
        to_skin *= p["ksc"]
        for slope, state in zip(self._slope, at, strict=True):
            if state.min() < 0:
                slope[state < 0] = 0.0

    def step(
        self,
        h_min: float,
        appearance: tuple[Floats, ...],
        actions: tuple[tuple[Floats, Floats], ...],
    ) -> None:
        """Go one step on, given appearance and actions at its beginning, middle, end."""
        state = [self.plasma, self.tissue, self.skin]
        at = state
        for stage, weight in enumerate(WEIGHTS):
            when = (stage + 1) // 2
            self._slopes(at, appearance[when], actions[when])
            for i, slope in enumerate(self._slope):
                if stage == 0:
                    np.multiply(slope, weight * h_min, out=self._total[i])
                else:
                    np.multiply(slope, weight * h_min, out=self._work)
                    self._total[i] += self._work
                if stage < len(REACH):
                    slope *= REACH[stage] * h_min
                    np.add(state[i], slope, out=self._at[i])
            at = self._at
        for one, total in zip(state, self._total, strict=True):
            one += total
        if self.plasma.min() < EMPTY_MG_KG:
            np.maximum(self.plasma, EMPTY_MG_KG, out=self.plasma)


def run_block(block: Block, *, minutes: int, per_min: int) -> tuple[Floats, Floats]:
    """Simulate a block.

    Parameters
    ----------
    block : Block
    minutes : int
        Length, a multiple of 5.
    per_min : int
        Runge-Kutta steps in a minute.

    Returns
    -------
    plasma, subcutaneous : arrays of shape (B, R, minutes / 5 + 1)
        Glucose, mg/dL.
    """
    people = block.patients.take(block.patient)
    volume = people["Vg"]
    glucose = _Glucose(people, block.start_mg_dl, block.own)
    meal = Meal(block.patients.take(block.meal_patient), block.meal_carb_g)
    shape = (minutes // STEP_MIN + 1, *block.start_mg_dl.shape)
    plasma, skin = np.empty(shape), np.empty(shape)
    h = 1 / per_min
    ahead = _actions(block, 0)
    for minute in range(minutes + 1):
        if minute % STEP_MIN == 0:
            np.divide(glucose.plasma, volume, out=plasma[minute // STEP_MIN])
            np.divide(glucose.skin, volume, out=skin[minute // STEP_MIN])
        if minute == minutes:
            break
        meal.eat()
        for part in range(per_min):
            at = 2 * (minute * per_min + part)
            appearance = tuple(seen[block.meal] for seen in meal.step(h))
            action = (ahead, _actions(block, at + 1), _actions(block, at + 2))
            glucose.step(h, appearance, action)
            ahead = action[-1]
    return np.moveaxis(plasma, 0, -1), np.moveaxis(skin, 0, -1)


def _actions(block: Block, half: int) -> tuple[Floats, Floats]:
    """Return the actions on uptake and on production of each dose at a half step."""
    rest, unit = block.rest[half], block.unit[half]
    of = block.patient
    return (
        rest[0][of] + block.bolus_u * unit[0][of],
        rest[1][of] + block.bolus_u * unit[1][of],
    )
