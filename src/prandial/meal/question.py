"""Why a range is wide, and the one question that would narrow it most.

The item whose values scatter most is taken; its readings are parted by food and
by amount, and the parting that explains more of the scatter becomes the question.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from prandial.meal.items import Made
from prandial.meal.portions import Option
from prandial.meal.spread import Floats
from prandial.records import Ask, Choice
from prandial.tables import FoodTable

__all__ = ["Asked", "is_wide", "plain_reason", "question_of"]

#: a 90 % band wider than both is called wide
WIDE_UNITS: Final = 10.0
WIDE_SHARE: Final = 0.3
_MOST_CHOICES: Final = 5
_LOOKED_AT: Final = 12
#: choices nearer than this share to one already named would not change the answer
_SAME: Final = 0.04
#: least variance, in the nutrient's unit squared, that is worth a question
_LEAST_GAIN: Final = 1.0
_NEAR: Final = 0.006
#: a food of less share is not asked about
_LEAST_SHARE: Final = 0.04
#: amounts offered, against the usual one
_LEAST, _MOST = 0.2, 4.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the readings each choice leaves.

    Attributes
    ----------
    ask : Ask
    left : tuple of list of Option
        Readings left by each choice.
    """

    ask: Ask
    left: tuple[list[Option], ...]


def is_wide(low: float, mid: float, high: float) -> bool:
    """Tell whether a band is wide enough to say why."""
    return high - low > max(WIDE_UNITS, WIDE_SHARE * mid)


def plain_reason(made: Sequence[Made], nutrient: str) -> str:
    """Name the item that scatters most, where no question would narrow it."""
    rows = [(float(np.var(r)), m.text) for m in made if (r := _row_of(m, nutrient)) is not None]
    said = max(rows)[1] if rows else ""
    return f"'{said}': the food or the amount is not sure"


def question_of(
    table: FoodTable,
    made: Sequence[Made],
    nutrient: str,
    settled: Sequence[tuple[int, str]],
) -> Asked | None:
    """Return the question that narrows a meal's range most, or None.

    Parameters
    ----------
    table : FoodTable
    made : sequence of Made
        Items of the meal.
    nutrient : str
        House name of the nutrient whose range counts.
    settled : sequence of (item, kind)
        Questions already asked.

    Returns
    -------
    Asked or None
    """
    order = []
    for k, m in enumerate(made):
        row = _row_of(m, nutrient)
        if row is not None:
            order.append((-float(np.var(row)), k))
    for minus, k in sorted(order):
        if minus > -_LEAST_GAIN:
            break
        best: tuple[float, str, list[list[Option]]] | None = None
        for kind, groups, shares in _partings(table, made[k], settled, k):
            gain = _between(table, groups, shares, nutrient)
            if len(groups) > 1 and (best is None or gain > best[0]):
                best = (gain, kind, groups)
        if best is not None and best[0] > _LEAST_GAIN:
            asked = _asked(table, made[k], k, best[1], best[2], nutrient)
            if len(asked.left) > 1:
                return asked
    return None


def _row_of(made: Made, nutrient: str) -> Floats | None:
    names = list(made.item.nutrients)
    if made.draws is None or nutrient not in names:
        return None
    row = made.draws[1 + names.index(nutrient)]
    return None if bool(np.isnan(row).any()) else row


Parting = tuple[str, list[list[Option]], list[float]]


def _partings(
    table: FoodTable, made: Made, settled: Sequence[tuple[int, str]], place: int
) -> list[Parting]:
    out: list[Parting] = []
    readings = [(o, s) for o, s in made.readings if not math.isnan(o.grams[1])]
    if (place, "food") not in settled:
        by_food: dict[int, list[Option]] = {}
        mass: dict[int, float] = {}
        for o, s in readings:
            by_food.setdefault(o.food, []).append(o)
            mass[o.food] = mass.get(o.food, 0.0) + s
        ranked = sorted(by_food, key=lambda f: -mass[f])
        keep = [f for f in ranked if mass[f] >= _LEAST_SHARE or f == ranked[0]]
        out.append(("food", [by_food[f] for f in keep], [mass[f] for f in keep]))
    if (place, "amount") not in settled and readings[0][0].basis != "weighed":
        best = readings[0][0]
        if best.basis == "default":
            groups, shares = _usual_amounts(table, best, _count(made))
        else:
            same = [(o, s) for o, s in readings if o.food == best.food]
            groups, shares = [[o] for o, _ in same], [s for _, s in same]
        out.append(("amount", groups, shares))
    return out


def _usual_amounts(
    table: FoodTable, best: Option, count: float
) -> tuple[list[list[Option]], list[float]]:
    """Measures of a food whose amount was not said, by how often they were eaten."""
    lo, hi = (int(x) for x in table.measure_offset[best.food : best.food + 2])
    alo, ahi = (int(x) for x in table.amount_offset[best.food : best.food + 2])
    amounts, counts = table.amount_grams[alo:ahi], table.amount_count[alo:ahi]
    found: dict[float, tuple[float, Option]] = {best.grams[1]: (0.5, best)}
    for name, grams in zip(table.measure_name[lo:hi], table.measure_grams[lo:hi], strict=True):
        g = float(grams)
        if name.lower().startswith(("guideline", "quantity not")):
            continue
        share = float(counts[np.abs(amounts - g) <= _NEAR * g].sum()) + 0.1
        g *= count
        if not _LEAST * best.grams[1] <= g <= _MOST * best.grams[1]:
            continue  # a fluid ounce or a fry is no answer to "how much"
        option = replace(
            best, grams=(g, g, g), measure=name, basis="measure", stated=True, step="", score=0.0
        )
        if g not in found or found[g][0] < share:
            found[g] = (share, option)
    total = sum(s for s, _ in found.values())
    ranked = sorted(found.values(), key=lambda p: (p[1].grams[1] != best.grams[1], -p[0]))
    return [[o] for _, o in ranked], [s / total for s, _ in ranked]


def _count(made: Made) -> float:
    """How many were said; 1 where the quantity is no count."""
    portion = made.item.portion
    return 1.0 if portion is None or portion.quantity.mid <= 0 else portion.quantity.mid


def _amount_label(option: Option, count: float) -> str:
    """Return an amount with its count and grams: "3 x 1 small (60 g)"."""
    label = option.measure
    if label.lower().startswith("quantity"):
        label = "the usual amount"
    many = "" if count == 1.0 or option.by_unit else f"{count:g} x "
    return f"{many}{label} ({option.grams[1]:.0f} g)"


def _value(table: FoodTable, option: Option, nutrient: str) -> float:
    density = float(table.per_100g[option.food, table.nutrient_keys.index(nutrient)])
    return density / 100.0 * option.factor * option.grams[1]


def _between(
    table: FoodTable, groups: list[list[Option]], shares: Sequence[float], nutrient: str
) -> float:
    """Variance between the groups' first readings, in the nutrient's unit squared."""
    values = [_value(table, g[0], nutrient) for g in groups]
    known = [(v, s) for v, s in zip(values, shares, strict=True) if not math.isnan(v)]
    total = sum(s for _, s in known)
    if total <= 0:
        return 0.0
    mean = sum(v * s for v, s in known) / total
    return sum(s * (v - mean) ** 2 for v, s in known) / total


def _asked(
    table: FoodTable,
    made: Made,
    place: int,
    kind: str,
    groups: list[list[Option]],
    nutrient: str,
) -> Asked:
    choices: list[Choice] = []
    left: list[list[Option]] = []
    for group in groups[:_LOOKED_AT]:
        option = group[0]
        value = _value(table, option, nutrient)
        if any(abs(value - c.value) <= max(_SAME * c.value, 0.5) for c in choices):
            continue
        label = table.names[option.food]
        if kind == "amount":
            label = _amount_label(option, _count(made))
        if any(label == c.label for c in choices):
            continue
        choices.append(
            Choice(
                label=label,
                food_id=table.ids[option.food],
                source=table.source(option.food),
                measure=option.measure,
                grams=option.grams[1],
                value=value,
            )
        )
        left.append(group)
        if len(choices) == _MOST_CHOICES:
            break
    if kind == "amount":
        pairs = sorted(zip(choices, left, strict=True), key=lambda p: p[0].grams)
        choices, left = [c for c, _ in pairs], [g for _, g in pairs]
    labels = [c.label for c in choices]
    said = made.text
    what = "which food" if kind == "food" else "how much"
    text = f"'{said}': {what}? " + "; ".join(labels)
    ask = Ask(
        item=place,
        kind="food" if kind == "food" else "amount",
        text=text,
        nutrient=nutrient,
        choices=tuple(choices),
    )
    return Asked(ask, tuple(left))
