"""Equations of the UVA/Padova 2008 patient: meal, insulin, glucose, one after the other.

The three parts form a cascade. The meal knows nothing of the rest; insulin answers
linearly to what is injected; glucose takes the appearance of the meal and the two insulin
actions. So each part is stepped at its own size: a meal once for each patient and amount,
insulin once for each patient (at rest, and for one unit), glucose for every simulation.
All three by the classical Runge-Kutta method of fourth order with the same steps, which
gives what the method gives for the 13 states together.

Sources: Dalla Man, Camilleri, Cobelli 2006 (meal); Dalla Man, Rizza, Cobelli 2007 (glucose
and insulin); Kovatchev et al. 2009 (subcutaneous insulin and glucose); for what the papers
leave open, the behaviour of simglucose 0.2.11: eating in whole minutes of at most 5 g, and
a glucose state that has become negative stays where it is.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from prandial.glucose.uva.parameters import PMOL_PER_U, STATES, UvaPatients

__all__ = [
    "EAT_G_PER_MIN",
    "Meal",
    "held_tissue_glucose",
    "insulin_action",
    "insulin_slopes",
]

Floats = NDArray[np.float64]

#: speed of eating
EAT_G_PER_MIN: Final = 5.0
#: weights of the four slopes of a Runge-Kutta step
WEIGHTS: Final = (1 / 6, 1 / 3, 1 / 3, 1 / 6)
#: how far into the step each slope is taken
REACH: Final = (0.5, 0.5, 1.0)


class Meal:
    """Stomach and gut of many meals, mg of carbohydrate, stepped in time.

    ``D``, the size of the meal as the stomach feels it, is its content when the meal
    begins and all that has been eaten so far.

    Parameters
    ----------
    patients : UvaPatients
        One row a meal.
    carb_g : array
        Carbohydrate of each meal, eaten at 5 g/min from minute 0.
    """

    def __init__(self, patients: UvaPatients, carb_g: Floats) -> None:
        self.patients = patients
        self.left_g = np.array(carb_g, dtype=np.float64)
        self.solid = np.array(patients[STATES[0]])
        self.liquid = np.array(patients[STATES[1]])
        self.gut = np.array(patients[STATES[2]])
        self.size = self.solid + self.liquid
        self.intake = np.zeros_like(self.left_g)
        self._half = (patients["kmax"] - patients["kmin"]) / 2
        self._appear = patients["f"] * patients["kabs"] / patients["BW"]

    def eat(self) -> None:
        """Begin a minute: at most 5 g of what is left are eaten in it."""
        bite = np.minimum(self.left_g, EAT_G_PER_MIN)
        self.left_g -= bite
        self.intake = 1000.0 * bite
        self.size = self.size + self.intake

    def appearance(self) -> Floats:
        """Return the rate of appearance in plasma now, mg/kg/min."""
        return self._appear * self.gut

    def _emptying(self, content: Floats) -> Floats:
        """Return the rate at which the stomach empties, 1/min."""
        p, size = self.patients, self.size
        safe = np.where(size > 0, size, 1.0)
        down = 5 / (2 * safe * (1 - p["b"])) * (content - p["b"] * size)
        up = 5 / (2 * safe * p["d"]) * (content - p["d"] * size)
        rate = p["kmin"] + self._half * (np.tanh(down) - np.tanh(up) + 2)
        return np.where(size > 0, rate, p["kmax"])

    def _slopes(self, solid: Floats, liquid: Floats, gut: Floats) -> tuple[Floats, Floats, Floats]:
        p = self.patients
        emptied = self._emptying(solid + liquid) * liquid
        ground = p["kmax"] * solid
        return self.intake - ground, ground - emptied, emptied - p["kabs"] * gut

    def step(self, h_min: float) -> tuple[Floats, Floats, Floats, Floats]:
        """Go one step on; return the appearance at its four stages, mg/kg/min."""
        start = (self.solid, self.liquid, self.gut)
        at = start
        total = [np.zeros_like(s) for s in start]
        stages = []
        for stage, weight in enumerate(WEIGHTS):
            stages.append(self._appear * at[2])
            slopes = self._slopes(*at)
            for sum_, slope in zip(total, slopes, strict=True):
                sum_ += weight * slope
            if stage < len(REACH):
                far = REACH[stage] * h_min
                at = (
                    start[0] + far * slopes[0],
                    start[1] + far * slopes[1],
                    start[2] + far * slopes[2],
                )
        self.solid, self.liquid, self.gut = (
            s + h_min * t for s, t in zip(start, total, strict=True)
        )
        return stages[0], stages[1], stages[2], stages[3]


def insulin_slopes(patients: UvaPatients, state: Floats, ins: Floats, rest: Floats) -> Floats:
    """Return the slopes of the seven insulin states.

    Parameters
    ----------
    patients : UvaPatients
    state : array, shape (7, n)
        Plasma and liver (pmol/kg), action on uptake, delay and action on production
        (pmol/L), and the two subcutaneous ones (pmol/kg).
    ins : array, shape (n,)
        Insulin given, pmol/kg/min.
    rest : array, shape (n,)
        Concentration at which insulin has no action on uptake, pmol/L.
    """
    p = patients
    plasma, liver, uptake, delay, production, first, second = state
    level = plasma / p["Vi"]
    return np.stack(
        [
            p["m1"] * liver
            + p["ka1"] * first
            + p["ka2"] * second
            - (p["m2"] + p["m4"]) * plasma,
            p["m2"] * plasma - (p["m1"] + p["m30"]) * liver,
            p["p2u"] * (level - rest - uptake),
            p["ki"] * (level - delay),
            p["ki"] * (delay - production),
            ins - (p["ka1"] + p["kd"]) * first,
            p["kd"] * first - p["ka2"] * second,
        ]
    )


def insulin_action(patients: UvaPatients, minutes: int, per_min: int) -> tuple[Floats, Floats]:
    """Return both insulin actions at every stage of every step.

    The seven states answer linearly, so that the actions after a bolus of ``B`` units are
    ``rest + B * unit``. They never become negative, since nothing flows out of an empty one.

    Parameters
    ----------
    patients : UvaPatients
    minutes, per_min : int
        Length, and steps in a minute.

    Returns
    -------
    rest, unit : arrays of shape (steps, 4, 2, n)
        On basal insulin alone, pmol/L, and more by one unit injected evenly in minute 0,
        pmol/L per U; the pair is the action on uptake and on production.
    """
    own = np.stack([patients[STATES[i]] for i in (5, 9, 6, 7, 8, 10, 11)])
    none = np.zeros(len(patients))
    rest = _insulin(patients, own, (patients["u2ss"],) * 2, patients["Ib"], minutes, per_min)
    a_unit = (PMOL_PER_U / patients["BW"], none)
    unit = _insulin(patients, np.zeros_like(own), a_unit, none, minutes, per_min)
    return rest, unit


def _insulin(
    patients: UvaPatients,
    state: Floats,
    given: tuple[Floats, Floats],
    rest: Floats,
    minutes: int,
    per_min: int,
) -> Floats:
    """Step the insulin states; ``given`` is the rate in minute 0 and afterwards."""
    h = 1 / per_min
    out = np.empty((minutes * per_min, 4, 2, len(patients)))
    for step in range(minutes * per_min):
        ins = given[0] if step < per_min else given[1]
        total = np.zeros_like(state)
        at = state
        for stage, weight in enumerate(WEIGHTS):
            out[step, stage, 0] = at[2]
            out[step, stage, 1] = at[4]
            slopes = insulin_slopes(patients, at, ins, rest)
            total += weight * slopes
            if stage < len(REACH):
                at = state + REACH[stage] * h * slopes
        state = state + h * total
    return out


def held_tissue_glucose(patients: UvaPatients, plasma_mg_kg: Floats) -> Floats:
    """Return tissue glucose, mg/kg, that balances a plasma held at a level on basal insulin.

    The positive root of ``k1 Gp - k2 Gt = Vm0 Gt / (Km0 + Gt)``; at the patient's own level
    it is the patient's own tissue glucose.
    """
    p = patients
    linear = p["Vm0"] + p["k2"] * p["Km0"] - p["k1"] * plasma_mg_kg
    constant = p["k1"] * p["Km0"] * plasma_mg_kg
    root = np.sqrt(linear * linear + 4 * p["k2"] * constant)
    # of the two forms of the root the one without cancellation
    held: Floats = np.where(
        linear > 0, 2 * constant / (linear + root), (root - linear) / (2 * p["k2"])
    )
    return held
