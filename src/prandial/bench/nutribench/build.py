"""NutriBench from raw recalls: meals, servings, words, files, card; the same seed, same bytes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from prandial.batch.workers import shared_out, usual_workers
from prandial.bench.encoders import ENCODER
from prandial.bench.nutribench.by_model import ByModel, describe_all
from prandial.bench.nutribench.inputs import Recalls, find_recalls, source_entries
from prandial.bench.nutribench.parts import (
    MADE_OF,
    SERVINGS,
    Drawn,
    Serving,
    Unit,
    described,
    draw_meals,
    meals_of,
    names_embedded,
    write_unit,
)
from prandial.compose.datacard import write_data_card
from prandial.compose.leaks import known_meals
from prandial.compose.mapping import Labels
from prandial.compose.written import (
    JOURNAL,
    Part,
    check_target,
    source_entry,
    write_part,
    write_parts,
)
from prandial.errors import InputError
from prandial.records.composed import DescribedMeal, EatenMeal
from prandial.tables import load_foods

__all__ = ["GROUPING", "Build", "BuildReport", "Hear", "build_nutribench", "units_of"]

#: told before each step: its name, its number from 0, and how many there are
Hear = Callable[[str, int, int], object]
Grouping = Literal["time", "occasion"]
GROUPING: Final[tuple[Grouping, ...]] = ("time", "occasion")
TEMPLATE: Final = "template"


@dataclass(frozen=True, kw_only=True, slots=True)
class Build:
    """What is built.

    Parameters
    ----------
    cycles : tuple of str, optional
        NHANES cycles and codes of GIFT surveys; all NHANES cycles at hand when None.
    serving : {'natural', 'metric', 'both'}
        ``both`` takes the meals that have natural servings, each in both versions.
    meals : int, optional
        How many meals are drawn, of meals alike one; all when None.
    grouping : {'time', 'occasion'}
        Whether records of one occasion at another time are another meal, or all records of an
        occasion of a day are one, as in the published set.
    seed : int
    encoder : str
        For foods of GIFT: name of weights, or a folder.
    mapping : Path, optional
        A filled queue of mappings of foods of GIFT.
    gift_labels : {'survey', 'serving'}
        Of GIFT: labels of the grams eaten, as the survey tells them, or of the household serving
        that stands for them, which may weigh up to a tenth more or less.
    without : tuple of Path
        Files of known sets whose meals are left out: same foods and labels.
    """

    cycles: tuple[str, ...] | None = None
    serving: Serving = "both"
    meals: int | None = None
    grouping: Grouping = "time"
    seed: int = 0
    encoder: str = ENCODER
    mapping: Path | None = None
    gift_labels: Labels = "survey"
    without: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        if self.serving not in SERVINGS:
            raise InputError(
                f"no serving type {self.serving!r}", where="serving", hint=", ".join(SERVINGS)
            )
        if self.grouping not in GROUPING:
            raise InputError(
                f"no grouping {self.grouping!r}", where="grouping", hint=", ".join(GROUPING)
            )
        if self.gift_labels not in get_args(Labels):
            raise InputError(
                f"no labels {self.gift_labels!r}",
                where="gift_labels",
                hint=", ".join(get_args(Labels)),
            )
        for name, number in (("meals", self.meals), ("seed", self.seed)):
            if type(number) is not int and not (name == "meals" and number is None):
                raise InputError(f"no whole number: {number!r}", where=name, hint="such as 200")
        if self.meals is not None and self.meals < 1:
            raise InputError(f"{self.meals} meals", where="meals", hint="1 or more")
        if not -(2**63) <= self.seed < 2**63:
            raise InputError("the seed is too large", where="seed", hint="a whole number")

    def arguments(self, recalls: Recalls, describe: str | Mapping[str, Any]) -> dict[str, Any]:
        """Return what stands on the card."""
        told: dict[str, Any] = {
            "cycles": list(recalls.cycles),
            "serving": self.serving,
            "meals": "all" if self.meals is None else self.meals,
            "grouping": self.grouping,
            "describe": describe,
            "foods": MADE_OF,
        }
        if self.without:
            told["without"] = [source_entry(p) for p in self.without]
        if recalls.gift:
            told |= {
                "encoder": self.encoder,
                "mapping": self.mapping and self.mapping.name,
                "gift_labels": self.gift_labels,
            }
        return told


@dataclass(frozen=True, kw_only=True, slots=True)
class BuildReport:
    """What was built; ``seconds`` is the only part that differs from run to run."""

    folder: Path
    card: Mapping[str, Any]
    seconds: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "folder": str(self.folder),
            "card": dict(self.card),
            "seconds": {k: round(v, 2) for k, v in self.seconds.items()},
        }


def units_of(build: Build, recalls: Recalls) -> list[Unit]:
    """Return what the build is made of, in order."""
    plain = Unit(
        serving=build.serving,
        by_time=build.grouping == "time",
        seed=build.seed,
        encoder=build.encoder,
        decisions=build.mapping,
        gift_labels=build.gift_labels,
        known=known_meals(build.without),
    )
    return [
        *(replace(plain, nhanes=recalls.nhanes, cycles=c) for c in recalls.units),
        *(replace(plain, gift=g) for g in recalls.gift),
    ]


def build_nutribench(
    out: Path,
    build: Build,
    *,
    root: Path,
    prandial_version: str,
    by_model: ByModel | None = None,
    forms: Sequence[str] = ("parquet",),
    workers: int | None = None,
    replace_old: bool = False,
    hear: Hear | None = None,
) -> BuildReport:
    """Build described meals and write them into a folder.

    Parameters
    ----------
    out : Path
        Gets ``meals.parquet`` (or other forms), ``card.json`` and ``README.md``.
    build : Build
    root : Path
        Holds ``nhanes/`` and, for surveys of GIFT, ``gift/``.
    prandial_version : str
    by_model : ByModel, optional
        Describes in place of the templates, drawn meals only; a build that was stopped goes on.
    forms : sequence of {'parquet', 'csv', 'jsonl'}
    workers : int, optional
        Processes; as many as there are cores, 4 at most, when None. They change no byte.
    replace_old : bool
        Replace a build that is there.
    hear : callable, optional
        Told before each survey.

    Raises
    ------
    InputError
        On a choice that there is not, a folder in use, or when there is no meal.
    MissingDataError, NotFoundError, SchemaError
        When files are not there or damaged.
    ModelError
        When a model fails at every meal.
    """
    if by_model is not None and build.meals is None:
        raise InputError(
            "a model would be asked about every meal there is",
            where="meals",
            hint="say how many are to be drawn, such as 200",
        )
    if workers is not None and workers < 1:
        raise InputError(f"{workers} workers", where="workers", hint="1 or more")
    start = time.perf_counter()
    check_target(out, forms, replace=replace_old)
    if by_model is None and (out / JOURNAL).exists():
        raise InputError(
            "the folder holds descriptions of a model",
            where=str(out / JOURNAL),
            hint="name a new folder; the same --describe goes on with them",
        )
    recalls = find_recalls(root, build.cycles)
    if build.mapping is not None and not recalls.gift:
        raise InputError(
            "a mapping is of foods of FAO/WHO GIFT, and none of its surveys is asked for",
            where="mapping",
            hint="name the survey among the cycles, such as BOL-00006, or leave the mapping out",
        )
    units = units_of(build, recalls)
    if recalls.gift:
        # before several processes would do it
        names_embedded(build.encoder, load_foods(), hear)
    told = _Told(hear, units)

    def parts(stem: Path, table: bool) -> Iterator[tuple[Part, Mapping[str, Any]]]:
        if build.meals is not None:
            drawn = Drawn()
            chosen = draw_meals(_all_meals(units, drawn, told), build.meals, build.seed)
            notes = drawn.notes() | {"meals_drawn": len(chosen)}
            rows: Iterable[DescribedMeal]
            if by_model is None:
                rows = described(chosen, build.serving, build.seed)
            else:
                rows, told_by = describe_all(
                    chosen, by_model, out, serving=build.serving, seed=build.seed, hear=hear
                )
                notes |= told_by
            yield write_part(rows, stem, seed=build.seed, table=table), notes
            return
        yield from _parts(units, stem, table, told, workers)

    card = write_parts(
        parts,
        out,
        seed=build.seed,
        arguments=build.arguments(recalls, by_model.arguments() if by_model else TEMPLATE),
        prandial_version=prandial_version,
        sources=source_entries(recalls),
        forms=forms,
        replace=replace_old,
    )
    write_data_card(out)
    return BuildReport(folder=out, card=card, seconds={"all": time.perf_counter() - start})


class _Told:
    """Tells whoever listens which survey is at work."""

    def __init__(self, hear: Hear | None, units: Sequence[Unit]) -> None:
        self._hear, self._of = hear, len(units)

    def before(self, unit: Unit, number: int) -> None:
        if self._hear is not None:
            name = unit.gift.cycle if unit.gift else ", ".join(unit.cycles)
            self._hear(name, number, self._of)


def _all_meals(units: Sequence[Unit], drawn: Drawn, told: _Told) -> Iterator[EatenMeal]:
    for number, unit in enumerate(units):
        told.before(unit, number)
        yield from meals_of(unit, drawn)


def _parts(
    units: Sequence[Unit], stem: Path, table: bool, told: _Told, workers: int | None
) -> Iterator[tuple[Part, Mapping[str, Any]]]:
    tasks = [
        (unit, stem.with_name(f"{stem.name}-{number}"), table) for number, unit in enumerate(units)
    ]
    many = usual_workers(workers, len(tasks))
    done: Iterable[tuple[Part, Drawn]] = (
        map(write_unit, tasks) if many == 1 else shared_out(tasks, write_unit, many)
    )
    drawn = Drawn()
    told.before(units[0], 0)
    for number, (part, of_unit) in enumerate(done, start=1):
        if number < len(units):
            told.before(units[number], number)
        drawn.take(of_unit)
        yield part, drawn.notes()
