"""Who is nearest to the label, meal by meal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from prandial.errors import InputError
from prandial.score.people.rated import Rated, common_meals, error_of

__all__ = ["Sweeps", "Wins", "sweeps", "win_counts"]

#: errors that differ by less are equal (g or kcal)
_EQUAL = 1e-9


@dataclass(frozen=True, kw_only=True, slots=True)
class Wins:
    """How often one is nearest.

    ``wins`` counts a meal with several nearest as a share for each, so that wins add up to
    the meals that anybody answered; ``alone`` counts meals with one nearest only.
    """

    name: str
    arm: str
    wins: float
    alone: int
    answered: int
    meals: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Sweeps:
    """Meals on which a model is nearer than every person, and every person nearer than it.

    The paper counts 20 and 8 of 72 (appendix L).
    """

    model: str
    model_nearest: tuple[str, ...]
    people_nearer: tuple[str, ...]
    meals: int


def win_counts(rated: Sequence[Rated]) -> tuple[Wins, ...]:
    """Count who is nearest, over the meals that all were asked.

    Parameters
    ----------
    rated : sequence of Rated

    Returns
    -------
    tuple of Wins
        In the order given. Who has no answer cannot win.
    """
    meals = common_meals(rated)
    wins, alone, answered = [0.0] * len(rated), [0] * len(rated), [0] * len(rated)
    for meal in meals:
        errors = [error_of(r, meal) for r in rated]
        known = [e for e in errors if e is not None]
        if not known:
            continue
        nearest = [i for i, e in enumerate(errors) if e is not None and e <= min(known) + _EQUAL]
        for i, error in enumerate(errors):
            answered[i] += error is not None
        for i in nearest:
            wins[i] += 1 / len(nearest)
        if len(nearest) == 1:
            alone[nearest[0]] += 1
    return tuple(
        Wins(
            name=r.name,
            arm=r.arm,
            wins=wins[i],
            alone=alone[i],
            answered=answered[i],
            meals=len(meals),
        )
        for i, r in enumerate(rated)
    )


def sweeps(people: Sequence[Rated], model: Rated) -> Sweeps:
    """Return the meals on which all people are beaten, and those on which all beat the model.

    No answer is farther than any answer.

    Raises
    ------
    InputError
        Without people.
    """
    if not people:
        raise InputError("nobody to compare with", where=model.name, hint="name runs of people")
    meals = common_meals([*people, model])
    model_nearest, people_nearer = [], []
    for meal in meals:
        theirs = [_far(error_of(p, meal)) for p in people]
        own = _far(error_of(model, meal))
        if own < min(theirs) - _EQUAL:
            model_nearest.append(meal.id)
        elif max(theirs) < own - _EQUAL:
            people_nearer.append(meal.id)
    return Sweeps(
        model=model.name,
        model_nearest=tuple(model_nearest),
        people_nearer=tuple(people_nearer),
        meals=len(meals),
    )


def _far(error: float | None) -> float:
    return math.inf if error is None else error
