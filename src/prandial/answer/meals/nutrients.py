"""The four nutrients a NutriBench meal is asked for: words, key of the answer, bounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from prandial.errors import InputError
from prandial.nutrients import unit_of
from prandial.tables.rules import read_rules

__all__ = ["NUTRIENTS_ASKED", "NutrientAsked", "example_fields", "nutrient_asked"]


@dataclass(frozen=True, kw_only=True, slots=True)
class NutrientAsked:
    """How a nutrient is asked for.

    Parameters
    ----------
    name : str
        House name.
    word : str
        As in "how much protein".
    unit_word : str
        As in "in grams".
    key : str
        Key of the dictionary that is the answer.
    most : int
        Upper bound of an answer that is bound to a schema, in the nutrient's unit: above
        any label (the largest meal of the set has 1,289 g carbohydrate).
    """

    name: str
    word: str
    unit_word: str
    key: str
    most: int

    @property
    def unit(self) -> str:
        """``g`` or ``kcal``."""
        return unit_of(self.name)


NUTRIENTS_ASKED: Final = {
    n.name: n
    for n in (
        NutrientAsked(
            name="carb_g",
            word="carbohydrates",
            unit_word="grams",
            key="total_carbohydrates",
            most=2000,
        ),
        NutrientAsked(
            name="protein_g", word="protein", unit_word="grams", key="total_protein", most=1000
        ),
        NutrientAsked(name="fat_g", word="fat", unit_word="grams", key="total_fat", most=1000),
        NutrientAsked(
            name="energy_kcal",
            word="energy",
            unit_word="kilocalories",
            key="total_energy",
            most=20000,
        ),
    )
}


def nutrient_asked(name: str) -> NutrientAsked:
    """Return how a nutrient is asked for.

    Raises
    ------
    InputError
        For any but the four of the benchmark.
    """
    if name not in NUTRIENTS_ASKED:
        raise InputError(
            f"NutriBench meals are not asked for {name!r}",
            where="nutrient",
            hint="one of: " + ", ".join(NUTRIENTS_ASKED),
        )
    return NUTRIENTS_ASKED[name]


@cache
def example_fields(nutrient: str) -> dict[str, str]:
    """Return the figures of the worked examples as fields of a prompt.

    Parameters
    ----------
    nutrient : str
        House name.

    Returns
    -------
    dict
        ``ITEM`` is the amount in the whole item, ``ITEM_part`` in the part that is eaten,
        ``total_MEAL`` the sum of a meal's parts; from ``nutribench_examples.csv``.
    """
    fields: dict[str, str] = {}
    totals: dict[str, float] = {}
    for row in read_rules("nutribench_examples"):
        if row["nutrient"] != nutrient:
            continue
        whole = float(row["whole"])
        part = whole * float(row["share"])
        fields[row["item"]] = f"{whole:g}"
        fields[f"{row['item']}_part"] = f"{part:g}"
        totals[row["meal"]] = totals.get(row["meal"], 0.0) + part
    return {**fields, **{f"total_{meal}": f"{total:g}" for meal, total in totals.items()}}
