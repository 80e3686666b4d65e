"""What one rater, or one model, said about meals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

import numpy as np

from prandial.errors import InputError
from prandial.records.bench import MealQuestion, Prediction, Reading
from prandial.score.answers.meals import MealRules, right_of

__all__ = ["Rated", "common_meals", "consensus_of", "error_of", "is_right", "with_ids_of"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rated:
    """Answers of a person in an arm, or of a model.

    Parameters
    ----------
    name : str
    arm : {'look-up', 'no look-up', ''}
        Empty for a model.
    questions : tuple of MealQuestion
        What was asked.
    readings : mapping of str to Reading
        By id of the meal; one that is not there has no answer.
    seconds : mapping of str to float, optional
        By id of the meal; None where it was not noted.
    total_seconds : float, optional
        Of all meals.
    """

    name: str
    arm: str = ""
    questions: tuple[MealQuestion, ...]
    readings: Mapping[str, Reading]
    seconds: Mapping[str, float | None] = field(default_factory=dict)
    total_seconds: float | None = None

    def value(self, meal: str) -> float | None:
        """Return the amount said of a meal; None without one."""
        reading = self.readings.get(meal)
        return reading.value if reading is not None and reading.status == "answered" else None

    def prediction(self, meal: str) -> Prediction:
        """Return what the scorer of the bench takes; one that is not there was not run."""
        reading = self.readings.get(meal, Reading(status="failed", why="not asked"))
        return Prediction(question=meal, raw_text="", reading=reading)

    def published_value(self, meal: str) -> float:
        """Return what the published code scores: -1 where there is no amount."""
        reading = self.readings.get(meal)
        if reading is None or reading.published_value is None:
            return -1.0
        return reading.published_value


def error_of(rated: Rated, meal: MealQuestion) -> float | None:
    """Return the absolute error; None without an answer."""
    value = rated.value(meal.id)
    return None if value is None else abs(value - meal.label)


def is_right(rated: Rated, meal: MealQuestion, rules: MealRules) -> bool:
    """Tell whether an answer is near enough, under a rule set of the bench.

    ``ours``: at most 7.5 g off (the limit of each nutrient); never without an answer.
    ``published``: less than that, where no answer is a guess of -1.
    """
    if rules == "published":
        error: float | None = rated.published_value(meal.id) - meal.label
    else:
        error = error_of(rated, meal)
    if error is None:
        return False
    return bool(right_of(np.array([error]), meal.nutrient, rules)[0])


def common_meals(rated: Sequence[Rated]) -> tuple[MealQuestion, ...]:
    """Return the meals that all were asked, by id.

    Raises
    ------
    InputError
        When one meal has two labels.
    """
    if not rated:
        return ()
    found = {q.id: q for q in rated[0].questions}
    for other in rated[1:]:
        theirs = {q.id: q for q in other.questions}
        for name in found.keys() & theirs.keys():
            mine, yours = found[name], theirs[name]
            if (mine.label, mine.nutrient) != (yours.label, yours.nutrient):
                raise InputError(
                    f"the meal has two labels: {mine.label:g} {mine.nutrient} and"
                    f" {yours.label:g} {yours.nutrient}",
                    where=name,
                    hint=f"{rated[0].name} and {other.name} were not asked the same thing",
                )
        found = {k: q for k, q in found.items() if k in theirs}
    return tuple(found[k] for k in sorted(found))


def with_ids_of(rated: Rated, others: Sequence[Rated]) -> Rated:
    """Return answers under the ids of others, where the meals are the same.

    A meal read from another file has another id. It is the same one when words, nutrient and
    label are.
    """
    theirs = {(q.text, q.nutrient, q.label): q for o in others for q in o.questions}
    known = {q.id for q in theirs.values()}
    names = {
        q.id: q.id if q.id in known else theirs.get((q.text, q.nutrient, q.label), q).id
        for q in rated.questions
    }
    if len(set(names.values())) < len(names) or all(a == b for a, b in names.items()):
        return rated
    return replace(
        rated,
        questions=tuple(replace(q, id=names[q.id]) for q in rated.questions),
        readings={names.get(k, k): r for k, r in rated.readings.items()},
        seconds={names.get(k, k): s for k, s in rated.seconds.items()},
    )


def consensus_of(rated: Sequence[Rated], *, arm: str) -> Rated:
    """Return the median of the raters' amounts of each meal that all were asked.

    A meal that fewer than half of them answered has none.
    """
    readings = {}
    meals = common_meals(rated)
    for meal in meals:
        said = [v for r in rated if (v := r.value(meal.id)) is not None]
        if 2 * len(said) < len(rated) or not said:
            readings[meal.id] = Reading(status="refused", published_value=-1.0, why="too few")
            continue
        middle = median(said)
        why = f"median of {len(said)}"
        readings[meal.id] = Reading(
            status="answered", value=middle, published_value=middle, why=why
        )
    return Rated(name="consensus (median)", arm=arm, questions=meals, readings=readings)
