"""What 100 g of a food cannot hold: found, flagged, and set right only where it is certain.

Energy is held against 4 C + 4 P + 9 F + 7 alcohol (Merrill and Watt, USDA Handbook 74, 1973);
what labels may round is 21 CFR 101.9(c): energy below 5 kcal and macronutrients below 0.5 g of
a serving may be stated as 0, energy is rounded to 5 kcal up to 50 kcal and to 10 kcal above.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final, Literal

from prandial.nutrients import ATWATER_KCAL_PER_G, unit_of
from prandial.sources.fdc.food import DataType, LabelServing
from prandial.units import KJ_PER_KCAL

__all__ = ["FLAGS", "Facts", "check"]

#: flag -> what it means
FLAGS: Final = {
    "negative": "an amount below 0, unknown now",
    "over_100g_single": "one nutrient of more than 100 g in 100 g, unknown now",
    "over_100g": "protein, carbohydrate, fat, water, alcohol and ash come to more than 100 g",
    "energy_in_kj": "energy was in kJ under the name of kcal, converted",
    "energy_perhaps_kj": "energy fits kJ, but the file says kcal and alcohol is not told; left",
    "energy_impossible": "more energy than pure fat has and not in kJ, unknown now",
    "zero_filled_macros": "energy without any macronutrient: the zeros are unknown now",
    "zero_filled_energy": "a label with macronutrients and without energy: its zero is unknown now",
    "rounded_label": "zeros that a label may state for a serving so small",
}
_MACROS: Final = ("carb_g", "protein_g", "fat_g")
_PARTS: Final = (*_MACROS, "water_g", "alcohol_g")
_PER_G: Final = {"g": 1.0, "mg": 1e3, "µg": 1e6}
#: pure fat has about 900 kcal in 100 g
_MOST_KCAL: Final = 950.0
#: parts of 100 g together; slack for rounding of label servings and for analysis
_MOST_PARTS_G: Final = 105.0
#: 100 ml of the densest liquid foods (syrups, honey) weigh about 140 g
_MOST_G_IN_100_ML: Final = 150.0
#: how near a ratio must be to 4.184
_NEAR: Final = 0.12
#: foods with less energy than this tell nothing, kcal
_LEAST_KCAL: Final = 20.0
#: energy of a serving whose macronutrients are each just below 0.5 g, kcal
_UNSTATED_KCAL: Final = 8.5
_UNSTATED_ENERGY_KCAL: Final = 5.0
#: energy of a serving up to which labels round it to 5 kcal
_FINE_UP_TO_KCAL: Final = 50.0
_ALCOHOLIC: Final = re.compile(
    r"\b(alcohol\w*|ales?|beers?|lagers?|stouts?|ciders?|wines?|sake|liquors?|liqueurs?|spirits?"
    r"|vodka|rum|gin|tequila|whisk\w+|bourbon|brandy|cocktails?|coolers?|seltzers?)\b",
    re.IGNORECASE,
)
#: carbohydrate that gives no or hardly any energy
_SWEETENER: Final = re.compile(
    r"sweeten|sugar (substitute|replace|alternative)|stevia|erythritol|allulose|monk ?fruit"
    r"|sucralose|aspartame|saccharin",
    re.IGNORECASE,
)
_US: Final = frozenset(["", "us", "usa", "united states", "united states of america"])


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """What is known of a food beside its amounts.

    Parameters
    ----------
    data_type : DataType
    basis : {'g', 'ml'}
    texts : str
        Description and category.
    country : str
    serving : LabelServing or None
    energy_stated : bool
        The file says whether energy is kcal or kJ.
    energy_kj_kcal : float
        Energy stated in kJ beside it, as kcal; NaN when there is none.
    ash_g : float
        NaN when unknown.
    """

    data_type: DataType
    basis: Literal["g", "ml"]
    texts: str
    country: str
    serving: LabelServing | None
    energy_stated: bool = True
    energy_kj_kcal: float = math.nan
    ash_g: float = math.nan

    @property
    def from_us(self) -> bool:
        """Whether a label, if it is one, is of the United States."""
        return self.country.strip().casefold() in _US


def check(values: dict[str, float], facts: Facts) -> tuple[str, ...]:
    """Check a food's amounts and set right what is certain.

    Parameters
    ----------
    values : dict of str to float
        House name to amount in 100 g (or ml); changed in place, what cannot be is taken out.
    facts : Facts

    Returns
    -------
    tuple of str
        Names in :data:`FLAGS`, in the order of that table.
    """
    flags: set[str] = set()
    _single(values, facts, flags)
    _energy(values, facts, flags)
    _zeros(values, facts, flags)
    most = _MOST_PARTS_G if facts.basis == "g" else _MOST_G_IN_100_ML
    ash = 0.0 if math.isnan(facts.ash_g) else facts.ash_g
    if sum(values.get(k, 0.0) for k in _PARTS) + ash > most:
        flags.add("over_100g")
    return tuple(f for f in FLAGS if f in flags)


def _single(values: dict[str, float], facts: Facts, flags: set[str]) -> None:
    most = 100.0 if facts.basis == "g" else _MOST_G_IN_100_ML
    for key in list(values):
        if values[key] < 0:
            del values[key]
            flags.add("negative")
        elif key != "energy_kcal" and values[key] > most * _PER_G[unit_of(key)] * (1 + 1e-6):
            del values[key]
            flags.add("over_100g_single")


def _atwater(values: dict[str, float]) -> float:
    """Return energy by what a food is made of, alcohol 0 when not told; NaN when unknown."""
    if not all(k in values for k in _MACROS):
        return math.nan
    return sum(f * values.get(k, 0.0) for k, f in ATWATER_KCAL_PER_G.items())


def _energy(values: dict[str, float], facts: Facts, flags: set[str]) -> None:
    energy = values.get("energy_kcal")
    if energy is None:
        return
    atwater = _atwater(values)
    fits = atwater >= _LEAST_KCAL and abs(energy / atwater / KJ_PER_KCAL - 1.0) <= _NEAR
    twin = energy > 0 and abs(energy / KJ_PER_KCAL / facts.energy_kj_kcal - 1.0) <= 0.01
    most = _MOST_KCAL if facts.basis == "g" else _MOST_KCAL * _MOST_G_IN_100_ML / 100.0
    if twin or (fits and _surely_kj(values, facts, beyond_fat=energy > most)):
        values["energy_kcal"] = energy / KJ_PER_KCAL
        flags.add("energy_in_kj")
    elif energy > most:
        del values["energy_kcal"]
        flags.add("energy_impossible")
    elif fits and not _rounded(energy, atwater, facts):
        flags.add("energy_perhaps_kj")


def _surely_kj(values: dict[str, float], facts: Facts, *, beyond_fat: bool) -> bool:
    """Tell whether energy that fits kJ cannot be kcal.

    Labels of the United States are in kcal: of 340,572 of them 28 fit kJ, most of them by what
    small servings round away, so there a fit alone is not enough.
    """
    alcohol_told = "alcohol_g" in values
    labelled_in_kj = facts.data_type == "branded" and not facts.from_us
    return beyond_fat or not facts.energy_stated or alcohol_told or labelled_in_kj


def _rounded(energy: float, atwater: float, facts: Facts) -> bool:
    """Tell whether rounding of a label's serving explains energy above its macronutrients'."""
    stated = _of_serving(energy, facts)
    step = 2.5 if stated <= _FINE_UP_TO_KCAL else 5.0
    return stated <= _of_serving(atwater, facts) + _UNSTATED_KCAL + step < math.inf


def _of_serving(kcal: float, facts: Facts) -> float:
    """Return kcal of one serving; infinite when the serving is not told."""
    if facts.serving is None or facts.serving.amount is None or not facts.serving.unit:
        return math.inf
    return kcal * facts.serving.amount / 100.0


def _zeros(values: dict[str, float], facts: Facts, flags: set[str]) -> None:
    energy, atwater = values.get("energy_kcal"), _atwater(values)
    if energy is None or math.isnan(atwater):
        return
    if energy >= _LEAST_KCAL and all(values[k] == 0 for k in _MACROS):
        if values.get("alcohol_g") or (
            "alcohol_g" not in values and _ALCOHOLIC.search(facts.texts) is not None
        ):
            return
        if _of_serving(energy, facts) <= _UNSTATED_KCAL:
            flags.add("rounded_label")
            return
        for key in _MACROS:
            del values[key]
        flags.add("zero_filled_macros")
    elif energy == 0 and atwater >= _LEAST_KCAL and facts.data_type == "branded":
        if _SWEETENER.search(facts.texts) is not None:
            return
        if _of_serving(atwater, facts) < _UNSTATED_ENERGY_KCAL:
            flags.add("rounded_label")
            return
        del values["energy_kcal"]
        flags.add("zero_filled_energy")
