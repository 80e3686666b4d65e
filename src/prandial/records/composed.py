"""Records of composed meals: what was eaten, how much of it as people say it, in which words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from prandial.records.meals import Source

__all__ = [
    "DescribedMeal",
    "EatenItem",
    "EatenMeal",
    "HouseholdServing",
    "ServingRule",
    "ServingType",
]

ServingType = Literal["natural", "metric"]
#: how grams became a household serving: a measure of the food times a whole number or a simple
#: fraction, to the gram; the nearest measure; a multiple of a larger one; a fraction of a
#: smaller one; cups in tablespoons or teaspoons; none, so that grams are said
ServingRule = Literal["exact", "nearest", "multiple", "fraction", "volume", "grams"]


@dataclass(frozen=True, kw_only=True, slots=True)
class HouseholdServing:
    """An amount as people say it.

    Parameters
    ----------
    text : str
        Such as ``2 cups`` or ``half a medium banana``; for ``grams`` such as ``150 g``.
    measure : str
        The measure's own name in its table, such as ``1 cup, diced``; empty for ``grams``.
    times : float
        How many measures.
    grams : float
        What the text weighs by its table: ``times`` measures. The grams eaten may differ.
    rule : ServingRule
    source : Source, optional
        The table of the measure.
    """

    text: str
    measure: str
    times: float
    grams: float
    rule: ServingRule
    source: Source | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class EatenItem:
    """One food of a recalled meal.

    Parameters
    ----------
    food : Source
        Table, release and id of the food whose nutrients stand here.
    name : str
        As in that table.
    grams : float
        As eaten, above 0.
    nutrients : mapping of str to float
        Of the grams eaten: ``carb_g``, ``protein_g``, ``fat_g``, ``energy_kcal``; what is
        unknown is absent.
    serving : HouseholdServing, optional
        None where no household serving says these grams.
    line : int
        The record's number in its survey file, 0 if it has none.
    recorded : str
        The survey's own code of the food where that is another one (FoodEx2), else empty.
    """

    food: Source
    name: str
    grams: float
    nutrients: Mapping[str, float]
    serving: HouseholdServing | None = None
    line: int = 0
    recorded: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class EatenMeal:
    """What one person ate on one occasion of one recall day.

    Parameters
    ----------
    id : str
        Survey, cycle, person, day, occasion and time; the same in every build.
    survey : str
        ``wweia`` or ``gift``.
    cycle : str
        Such as ``2017-2018`` or ``BOL-00006``.
    country : str
        ISO 3166 alpha-3.
    person : str
    day : int
        Of the recall, from 1.
    occasion : str
        In words, such as ``breakfast``; empty if not recorded.
    minute : int, optional
        Of the day, from midnight.
    items : tuple of EatenItem
        In the order of the records.
    """

    id: str
    survey: str
    cycle: str
    country: str
    person: str
    day: int
    occasion: str
    items: tuple[EatenItem, ...]
    minute: int | None = None

    def total(self, nutrient: str) -> float | None:
        """Return the sum over the items, None when one of them is unknown."""
        known = [i.nutrients.get(nutrient) for i in self.items]
        return None if None in known else sum(v for v in known if v is not None)

    @property
    def natural(self) -> bool:
        """Whether every item has a household serving."""
        return all(i.serving is not None and i.serving.rule != "grams" for i in self.items)


@dataclass(frozen=True, kw_only=True, slots=True)
class DescribedMeal:
    """A meal in words.

    Parameters
    ----------
    meal : EatenMeal
    serving_type : {'natural', 'metric'}
        Never mixed within a meal, but for items that have no household serving.
    text : str
    names, amounts : tuple of str
        How the text names each item and says its amount, in the order of ``meal.items``.
    variants : tuple of str
        Other texts of the same meal, one of which was drawn.
    by : str
        ``template`` or the name of the model.
    """

    meal: EatenMeal
    serving_type: ServingType
    text: str
    names: tuple[str, ...]
    amounts: tuple[str, ...]
    variants: tuple[str, ...] = ()
    by: str = "template"
