"""Recalls as meals: one record a meal, each item with its code, grams, serving and nutrients."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.compose.recalls.exact import ExactServings
from prandial.compose.recalls.grouping import (
    GroupedRecords,
    SeenDays,
    group_records,
    occasion_words,
)
from prandial.compose.recalls.reference import NUTRIENTS, Reference, food_reference
from prandial.records import ReadOnly
from prandial.records.composed import EatenItem, EatenMeal, HouseholdServing
from prandial.records.recalled import FoodRecords, RecallCounts
from prandial.tables import FoodTable

__all__ = ["LEFT_OUT", "recalled_meals"]

#: occasions that are no meal of a person who could tell it
LEFT_OUT: Final = frozenset({"infant feeding"})
_SURVEY: Final = "wweia"
_COUNTRY: Final = "USA"
_DAY_MINUTES: Final = 24 * 60
_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Pairs:
    """Distinct foods and grams of a cycle, ready to be put into items."""

    servings: list[HouseholdServing | None]
    nutrients: list[ReadOnly]
    amounts: _Floats


def recalled_meals(
    records: Iterable[FoodRecords],
    table: FoodTable,
    *,
    release: str = "fndds-2017-2018",
    decimals: int | None = 2,
    without: Collection[str] = LEFT_OUT,
    by_time: bool = True,
    whole: bool = False,
    counted: Callable[[RecallCounts], None] | None = None,
) -> Iterator[EatenMeal]:
    """Return the meals of food recalls, cycle by cycle.

    Records of one person, day, occasion and time (``by_time``) are a meal. Its items are named
    by one release of the food table, whatever the cycle, and hold what that release says of
    the grams eaten; their serving is a household measure that weighs exactly so, None where there
    is none. A meal all of whose items have one can be told in natural servings
    (:attr:`EatenMeal.natural`), every meal in grams.

    Parameters
    ----------
    records : iterable of FoodRecords
        One a cycle, such as ``food_records(folder)`` of the NHANES source.
    table : FoodTable
        Holds the reference release.
    release : str
        The reference; NutriBench's is FNDDS 2017-2018.
    decimals : int, optional
        Of each item's nutrients; the published labels are sums of items rounded to 0.01. None
        leaves them as they come.
    without : collection of str
        Occasions that are left out.
    by_time : bool
        Whether records of one occasion at another time are another meal. The published meals
        are those of a whole occasion: all snacks of a day together (no).
    whole : bool
        Leave out meals that lost a record, too; NutriBench keeps what is left of them.
    counted : callable, optional
        Told what became of each cycle's records and meals, before its first meal.

    Yields
    ------
    EatenMeal
        By cycle as given, then person, day, time, occasion; items by line.

    Raises
    ------
    NotFoundError
        When the table does not hold the release.

    Notes
    -----
    Source of the rules: NutriBench, arXiv 2407.12843, section 3.1. A nutrient of an item is
    its amount per 100 g times grams / 100. Reasons of everything left out: table
    ``recall_exclusions``. A day that two releases repeat counts once.
    """
    reference = food_reference(table, release)
    servings, seen = ExactServings(reference), SeenDays()
    for cycle in records:
        grouped = group_records(
            cycle,
            reference,
            served=servings.of,
            without=without,
            by_time=by_time,
            seen=seen,
        )
        pairs = _pairs(grouped, reference, servings, decimals)
        kept = _kept_meals(grouped, whole)
        if counted is not None:
            counted(_counts(cycle, grouped, pairs, kept))
        yield from _meals(cycle, grouped, pairs, kept, reference, by_time)


def _pairs(
    grouped: GroupedRecords, reference: Reference, servings: ExactServings, decimals: int | None
) -> _Pairs:
    rows, grams = grouped.pair_row, grouped.pair_grams
    amounts = reference.per_100g[rows] * grams[:, None] / 100
    if decimals is not None:
        amounts = np.round(amounts, decimals)
    of = servings.of
    return _Pairs(
        servings=[of(row, g) for row, g in zip(rows.tolist(), grams.tolist(), strict=True)],
        nutrients=[
            ReadOnly((n, v) for n, v in zip(NUTRIENTS, values, strict=True) if v == v)
            for values in amounts.tolist()
        ],
        amounts=amounts,
    )


def _kept_meals(grouped: GroupedRecords, whole: bool) -> npt.NDArray[np.bool_]:
    if len(grouped.start) == 1:
        return np.zeros(0, dtype=np.bool_)
    left = np.add.reduceat((grouped.reason == 0).astype(np.int64), grouped.start[:-1])
    return np.asarray(left == np.diff(grouped.start) if whole else left > 0)


def _meals(
    cycle: FoodRecords,
    grouped: GroupedRecords,
    pairs: _Pairs,
    kept: npt.NDArray[np.bool_],
    reference: Reference,
    by_time: bool,
) -> Iterator[EatenMeal]:
    """Make the records of the meals that are kept."""
    words = occasion_words()
    rows = grouped.pair_row.tolist()
    names, sources = [reference.names[r] for r in rows], [reference.sources[r] for r in rows]
    grams, nutrients, servings = grouped.pair_grams.tolist(), pairs.nutrients, pairs.servings
    line = cycle.line[grouped.order].tolist()
    pair = grouped.pair.tolist()
    there = (grouped.reason == 0).tolist()
    first = grouped.order[grouped.start[:-1]]
    person, day = cycle.person[first].tolist(), cycle.day[first].tolist()
    minute, occasion = grouped.minute.tolist(), grouped.occasion.tolist()
    start = grouped.start.tolist()
    stem = f"{_SURVEY}-{cycle.cycle}"
    for meal in np.flatnonzero(kept).tolist():
        at = minute[meal]
        timed = at < _DAY_MINUTES
        clock = ""
        if by_time:
            clock = f"-{at // 60:02d}{at % 60:02d}" if timed else "-untimed"
        code = occasion[meal]
        yield EatenMeal(
            id=f"{stem}-{person[meal]}-{day[meal]}-{code}{clock}",
            survey=_SURVEY,
            cycle=cycle.cycle,
            country=_COUNTRY,
            person=str(person[meal]),
            day=day[meal],
            occasion=words[code],
            minute=at if timed else None,
            items=tuple(
                EatenItem(
                    food=sources[p],
                    name=names[p],
                    grams=grams[p],
                    nutrients=nutrients[p],
                    serving=servings[p],
                    line=line[place],
                )
                for place in range(start[meal], start[meal + 1])
                if there[place]
                for p in (pair[place],)
            ),
        )


def _counts(
    cycle: FoodRecords, grouped: GroupedRecords, pairs: _Pairs, kept: npt.NDArray[np.bool_]
) -> RecallCounts:
    sizes = np.diff(grouped.start)
    of_meal = np.repeat(np.arange(len(sizes)), sizes)
    there = grouped.reason == 0
    used = there & kept[of_meal]
    has = np.array([s is not None for s in pairs.servings], dtype=np.bool_)
    served = used.copy()
    served[used] = has[grouped.pair[used]]
    unserved = np.zeros(len(sizes), dtype=np.bool_)
    unserved[of_meal[used & ~served]] = True
    off = _stated_off(cycle, grouped, pairs, used)
    people = cycle.person[grouped.order]
    return RecallCounts(
        cycle=cycle.cycle,
        people=len(np.unique(people)),
        people_kept=len(np.unique(people[used])),
        records=len(people),
        records_kept=int(used.sum()),
        records_dropped=_by_reason(grouped, there, used),
        meals_found=len(sizes),
        meals_kept=int(kept.sum()),
        meals_dropped=_meals_dropped(grouped, kept),
        meals_short=int((np.bincount(of_meal[~there], minlength=len(sizes))[kept] > 0).sum()),
        meals_natural=int((kept & ~unserved).sum()),
        items_served=int(served.sum()),
        carb_stated=len(off),
        carb_stated_off_g=float(np.sum(off)),
    )


def _stated_off(
    cycle: FoodRecords, grouped: GroupedRecords, pairs: _Pairs, used: npt.NDArray[np.bool_]
) -> _Floats:
    """Return how far the records' own carbohydrate is from the reference's."""
    if "carb_g" not in cycle.stated:
        return np.zeros(0)
    ours = pairs.amounts[grouped.pair[used], NUTRIENTS.index("carb_g")]
    off = np.abs(cycle.stated["carb_g"][grouped.order[used]] - ours)
    return np.asarray(off[np.isfinite(off)])


def _by_reason(
    grouped: GroupedRecords, there: npt.NDArray[np.bool_], used: npt.NDArray[np.bool_]
) -> dict[str, int]:
    counts = np.bincount(grouped.reason, minlength=len(grouped.reasons) + 1).tolist()
    found = dict(zip(grouped.reasons, counts[1:], strict=True))
    found["record_lost"] = int((there & ~used).sum())
    return {reason: n for reason, n in found.items() if n}


def _meals_dropped(grouped: GroupedRecords, kept: npt.NDArray[np.bool_]) -> dict[str, int]:
    """Count the meals left out by the reason that all their records share."""
    if kept.all():
        return {}
    at = grouped.start[:-1]
    least = np.minimum.reduceat(grouped.reason, at)[~kept]
    most = np.maximum.reduceat(grouped.reason, at)[~kept]
    out: dict[str, int] = {}
    for reason, number in zip(grouped.reasons, range(1, len(grouped.reasons) + 1), strict=True):
        n = int(((least == number) & (most == number)).sum())
        if n:
            out[reason] = n
    mixed = int(((least != most) & (least > 0)).sum())
    lost = int((least == 0).sum())
    return (
        out
        | ({"several_reasons": mixed} if mixed else {})
        | ({"record_lost": lost} if lost else {})
    )
