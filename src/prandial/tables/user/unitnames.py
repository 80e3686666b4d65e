"""Spellings of units in food tables, and their factors to the house units."""

from __future__ import annotations

import math
import re
from typing import Final

from prandial.errors import InputError
from prandial.nutrients import unit_of
from prandial.units import KJ_PER_KCAL, MASS_G

__all__ = [
    "IU_MCG",
    "KNOWN_UNITS",
    "canonical_unit",
    "factor_to_house",
    "header_unit",
    "split_unit",
]

#: the units understood, as an error message names them
KNOWN_UNITS: Final = ("g", "mg", "µg", "kcal", "kJ", "IU")

_SPELLINGS: Final[dict[str, str]] = {
    "g": "g",
    "gr": "g",
    "gram": "g",
    "grams": "g",
    "mg": "mg",
    "milligram": "mg",
    "milligrams": "mg",
    "µg": "µg",
    "ug": "µg",
    "mcg": "µg",
    "microgram": "µg",
    "micrograms": "µg",
    "kcal": "kcal",
    "kj": "kJ",
    "iu": "IU",
    "ui": "IU",
    "ie": "IU",
}
#: units other tables use that cannot be turned into a mass or an energy here
_OTHER: Final = frozenset(
    [
        "mmol",
        "mol",
        "µmol",
        "umol",
        "%",
        "%dv",
        "%rda",
        "dv",
        "oz",
        "lb",
        "cal",
        "calories",
        "ml",
        "l",
        "re",
        "te",
        "ppm",
        "meq",
        "kg",
        "ng",
        "j",
        "mj",
    ]
)

#: micrograms in one IU (US FDA, Guidance on daily values and conversion factors, 2019):
#: vitamin A as retinol, vitamin D as D2 or D3. Any other vitamin's IU is not a fixed mass.
IU_MCG: Final[dict[str, float]] = {
    "vitamin_a_rae_mcg": 0.3,
    "retinol_mcg": 0.3,
    "vitamin_d_mcg": 0.025,
}

_MASS: Final = {"g": MASS_G["g"], "mg": MASS_G["mg"], "µg": MASS_G["mcg"]}
_PER_100: Final = re.compile(
    r"(?:/|\b(?:per|pro|je|pour|por))?[\s_]*100[\s_]*(?:g|ml)(?![a-z])", re.IGNORECASE
)
_ENCLOSED: Final = re.compile(r"[(\[]\s*([^()\[\]]*?)\s*[)\]]\W*$")
_TRAILING: Final = re.compile(r"^(?P<before>.*[^\s,_;:])[\s,_;:]+(?P<unit>[^\s,_;:]+)$")
_BRACKET: Final = re.compile(r"^(?P<column>.*\S)\s*\[(?P<unit>[^\[\]]*)\]$", re.DOTALL)
_LONE_NUMBER: Final = re.compile(r"(?:^|[\s,_;:(])\d+(?:[.,]\d+)?$")


def canonical_unit(spelling: str) -> str | None:
    """Return the house's spelling of a unit, or None for a unit not known.

    Parameters
    ----------
    spelling : str
        Such as ``UG``, ``mcg``, ``µg RAE``, ``KCAL``.

    Returns
    -------
    str or None
        ``g``, ``mg``, ``µg``, ``kcal``, ``kJ`` or ``IU``.
    """
    key = " ".join(spelling.split()).replace("μ", "µ").casefold().replace("μ", "µ").rstrip(".")
    for equivalent in (" rae", "_rae", " dfe", "_dfe"):
        key = key.removesuffix(equivalent)
    return _SPELLINGS.get(key)


def split_unit(value: str) -> tuple[str, str] | None:
    """Split ``COLUMN[unit]``; None when the text has no such ending."""
    match = _BRACKET.match(value.strip())
    return (match["column"], match["unit"].strip()) if match else None


def header_unit(header: str) -> tuple[str | None, str | None]:
    """Find the unit a column's heading states.

    Parameters
    ----------
    header : str
        Such as ``Sodium (mg)``, ``Energ_Kcal``, ``Iron, mg/100 g``.

    Returns
    -------
    unit : str or None
        House spelling, when one is stated and known.
    foreign : str or None
        What the heading states when that is a unit, or stands in square
        brackets, but cannot be used here.
    """
    text = _PER_100.sub("", header).strip()
    match = _ENCLOSED.search(text)
    if match and match[1]:
        unit = canonical_unit(match[1])
        if unit:
            return unit, None
        squared = text[match.start()] == "["
        if squared or match[1].casefold().replace("μ", "µ") in _OTHER:
            return None, match[1]
        return None, None
    trailing = _TRAILING.match(text)
    if trailing and not _LONE_NUMBER.search(trailing["before"]):
        return canonical_unit(trailing["unit"]), None
    return None, None


def factor_to_house(key: str, unit: str, *, where: str) -> float:
    """Return what a value in ``unit`` is multiplied by for the house unit.

    Parameters
    ----------
    key : str
        House name of the nutrient; its unit is at the end.
    unit : str
        House spelling of the unit of the value.
    where : str
        Column the unit belongs to, for the error.

    Returns
    -------
    float
        NaN for IU of a nutrient whose IU is not a fixed mass.

    Raises
    ------
    InputError
        When an energy is given as a mass or a mass as an energy.
    """
    house = unit_of(key)
    if house == "kcal":
        if unit in ("kcal", "kJ"):
            return 1.0 if unit == "kcal" else 1.0 / KJ_PER_KCAL
    elif unit == "IU":
        return IU_MCG.get(key, math.nan)
    elif unit in _MASS:
        return 1.0 if unit == house else _MASS[unit] / _MASS[house]
    needed = "kcal or kJ" if house == "kcal" else "g, mg, µg or IU"
    raise InputError(
        f"{key} cannot be in {unit}",
        where=where,
        hint=f"give the unit as 'COLUMN[unit]' with {needed}",
    )
