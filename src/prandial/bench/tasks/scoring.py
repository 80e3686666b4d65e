"""What Inspect shows of a run: a prediction with each sample, and figures over all.

Nothing here is the benchmark's score, which ``prandial bench score`` makes of the predictions
with both rule sets and intervals. A sample without a readable answer is ``N``, never NaN and never
a guess; a sample whose model failed is no score at all but an error of Inspect's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

from prandial.records.bench import GraphQuestion, MealQuestion, Prediction
from prandial.score.answers.meals import right_of

__all__ = ["PREDICTION", "graph_scorer", "meal_scorer", "put_prediction"]

#: metadata of a score: the prediction as JSON
PREDICTION: Final = "prandial_prediction"
_KEY: Final = "prandial:prediction"


def put_prediction(state: TaskState, prediction: Prediction) -> None:
    """Keep a prediction with its sample, for the scorer."""
    from prandial.bench.runs import forms

    state.store.set(_KEY, forms.prediction_to(prediction))


def _kept(state: TaskState) -> tuple[Any, Prediction] | None:
    from prandial.bench.runs import forms
    from prandial.bench.tasks.asking import QUESTION

    body = state.store.get(_KEY)
    if body is None:
        return None
    return forms.question_from(state.metadata[QUESTION]), forms.prediction_from(body)


def _score(prediction: Prediction, value: float | str, answer: str, **more: Any) -> Score:
    from prandial.bench.runs import forms

    return Score(
        value=value,
        answer=answer,
        explanation=prediction.reading.why or None,
        metadata={PREDICTION: forms.prediction_to(prediction), **more},
    )


def _over(scores: list[SampleScore], name: str) -> list[float]:
    """Return a number of every sample that has it."""
    found = [(s.score.metadata or {}).get(name) for s in scores]
    return [float(v) for v in found if v is not None]


def _mean(values: list[float]) -> float:
    """Return the mean; of nothing there is none, and NaN says so."""
    return sum(values) / len(values) if values else math.nan


def _share(scores: list[SampleScore], name: str) -> float:
    return sum(_over(scores, name)) / len(scores) if scores else math.nan


def _figure(compute: Callable[[list[SampleScore]], float]) -> Metric:
    def of(scores: list[SampleScore]) -> float:
        return float(compute(scores))

    return of


@metric
def acc_all() -> Metric:
    """Right answers of all that were asked."""
    return _figure(lambda s: _share(s, "right"))


@metric
def acc_answered() -> Metric:
    """Right answers of those that could be read."""
    return _figure(lambda s: _mean(_over(s, "right")))


@metric
def mae() -> Metric:
    """Mean absolute error of the answers that could be read."""
    return _figure(lambda s: _mean(_over(s, "absolute_error")))


@metric
def answer_rate() -> Metric:
    """Share of answers that could be read."""
    return _figure(lambda s: len(_answered(s)) / len(s) if s else math.nan)


@metric
def n_answered() -> Metric:
    """Answers that could be read."""
    return _figure(lambda s: len(_answered(s)))


@metric
def n_unscored() -> Metric:
    """Refused and unreadable answers."""
    return _figure(lambda s: len(s) - len(_answered(s)))


@metric
def jaccard() -> Metric:
    """Mean overlap of tags of the answers whose tags could be read."""
    return _figure(lambda s: _mean(_over(s, "jaccard")))


def _answered(scores: list[SampleScore]) -> list[SampleScore]:
    return [s for s in scores if (s.score.metadata or {}).get("answered")]


@scorer(metrics=[acc_all(), acc_answered(), mae(), answer_rate(), n_answered(), n_unscored()])
def meal_scorer() -> Scorer:
    """Score amounts: right within the limit of our rule set, 7.5 g for carbohydrate."""

    async def score(state: TaskState, target: Target) -> Score | None:  # noqa: ARG001
        kept = _kept(state)
        if kept is None:
            return None
        question, prediction = kept
        assert isinstance(question, MealQuestion)  # noqa: S101 - as the task made it
        value = prediction.reading.value
        if prediction.reading.status != "answered" or value is None:
            return _score(prediction, "N", prediction.reading.status, answered=False)
        error = value - question.label
        right = bool(right_of(np.array([error]), question.nutrient, "ours")[0])
        return _score(
            prediction,
            "C" if right else "I",
            f"{value:g}",
            answered=True,
            right=right,
            absolute_error=abs(error),
        )

    return score


@scorer(metrics=[acc_all(), acc_answered(), jaccard(), answer_rate(), n_answered(), n_unscored()])
def graph_scorer() -> Scorer:
    """Score verdicts (B, TG) and tag sets (ML, TG)."""

    async def score(state: TaskState, target: Target) -> Score | None:  # noqa: ARG001
        kept = _kept(state)
        if kept is None:
            return None
        question, prediction = kept
        assert isinstance(question, GraphQuestion)  # noqa: S101 - as the task made it
        reading = prediction.reading
        if reading.status != "answered":
            return _score(prediction, "N", reading.status, answered=False)
        gold, told = question.row.gold, reading.tags
        overlap = None
        if told is not None and question.task != "B":
            both = set(gold.tags) | set(told)
            overlap = len(set(gold.tags) & set(told)) / len(both) if both else 1.0
        right = (
            set(told or ()) == set(gold.tags)
            if question.task == "ML"
            else reading.verdict == gold.verdict
        )
        return _score(
            prediction,
            "C" if right else "I",
            reading.verdict or ", ".join(told or ()),
            answered=True,
            right=right,
            jaccard=overlap,
        )

    return score
