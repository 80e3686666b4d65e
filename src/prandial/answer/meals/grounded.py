"""``grounded_rag``: what our estimator finds stands before the question.

Where ``rag`` shows the nearest foods for 100 g and for servings in general, this shows for
each item of the meal the food of our tables, the grams of the portion as stated, and the
nutrient in just that portion. The model still reads, chooses and adds.
"""

from __future__ import annotations

from typing import Any

from prandial.answer.ask import Ask
from prandial.answer.facts import amount_text
from prandial.answer.meals.asking import ANSWERING, SYSTEM, Asking
from prandial.answer.meals.found import found_item
from prandial.answer.meals.retrieved import NO_FACTS
from prandial.answer.meals.settings import Settings
from prandial.answer.methods import Kit, Method
from prandial.meal import get_estimator
from prandial.records import MealItem
from prandial.records.bench import MealQuestion, Replied
from prandial.tables import DEFAULT_RELEASE

__all__ = ["grounded", "portion_fact"]


def portion_fact(item: MealItem, nutrient: str) -> str:
    """Return what our tables say about one item of a meal.

    Parameters
    ----------
    item : MealItem
    nutrient : str
        House name.

    Returns
    -------
    str
        Unknown food, amount or nutrient is said, not left out.
    """
    food = item.food
    if food is None:
        return f'"{item.text}": no such food in the tables'
    source = food.source
    text = f'"{item.text}" is {food.name} [{source.table} {source.id}]: '
    per_100g = found_item(item, nutrient)["per_100g"]
    if per_100g is None:
        return text + f"its {nutrient.rsplit('_', 1)[0]} is not known"
    hundred = f"100 g has {amount_text(per_100g, nutrient)}"
    band = item.nutrients.get(nutrient)
    if item.portion is None or band is None:
        return text + f"the amount is not known; {hundred}"
    grams = f"{round(item.portion.grams.mid, 1):g} g"
    said = "the portion weighs" if item.status == "matched" else "the portion is taken to weigh"
    return text + f"{said} {grams} and has {amount_text(band.mid, nutrient)}; {hundred}"


def grounded(name: str, about: str, prompt: str) -> Method:
    """Return the method that puts our estimator's items before the model.

    Parameters
    ----------
    name, about : str
        As :class:`prandial.answer.methods.Method`.
    prompt : str
        Has the field ``facts``.

    Returns
    -------
    Method
    """
    options: dict[str, Any] = {**ANSWERING, "country": False, "release": DEFAULT_RELEASE}

    async def run(question: MealQuestion, ask: Ask, kit: Kit) -> Replied:
        settings = Settings(options, kit.options)
        asking = Asking(question=question, ask=ask, kit=kit, settings=settings)
        nutrient = asking.asked.name
        estimate = get_estimator(settings.text("release")).estimate(
            question.text,
            nutrients=[nutrient],
            country=(question.country or None) if settings.flag("country") else None,
        )
        facts = [portion_fact(item, nutrient) for item in estimate.items]
        shown = "\n".join(f"- {fact}" for fact in facts) or NO_FACTS
        calls = await asking.total(prompt, reasoned=False, others={"facts": shown})
        total = estimate.totals[nutrient]
        detail = {
            "estimate": None if total is None else round(total.mid, 4),
            "estimate_status": estimate.status,
            "facts": facts,
            "items": [found_item(item, nutrient) for item in estimate.items],
        }
        return Replied(text=calls[-1].reply, calls=calls, detail=detail)

    return Method(
        name=name,
        benchmark="nutribench",
        about=about,
        run=run,
        prompts=(SYSTEM, prompt),
        options=options,
    )
