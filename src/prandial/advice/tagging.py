"""Tags of amounts with a range: yes, no or unknown, by the thresholds of a basis."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from prandial.records import Amount, Answer, NutritionTag, TagsOf
from prandial.tags import Basis, Threshold, thresholds
from prandial.truth import Truth

__all__ = ["amount_text", "standing", "tag_rule_id", "tags_of"]


def tag_rule_id(basis: str, tag: str) -> str:
    """Return the key of a threshold's rule."""
    return f"food_tags/{basis}/{tag}"


def tags_of(amounts: Mapping[str, Amount], basis: Basis, *, item: int | None = None) -> TagsOf:
    """Return both tags of every nutrient.

    A tag holds when it holds at both ends of the range, does not when it holds at
    neither, and is unknown in between. Nothing is low whose high end is open; it may
    be high when its low end is.

    Parameters
    ----------
    amounts : mapping of str to Amount
        On the basis.
    basis : {'per_100g', 'per_serving', 'per_100kcal'}
    item : int, optional
        Number of the item, None for a meal.
    """
    tags = []
    for nutrient, rule in thresholds(basis).items():
        amount = amounts[nutrient]
        low, high = standing(amount, rule)
        tags.append(_tag(nutrient, "low", low, amount, rule))
        tags.append(_tag(nutrient, "high", high, amount, rule))
    return TagsOf(item=item, basis=basis, amounts=dict(amounts), tags=tuple(tags))


def standing(amount: Amount, rule: Threshold) -> tuple[Answer, Answer]:
    """Tell whether an amount is low, and whether it is high."""
    ends = np.array([amount.low, np.inf if amount.high is None else amount.high])
    return _agreed(rule.is_low(ends).tolist()), _agreed(rule.is_high(ends).tolist())


def _agreed(ends: list[int]) -> Answer:
    first, last = ends
    if first != last:
        return "unknown"
    return "yes" if first == Truth.YES else "no"


def _tag(
    nutrient: str, direction: str, holds: Answer, amount: Amount, rule: Threshold
) -> NutritionTag:
    sign, limit = ("<=", rule.low) if direction == "low" else (">=", rule.high)
    if direction == "high" and not rule.high_includes:
        sign = ">"
    verb = {"yes": "is", "no": "is not", "unknown": "may be"}[holds]
    if holds == "unknown" and amount.high is not None:
        verb = "is between: in part"
    return NutritionTag(
        nutrient=nutrient,
        direction="low" if direction == "low" else "high",
        holds=holds,
        rule_id=tag_rule_id(rule.basis, f"{direction}_{nutrient}"),
        because=f"{amount_text(amount)} {verb} {sign} {limit:g} {rule.unit} per {rule.per}",
    )


def amount_text(amount: Amount) -> str:
    """Return an amount in words, such as ``1237 (1093-1909) mg`` or ``at least 12 mg``."""
    low, unit = _digits(amount.low), amount.unit
    if amount.high is None:
        return f"at least {low} {unit}" if amount.low > 0 else "unknown"
    high = _digits(amount.high)
    if amount.mid is None:
        return f"{low}-{high} {unit}"
    mid = _digits(amount.mid)
    return f"{mid} {unit}" if low == mid == high else f"{mid} ({low}-{high}) {unit}"


def _digits(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
