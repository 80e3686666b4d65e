"""A part of a build: the recalls of some surveys as described meals, in one process."""

from __future__ import annotations

import hashlib
import heapq
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from prandial.batch.workers import seldom_collected
from prandial.bench.encoders import open_encoder
from prandial.bench.nutribench.inputs import GiftFolder
from prandial.compose.describe import describe_meals
from prandial.compose.leaks import labels_key
from prandial.compose.mapping import (
    FoodMapper,
    Labels,
    apply_decisions,
    asked_foods,
    gift_meals,
    read_decisions,
)
from prandial.compose.recalls import recalled_meals
from prandial.compose.written import Part, meal_group, write_part
from prandial.records.composed import DescribedMeal, EatenMeal, ServingType
from prandial.sources.gift import read_gift
from prandial.sources.nhanes.eaten import food_records
from prandial.sources.nutribench import LABELS
from prandial.tables import load_foods

if TYPE_CHECKING:
    import numpy.typing as npt

    from prandial.compose.mapping import Embed, Mapped
    from prandial.records.recalled import RecallCounts
    from prandial.sources.gift import GiftSurvey
    from prandial.tables import FoodTable

__all__ = [
    "MADE_OF",
    "SERVINGS",
    "Drawn",
    "Serving",
    "Unit",
    "described",
    "draw_meals",
    "map_foods",
    "meals_of",
    "names_embedded",
    "serving_types",
    "write_unit",
]

Serving = Literal["natural", "metric", "both"]
SERVINGS = get_args(Serving)
#: the food table that names foods of the recalls and tells what they hold (NutriBench's own)
MADE_OF = "fndds-2017-2018"


@dataclass(frozen=True, kw_only=True, slots=True)
class Unit:
    """Surveys whose meals are made together, and how; can be sent to another process.

    Parameters
    ----------
    nhanes : Path, optional
        Folder of cycles.
    cycles : tuple of str
        NHANES cycles; those that share people stand in one unit.
    gift : GiftFolder, optional
    encoder : str
        Weights of the sentence encoder, or a folder with them, for foods of GIFT.
    decisions : Path, optional
        A filled queue of mappings of those foods.
    gift_labels : {'survey', 'serving'}
        As ``labels`` of :func:`prandial.compose.mapping.gift_meals`.
    serving : {'natural', 'metric', 'both'}
    by_time : bool
    seed : int
    known : frozenset of str
        Keys of meals that are left out, as :func:`prandial.compose.leaks.known_meals`.
    """

    nhanes: Path | None = None
    cycles: tuple[str, ...] = ()
    gift: GiftFolder | None = None
    encoder: str = ""
    decisions: Path | None = None
    gift_labels: Labels = "survey"
    serving: Serving = "both"
    by_time: bool = True
    seed: int = 0
    known: frozenset[str] = frozenset()


@dataclass(slots=True)
class Drawn:
    """What was counted while meals were made: recalls, surveys of GIFT, meals of known sets.

    ``known`` is None where no known set was named.
    """

    recalls: list[RecallCounts] = field(default_factory=list)
    gift: list[dict[str, Any]] = field(default_factory=list)
    known: int | None = None

    def take(self, other: Drawn) -> None:
        """Add what was counted elsewhere."""
        self.recalls += other.recalls
        self.gift += other.gift
        if other.known is not None:
            self.known = (self.known or 0) + other.known

    def notes(self) -> dict[str, Any]:
        """Return what stands on the card."""
        from prandial.records.recalled import RecallCounts

        out: dict[str, Any] = {}
        if self.recalls:
            out["recalls"] = [
                c.to_dict() for c in (*self.recalls, RecallCounts.summed(self.recalls))
            ]
        if self.gift:
            out["gift"] = list(self.gift)
        if self.known is not None:
            out["meals_of_known_sets_left_out"] = self.known
        return out


def serving_types(serving: Serving) -> tuple[ServingType, ...]:
    """Return the serving types of a build; of both, the natural row of a meal stands first."""
    return ("natural", "metric") if serving == "both" else (serving,)


def meals_of(unit: Unit, drawn: Drawn) -> Iterator[EatenMeal]:
    """Yield the meals of a unit that can be told in its servings, in order.

    Parameters
    ----------
    unit : Unit
    drawn : Drawn
        Takes the counts.
    """
    table = load_foods()
    if unit.known:
        drawn.known = drawn.known or 0
    meals: Iterable[EatenMeal] = ()
    if unit.nhanes is not None and unit.cycles:
        meals = recalled_meals(
            food_records(unit.nhanes, unit.cycles),
            table,
            release=MADE_OF,
            by_time=unit.by_time,
            counted=drawn.recalls.append,
        )
    elif unit.gift is not None:
        meals = _of_gift(unit.gift, unit.encoder, unit.decisions, unit.gift_labels, drawn)
    for meal in meals:
        if unit.serving != "metric" and not meal.natural:
            continue  # has no natural version
        if unit.known and _key(meal) in unit.known:
            drawn.known = (drawn.known or 0) + 1
            continue
        yield meal


def _key(meal: EatenMeal) -> str:
    totals = {label: meal.total(label) for label in LABELS}
    known = {label: total for label, total in totals.items() if total is not None}
    return labels_key([i.name for i in meal.items], known)


def map_foods(survey: GiftSurvey, encoder: str, decisions: Path | None = None) -> list[Mapped]:
    """Map the foods of a survey of GIFT to FNDDS and SR.

    Parameters
    ----------
    survey : GiftSurvey
    encoder : str
        Weights of the sentence encoder, or a folder with them.
    decisions : Path, optional
        A filled queue of mappings; what people decided holds.

    Raises
    ------
    MissingDataError, NotFoundError
        When the weights are not there, or a decision names another food.
    """
    table = load_foods()
    embed, vectors = names_embedded(encoder, table)
    mapper = FoodMapper(table, embed, vectors=vectors)
    mapped = mapper.map(asked_foods(survey.records))
    return apply_decisions(mapped, read_decisions(decisions), mapper) if decisions else mapped


def _of_gift(
    folder: GiftFolder, encoder: str, decisions: Path | None, labels: Labels, drawn: Drawn
) -> Iterator[EatenMeal]:
    table = load_foods()
    survey = read_gift(folder.path, cycle=folder.cycle)
    mapped = map_foods(survey, encoder, decisions)
    made = gift_meals(survey, mapped, table, labels=labels)
    drawn.gift.append(
        {
            "cycle": folder.cycle,
            "foods": len(mapped),
            "foods_mapped": sum(m.match is not None for m in mapped),
            "foods_decided": sum(m.by == "person" for m in mapped),
            "records": made.records,
            "records_unmapped": made.unmapped,
            "records_dropped": dict(made.dropped),
            "meals": len(made.meals),
            "meals_natural": sum(m.natural for m in made.meals),
            "serving_rules": dict(made.servings),
            "labels": labels,
            "odd_in_the_files": list(survey.notes),
        }
    )
    yield from made.meals


def names_embedded(
    encoder: str, table: FoodTable, hear: Callable[[str, int, int], object] | None = None
) -> tuple[Embed, npt.NDArray[np.float32]]:
    """Open an encoder, and return it with the vectors of a table's names, which are kept.

    Parameters
    ----------
    encoder : str
        Name of weights, or a folder with them.
    table : FoodTable
    hear : callable, optional
        Told ``("vectors", done, of)`` while vectors are made, once for each encoder.

    Raises
    ------
    MissingDataError
        When the weights are not there.
    """
    from prandial.compose.index.embedded import KeptVectors
    from prandial.sources.home import data_home

    embed = open_encoder(encoder)
    kept = KeptVectors(data_home(os.environ) / "vectors", embed.id)

    def told(done: int, of: int) -> None:
        if hear is not None:
            hear("vectors", done, of)

    kept.fill(table.names, embed, told)
    return embed, kept.of(table.names).astype(np.float32)


def described(meals: Iterable[EatenMeal], serving: Serving, seed: int) -> Iterator[DescribedMeal]:
    """Yield each meal in words, once for each serving type."""
    types = serving_types(serving)
    if len(types) == 1:
        yield from describe_meals(meals, serving_type=types[0], seed=seed)
        return
    for meal in meals:
        for kind in types:
            yield from describe_meals((meal,), serving_type=kind, seed=seed)


def write_unit(task: tuple[Unit, Path, bool]) -> tuple[Part, Drawn]:
    """Write the rows of a unit in files of their own.

    Parameters
    ----------
    task : (Unit, Path, bool)
        The unit, the stem of its files, and whether there is a CSV form.
    """
    unit, stem, table = task
    drawn = Drawn()
    with seldom_collected():
        rows = described(meals_of(unit, drawn), unit.serving, unit.seed)
        part = write_part(rows, stem, seed=unit.seed, table=table)
    return part, drawn


def draw_meals(meals: Iterable[EatenMeal], number: int, seed: int) -> list[EatenMeal]:
    """Draw meals by a seed, of meals of the same foods and grams one; every kind is as likely.

    The draw does not depend on the order in which meals come, but for which of several that
    are alike stands for them (the first).

    Parameters
    ----------
    meals : iterable of EatenMeal
        Taken one by one; memory grows with ``number`` only.
    number : int
    seed : int

    Returns
    -------
    list of EatenMeal
        In the order they came; all there are when they are fewer.
    """
    held: dict[str, tuple[int, EatenMeal]] = {}
    most: list[tuple[int, str]] = []
    for place, meal in enumerate(meals):
        group = meal_group((i.food, i.grams) for i in meal.items)
        if group in held:
            continue
        lot = _lot(seed, group)
        if len(most) < number:
            heapq.heappush(most, (-lot, group))
        elif -lot > most[0][0]:
            _, out = heapq.heapreplace(most, (-lot, group))
            del held[out]
        else:
            continue
        held[group] = place, meal
    return [meal for _, meal in sorted(held.values(), key=lambda pair: pair[0])]


def _lot(seed: int, group: str) -> int:
    told = f"{seed}|{group}".encode()
    return int.from_bytes(hashlib.blake2b(told, digest_size=8).digest(), "big")
