"""Which items of a meal speak most against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from prandial.advice.counting import Wanted
from prandial.advice.plate import Plate
from prandial.records import Amount

__all__ = ["most_from", "worst_items"]

#: items for which another food is looked for
_MOST_ITEMS: Final = 3


def most_from(
    items: Sequence[Mapping[str, Amount]], nutrient: str
) -> tuple[int | None, float | None]:
    """Return the item that holds most of a nutrient, and its share of the meal's.

    Of equal items the first; None when an item's amount is unknown, since it might hold most,
    or when there is none of it.
    """
    mids = [mid for i in items if (mid := i[nutrient].mid) is not None]
    total = sum(mids) if len(mids) == len(items) else 0.0
    if not total > 0:
        return None, None
    at = max(range(len(mids)), key=lambda k: (mids[k], -k))
    return at, mids[at] / total


def worst_items(
    plate: Plate, contradicted: Sequence[str], wanted: Mapping[str, Wanted]
) -> tuple[int, ...]:
    """Return items behind the contradicted nutrients, worst first, at most three.

    An item counts once for each nutrient needed low of which it holds most; where a
    nutrient is needed high and there is too little of it, the heaviest item counts, as
    it has most room for another food.
    """
    points: dict[int, int] = {}
    weights = {k: g for k, g in enumerate(plate.grams) if g is not None}
    for nutrient in contradicted:
        at: int | None
        if wanted[nutrient].direction == "low":
            at, _ = most_from(plate.items, nutrient)
        else:
            at = max(weights, key=lambda k: (weights[k], -k), default=None)
        if at in weights:
            points[at] = points.get(at, 0) + 1
    order = sorted(points, key=lambda k: (-points[k], -weights[k], k))
    return tuple(order[:_MOST_ITEMS])
