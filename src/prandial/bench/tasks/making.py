"""A task of Inspect made of questions, a method and what to do with each answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError

from prandial.answer.methods import Kit, Method
from prandial.bench.methods import read_reply
from prandial.bench.predicting import predict
from prandial.bench.runs import forms
from prandial.bench.tasks.asking import QUESTION, ask_of
from prandial.bench.tasks.scoring import graph_scorer, meal_scorer, put_prediction
from prandial.errors import InputError, ModelError, PrandialError
from prandial.records.bench import GraphQuestion, MealQuestion, Prediction, Replied

__all__ = ["Keep", "make_task", "plainly", "refuse_unknown"]

#: told of every prediction as it comes
Keep = Callable[[Prediction], object]
#: whether nothing more is to be asked
Stop = Callable[[], bool]


@contextmanager
def plainly() -> Iterator[None]:
    """Let ``inspect eval`` tell our errors in a line, as its own, and not as a fault of code."""
    try:
        yield
    except PrandialError as error:
        from inspect_ai._util.error import PrerequisiteError

        raise PrerequisiteError(str(error)) from error


def refuse_unknown(given: Mapping[str, object], known: Iterable[str]) -> None:
    """Refuse arguments that a task does not know; Inspect alone would drop them.

    ``model`` is always handed on by Inspect.

    Raises
    ------
    InputError
        On the first of them.
    """
    names = [name for name in known if name != "unknown"]
    for name in given:
        if name != "model":
            near = get_close_matches(name, names, n=1)
            hint = f"did you mean {near[0]}?" if near else "known: " + ", ".join(names)
            raise InputError(f"the task has no argument {name!r}", where=f"-T {name}", hint=hint)


@solver
def by_method(method: Method, kit: Kit, keep: Keep | None, stop: Stop | None) -> Solver:
    """Answer a sample by a method of prandial."""
    through = (LimitExceededError,)

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        if stop is not None and stop():
            return state
        question = forms.question_from(state.metadata[QUESTION])

        def read(asked: Any, replied: Replied) -> Any:
            return read_reply(asked, replied, method.name)

        prediction = await predict(
            question, method, ask_of(question, through=through), kit, read, through=through
        )
        if keep is not None:
            keep(prediction)
        if prediction.reading.status == "failed":
            raise ModelError(prediction.error)  # an error of the sample, which can be tried again
        put_prediction(state, prediction)
        state.output.completion = prediction.raw_text
        return state

    return solve


def make_task(
    questions: Sequence[MealQuestion | GraphQuestion],
    method: Method,
    kit: Kit,
    *,
    name: str,
    metadata: dict[str, Any] | None = None,
    config: GenerateConfig | None = None,
    keep: Keep | None = None,
    stop: Stop | None = None,
) -> Task:
    """Make a task.

    Parameters
    ----------
    questions : sequence of MealQuestion or GraphQuestion
        All of one benchmark.
    method : Method
    kit : Kit
    name : str
    metadata : dict, optional
        Kept in the log.
    config : GenerateConfig, optional
        Temperature 0 when None.
    keep : callable, optional
        Told of every prediction, failed ones too.
    stop : callable, optional
        Asked before each question.

    Returns
    -------
    Task
        A sample whose model failed is an error in the log and does not end the run.
    """
    meals = isinstance(questions[0], MealQuestion)
    return Task(
        dataset=MemoryDataset([_sample(q) for q in questions], name=name),
        solver=by_method(method, kit, keep, stop),
        scorer=meal_scorer() if meals else graph_scorer(),
        config=config or GenerateConfig(temperature=0),
        fail_on_error=False,
        name=name,
        metadata=metadata,
    )


def _sample(question: MealQuestion | GraphQuestion) -> Sample:
    if isinstance(question, MealQuestion):
        target = f"{question.label:g}"
    else:
        gold = question.row.gold
        target = {"B": gold.verdict, "ML": ", ".join(gold.tags), "TG": gold.sentence}[question.task]
    body = json.loads(json.dumps(forms.question_to(question)))
    return Sample(id=question.id, input=question.text, target=target, metadata={QUESTION: body})
