"""Floors under every table: what can be had without a look at the meal, or at the person.

They are worked out on the very questions of a set and scored like any run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from prandial.answer.ask import Question
from prandial.answer.direct import make_direct
from prandial.answer.reading.meals import read_meal_value
from prandial.bench.methods import read_reply
from prandial.bench.predicting import failed, failure_of, predicted
from prandial.bench.report.sets import QuestionSet
from prandial.errors import ModelError
from prandial.nutrients import unit_of
from prandial.records.bench import GraphQuestion, MealQuestion, Prediction, Reading, Replied

__all__ = ["FLOOR", "GRAPH_FLOORS", "Floor", "floors_of", "graph_floor", "meal_floor"]

#: how the names of floors begin
FLOOR: Final = "floor: "

#: name of a floor under graphs -> the answerer it is, and its tasks
GRAPH_FLOORS: Final = {
    "always_no": ("always_no", ("B",)),
    "all_tags": ("all_tags", ("ML",)),
    "fixed_sentence": ("always_no", ("TG",)),
    "edge_reading": ("edges", ("B", "ML", "TG")),
}
_ABOUT: Final = {
    "always_no": "says No to everything",
    "all_tags": "names every tag of the food, whoever asks",
    "fixed_sentence": "one sentence for all: No, with one reason",
    "edge_reading": "counts match against contradict edges; without such edges it has no answer",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Floor:
    """A baseline worked out for a set of questions; ``about`` says what it knows."""

    label: str
    about: str
    predictions: tuple[Prediction, ...]


def floors_of(s: QuestionSet, *, rules: str) -> tuple[Floor, ...]:
    """Return the floors of a set under a rule set.

    Of meals: the constant that is the median of these very labels (it looks at them, so no
    constant has a smaller error), and in ``published`` a refusal of every meal, which those
    rules score as the amount -1. Of graphs: :data:`GRAPH_FLOORS`.
    """
    if s.benchmark == "nutribench":
        return _meal_floors(s.questions, rules)
    found = [(name, graph_floor(s.questions, name)) for name in GRAPH_FLOORS]
    return tuple(
        Floor(
            label=f"{FLOOR}{name.replace('_', ' ')}",
            about=_ABOUT[name],
            predictions=predictions,
        )
        for name, predictions in found
        if predictions
    )


def graph_floor(questions: Sequence[GraphQuestion], name: str) -> tuple[Prediction, ...]:
    """Return a floor's answers to the questions of its tasks, read as those of any model.

    Parameters
    ----------
    questions : sequence of GraphQuestion
    name : str
        One of :data:`GRAPH_FLOORS`.
    """
    answerer, tasks = GRAPH_FLOORS[name]
    answer = make_direct(answerer)

    def read(question: Question, replied: Replied) -> Reading:
        return read_reply(question, replied, answerer)

    found = []
    for question in (q for q in questions if q.task in tasks):
        try:
            found.append(predicted(question, answer(question), read, seconds=None))
        except ModelError as error:
            found.append(failed(question, failure_of(error)))
    return tuple(found)


def meal_floor(questions: Sequence[MealQuestion]) -> Floor:
    """Return the constant with the smallest mean absolute error: the median of the labels."""
    middle = max(0.0, float(median(q.label for q in questions)))
    return Floor(
        label=f"{FLOOR}always {middle:g} {unit_of(questions[0].nutrient)}",
        about="the median of these labels: it looks at them",
        predictions=_all(questions, read_meal_value(middle)),
    )


def _meal_floors(questions: Sequence[MealQuestion], rules: str) -> tuple[Floor, ...]:
    if not questions:
        return ()
    always = meal_floor(questions)
    if rules != "published":
        return (always,)
    refuses = Floor(
        label=f"{FLOOR}always -1",
        about="refuses every meal; these rules score that as an amount",
        predictions=_all(questions, Reading(status="refused", published_value=-1.0)),
    )
    return (always, refuses)


def _all(questions: Sequence[MealQuestion], reading: Reading) -> tuple[Prediction, ...]:
    return tuple(Prediction(question=q.id, raw_text="", reading=reading) for q in questions)
