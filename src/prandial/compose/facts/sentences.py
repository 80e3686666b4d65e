"""Facts as text: "SERVING has AMOUNT NUTRIENT", per 100 g alone or for the servings of a food.

After NutriBench (arXiv 2407.12843), appendix D, whose finding is that facts for 100 g do not
help where the meal tells servings; what is said here of servings is its open direction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from prandial.compose.facts.servings import USUAL
from prandial.nutrients import LABELS, unit_of
from prandial.records import Measure
from prandial.records.facts import FactForm, FactsFood

__all__ = ["fact_sentences", "fact_text"]

_NAMES: Final = {"carb_g": "carbohydrates"}
_OUNCE: Final = re.compile(r"1 fl oz(?: \(no ice\))?")
_WORD: Final = re.compile(r"[a-z]+")


def fact_sentences(
    food: FactsFood,
    nutrient: str,
    *,
    form: FactForm = "portions",
    servings: int = 6,
    said: str = "",
) -> tuple[str, ...]:
    """Return one sentence for each serving of a food; the last is for 100 g.

    Parameters
    ----------
    food : FactsFood
    nutrient : str
        House name.
    form : {'portions', 'published'}
        Published: the serving bare. Ours: its grams beside it.
    servings : int
        Most household measures.
    said : str
        Words of who asks; measures that they name come first. Words of the food's own name
        name no measure.

    Returns
    -------
    tuple of str
        Such as ``1 cup, sliced (150 g) has 34.3 g carbohydrates``; empty when the nutrient of
        this food is not known.
    """
    per_100g = food.per_100g.get(nutrient)
    if per_100g is None:
        return ()
    measures = _measures(food) if form == "portions" else food.measures
    if said:
        words = frozenset(_stems(said)).difference(_stems(food.name))
        measures = sorted(measures, key=lambda m: not words.intersection(_stems(m.name)))
    lines = []
    for measure in measures[:servings]:
        weight = f" ({round(measure.grams, 1):g} g)" if form == "portions" else ""
        amount = _amount(per_100g * measure.grams / 100.0, nutrient)
        lines.append(f"{measure.name}{weight} has {amount}")
    return (*lines, f"100 g has {_amount(per_100g, nutrient)}")


def fact_text(
    food: FactsFood,
    nutrient: str,
    *,
    form: FactForm = "portions",
    servings: int = 6,
    said: str = "",
) -> str | None:
    """Return a food's name and its sentences as one text.

    The parameters are those of :func:`fact_sentences`.

    Returns
    -------
    str or None
        None when the nutrient of this food is not known.
    """
    lines = fact_sentences(food, nutrient, form=form, servings=servings, said=said)
    if not lines:
        return None
    of_labels = f" (middle of {food.values} labels)" if _pooled(food, form) else ""
    return f"{food.name}{of_labels}: " + "; ".join(lines)


def _pooled(food: FactsFood, form: FactForm) -> bool:
    return form == "portions" and food.kind == "label" and food.values > 1


def _measures(food: FactsFood) -> Sequence[Measure]:
    """Return the measures; a drink counted in fluid ounces gets the cup of 8."""
    measures = list(food.measures)
    ounces = [m for m in measures if _OUNCE.fullmatch(m.name)]
    if ounces and not any(m.name.startswith("1 cup") for m in measures):
        place = int(measures[0].name == USUAL)
        cup = Measure(name="1 cup of 8 fl oz", grams=8.0 * ounces[0].grams, source=ounces[0].source)
        measures.insert(place, cup)
    return measures


def _stems(text: str) -> Iterator[str]:
    return (w.removesuffix("s") for w in _WORD.findall(text.lower()) if len(w) > 2)


def _amount(value: float, nutrient: str) -> str:
    word = _NAMES.get(nutrient) or LABELS.get(nutrient) or nutrient.rsplit("_", 1)[0]
    return f"{round(value, 1):.10g} {unit_of(nutrient)} {word.replace('_', ' ')}"
