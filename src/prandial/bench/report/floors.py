"""Floors under every table: what can be had without a look at the meal, or at the person.

They are worked out on the very questions of a set, by the answerers that also stand as models
(``prandial/constant``, ``prandial/always_no``, ...), and scored like any run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from prandial.answer.direct import Direct, make_direct
from prandial.answer.reading.graphs import read_graph_reply
from prandial.answer.reading.meals import read_meal_value
from prandial.bench.report.sets import QuestionSet
from prandial.records.bench import GraphQuestion, MealQuestion, Prediction, Reading

__all__ = ["Floor", "floors_of"]

#: floors of each task over graphs
_GRAPH_FLOORS: Final = {
    "B": ("always_no", "edges"),
    "ML": ("all_tags", "edges"),
    "TG": ("always_no", "all_tags", "edges"),
}
_ABOUT: Final = {
    "always_no": "always No, one reason for all",
    "all_tags": "No, every tag of the food",
    "edges": "reads match and contradict edges",
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
    rules score as the amount -1. Of graphs: always No, every tag, the edges.
    """
    if s.benchmark == "nutribench":
        return _meal_floors(s.questions, rules)
    return tuple(
        Floor(
            label=f"floor: {name.replace('_', ' ')}",
            about=_ABOUT[name],
            predictions=_graph_answers(s.questions, make_direct(name)),
        )
        for name in _GRAPH_FLOORS[s.key[0]]
    )


def _meal_floors(questions: Sequence[MealQuestion], rules: str) -> tuple[Floor, ...]:
    if not questions:
        return ()
    middle = float(median(q.label for q in questions))
    unit = questions[0].nutrient.rsplit("_", 1)[-1]
    always = Floor(
        label=f"floor: always {middle:g} {unit}",
        about="the median of these labels: it looks at them",
        predictions=_meal_answers(questions, lambda _: read_meal_value(middle)),
    )
    if rules != "published":
        return (always,)
    nothing = Reading(status="refused", published_value=-1.0, why="always refuses")
    refuses = Floor(
        label="floor: always -1",
        about="refuses every meal; these rules score that as an amount",
        predictions=_meal_answers(questions, lambda _: nothing),
    )
    return (always, refuses)


def _meal_answers(
    questions: Sequence[MealQuestion], read: Callable[[MealQuestion], Reading]
) -> tuple[Prediction, ...]:
    return tuple(Prediction(question=q.id, raw_text="", reading=read(q)) for q in questions)


def _graph_answers(questions: Sequence[GraphQuestion], answer: Direct) -> tuple[Prediction, ...]:
    out = []
    for q in questions:
        replied = answer(q)
        out.append(
            Prediction(
                question=q.id,
                raw_text=replied.text,
                reading=read_graph_reply(replied.text, q.task),
            )
        )
    return tuple(out)
