"""FoodData Central's nutrients as the house's: by id, in the house's unit, energy by rank."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from prandial.errors import InputError, SchemaError
from prandial.sources.fdc.notes import FdcNotes
from prandial.tables.rules import read_rules
from prandial.tables.user.unitnames import KNOWN_UNITS, canonical_unit, factor_to_house

__all__ = [
    "ASH",
    "ENERGY",
    "ENERGY_KJ",
    "SUMMATION",
    "Measured",
    "Nutrient",
    "fill",
    "find_nutrient",
    "known_nutrients",
    "measured",
    "nutrients_of",
]

#: ids of energy as reported in kcal, of energy in kJ, of ash, of carbohydrate by summation
ENERGY: Final = 1008
ENERGY_KJ: Final = 1062
ASH: Final = 1007
SUMMATION: Final = 1050
#: what id and number are told apart by: ids start at 1001, numbers end below 1000
_FIRST_ID: Final = 1000
#: spellings of nutrient.csv for equivalents of vitamins, all in milligrams or micrograms
_EQUIVALENTS: Final = {"MG_ATE": "mg", "MCG_RE": "µg"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Nutrient:
    """A nutrient that is read.

    ``rank`` 0 is read for checks and fills no value; of the others the lowest that is there
    is taken.
    """

    key: str
    id: int
    number: str
    unit: str
    rank: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """A nutrient as one file has it.

    Parameters
    ----------
    nutrient : Nutrient
    unit : str
        House spelling of the file's unit, empty when the file states none.
    factor : float
        From the file's unit to the house's; NaN where there is no such mass.
    """

    nutrient: Nutrient
    unit: str
    factor: float


@cache
def known_nutrients() -> Mapping[int, Nutrient]:
    """Return the nutrients that are read, by FoodData Central's id."""
    return {
        int(r["id"]): Nutrient(
            key=r["nutrient"],
            id=int(r["id"]),
            number=r["number"],
            unit=r["unit"],
            rank=int(r["rank"]),
        )
        for r in read_rules("fdc_nutrients")
    }


@cache
def _by_number() -> Mapping[str, Nutrient]:
    return {n.number: n for n in known_nutrients().values()}


def find_nutrient(name: str) -> Nutrient | None:
    """Return the nutrient that an id or an older number names, None when it is not read."""
    try:
        value = float(name)
    except ValueError:
        return None
    if not math.isfinite(value):
        return None
    if value >= _FIRST_ID:
        return known_nutrients().get(int(value))
    return _by_number().get(name.removesuffix(".0"))


def measured(nutrient: Nutrient, spelling: str, *, where: str) -> Measured:
    """Understand the unit a file states for a nutrient.

    Parameters
    ----------
    nutrient : Nutrient
    spelling : str
        Such as ``UG``, ``µg``, ``KCAL`` or ``kJ``; an empty one is no unit: mass is taken to be
        in the usual unit, energy is checked against what the food is made of.
    where : str

    Raises
    ------
    SchemaError
        When the unit is not known, or cannot be one of the nutrient: it is never guessed.
    """
    told = spelling.strip()
    unit = _EQUIVALENTS.get(told.upper()) or canonical_unit(told or nutrient.unit)
    if unit is None:
        raise SchemaError(
            f"unknown unit {told!r} of {nutrient.key} ({nutrient.id})",
            where=where,
            hint="known units: " + ", ".join(KNOWN_UNITS),
        )
    if nutrient.rank == 0:
        return Measured(nutrient=nutrient, unit=unit, factor=1.0)
    try:
        factor = factor_to_house(nutrient.key, unit, where=where)
    except InputError as error:
        raise SchemaError(
            f"{nutrient.key} ({nutrient.id}) cannot be in {told}",
            where=where,
            hint=error.hint,
        ) from None
    return Measured(nutrient=nutrient, unit=unit if told else "", factor=factor)


def nutrients_of(
    rows: Iterable[tuple[str, str, str]], *, where: str, notes: FdcNotes
) -> dict[int, Measured]:
    """Read nutrient.csv.

    Parameters
    ----------
    rows : iterable of tuple of str
        id, unit_name and nutrient_nbr.
    where : str
    notes : FdcNotes

    Returns
    -------
    dict
        By id, of those that are read.

    Raises
    ------
    SchemaError
        On an unknown unit, or when none of the nutrients is there.
    """
    out: dict[int, Measured] = {}
    for name, spelling, number in rows:
        nutrient = find_nutrient(name)
        if nutrient is None:
            continue
        if number.strip() and find_nutrient(number.strip()) is not nutrient:
            notes.repair(
                "nutrient numbers that are not the usual ones", f"{name} has number {number}"
            )
        one = measured(nutrient, spelling, where=f"{where}, nutrient {name}")
        if one.unit == "IU" and nutrient.rank and "vitamin_a" in nutrient.key:
            notes.repair("vitamin A in IU, read as retinol (0.3 µg)", f"nutrient {name}")
        out[nutrient.id] = one
    if not out:
        raise SchemaError(
            "none of the nutrients is in it", where=where, hint="its ids should be such as 1005"
        )
    return out


def fill(amounts: Mapping[int, float]) -> tuple[dict[str, float], int]:
    """Return house values of amounts by id, and the id that energy was taken from.

    Parameters
    ----------
    amounts : mapping of int to float
        In house units; NaN is unknown.
    """
    known = known_nutrients()
    out: dict[str, float] = {}
    taken: dict[str, int] = {}
    energy = 0
    for name in sorted(amounts, key=lambda i: known[i].rank):
        nutrient, value = known[name], amounts[name]
        if nutrient.rank and nutrient.key not in taken and not math.isnan(value):
            taken[nutrient.key] = name
            out[nutrient.key] = value
            if nutrient.key == "energy_kcal":
                energy = name
    return out, energy
