"""Equations of the UVA/Padova 2008 patient: meal, insulin, glucose, one after the other.

The three parts form a cascade. The meal knows nothing of the rest; insulin answers
linearly to what is injected; glucose takes the appearance of the meal and the two insulin
actions. So each part is stepped at its own size: a meal once for each patient and amount,
insulin once for each patient (at rest, and for one unit), glucose for every simulation.
Meal and glucose by the classical Runge-Kutta method of fourth order, the meal in finer
steps, since its emptying turns sharply in the first minutes; insulin exactly.

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
    "insulin_matrix",
]

Floats = NDArray[np.float64]

#: speed of eating
EAT_G_PER_MIN: Final = 5.0
#: steps of the meal within one of glucose (even, so that the middle is among them)
MEAL_PARTS: Final = 4
#: halvings before the series of the exponential
HALVINGS: Final = 6
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
        p = patients
        self.left_g = np.array(carb_g, dtype=np.float64)
        #: in the stomach as solid and as liquid, and in the gut; shape (3, n)
        self.content = np.stack([p[name] for name in STATES[:3]])
        self.size = self.content[0] + self.content[1]
        self._intake = np.zeros_like(self.left_g)
        self._slow, self._fast, self._absorb = p["kmin"], p["kmax"], p["kabs"]
        self._half = (p["kmax"] - p["kmin"]) / 2
        self._down, self._up = 5 / (2 * (1 - p["b"])), 5 / (2 * p["d"])
        self._down_at, self._up_at = self._down * p["b"], self._up * p["d"]
        self._appear = p["f"] * p["kabs"] / p["BW"]
        self._empty = self._safe = self.size
        self._slope = np.empty_like(self.content)

    def eat(self) -> None:
        """Begin a minute: at most 5 g of what is left are eaten in it."""
        bite = np.minimum(self.left_g, EAT_G_PER_MIN)
        self.left_g -= bite
        self._intake = 1000.0 * bite
        self.size = self.size + self._intake
        self._empty = self.size <= 0
        self._safe = np.where(self._empty, 1.0, self.size)

    def appearance(self) -> Floats:
        """Return the rate of appearance in plasma now, mg/kg/min."""
        rate: Floats = self._appear * self.content[2]
        return rate

    def _emptying(self, stomach: Floats) -> Floats:
        """Return the rate at which the stomach empties, 1/min, by its content, mg.

        Fast while it is full, slow below a share ``b`` of the meal, fast again below ``d``.
        """
        share = stomach / self._safe
        rate = np.tanh(self._down * share - self._down_at)
        rate -= np.tanh(self._up * share - self._up_at)
        rate += 2.0
        rate *= self._half
        rate += self._slow
        return np.where(self._empty, self._fast, rate)

    def _slopes(self, content: Floats) -> Floats:
        """Return the slopes of the three, mg/min (an array that is used again)."""
        solid, liquid, gut = content
        to_solid, to_liquid, to_gut = self._slope
        ground = self._fast * solid
        np.subtract(self._intake, ground, out=to_solid)
        emptied = self._emptying(solid + liquid)
        emptied *= liquid
        np.subtract(ground, emptied, out=to_liquid)
        np.multiply(self._absorb, gut, out=to_gut)
        np.subtract(emptied, to_gut, out=to_gut)
        return self._slope

    def _advance(self, h_min: float) -> None:
        """Go on by one Runge-Kutta step."""
        at = self.content
        total = np.zeros_like(at)
        for stage, weight in enumerate(WEIGHTS):
            slopes = self._slopes(at)
            total += weight * slopes
            if stage < len(REACH):
                slopes *= REACH[stage] * h_min
                at = self.content + slopes
        total *= h_min
        self.content = self.content + total

    def step(self, h_min: float) -> tuple[Floats, Floats, Floats]:
        """Go a step of glucose on, in finer steps of the meal's own.

        Returns the appearance at the beginning, the middle and the end, mg/kg/min.
        """
        seen = [self.appearance()]
        for _ in range(2):
            for _ in range(MEAL_PARTS // 2):
                self._advance(h_min / MEAL_PARTS)
            seen.append(self.appearance())
        return seen[0], seen[1], seen[2]


def insulin_matrix(patients: UvaPatients) -> Floats:
    """Return the matrix A of ``x' = A x``, shape (n, 9, 9).

    The states are plasma and liver (pmol/kg), action on uptake, delay and action on
    production (pmol/L), the two subcutaneous ones (pmol/kg), then two that stay: insulin
    given (pmol/kg/min), and 1, by which the basal concentration has no action on uptake.
    """
    p = patients
    plasma, liver, uptake, delay, production, first, second, given, one = range(9)
    a = np.zeros((len(p), 9, 9))
    a[:, plasma, plasma] = -(p["m2"] + p["m4"])
    a[:, plasma, liver] = p["m1"]
    a[:, plasma, first] = p["ka1"]
    a[:, plasma, second] = p["ka2"]
    a[:, liver, liver] = -(p["m1"] + p["m30"])
    a[:, liver, plasma] = p["m2"]
    a[:, uptake, uptake] = -p["p2u"]
    a[:, uptake, plasma] = p["p2u"] / p["Vi"]
    a[:, uptake, one] = -p["p2u"] * p["Ib"]
    a[:, delay, delay] = -p["ki"]
    a[:, delay, plasma] = p["ki"] / p["Vi"]
    a[:, production, production] = -p["ki"]
    a[:, production, delay] = p["ki"]
    a[:, first, first] = -(p["ka1"] + p["kd"])
    a[:, first, given] = 1.0
    a[:, second, second] = -p["ka2"]
    a[:, second, first] = p["kd"]
    return a


def _product(left: Floats, right: Floats) -> Floats:
    """Multiply matrices row by row; each patient's numbers do not depend on the others."""
    product: Floats = np.einsum("nij,njk->nik", left, right, optimize=False)
    return product


def _exponential(matrix: Floats) -> Floats:
    """Return the exponential by a short series of a small part, squared up again."""
    eye = np.broadcast_to(np.eye(matrix.shape[-1]), matrix.shape)
    part = matrix / 2**HALVINGS
    out = term = eye
    for order in range(1, 9):
        term = _product(term, part) / order
        out = out + term
    for _ in range(HALVINGS):
        out = _product(out, out)
    return out


def insulin_action(patients: UvaPatients, minutes: int, per_min: int) -> tuple[Floats, Floats]:
    """Return both insulin actions at every half step.

    The seven states answer linearly, so that the actions after a bolus of ``B`` units are
    ``rest + B * unit``. Solved exactly, by the matrix exponential of half a step. No state
    becomes negative, since nothing flows out of an empty one.

    Parameters
    ----------
    patients : UvaPatients
    minutes, per_min : int
        Length, and steps in a minute.

    Returns
    -------
    rest, unit : arrays of shape (2 * steps + 1, 2, n)
        On basal insulin alone, pmol/L, and more by one unit injected evenly in minute 0,
        pmol/L per U; the pair is the action on uptake and on production.
    """
    state = np.zeros((len(patients), 9, 2))
    for row, place in enumerate((5, 9, 6, 7, 8, 10, 11)):
        state[:, row, 0] = patients[STATES[place]]
    state[:, 7, 0] = patients["u2ss"]
    state[:, 8, 0] = 1.0
    state[:, 7, 1] = PMOL_PER_U / patients["BW"]
    forward = _exponential(insulin_matrix(patients) / (2 * per_min))
    halves = 2 * per_min * minutes
    seen = np.empty((halves + 1, 2, 2, len(patients)))
    for half in range(halves + 1):
        seen[half] = state[:, (2, 4), :].T
        if half == 2 * per_min:
            state[:, 7, 1] = 0.0
        state = _product(forward, state)
    return seen[:, 0], seen[:, 1]


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
