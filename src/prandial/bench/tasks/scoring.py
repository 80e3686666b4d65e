"""What Inspect shows of a run: a prediction with each sample, and figures over all.

Nothing here is the benchmark's score, which ``prandial bench score`` makes of the predictions
with both rule sets and intervals. A sample without a readable answer is ``N``, never NaN and never
a guess; a sample whose model failed is no score at all but an error of Inspect's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

from prandial.records.bench import GraphQuestion, MealQuestion, Prediction

__all__ = ["PREDICTION", "TOLERANCE_G", "graph_scorer", "meal_scorer", "put_prediction"]

#: metadata of a score: the prediction as JSON
PREDICTION: Final = "prandial_prediction"
#: |error| that counts as right, of the paper (section 5: Acc@7.5 g)
TOLERANCE_G: Final = 7.5
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
    """Return the mean; of nothing it is 0, and ``n_answered`` says so beside it."""
    return sum(values) / len(values) if values else 0.0


def _share(scores: list[SampleScore], name: str) -> float:
    return sum(_over(scores, name)) / len(scores) if scores else 0.0


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
    return _figure(lambda s: len(_answered(s)) / len(s) if s else 0.0)


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
    """Score amounts: right within 7.5 (g, or kcal) of the label."""

    async def score(state: TaskState, target: Target) -> Score | None:  # noqa: ARG001
        kept = _kept(state)
        if kept is None:
            return None
        question, prediction = kept
        assert isinstance(question, MealQuestion)  # noqa: S101 - as the task made it
        value = prediction.reading.value
        if prediction.reading.status != "answered" or value is None:
            return _score(prediction, "N", prediction.reading.status, answered=False)
        error = abs(value - question.label)
        right = error <= TOLERANCE_G
        return _score(
            prediction,
            "C" if right else "I",
            f"{value:g}",
            answered=True,
            right=right,
            absolute_error=error,
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
