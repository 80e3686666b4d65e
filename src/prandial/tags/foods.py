"""Whether foods are low or high in each nutrient: columns of yes, no and unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from prandial.errors import InputError
from prandial.records.people import RuleSet
from prandial.tables.rules import FOOD_TAG_ORDER, NUTRIENT_ORDER
from prandial.tags.thresholds import Basis, Threshold, thresholds
from prandial.truth import Truth, TruthArray

__all__ = ["FoodTags", "food_tags"]

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class FoodTags:
    """Tags of foods as columns, rows in the order of the amounts they were made from.

    Parameters
    ----------
    rules : RuleSet
    basis : Basis
        What the amounts were stated for when compared.
    low, high : mapping of str to truth array, shape (n,)
        By tag nutrient. Never both of one nutrient hold.
    """

    rules: RuleSet
    basis: Basis
    low: Mapping[str, TruthArray]
    high: Mapping[str, TruthArray]

    def __len__(self) -> int:
        return len(next(iter(self.low.values())))

    def holding(self) -> tuple[tuple[str, ...], ...]:
        """Return the tags that hold, of each food, as a graph lists them (low before high)."""
        columns = [
            (f"{direction}_{nutrient}", (side[nutrient] == Truth.YES).tolist())
            for nutrient in FOOD_TAG_ORDER
            for direction, side in (("low", self.low), ("high", self.high))
        ]
        names = [name for name, _ in columns]
        rows = zip(*(held for _, held in columns), strict=True)
        return tuple(tuple(n for n, h in zip(names, row, strict=True) if h) for row in rows)

    def unknown(self) -> tuple[tuple[str, ...], ...]:
        """Return the nutrients, of each food, of which neither tag can be told."""
        columns = [(self.low[n] == Truth.UNKNOWN).tolist() for n in NUTRIENT_ORDER]
        rows = zip(*columns, strict=True)
        return tuple(tuple(n for n, u in zip(NUTRIENT_ORDER, r, strict=True) if u) for r in rows)

    def count(self, nutrients: Iterable[str]) -> npt.NDArray[np.int64]:
        """Return how many tags of some nutrients hold, of each food."""
        total = np.zeros(len(self), dtype=np.int64)
        for nutrient in nutrients:
            total += (self.low[nutrient] == Truth.YES) | (self.high[nutrient] == Truth.YES)
        return total


def _checked(values: Mapping[str, _Floats]) -> dict[str, _Floats]:
    """Return every tag nutrient as an array of one length; NaN where none is given."""
    strange = [n for n in values if n not in NUTRIENT_ORDER]
    lengths = {len(np.atleast_1d(v)) for v in values.values()}
    if strange or len(lengths) != 1:
        what = f"no tag nutrient {strange[0]!r}" if strange else "columns of different length"
        raise InputError(what, where="values", hint="nutrients: " + ", ".join(NUTRIENT_ORDER))
    n = lengths.pop()
    out = {}
    for nutrient in NUTRIENT_ORDER:
        column = np.atleast_1d(np.asarray(values.get(nutrient, np.full(n, np.nan)), np.float64))
        if bool((column < 0).any()) or bool(np.isinf(column).any()):
            raise InputError(
                f"an amount of {nutrient} is negative or infinite",
                where="values",
                hint="an unknown amount is NaN",
            )
        out[nutrient] = column
    return out


def _factor(basis: Basis, energy: _Floats, serving_g: _Floats | None) -> _Floats:
    """Return what amounts per 100 g are multiplied by to state them for a basis."""
    if basis == "per_100g":
        return np.ones(len(energy))
    if basis == "per_serving":
        if serving_g is None or np.shape(serving_g) != energy.shape:
            raise InputError(
                "tags per serving need the weight of each food's serving",
                where="serving_g",
                hint="pass serving_g, grams by food; NaN where unknown",
            )
        grams = np.asarray(serving_g, dtype=np.float64)
        return np.where(grams > 0, grams, np.nan) / 100.0
    return 100.0 / np.where(energy > 0, energy, np.nan)


def food_tags(
    values: Mapping[str, _Floats],
    *,
    basis: Basis = "per_100g",
    rules: RuleSet = "default",
    serving_g: _Floats | None = None,
) -> FoodTags:
    """Tell in which nutrients foods are low and in which high.

    Parameters
    ----------
    values : mapping of str to ndarray of float64, shape (n,)
        Amount per 100 g by tag nutrient, in the unit of the rule table (g, mg, mcg or kcal);
        NaN where unknown. A nutrient that is not named is unknown for all foods.
    basis : {'per_100g', 'per_serving', 'per_100kcal'}
        What the amounts are restated for before they are compared.
    rules : {'default', 'as-published'}
        ``default``: an unknown amount makes both tags unknown. ``as-published``: it counts
        as 0, so that the food is low, as the NGQA code fills missing means with 0.
    serving_g : ndarray of float64, shape (n,), optional
        Grams of a serving, needed per serving; a food of unknown or no weight has
        unknown tags.

    Returns
    -------
    FoodTags

    Raises
    ------
    InputError
        On a nutrient without rules, columns of different length, a negative or infinite
        amount, an unknown basis or rule set, missing serving weights, or published rules
        with another basis than 100 g, which they do not have.

    Notes
    -----
    Thresholds and their sources are the rows of the rule table ``food_tags``. A food
    without energy (water, black tea) has no amount per 100 kcal: its tags are unknown on
    that basis, except the tag of energy, which is judged per 100 g there.
    """
    if rules not in ("default", "as-published"):
        raise InputError(f"no rule set {rules!r}", where="rules", hint="default or as-published")
    if rules == "as-published" and basis != "per_100g":
        raise InputError("the published tags are per 100 g", where="basis", hint="rules='default'")
    per_100g = _checked(values)
    if rules == "as-published":
        per_100g = {n: np.nan_to_num(v, nan=0.0) for n, v in per_100g.items()}
    rows = thresholds(basis)
    factor = _factor(basis, per_100g["calorie"], serving_g)

    def amounts(row: Threshold) -> _Floats:
        given = per_100g[row.nutrient]
        return given if row.per == "100 g" else given * factor

    return FoodTags(
        rules=rules,
        basis=basis,
        low={n: row.is_low(amounts(row)) for n, row in rows.items()},
        high={n: row.is_high(amounts(row)) for n, row in rows.items()},
    )
