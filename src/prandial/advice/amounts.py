"""Amounts of a meal and of its items on a basis, with the ends of their range.

An open end is honest: what an unmatched item holds is not known, but it is not less
than nothing. So what is known of the rest stays as the low end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from prandial.errors import InputError
from prandial.records import Amount, Band, Estimate, MealItem
from prandial.tables.rules import read_rules
from prandial.tags import BASES, Basis, thresholds

__all__ = ["RULE_NUTRIENTS", "amounts_on", "exact", "of_item", "of_meal", "rule_nutrients_of"]

#: tag nutrient -> house nutrient of composition tables
RULE_NUTRIENTS: Final[Mapping[str, str]] = {
    r["nutrient"]: r["composition"] for r in read_rules("food_tags") if r["basis"] == BASES[0]
}
#: digits that single-precision tables carry
_DIGITS: Final = 6


def rule_nutrients_of(nutrients: Iterable[str]) -> tuple[str, ...]:
    """Return house nutrients for tag nutrients."""
    return tuple(RULE_NUTRIENTS[n] for n in nutrients)


def exact(value: float) -> float:
    """Return a number with the digits a single-precision table carries.

    0.36 is kept there as 0.36000001, which is above a threshold of 0.36.
    """
    return float(f"{value:.{_DIGITS}g}")


def of_item(item: MealItem) -> dict[str, Amount]:
    """Return what an item holds, by tag nutrient; nothing is known without a portion."""
    return {n: _amount(item.nutrients.get(key), n) for n, key in RULE_NUTRIENTS.items()}


def of_meal(estimate: Estimate, items: Sequence[Mapping[str, Amount]]) -> dict[str, Amount]:
    """Return what a meal holds, by tag nutrient.

    Parameters
    ----------
    estimate : Estimate
        Made with the nutrients of :data:`RULE_NUTRIENTS`.
    items : sequence of mapping
        :func:`of_item` of each item.

    Returns
    -------
    dict of str to Amount
        The total's range where the estimate is complete. Otherwise the low end is the
        total of what was understood, or the sum of the items' low ends where some item's
        amount is unknown, and there is no high end.

    Raises
    ------
    InputError
        When the estimate lacks one of the nutrients.
    """
    lacking = [k for k in RULE_NUTRIENTS.values() if k not in estimate.totals]
    if lacking:
        raise InputError(
            f"the estimate lacks {lacking[0]}",
            where="estimate",
            hint="nutrients=tuple(prandial.advice.RULE_NUTRIENTS.values())",
        )
    found = {}
    for n, key in RULE_NUTRIENTS.items():
        total = estimate.totals[key]
        if total is None:
            low = math.fsum(i[n].low for i in items)
            found[n] = Amount(low=exact(low), mid=None, high=None, unit=unit_of_tag(n))
        elif estimate.complete:
            found[n] = _amount(total, n)
        else:
            found[n] = Amount(low=exact(total.low), mid=None, high=None, unit=unit_of_tag(n))
    return found


def unit_of_tag(nutrient: str) -> str:
    """Return the unit of a tag nutrient's amounts: g, mg, mcg or kcal."""
    return thresholds(BASES[0])[nutrient].unit


def _amount(band: Band | None, nutrient: str) -> Amount:
    unit = unit_of_tag(nutrient)
    if band is None or math.isnan(band.mid):
        return Amount(low=0.0, mid=None, high=None, unit=unit)
    return Amount(low=exact(band.low), mid=exact(band.mid), high=exact(band.high), unit=unit)


def amounts_on(
    basis: Basis, eaten: Mapping[str, Amount], *, grams: float | None
) -> dict[str, Amount]:
    """State amounts eaten for a basis.

    Parameters
    ----------
    basis : {'per_100g', 'per_serving', 'per_100kcal'}
        A serving is what was eaten.
    eaten : mapping of str to Amount
        All tag nutrients.
    grams : float or None
        Middle grams of all of it; None when some of it has no known weight.

    Returns
    -------
    dict of str to Amount
        Per 100 g the range of the amount is divided by the middle grams: it holds already
        how far the grams may lie off. Per 100 kcal the ends are divided by the opposite
        ends of energy, because nutrient and energy may lie off in opposite directions.
    """
    if basis == "per_serving":
        return dict(eaten)
    rows = thresholds(basis)
    energy = eaten["calorie"]
    found = {}
    for n, amount in eaten.items():
        if rows[n].per == "100 g":
            found[n] = _per(amount, grams, grams, grams)
        else:
            found[n] = _per(amount, energy.low, energy.mid, energy.high)
            if grams is None:
                found[n] = _per(amount, None, None, None)
    return found


def _per(amount: Amount, low: float | None, mid: float | None, high: float | None) -> Amount:
    """Return an amount per 100 of a divisor with its own range; unknown where that is open."""

    def quotient(value: float | None, by: float | None) -> float | None:
        return None if value is None or not by else exact(100.0 * value / by)

    return Amount(
        low=quotient(amount.low, high) or 0.0,
        mid=quotient(amount.mid, mid),
        high=quotient(amount.high, low),
        unit=amount.unit,
    )
