"""What a description must state of each item of its meal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from prandial.records.composed import DescribedMeal, EatenMeal, ServingType

__all__ = ["Fault", "FaultKind", "ItemToState", "Verification", "items_to_state"]

FaultKind = Literal[
    "food_missing",
    "amount_missing",
    "amount_wrong",
    "food_invented",
    "amount_invented",
    "number_malformed",
    "text_too_long",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemToState:
    """One item as a text must state it.

    Parameters
    ----------
    name : str
        In the manner of a food table.
    grams : float, optional
        None when not known. Items of 0 g need not be stated; if not, that is a doubt.
    tolerance_g : float
        How far stated grams may be from them.
    servings : tuple of (str, float)
        Measure and how many of it. Any one of them may be said; none means grams.
    certain : bool
        Whether the servings are all there are. If not, an amount in another unit is a doubt,
        not a fault.
    """

    name: str
    grams: float | None = None
    tolerance_g: float = 0.05
    servings: tuple[tuple[str, float], ...] = ()
    certain: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """What is wrong with a text: the kind, the item (its number from 0), and in words."""

    kind: FaultKind
    item: int | None
    reason: str

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"kind": self.kind, "item": self.item, "reason": self.reason}


@dataclass(frozen=True, kw_only=True, slots=True)
class Verification:
    """The outcome for one text: ``faults`` fail it, ``doubts`` deserve a look."""

    text: str
    faults: tuple[Fault, ...] = ()
    doubts: tuple[Fault, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no fault was found."""
        return not self.faults

    @property
    def reasons(self) -> tuple[str, ...]:
        """The faults in words."""
        return tuple(f.reason for f in self.faults)


def items_to_state(
    meal: EatenMeal | DescribedMeal, serving_type: ServingType | None = None
) -> Sequence[ItemToState]:
    """Return what a text of a meal must state, in the order of its items.

    Parameters
    ----------
    meal : EatenMeal or DescribedMeal
    serving_type : {'natural', 'metric'}, optional
        Needed for an :class:`EatenMeal`.
    """
    if isinstance(meal, DescribedMeal):
        serving_type = serving_type or meal.serving_type
    out = []
    for item in meal.meal.items if isinstance(meal, DescribedMeal) else meal.items:
        serving = item.serving
        said: tuple[tuple[str, float], ...] = ()
        if serving_type == "natural" and serving is not None and serving.rule != "grams":
            plain = serving.rule == "volume" or not serving.measure
            said = ((serving.text, 1.0) if plain else (serving.measure, serving.times),)
        # texts say grams to two decimals
        near = 0.006 if item.grams >= 0.01 else item.grams / 100
        out.append(ItemToState(name=item.name, grams=item.grams, tolerance_g=near, servings=said))
    return out
