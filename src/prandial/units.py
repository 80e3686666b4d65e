"""Unit factors: mass to grams, volume to millilitres, energy to kilocalories.

Sources: NIST Handbook 44 (2023) Appendix C for US customary and avoirdupois
units; US FDA 21 CFR 101.9(b)(5)(viii) is the origin of "1 cup = 240 mL" used on
labels, which is *not* used here: household measures of a food come from that
food's own table, and these factors only convert between measures.
1 kcal = 4.184 kJ (thermochemical calorie, ISO 80000-5).
"""

from __future__ import annotations

from typing import Final

__all__ = ["KJ_PER_KCAL", "MASS_G", "VOLUME_ML", "kcal_from_kj"]

KJ_PER_KCAL: Final = 4.184

#: grams in one unit
MASS_G: Final[dict[str, float]] = {
    "mcg": 1e-6,
    "mg": 1e-3,
    "g": 1.0,
    "kg": 1000.0,
    "oz": 28.349523125,
    "lb": 453.59237,
}

#: millilitres in one unit (US customary)
VOLUME_ML: Final[dict[str, float]] = {
    "ml": 1.0,
    "cl": 10.0,
    "dl": 100.0,
    "l": 1000.0,
    "tsp": 4.92892159375,
    "tbsp": 14.78676478125,
    "fl oz": 29.5735295625,
    "cup": 236.5882365,
    "pint": 473.176473,
    "quart": 946.352946,
    "gallon": 3785.411784,
}


def kcal_from_kj(energy_kj: float) -> float:
    """Convert kilojoules to kilocalories.

    Parameters
    ----------
    energy_kj : float
        Energy in kJ.

    Returns
    -------
    float
        Energy in kcal.
    """
    return energy_kj / KJ_PER_KCAL
