"""One meal to learn from: its words, its items with grams, its amounts."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import TYPE_CHECKING, Final, Literal

from prandial.compose.tuning.helpings import Helping
from prandial.compose.tuning.leaks import words_of
from prandial.compose.tuning.phrases import amount_and_name, sentence
from prandial.records import Source
from prandial.records.composed import ServingType

if TYPE_CHECKING:
    from prandial.tables import FoodTable

__all__ = [
    "LABELS",
    "Kind",
    "SeenFoods",
    "TaughtItem",
    "TuningPart",
    "TuningRow",
    "make_row",
    "part_of",
]

Kind = Literal["single", "combined"]
TuningPart = Literal["train", "valid"]
#: row of a food in its table -> source and labelled nutrients, one object for all its rows
SeenFoods = dict[int, tuple[Source, dict[str, float]]]
#: what NutriBench labels
LABELS: Final = ("carb_g", "protein_g", "fat_g", "energy_kcal")


@dataclass(frozen=True, kw_only=True, slots=True)
class TaughtItem:
    """One food of a row.

    Parameters
    ----------
    food : Source
        Table, release and id.
    name : str
        As in that table.
    words : str
        As it stands in the text, with its amount.
    measure : str
        Of the table, ``g`` for grams.
    grams : float
    per_100g : mapping of str to float
        Of the four labelled nutrients; what is unknown is absent.
    """

    food: Source
    name: str
    words: str
    measure: str
    grams: float
    per_100g: Mapping[str, float]

    def exact(self, nutrient: str) -> Decimal:
        """Return the amount of a nutrient: grams times what 100 g hold, as decimals."""
        return Decimal(str(self.grams)) * Decimal(str(self.per_100g[nutrient])) / 100


@dataclass(frozen=True, kw_only=True, slots=True)
class TuningRow:
    """A meal to learn from.

    Parameters
    ----------
    id : str
        The same in every build of the same tables and seed.
    kind : {'single', 'combined'}
    serving_type : {'natural', 'metric'}
        Never mixed within a meal.
    part : {'train', 'valid'}
        A food is on one side only.
    text : str
    items : tuple of TaughtItem
    """

    id: str
    kind: Kind
    serving_type: ServingType
    part: TuningPart
    text: str
    items: tuple[TaughtItem, ...]

    def exact(self, nutrient: str) -> float | None:
        """Return the amount in the meal; None when an item's is unknown."""
        if any(nutrient not in i.per_100g for i in self.items):
            return None
        return float(sum((i.exact(nutrient) for i in self.items), Decimal(0)))

    @property
    def labels(self) -> dict[str, float]:
        """The labelled nutrients that are known of every item."""
        known = ((n, self.exact(n)) for n in LABELS)
        return {n: v for n, v in known if v is not None}


def part_of(name: str, *, seed: int, valid: float) -> TuningPart:
    """Return the side of a food by a keyed hash of its name: a name in two tables is one food."""
    key = f"{seed}|{' '.join(sorted(words_of(name)))}".encode()
    share = int.from_bytes(hashlib.sha256(key).digest()[:8]) / 2**64
    return "valid" if share < valid else "train"


def make_row(
    table: FoodTable,
    picked: Sequence[Helping],
    *,
    id: str,  # noqa: A002 - as the record has it
    part: TuningPart,
    rng: Random,
    seen: SeenFoods,
) -> TuningRow:
    """Put helpings into one meal.

    Parameters
    ----------
    table : FoodTable
    picked : sequence of Helping
        All natural, or all metric.
    id : str
    part : {'train', 'valid'}
    rng : Random
    seen : dict
        Foods of the table that were told already; new ones are added.
    """
    phrases = [amount_and_name(h, table.names[h.food], rng) for h in picked]
    text, spans = sentence(phrases, rng)
    for food in (h.food for h in picked):
        if food not in seen:
            seen[food] = (table.source(food), _per_100g(table, food))
    items = tuple(
        TaughtItem(
            food=seen[helping.food][0],
            name=table.names[helping.food],
            words=text[slice(*span)],
            measure=helping.measure,
            grams=helping.grams,
            per_100g=seen[helping.food][1],
        )
        for helping, span in zip(picked, spans, strict=True)
    )
    return TuningRow(
        id=id,
        kind="single" if len(items) == 1 else "combined",
        serving_type=picked[0].serving_type,
        part=part,
        text=text,
        items=items,
    )


def _per_100g(table: FoodTable, food: int) -> dict[str, float]:
    """Return the labelled nutrients of a food as its table prints them (float32 to decimals)."""
    cells = {n: table.per_100g[food, table.nutrient_keys.index(n)] for n in LABELS}
    return {n: float(str(v)) for n, v in cells.items() if math.isfinite(v)}
