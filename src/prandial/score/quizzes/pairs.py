"""Questions with their predictions: matched, by task, by level."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from prandial.errors import InputError
from prandial.records.bench import GraphQuestion, Prediction, TaskName

__all__ = ["TASKS", "Pair", "by_task", "cut_by_level", "groups_of", "paired"]

#: a question and what a run answered
Pair = tuple[GraphQuestion, Prediction]

TASKS: Final[tuple[TaskName, ...]] = ("B", "ML", "TG")
_LEVELS: Final = ("sparse", "standard", "complex")


def paired(
    questions: Iterable[GraphQuestion], predictions: Mapping[str, Prediction]
) -> tuple[Pair, ...]:
    """Return every question that was run with its prediction, in the order of the questions."""
    return tuple((q, predictions[q.id]) for q in questions if q.id in predictions)


def by_task(pairs: Iterable[Pair]) -> dict[TaskName, list[Pair]]:
    """Return the pairs of each task that occurs.

    Raises
    ------
    InputError
        When a prediction is of another question, or a question stands twice.
    """
    found: dict[TaskName, list[Pair]] = {task: [] for task in TASKS}
    seen: set[str] = set()
    for question, prediction in pairs:
        if prediction.question != question.id:
            raise InputError(
                f"the prediction is of question {prediction.question!r}",
                where=question.id,
                hint="pair each question with its own prediction",
            )
        if question.id in seen:
            raise InputError("a question stands twice", where=question.id, hint="give it once")
        seen.add(question.id)
        found[question.task].append((question, prediction))
    return {task: of_task for task, of_task in found.items() if of_task}


def cut_by_level(pairs: Sequence[Pair]) -> list[tuple[str, list[Pair]]]:
    """Return the slices to score: all, named by an empty text, and each level that occurs."""
    slices = [("", list(pairs))]
    for level in _LEVELS:
        of_level = [p for p in pairs if p[0].row.level == level]
        if of_level:
            slices.append((f"level={level}", of_level))
    return slices


def groups_of(pairs: Iterable[Pair]) -> list[str]:
    """Return the food of each pair: what the bootstrap draws."""
    return [question.group for question, _ in pairs]
