"""Thresholds of food tags, read from the rule table ``food_tags``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from prandial.errors import InputError, SchemaError
from prandial.tables.rules import NUTRIENT_ORDER, read_rules
from prandial.truth import TruthArray, above, at_least, at_most

__all__ = ["BASES", "Basis", "Threshold", "thresholds"]

#: what an amount is stated for when it is compared with a threshold
Basis = Literal["per_100g", "per_serving", "per_100kcal"]
BASES: Final[tuple[Basis, ...]] = ("per_100g", "per_serving", "per_100kcal")


@dataclass(frozen=True, kw_only=True, slots=True)
class Threshold:
    """When a food is low and when it is high in a nutrient.

    Parameters
    ----------
    nutrient : str
        Tag nutrient.
    basis : Basis
        Rule set of thresholds it belongs to.
    low, high : float
        In ``unit``; low holds at or below ``low``.
    high_includes : bool
        Whether ``high`` itself is high (``>=``) or only what lies above it (``>``).
    unit : str
        ``g``, ``mg``, ``mcg`` or ``kcal``.
    per : str
        ``100 g``, ``serving`` or ``100 kcal``; energy of the last basis is judged per 100 g.
    source : str
        Standard the numbers come from.
    """

    nutrient: str
    basis: Basis
    low: float
    high: float
    high_includes: bool
    unit: str
    per: str
    source: str

    def is_low(self, amounts: npt.NDArray[np.float64]) -> TruthArray:
        """Tell where amounts are low; unknown where NaN."""
        return at_most(amounts, self.low)

    def is_high(self, amounts: npt.NDArray[np.float64]) -> TruthArray:
        """Tell where amounts are high; unknown where NaN."""
        return (at_least if self.high_includes else above)(amounts, self.high)


def _read(row: Mapping[str, str], basis: Basis) -> Threshold:
    where = f"food_tags, {row['nutrient']} {basis}"
    try:
        low, high = float(row["low"]), float(row["high"])
    except ValueError:
        raise SchemaError("a threshold is no number", where=where) from None
    if row["low_if"] != "<=" or row["high_if"] not in {">", ">="} or not 0 <= low < high:
        raise SchemaError("a threshold that cannot be applied", where=where)
    return Threshold(
        nutrient=row["nutrient"],
        basis=basis,
        low=low,
        high=high,
        high_includes=row["high_if"] == ">=",
        unit=row["unit"],
        per=row["per"],
        source=row["source"],
    )


@cache
def thresholds(basis: Basis = "per_100g") -> Mapping[str, Threshold]:
    """Return the thresholds of a basis.

    Parameters
    ----------
    basis : {'per_100g', 'per_serving', 'per_100kcal'}

    Returns
    -------
    mapping of str to Threshold
        By tag nutrient, in the order in which gold answers name them.

    Raises
    ------
    InputError
        On any other basis.
    SchemaError
        When the table lacks a nutrient or holds a row that cannot be applied.
    """
    if basis not in BASES:
        raise InputError(
            f"no basis {basis!r} for food tags", where="basis", hint="known: " + ", ".join(BASES)
        )
    found = {r["nutrient"]: _read(r, basis) for r in read_rules("food_tags") if r["basis"] == basis}
    if tuple(found) != NUTRIENT_ORDER:
        raise SchemaError(
            "other nutrients than the needs know",
            where=f"food_tags, {basis}",
            hint="reinstall prandial: pip install --force-reinstall prandial",
        )
    return MappingProxyType(found)
