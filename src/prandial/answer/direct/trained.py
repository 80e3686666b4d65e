"""Baselines that learn from other questions: median, TF-IDF with ridge regression, majority.

They refuse a question whose group (one meal in all its wordings, one food) they have learned
from: rows of one meal on both sides would make the test a look-up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median as middle
from typing import Any, Final

from prandial.answer.direct.replies import (
    Direct,
    about_graphs,
    about_meals,
    graph_reply,
    meal_reply,
)
from prandial.errors import InputError, MissingDataError
from prandial.records.bench import GraphQuestion, MealQuestion, Replied

__all__ = ["majority", "median", "ridge"]

Question = MealQuestion | GraphQuestion
_FEWEST: Final = 2
#: from so many meals on, words of one meal alone are left out
_MANY: Final = 100


def median(*, training: Iterable[Question]) -> Direct:
    """Return an answerer of meals that always says the median label of a training set.

    Parameters
    ----------
    training : iterable of MealQuestion
        Each nutrient has a median of its own.

    Raises
    ------
    InputError
        When there is nothing to learn from.
    """
    meals = _meals(training, "median")
    medians = {n: float(middle(q.label for q in meals[n])) for n in meals}
    seen = _groups(meals)

    def answer(asked: Question) -> Replied:
        question = about_meals(asked, "median")
        _apart(question, seen, "median")
        _learned(question, medians, "median")
        return meal_reply(question, medians[question.nutrient])

    return answer


def ridge(*, training: Iterable[Question], alpha: float = 100.0) -> Direct:
    """Return an answerer of meals: ridge regression on TF-IDF of words and pairs of words.

    Rows are not brought to one length: a meal of two foods holds what both hold.

    Parameters
    ----------
    training : iterable of MealQuestion
        Each nutrient has a regression of its own.
    alpha : float
        Strength of the penalty.

    Raises
    ------
    InputError
        When there is nothing to learn from.
    MissingDataError
        When scikit-learn is not installed.
    """
    meals = _meals(training, "ridge")
    models = {n: _fitted(meals[n], alpha) for n in meals}
    seen = _groups(meals)

    def answer(asked: Question) -> Replied:
        question = about_meals(asked, "ridge")
        _apart(question, seen, "ridge")
        _learned(question, models, "ridge")
        value = float(models[question.nutrient].predict([question.text])[0])
        return meal_reply(question, max(0.0, value))

    return answer


def _fitted(meals: Sequence[MealQuestion], alpha: float) -> Any:
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import Ridge
        from sklearn.pipeline import make_pipeline
    except ImportError:
        raise MissingDataError(
            "the ridge baseline needs scikit-learn",
            where="ridge",
            hint="pip install 'prandial[bench]'",
        ) from None
    words = TfidfVectorizer(
        ngram_range=(1, 2),
        min_df=2 if len(meals) > _MANY else 1,
        norm=None,
        token_pattern=r"(?u)\b\w+\b",  # noqa: S106 - a pattern of words; keeps single digits
    )
    try:
        return make_pipeline(words, Ridge(alpha=alpha, solver="sparse_cg", tol=1e-4)).fit(
            [q.text for q in meals], [q.label for q in meals]
        )
    except ValueError as error:
        raise InputError(
            f"nothing can be learned: {error}", where="training", hint="give more meals"
        ) from None


def majority(*, training: Iterable[Question]) -> Direct:
    """Return an answerer of graphs: the most frequent verdict, tags and sentence of a training set.

    Raises
    ------
    InputError
        When there is nothing to learn from.
    """
    rows = [q for q in training if isinstance(q, GraphQuestion)]
    if not rows:
        raise _nothing("majority", "questions over graphs")
    seen = frozenset(q.group for q in rows)
    # one row may be asked in several tasks and is counted once
    golds = {(q.row.food.code, q.row.person.person, q.rules): q.row.gold for q in rows}.values()
    verdict = _most(g.verdict for g in golds)
    tags = _most(g.tags for g in golds)
    reasons = _most(
        g.matches if verdict == "Yes" else g.contradicts for g in golds if g.verdict == verdict
    )

    def answer(asked: Question) -> Replied:
        question = about_graphs(asked, "majority")
        _apart(question, seen, "majority")
        return graph_reply(question, verdict, tags, reasons)

    return answer


def _most(values: Iterable[Any]) -> Any:
    """Return the most frequent value, the smallest of equals."""
    counts = Counter(values)
    return min(counts, key=lambda v: (-counts[v], v))


def _meals(training: Iterable[Question], name: str) -> dict[str, list[MealQuestion]]:
    meals: dict[str, list[MealQuestion]] = {}
    for question in training:
        if isinstance(question, MealQuestion):
            meals.setdefault(question.nutrient, []).append(question)
    if not meals or min(map(len, meals.values())) < _FEWEST:
        raise _nothing(name, "meals")
    return meals


def _groups(meals: dict[str, list[MealQuestion]]) -> frozenset[str]:
    return frozenset(q.group for each in meals.values() for q in each)


def _nothing(name: str, what: str) -> InputError:
    return InputError(
        f"{name} has nothing to learn from",
        where="training",
        hint=f"give labelled {what} that are not among those asked",
    )


def _apart(question: Question, seen: frozenset[str], name: str) -> None:
    if question.group in seen:
        raise InputError(
            f"{name} has learned from this very group {question.group!r}",
            where=question.id,
            hint="split training and test by group",
        )


def _learned(question: MealQuestion, known: dict[str, Any], name: str) -> None:
    if question.nutrient not in known:
        raise InputError(
            f"{name} has learned no {question.nutrient}",
            where=question.id,
            hint="learned: " + ", ".join(known),
        )
