"""Answers of answerers that are no language models, as the text a model would have written."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from prandial.errors import InputError, ModelError
from prandial.records.bench import GraphQuestion, MealQuestion, Replied

__all__ = [
    "KEYS",
    "Direct",
    "about_graphs",
    "about_meals",
    "graph_reply",
    "meal_reply",
    "no_answer",
]

#: answers a question at once, the same way every time
Direct = Callable[[MealQuestion | GraphQuestion], Replied]

#: key of the answer by nutrient
KEYS: Final = {
    "carb_g": "total_carbohydrates",
    "protein_g": "total_protein",
    "fat_g": "total_fat",
    "energy_kcal": "total_energy",
}


def meal_reply(
    question: MealQuestion,
    value: float | None,
    *,
    why: str = "",
    detail: Mapping[str, Any] | None = None,
) -> Replied:
    """Return an amount as a reply; None is told as not known, and never as a number of a meal.

    Parameters
    ----------
    question : MealQuestion
    value : float, optional
    why : str
        Why it is not known.
    detail : mapping, optional
    """
    key = KEYS[question.nutrient]
    about = {**(detail or {}), **({"why": why} if why else {})}
    if value is None:
        text = "I cannot tell. " + json.dumps({key: -1})
        return Replied(text=text, detail=about)
    return Replied(text=json.dumps({key: value}), value=value, detail=about)


def graph_reply(
    question: GraphQuestion,
    verdict: str,
    tags: Sequence[str],
    reasons: Sequence[str],
    *,
    detail: Mapping[str, Any] | None = None,
) -> Replied:
    """Return a verdict, tags, or both as the published answers are written.

    Parameters
    ----------
    question : GraphQuestion
    verdict : {'Yes', 'No'}
    tags : sequence of str
        All that decide (task -ML).
    reasons : sequence of str
        Those that the sentence names (task -TG).
    detail : mapping, optional
    """
    if question.task == "B":
        text = verdict
    elif question.task == "ML":
        text = ", ".join(tags) if tags else "none"
    else:
        named = ", ".join(f"{d} in {n}" for d, _, n in (t.partition("_") for t in reasons))
        text = f"{verdict}, because the food is {named}." if named else f"{verdict}."
    return Replied(text=text, detail=dict(detail or {}))


def no_answer(why: str, question: GraphQuestion) -> ModelError:
    """Return the error of an answerer that has nothing to say: its question is never scored."""
    return ModelError(
        f"no answer: {why}", where=question.id, hint="ask it another task or graph mode"
    )


def about_meals(question: MealQuestion | GraphQuestion, name: str) -> MealQuestion:
    """Return a question about a meal with a nutrient that is asked for.

    Raises
    ------
    InputError
        When it is none.
    """
    if not isinstance(question, MealQuestion):
        raise InputError(
            f"{name} answers questions about meals only", where=question.id, hint="bench nutribench"
        )
    if question.nutrient not in KEYS:
        raise InputError(
            f"no meal is asked for {question.nutrient!r}",
            where=question.id,
            hint="one of: " + ", ".join(KEYS),
        )
    return question


def about_graphs(question: MealQuestion | GraphQuestion, name: str) -> GraphQuestion:
    """Return a question over a graph.

    Raises
    ------
    InputError
        When it is none.
    """
    if not isinstance(question, GraphQuestion):
        raise InputError(
            f"{name} answers questions over graphs only", where=question.id, hint="bench ngqa"
        )
    return question
