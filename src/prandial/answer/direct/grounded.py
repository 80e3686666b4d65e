"""Our own estimator: words to items, foods, grams, amounts, by tables and without a model."""

from __future__ import annotations

from typing import Any

from prandial.answer.direct.replies import Direct, about_meals, meal_reply
from prandial.errors import InputError
from prandial.meal import get_estimator
from prandial.records import Estimate, MealItem
from prandial.records.bench import GraphQuestion, MealQuestion, Replied
from prandial.tables import DEFAULT_RELEASE

__all__ = ["grounded"]


def grounded(*, release: str = DEFAULT_RELEASE, country: bool = False) -> Direct:
    """Return the estimator as an answerer of meals: the middle of its range.

    Parameters
    ----------
    release : str
        Food table.
    country : bool
        Tell it the question's country, which a model is not told.
    """
    estimator = get_estimator(release)

    def answer(asked: MealQuestion | GraphQuestion) -> Replied:
        question = about_meals(asked, "grounded")
        try:
            estimate = estimator.estimate(
                question.text,
                nutrients=(question.nutrient,),
                country=(question.country or None) if country else None,
                reason=False,
            )
        except InputError as error:  # no text that anything could be estimated of
            return meal_reply(question, None, why=error.what)
        band = estimate.totals.get(question.nutrient)
        detail = _detail(estimate, question.nutrient)
        if band is None:
            why = "; ".join(estimate.notes) or "no food with an amount in it"
            return meal_reply(question, None, why=why, detail=detail)
        return meal_reply(question, band.mid, detail=detail | {"range": [band.low, band.high]})

    return answer


def _detail(estimate: Estimate, nutrient: str) -> dict[str, Any]:
    return {
        "items": [_item(i, nutrient) for i in estimate.items],
        "complete": estimate.complete,
        "notes": list(estimate.notes),
        "estimator": estimate.estimator,
        "release": estimate.release,
    }


def _item(item: MealItem, nutrient: str) -> dict[str, Any]:
    food, portion, band = item.food, item.portion, item.nutrients.get(nutrient)
    return {
        "text": item.text,
        "status": item.status,
        "food": None if food is None else food.name,
        "food_id": None if food is None else food.food_id,
        "table": None if food is None else food.source.table,
        "release": None if food is None else food.source.release,
        "grams": None if portion is None else portion.grams.mid,
        nutrient: None if band is None else band.mid,
    }
