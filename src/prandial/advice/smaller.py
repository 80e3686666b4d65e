"""How much less of a meal would no longer be high in what the person needs low."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from prandial.advice.counting import Wanted
from prandial.advice.plate import Plate, middle_outcome
from prandial.records import SmallerPortion
from prandial.tags import thresholds

__all__ = ["smaller_portions"]

#: grams of a portion are rounded down to these steps: below 50 g, and from there on
_STEPS: Final = (1.0, 5.0)
_FINE_BELOW_G: Final = 50.0
#: less than this share of the meal is another meal, not a smaller portion
_LEAST: Final = 0.25


def smaller_portions(
    plate: Plate, contradicted: Sequence[str], wanted: Mapping[str, Wanted]
) -> tuple[SmallerPortion, ...]:
    """Return portions at which contradicted nutrients are no longer high, largest first.

    Parameters
    ----------
    plate : Plate
    contradicted : sequence of str
        Nutrients that speak against the meal.
    wanted : mapping of str to Wanted

    Returns
    -------
    tuple of SmallerPortion
        By middle amounts, in whole steps of grams; one for each number of nutrients
        brought down, none below a quarter of the meal. None on a basis that a smaller
        portion does not change, or when the meal's weight is unknown.
    """
    weight = plate.weight
    if plate.basis != "per_serving" or weight is None or not weight > 0:
        return ()
    rows, mids = thresholds(plate.basis), plate.middle()
    limits: dict[str, float] = {}
    for n in contradicted:
        mid = mids[n]
        if wanted[n].direction == "low" and mid is not None and mid > 0:
            limits[n] = weight * rows[n].high / mid
    found: list[SmallerPortion] = []
    for limit in sorted(set(limits.values()), reverse=True):
        grams = _under(plate, limit, weight, [n for n, g in limits.items() if g >= limit])
        if grams < _LEAST * weight or (found and grams == found[-1].grams):
            continue
        smaller = plate.scaled(grams / weight)
        counted = smaller.count(wanted)
        found.append(
            SmallerPortion(
                scale=grams / weight,
                grams_before=weight,
                grams=grams,
                brings_down=tuple(n for n in limits if _is_down(smaller, n)),
                changes=plate.changes(smaller, wanted),
                answer_after=counted.answer,
                worst_after=counted.worst,
                best_after=counted.best,
            )
        )
    return tuple(found)


def _is_down(plate: Plate, nutrient: str) -> bool:
    return middle_outcome("low", nutrient, plate.middle()[nutrient], plate.basis) != "contradict"


def _under(plate: Plate, limit: float, weight: float, nutrients: Sequence[str]) -> float:
    """Return the most grams, in whole steps, at which none of the nutrients is high."""
    step = _STEPS[limit >= _FINE_BELOW_G]
    grams = math.floor(limit / step) * step
    while grams > 0 and not all(_is_down(plate.scaled(grams / weight), n) for n in nutrients):
        grams -= step  # on the threshold itself, which may count as high
    return grams
