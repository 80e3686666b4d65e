"""Meals of a GIFT survey: what one person ate on one occasion of one day.

Nutrients are those of the survey where it has any, else those of the mapped food; an item's
food says which. With ``labels="serving"`` they are those of the mapped food at the weight of
the serving that is said, which is how the published natural meals of GIFT were labelled
(``docs/gift.md``).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from prandial.compose.household import Reading, household_serving
from prandial.compose.mapping.asked import FoodMatch, Mapped
from prandial.errors import InputError, MissingDataError
from prandial.records import ReadOnly, Source
from prandial.records.composed import EatenItem, EatenMeal, HouseholdServing

if TYPE_CHECKING:
    from prandial.sources.gift import GiftRecord, GiftSurvey
    from prandial.tables import FoodTable

__all__ = ["GiftMeals", "gift_meals"]

Labels = Literal["survey", "serving"]
_NUTRIENTS: Final = ("carb_g", "protein_g", "fat_g", "energy_kcal")
_Key = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class GiftMeals:
    """The meals of a survey, and what was left out.

    Parameters
    ----------
    meals : tuple of EatenMeal
        In the order of the file.
    records : int
        Food records that stand in the meals.
    unmapped : int
        Of them, those without a food of the table: they keep grams.
    servings : mapping of str to int
        Rule by which a serving was found, or ``grams`` -> records.
    dropped : mapping of str to int
        Why records were left out, those of the reader included -> how many.
    """

    meals: tuple[EatenMeal, ...]
    records: int
    unmapped: int
    servings: Mapping[str, int]
    dropped: Mapping[str, int]


def gift_meals(
    survey: GiftSurvey,
    mapped: Iterable[Mapped],
    table: FoodTable,
    *,
    reading: Reading = "corrected",
    labels: Labels = "survey",
) -> GiftMeals:
    """Compose the meals of a GIFT survey.

    Parameters
    ----------
    survey : GiftSurvey
    mapped : iterable of Mapped
        Of the survey's foods; a food without one keeps grams.
    table : FoodTable
        The mapped foods are of.
    reading : {'corrected', 'published'}
        Of appendix F, see :func:`prandial.compose.household.household_serving`.
    labels : {'survey', 'serving'}
        Where nutrients come from. With ``serving``, grams and nutrients are those of the
        serving; records that have no mapping or no serving keep the survey's.

    Returns
    -------
    GiftMeals

    Raises
    ------
    MissingDataError
        When nothing tells the meals of a day apart.
    InputError
        On another kind of labels.
    """
    if labels not in ("survey", "serving"):
        raise InputError(f"no labels {labels!r}", where="labels", hint="survey, serving")
    if not survey.occasions_told:
        raise MissingDataError(
            "the survey does not tell the meals of a day apart",
            where=survey.cycle,
            hint="needed: MEAL_NAME or MEAL, EAT_SEQ, or CONSUMPTION_TIME_HOUR",
        )
    matches = {(m.asked.name, m.asked.code): m.match for m in mapped}
    cook = _Kitchen(survey, table, reading, labels)
    groups: dict[_Key, list[EatenItem]] = {}
    first: dict[_Key, GiftRecord] = {}
    dropped = Counter(survey.dropped)
    for record in survey.records:
        key = _key(record)
        if not any(key[3:]):
            dropped["no occasion or time"] += 1
            continue
        first.setdefault(key, record)
        groups.setdefault(key, []).append(
            cook.item(record, matches.get((record.name, record.foodex2)))
        )
    return GiftMeals(
        meals=tuple(_meal(survey, first[k], k, items) for k, items in groups.items()),
        records=sum(len(i) for i in groups.values()),
        unmapped=cook.unmapped,
        servings=dict(cook.rules),
        dropped=dict(dropped),
    )


def _key(record: GiftRecord) -> _Key:
    time = "" if record.minute is None else f"{record.minute // 60:02}{record.minute % 60:02}"
    return (
        record.subject,
        record.round,
        str(record.day),
        record.occasion_code,
        record.sequence,
        time,
    )


def _meal(survey: GiftSurvey, record: GiftRecord, key: _Key, items: list[EatenItem]) -> EatenMeal:
    person, of_round, day, occasion, sequence, time = key
    when = "-".join(
        f"{mark}{value}" for mark, value in (("o", occasion), ("s", sequence), ("t", time)) if value
    )
    return EatenMeal(
        id=f"gift-{survey.cycle}-{person}-r{of_round or 0}-d{day}-{when}".replace(" ", "_"),
        survey="gift",
        cycle=survey.cycle,
        country=survey.country,
        person=person,
        day=record.day,
        occasion=record.occasion,
        items=tuple(items),
        minute=record.minute,
    )


class _Kitchen:
    """Makes items of records; servings that come again are kept."""

    def __init__(
        self, survey: GiftSurvey, table: FoodTable, reading: Reading, labels: Labels
    ) -> None:
        self._survey, self._table = survey, table
        self._reading, self._labels = reading, labels
        self._kept: dict[tuple[int, float], HouseholdServing] = {}
        self.rules: Counter[str] = Counter()
        self.unmapped = 0

    def item(self, record: GiftRecord, match: FoodMatch | None) -> EatenItem:
        serving = None
        if match is None:
            self.unmapped += 1
        else:
            serving = self._serving(match.row, record.grams)
        said = serving if serving is not None and serving.rule != "grams" else None
        self.rules[said.rule if said else "grams"] += 1
        food, name, grams = self._own(record), record.name, record.grams
        nutrients = ReadOnly({n: record.nutrients[n] for n in _NUTRIENTS if n in record.nutrients})
        if match is not None and (
            not nutrients or (self._labels == "serving" and said is not None)
        ):
            grams = said.grams if said and self._labels == "serving" else grams
            food, name = match.source, match.name
            nutrients = self._of_table(match.row, grams)
        return EatenItem(
            food=food,
            name=name,
            grams=grams,
            nutrients=nutrients,
            serving=said,
            line=record.line,
            recorded=record.foodex2,
        )

    def _own(self, record: GiftRecord) -> Source:
        return Source(table="gift", release=self._survey.cycle, id=record.foodex2 or record.name)

    def _serving(self, row: int, grams: float) -> HouseholdServing:
        if (row, grams) not in self._kept:
            food = self._table.food(row)
            self._kept[row, grams] = household_serving(
                food.name, food.measures, grams, reading=self._reading
            )
        return self._kept[row, grams]

    def _of_table(self, row: int, grams: float) -> ReadOnly:
        keys = self._table.nutrient_keys
        per_100g = {n: float(self._table.per_100g[row][keys.index(n)]) for n in _NUTRIENTS}
        return ReadOnly({n: v * grams / 100 for n, v in per_100g.items() if not math.isnan(v)})
