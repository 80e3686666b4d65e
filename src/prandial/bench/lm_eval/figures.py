"""Every figure that the scorers of the bench make, by names that tell the rule set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from prandial.records.bench import GraphQuestion, MealQuestion, Prediction, Reading, Score

__all__ = ["Figure", "figures_of", "names_of"]

#: lm-eval takes figures without an interval; ours come with `prandial bench score`
_DRAWS: Final = 1
_NOT_ASKED: Final = Reading(status="failed", why="not asked")


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """One figure, such as ``acc_all_ours``; None is undefined."""

    name: str
    value: float | None
    higher_is_better: bool


def figures_of(
    questions: Sequence[MealQuestion | GraphQuestion], predictions: Mapping[str, Prediction]
) -> tuple[Figure, ...]:
    """Return all figures of predictions, under both rule sets.

    Parameters
    ----------
    questions : sequence
        Of one benchmark, and of one nutrient or task.
    predictions : mapping of str to Prediction
        By id of the question; one that is not there was not run.
    """
    asked = [
        (
            q,
            predictions.get(q.id)
            or Prediction(question=q.id, raw_text="", reading=_NOT_ASKED, error="not asked"),
        )
        for q in questions
    ]
    meals = [(q, p) for q, p in asked if isinstance(q, MealQuestion)]
    graphs = [(q, p) for q, p in asked if isinstance(q, GraphQuestion)]
    scores = _of_meals(meals) if meals else _of_graphs(graphs)
    return tuple(
        Figure(
            name=f"{s.metric}_{s.rules}",
            value=s.value,
            higher_is_better=s.higher_is_better,
        )
        for s in scores
        if not s.slice
    )


def names_of(questions: Sequence[MealQuestion | GraphQuestion]) -> tuple[Figure, ...]:
    """Return which figures questions have; their values mean nothing."""
    reading = Reading(
        status="answered", value=1.0, published_value=1.0, verdict="Yes", tags=(), why=""
    )
    made = {q.id: Prediction(question=q.id, raw_text="Yes", reading=reading) for q in questions}
    return figures_of(questions, made)


def _of_meals(pairs: Sequence[tuple[MealQuestion, Prediction]]) -> list[Score]:
    from prandial.score.answers.meals import score_meals

    return [
        *score_meals(pairs, rules="ours", seed=0, draws=_DRAWS),
        *score_meals(pairs, rules="published", seed=0, draws=_DRAWS),
    ]


def _of_graphs(pairs: Sequence[tuple[GraphQuestion, Prediction]]) -> list[Score]:
    from prandial.score.quizzes import published_scores, strict_scores

    return [
        *strict_scores(pairs, seed=0, draws=_DRAWS),
        *published_scores(pairs, seed=0, draws=_DRAWS),
    ]
