"""Nutrient names of the house and their vectors.

A nutrient's name carries its unit (``carb_g``, ``sodium_mg``). Values in tables
are per 100 g edible portion; an unknown value is NaN, never 0.

Energy by the general Atwater factors (Merrill and Watt, USDA Handbook 74, 1973):
4 kcal/g carbohydrate and protein, 9 kcal/g fat, 7 kcal/g alcohol.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = [
    "ATWATER_KCAL_PER_G",
    "LABELS",
    "MAIN",
    "NUTRIENTS",
    "atwater_energy_kcal",
    "unit_of",
]

#: house name -> column name in the compiled USDA source tables
NUTRIENTS: Final[dict[str, str]] = {
    "carb_g": "carbohydrate_g",
    "protein_g": "protein_g",
    "fat_g": "total_fat_g",
    "energy_kcal": "energy_kcal",
    "sugars_g": "sugars_total_g",
    "fiber_g": "fiber_g",
    "saturated_fat_g": "saturated_fat_g",
    "monounsaturated_fat_g": "monounsaturated_fat_g",
    "polyunsaturated_fat_g": "polyunsaturated_fat_g",
    "cholesterol_mg": "cholesterol_mg",
    "alcohol_g": "alcohol_g",
    "water_g": "water_g",
    "caffeine_mg": "caffeine_mg",
    "theobromine_mg": "theobromine_mg",
    "sodium_mg": "sodium_mg",
    "potassium_mg": "potassium_mg",
    "calcium_mg": "calcium_mg",
    "iron_mg": "iron_mg",
    "magnesium_mg": "magnesium_mg",
    "phosphorus_mg": "phosphorus_mg",
    "zinc_mg": "zinc_mg",
    "copper_mg": "copper_mg",
    "selenium_mcg": "selenium_mcg",
    "vitamin_a_rae_mcg": "vitamin_a_rae_mcg",
    "retinol_mcg": "retinol_mcg",
    "carotene_alpha_mcg": "carotene_alpha_mcg",
    "carotene_beta_mcg": "carotene_beta_mcg",
    "cryptoxanthin_beta_mcg": "cryptoxanthin_beta_mcg",
    "lycopene_mcg": "lycopene_mcg",
    "lutein_zeaxanthin_mcg": "lutein_zeaxanthin_mcg",
    "thiamin_mg": "thiamin_mg",
    "riboflavin_mg": "riboflavin_mg",
    "niacin_mg": "niacin_mg",
    "vitamin_b6_mg": "vitamin_b6_mg",
    "folate_total_mcg": "folate_total_mcg",
    "folate_dfe_mcg": "folate_dfe_mcg",
    "folic_acid_mcg": "folic_acid_mcg",
    "folate_food_mcg": "folate_food_mcg",
    "vitamin_b12_mcg": "vitamin_b12_mcg",
    "vitamin_b12_added_mcg": "vitamin_b12_added_mcg",
    "vitamin_c_mg": "vitamin_c_mg",
    "vitamin_d_mcg": "vitamin_d_mcg",
    "vitamin_e_mg": "vitamin_e_mg",
    "vitamin_e_added_mg": "vitamin_e_added_mg",
    "vitamin_k_mcg": "vitamin_k_mcg",
    "choline_mg": "choline_mg",
}

#: the four figures every table and total shows first
MAIN: Final[tuple[str, ...]] = ("carb_g", "protein_g", "fat_g", "energy_kcal")

LABELS: Final[dict[str, str]] = {
    "carb_g": "carbs",
    "protein_g": "protein",
    "fat_g": "fat",
    "energy_kcal": "energy",
}

ATWATER_KCAL_PER_G: Final[dict[str, float]] = {
    "carb_g": 4.0,
    "protein_g": 4.0,
    "fat_g": 9.0,
    "alcohol_g": 7.0,
}


def unit_of(nutrient: str) -> str:
    """Return the unit at the end of a nutrient's house name.

    Parameters
    ----------
    nutrient : str
        House name such as ``carb_g``.

    Returns
    -------
    str
        ``g``, ``mg``, ``µg`` or ``kcal``.
    """
    unit = nutrient.rsplit("_", 1)[-1]
    return "µg" if unit == "mcg" else unit


def atwater_energy_kcal(
    *,
    carb_g: npt.ArrayLike,
    protein_g: npt.ArrayLike,
    fat_g: npt.ArrayLike,
    alcohol_g: npt.ArrayLike = 0.0,
) -> npt.NDArray[np.float64]:
    """Energy from macronutrients by the general Atwater factors.

    Parameters
    ----------
    carb_g, protein_g, fat_g, alcohol_g : array_like
        Grams; NaN stays NaN.

    Returns
    -------
    ndarray of float64
        Energy in kcal.
    """
    k = ATWATER_KCAL_PER_G
    return np.asarray(
        k["carb_g"] * np.asarray(carb_g, dtype=np.float64)
        + k["protein_g"] * np.asarray(protein_g, dtype=np.float64)
        + k["fat_g"] * np.asarray(fat_g, dtype=np.float64)
        + k["alcohol_g"] * np.asarray(alcohol_g, dtype=np.float64),
        dtype=np.float64,
    )
