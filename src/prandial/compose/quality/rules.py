"""The quality rules of single rows; each tells how much it looked at and what it found.

A rule that cannot be checked for lack of data looks at nothing: that is not the same as finding
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from prandial.compose.quality.limits import alcoholic, cooked_grain, limits
from prandial.compose.quality.rows import CheckedMeal
from prandial.sources.nutribench import LABELS

__all__ = ["ROW_RULES", "Looked"]

_NUMBER: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_MACROS: Final = ("carb_g", "protein_g", "fat_g")


@dataclass(frozen=True, slots=True)
class Looked:
    """How many items or meals a rule looked at in a row, and its hits: (item or None, value)."""

    checked: int
    hits: tuple[tuple[int | None, float], ...] = ()


_NOTHING: Final = Looked(0)
_FINE: Final = Looked(1)


_cooked_grain = lru_cache(maxsize=65_536)(cooked_grain)


def cooked_weighed_raw(meal: CheckedMeal) -> Looked:
    """Find grains and pulses named cooked that hold as much carbohydrate as raw ones."""
    carbs = meal.item_labels.get("carb_g")
    if meal.names is None or meal.grams is None or carbs is None:
        return _NOTHING
    least = limits("cooked_weighed_raw")["least_carb"]
    checked, hits = 0, []
    for k, name in enumerate(meal.names):
        grams, carb_g = meal.grams[k], carbs[k]
        if grams and carb_g is not None and _cooked_grain(name):
            checked += 1
            carb_per_100g = 100.0 * carb_g / grams
            if carb_per_100g > least:
                hits.append((k, carb_per_100g))
    return Looked(checked, tuple(hits))


def atwater_kcal(labels: Mapping[str, float]) -> float:
    """Return the energy of carbohydrate, protein and fat by the general Atwater factors.

    Parameters
    ----------
    labels : mapping of str to float

    Returns
    -------
    float
        4 C + 4 P + 9 F kcal (FAO Food and Nutrition Paper 77, 2003, table 3.1).
    """
    factors = limits("energy_off")
    return (
        factors["carb_factor"] * labels["carb_g"]
        + factors["protein_factor"] * labels["protein_g"]
        + factors["fat_factor"] * labels["fat_g"]
    )


def _energy(meal: CheckedMeal, *, alcohol: bool) -> Looked:
    if any(n not in meal.labels for n in LABELS):
        return _NOTHING
    bounds = limits("energy_off")
    by_factors = atwater_kcal(meal.labels)
    more_kcal = meal.labels["energy_kcal"] - by_factors
    if abs(more_kcal) <= max(bounds["least_share"] * by_factors, bounds["least_difference"]):
        return _FINE
    drink = more_kcal > 0 and alcoholic(" | ".join((meal.text, *(meal.names or ()))))
    return Looked(1, ((None, more_kcal),)) if drink is alcohol else _FINE


def energy_off(meal: CheckedMeal) -> Looked:
    """Find energy that does not follow from the macronutrients, nor from alcohol."""
    return _energy(meal, alcohol=False)


def energy_off_alcohol(meal: CheckedMeal) -> Looked:
    """Find energy above the macronutrients' where an alcoholic drink is named."""
    return _energy(meal, alcohol=True)


def _macros(meal: CheckedMeal) -> list[tuple[int, float, float]]:
    """Return (item, grams, macronutrients) of the items for which all is known."""
    lists = [meal.item_labels.get(n) for n in _MACROS]
    if meal.grams is None or any(one is None for one in lists):
        return []
    found = []
    for k, grams in enumerate(meal.grams):
        amounts = [one[k] for one in lists if one is not None]
        known = [a for a in amounts if a is not None]
        if grams is not None and len(known) == len(_MACROS):
            found.append((k, grams, sum(known)))
    return found


def macros_above_grams(meal: CheckedMeal) -> Looked:
    """Find items whose macronutrients weigh more than they do."""
    bounds = limits("macros_above_grams")
    weighed = [m for m in _macros(meal) if m[1] > 0]
    hits = [(k, s - g) for k, g, s in weighed if s > bounds["share"] * g + bounds["rounding"]]
    return Looked(len(weighed), tuple(hits))


def no_weight_with_label(meal: CheckedMeal) -> Looked:
    """Find items of 0 g that hold macronutrients."""
    least = limits("no_weight_with_label")["least_macros"]
    weightless = [m for m in _macros(meal) if m[1] == 0]
    return Looked(len(weightless), tuple((k, s) for k, _, s in weightless if s > least))


def zero_grams(meal: CheckedMeal) -> Looked:
    """Find items of 0 g."""
    known = [(k, g) for k, g in enumerate(meal.grams or ()) if g is not None]
    return Looked(len(known), tuple((k, g) for k, g in known if g == 0))


def _above(meal: CheckedMeal, label: str, most: float) -> Looked:
    value = meal.labels.get(label)
    if value is None:
        return _NOTHING
    return Looked(1, ((None, value),)) if value > most else _FINE


def carb_above_a_day(meal: CheckedMeal) -> Looked:
    """Find meals with more carbohydrate than a whole day's Daily Value."""
    return _above(meal, "carb_g", limits("carb_above_a_day")["most_carb"])


def energy_above_a_day(meal: CheckedMeal) -> Looked:
    """Find meals with more energy than a whole day's reference."""
    return _above(meal, "energy_kcal", limits("energy_above_a_day")["most_energy"])


def _unsaid(meal: CheckedMeal) -> tuple[int, int] | None:
    """Return how many weights above 0 g, and of 0 g, a metric text does not state."""
    grams = [g for g in meal.grams or () if g is not None]
    if meal.serving != "metric" or not grams or len(grams) != len(meal.grams or ()):
        return None
    said = [float(n.replace(",", "")) for n in _NUMBER.findall(meal.text)]
    near = limits("weight_not_said")["rounding"] + 1e-9
    unsaid = [g for g in grams if not any(abs(g - n) <= near for n in said)]
    return sum(g > 0 for g in unsaid), sum(g == 0 for g in unsaid)


def weight_not_said(meal: CheckedMeal) -> Looked:
    """Find metric texts that leave out a weight above 0 g."""
    unsaid = _unsaid(meal)
    if unsaid is None:
        return _NOTHING
    return Looked(1, ((None, float(unsaid[0])),)) if unsaid[0] else _FINE


def zero_weight_not_said(meal: CheckedMeal) -> Looked:
    """Find metric texts that state all weights but those of 0 g."""
    unsaid = _unsaid(meal)
    if unsaid is None:
        return _NOTHING
    return Looked(1, ((None, float(unsaid[1])),)) if unsaid[1] and not unsaid[0] else _FINE


def label_not_sum(meal: CheckedMeal) -> Looked:
    """Find labels that are not the sum over the items."""
    bounds = limits("label_not_sum")
    checked, worst = 0, 0.0
    for label, amounts in meal.item_labels.items():
        known = [a for a in amounts if a is not None]
        if label not in meal.labels or not known or len(known) != len(amounts):
            continue
        checked = 1
        each = bounds["rounding_kcal" if label == "energy_kcal" else "rounding_g"]
        off = abs(meal.labels[label] - sum(known))
        if off > each * len(known) + 1e-6:
            worst = max(worst, off)
    return Looked(checked, ((None, worst),) if worst else ())


def label_missing(meal: CheckedMeal) -> Looked:
    """Find meals of which a label is unknown."""
    missing = sum(n not in meal.labels for n in LABELS)
    return Looked(1, ((None, float(missing)),)) if missing else _FINE


#: rules of single rows by name
ROW_RULES: Final[dict[str, Callable[[CheckedMeal], Looked]]] = {
    rule.__name__: rule
    for rule in (
        cooked_weighed_raw,
        energy_off,
        energy_off_alcohol,
        macros_above_grams,
        no_weight_with_label,
        zero_grams,
        carb_above_a_day,
        energy_above_a_day,
        weight_not_said,
        zero_weight_not_said,
        label_not_sum,
        label_missing,
    )
}
