"""What instead of an item: foods of its category that suit the person better.

A food is offered when, with it at the same grams, the whole meal's middle amounts speak
better for the person, or the food by itself does, or what is too much (or too little)
becomes clearly less; and when no need is answered worse than before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from prandial.advice.amounts import RULE_NUTRIENTS, exact
from prandial.advice.counting import Wanted
from prandial.advice.plate import Plate, middle_outcome
from prandial.records import Amount, MealItem, Outcome, Swap
from prandial.tables import FoodTable
from prandial.tags import thresholds

__all__ = ["category_of", "swaps_for"]

#: foods offered an item
_MOST: Final = 3
#: table whose categories are used
_TABLE: Final = "fndds"
#: where no tag changes, at least this share of what is too much has to go
_CLEARLY: Final = 0.1
#: food records in the recalls of 2003-2012 below which a food is too rare to be offered
_EATEN: Final = 10.0
#: FNDDS lists parts of a dish beside the dishes: nothing to eat in its place
_PART: Final = "Topping from "
_RANK: Final[Mapping[Outcome, int]] = {"match": 1, "neither": 0, "contradict": -1}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Standing:
    """Middle amounts with an item or another food in its place, and what they say."""

    said: Mapping[str, Outcome]
    amounts: Mapping[str, float | None]
    net: int
    own_net: int
    excess: float

    @property
    def key(self) -> tuple[int, int, float]:
        """Better is less."""
        return (-self.net, -self.own_net, self.excess)


def category_of(item: MealItem, table: FoodTable) -> tuple[str, str]:
    """Return the WWEIA category of an item's food, and the food that tells it.

    A food of another table has none: then the best FNDDS food that was considered for the
    same words tells it. Both are empty when there is no such food.
    """
    if item.food is None:
        return "", ""
    if item.food.source.table == _TABLE:
        return item.food.category, item.food.name
    for candidate in item.candidates:
        if candidate.source.table == _TABLE:
            row = table.row_of(candidate.food_id, _TABLE)
            return table.categories[row], table.names[row]
    return "", ""


def swaps_for(
    plate: Plate,
    at: int,
    item: MealItem,
    table: FoodTable,
    wanted: Mapping[str, Wanted],
) -> tuple[Swap, ...]:
    """Return the best foods in place of an item, best first, at most three.

    Parameters
    ----------
    plate : Plate
        The whole meal.
    at : int
        Number of the item.
    item : MealItem
    table : FoodTable
        Its FNDDS foods are looked through, in the order of their ids; foods hardly ever
        eaten (fewer than 10 records in the recalls of 2003-2012) and toppings without their
        dish are left out.
    wanted : mapping of str to Wanted

    Notes
    -----
    Order: tags for less tags against of the whole meal; of the food by itself; then how
    far all that speaks against lies beyond its thresholds; then the food id. The other food
    is judged at exactly the item's middle grams, so it has no range of its own.
    """
    category, _ = category_of(item, table)
    grams = plate.grams[at]
    if not category or grams is None or item.food is None:
        return ()
    rows = [
        r
        for r in range(len(table.ids))
        if table.categories[r] == category
        and table.table_of[r] == _TABLE
        and table.names[r] != item.food.name
        and not table.names[r].startswith(_PART)
        and table.eaten_count[r] >= _EATEN
    ]
    judged = {n: w for n, w in wanted.items() if len(w.sure | w.maybe) == 1}
    before = _stand(plate, plate.items[at], at, judged)
    columns = [table.nutrient_keys.index(k) for k in RULE_NUTRIENTS.values()]
    found: list[tuple[tuple[int, int, float], str, int, dict[str, Amount]]] = []
    seen: set[str] = set()
    for row in sorted(rows, key=lambda r: table.ids[r]):
        per_100g = dict(
            zip(
                RULE_NUTRIENTS,
                table.per_100g[row, columns].astype(np.float64).tolist(),
                strict=True,
            )
        )
        if table.names[row] in seen or any(np.isnan(per_100g[n]) for n in wanted):
            continue
        seen.add(table.names[row])
        amounts = _amounts(per_100g, grams, plate)
        after = _stand(plate.with_item(at, amounts), amounts, at, judged)
        if _better(before, after) and not _worse_somewhere(before, after, judged):
            found.append((after.key, table.ids[row], row, amounts))
    return tuple(
        _swap(plate, at, row, amounts, grams, table, wanted)
        for _, _, row, amounts in sorted(found, key=lambda f: f[:2])[:_MOST]
    )


def _amounts(per_100g: Mapping[str, float], grams: float, plate: Plate) -> dict[str, Amount]:
    found = {}
    for n, value in per_100g.items():
        unit = plate.whole[n].unit
        if np.isnan(value):
            found[n] = Amount(low=0.0, mid=None, high=None, unit=unit)
        else:
            v = exact(value * (grams / 100.0))
            found[n] = Amount(low=v, mid=v, high=v, unit=unit)
    return found


def _stand(
    plate: Plate, own: Mapping[str, Amount], at: int, judged: Mapping[str, Wanted]
) -> _Standing:
    """Tell what the middle amounts of a meal, and of one item alone, say."""
    meal = plate.middle()
    alone = Plate(
        basis=plate.basis, whole=own, items=(own,), grams=(plate.grams[at],), complete=True
    ).middle()
    said: dict[str, Outcome] = {}
    own_net, excess = 0, 0.0
    for n, want in judged.items():
        way = next(iter(want.sure | want.maybe))
        said[n] = middle_outcome(way, n, meal[n], plate.basis)
        if want.sure:
            own_net += _RANK.get(middle_outcome(way, n, alone[n], plate.basis), 0)
            excess += _beyond(way, n, meal[n], plate) if said[n] == "contradict" else 0.0
    net = sum(_RANK.get(o, 0) for n, o in said.items() if judged[n].sure)
    return _Standing(said=said, amounts=meal, net=net, own_net=own_net, excess=exact(excess))


def _beyond(direction: str, nutrient: str, value: float | None, plate: Plate) -> float:
    """Return how far an amount lies beyond the threshold it breaks, as a share of it."""
    rule = thresholds(plate.basis)[nutrient]
    if value is None:
        return 0.0
    if direction == "low":
        return value / rule.high
    return 1.0 - value / rule.low if rule.low > 0 else 1.0


def _better(before: _Standing, after: _Standing) -> bool:
    if after.key[:2] != before.key[:2]:
        return after.key[:2] < before.key[:2]
    return after.excess <= before.excess * (1.0 - _CLEARLY) and before.excess > 0


def _worse_somewhere(before: _Standing, after: _Standing, judged: Mapping[str, Wanted]) -> bool:
    """Tell whether some need is answered worse: a lost match, or further against."""
    for n, want in judged.items():
        was, now = before.said[n], after.said[n]
        if was == "unknown" or now == "unknown":
            if now == "contradict":
                return True
            continue
        if _RANK[now] < _RANK[was]:
            return True
        a, b = before.amounts[n], after.amounts[n]
        if was == now == "contradict" and a is not None and b is not None:
            up = next(iter(want.sure | want.maybe)) == "low"
            if (b > a) if up else (b < a):
                return True
    return False


def _swap(
    plate: Plate,
    at: int,
    row: int,
    amounts: Mapping[str, Amount],
    grams: float,
    table: FoodTable,
    wanted: Mapping[str, Wanted],
) -> Swap:
    after = plate.with_item(at, amounts)
    counted = after.count(wanted)
    return Swap(
        item=at,
        food_id=table.ids[row],
        name=table.names[row],
        category=table.categories[row],
        source=table.source(row),
        grams=grams,
        changes=plate.changes(after, wanted),
        answer_after=counted.answer,
        worst_after=counted.worst,
        best_after=counted.best,
    )
