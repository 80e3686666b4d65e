"""What a build stands on: people with profiles, foods with facts, and where they come from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from prandial.errors import InputError, MissingDataError, NotFoundError
from prandial.records import FoodFacts, PersonFacts, Profiles
from prandial.sources.nhanes import NhanesFolder, load_cycles
from prandial.sources.nhanes.people import DOUBLE_RELEASE
from prandial.truth import Truth

if TYPE_CHECKING:
    from prandial.records import MissingTable
    from prandial.records.people import RuleSet

__all__ = [
    "DEMO_PEOPLE",
    "Foods",
    "People",
    "Roots",
    "cycles_of",
    "cycles_with",
    "person_facts",
    "read_facts",
    "read_foods",
    "read_people",
]

#: made-up people of a demo build when no number is given
DEMO_PEOPLE: Final = 5000


@dataclass(frozen=True, kw_only=True, slots=True)
class Roots:
    """Folders of raw files: ``nhanes`` (a folder a cycle) and ``foods`` (releases), if there."""

    nhanes: Path | None
    foods: Path | None
    #: the folder that was named, for messages
    named: Path | None = None

    @classmethod
    def under(cls, root: Path) -> Roots:
        """Return the folders below a root, which may also be the ``nhanes`` folder itself.

        Raises
        ------
        MissingDataError
            When the root is no folder.
        """
        if not root.is_dir():
            raise MissingDataError(
                "no such folder",
                where=str(root),
                hint="give the folder that holds nhanes/ and foods/; prandial data get nhanes"
                " --cycle 2017-2018 fetches files",
            )
        nhanes, foods = root / "nhanes", root / "foods"
        if not nhanes.is_dir() and any((root / cycle).is_dir() for cycle in load_cycles()):
            nhanes, foods = root, root.parent / "foods"  # the folder of cycles itself was named
        return cls(
            nhanes=nhanes if nhanes.is_dir() else None,
            foods=foods if foods.is_dir() else None,
            named=root,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class People:
    """Profiles of the people at hand, and what was noteworthy in reading them."""

    profiles: Profiles
    cycles: tuple[str, ...]
    made_up: bool
    notes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Foods:
    """Facts of the foods of a pool, and how many stood at each step."""

    facts: tuple[FoodFacts, ...]
    counts: dict[str, int]
    notes: tuple[str, ...]


def read_people(
    roots: Roots,
    *,
    rules: RuleSet,
    cycles: Sequence[str] | None = None,
    demo: int | None = None,
    seed: int = 0,
) -> People:
    """Return the people of survey cycles, or made-up ones.

    Parameters
    ----------
    roots : Roots
    rules : {'default', 'as-published'}
    cycles : sequence of str, optional
        All whose DEMO file is there when None.
    demo : int, optional
        So many made-up people instead of a survey.
    seed : int
        Of made-up people.

    Raises
    ------
    InputError
        On a negative seed.
    MissingDataError
        When there are no survey files.
    NotFoundError
        On a cycle that is not there.
    """
    from prandial import survey

    if seed < 0:
        raise InputError("a seed is negative", where="seed", hint="0, 1, 2 or any larger number")
    if demo is not None:
        if cycles:
            raise InputError(
                "made-up people are of no survey cycle", where="--cycle", hint="leave --cycle out"
            )
        profiles = survey.profiles(survey.demo_people(demo, seed), rules)
        note = "these people are made up; only how many have each status is the survey's"
        return People(profiles=profiles, cycles=(), made_up=True, notes=(note,))
    from prandial.sources.nhanes.people import read_people as read

    if roots.nhanes is None:
        raise MissingDataError(
            "no NHANES files are at hand",
            where=str(roots.named or "prandial's data folder"),
            hint="prandial data get nhanes --cycle 2017-2018, or --from the folder that holds"
            " nhanes/; ngqa build and graph export also take made-up people: --people demo",
        )
    folder = NhanesFolder(roots.nhanes)
    there = folder.cycles()
    wanted = tuple(dict.fromkeys(cycles)) if cycles else there
    for cycle in wanted:
        if cycle not in there:
            raise NotFoundError(
                f"no survey cycle {cycle!r} is at hand",
                where=str(roots.nhanes),
                hint=("at hand: " + ", ".join(there))
                if there
                else f"prandial data get nhanes --cycle {cycle}",
            )
    if not wanted:
        raise MissingDataError(
            "no survey cycle is at hand (none has a DEMO file)",
            where=str(roots.nhanes),
            hint="prandial data get nhanes --cycle 2017-2018",
        )
    table = read(folder, wanted, keep_double_release=rules == "as-published")
    read_cycles = tuple(dict.fromkeys(table.cycle.tolist()))
    return People(
        profiles=survey.profiles(table, rules=rules),
        cycles=read_cycles,
        made_up=False,
        notes=(
            *(() if cycles else _without_people(roots.nhanes, there)),
            *_left_out(wanted, read_cycles),
            *(_told(n) for n in table.notes),
        ),
    )


def cycles_with(numbers: Sequence[int], roots: Roots) -> list[str] | None:
    """Return the cycles to read so that these respondents are among everybody, None for all.

    2017-2020 holds the people of 2017-2018 under new numbers and takes their place when both
    are read; for somebody of 2017-2018 it stays out.
    """
    if roots.nhanes is None:
        return None
    home, double = cycles_of(numbers, roots) or [], DOUBLE_RELEASE
    if double[0] not in home or double[1] in home:
        return None
    return [c for c in NhanesFolder(roots.nhanes).cycles() if c != double[1]] or None


def _without_people(nhanes: Path, there: Sequence[str]) -> Iterable[str]:
    """Tell which cycles have a folder and no table of people."""
    for cycle in load_cycles():
        if cycle not in there and (nhanes / cycle).is_dir():
            yield f"{cycle}: left out, its table of people (DEMO) is not at hand"


def _left_out(wanted: Sequence[str], read_cycles: Sequence[str]) -> Iterable[str]:
    """Tell which cycles were asked for and not read: their people are in another one, too."""
    for cycle in wanted:
        if cycle not in read_cycles:
            yield f"{cycle}: left out, 2017-2020 holds the same people under new numbers"


def cycles_of(numbers: Sequence[int], roots: Roots) -> list[str] | None:
    """Return the cycles at hand in whose range these respondents are, None for none.

    So a person of 2017-2018 is found although 2017-2020 holds the same people under new
    numbers and takes its place when everybody is read.
    """
    if roots.nhanes is None:
        return None
    found = [
        cycle.cycle
        for cycle in load_cycles().values()
        if (roots.nhanes / cycle.cycle).is_dir()
        and any(cycle.first_seqn <= n <= cycle.last_seqn for n in numbers)
    ]
    return found or None


def _told(note: MissingTable) -> str:
    return f"{note.cycle} {note.table}: not at hand, unknown: {', '.join(note.measures)}"


def read_facts(
    roots: Roots, *, rules: RuleSet, cycles: Sequence[str] = ()
) -> tuple[tuple[FoodFacts, ...], str]:
    """Return the facts of all foods, and in words where their amounts are from.

    ``as-published`` takes amounts from the recalls of the cycles where there are any;
    ``default`` from the composition tables.

    Raises
    ------
    MissingDataError, SchemaError
        When files are not there or damaged.
    """
    from prandial.sources.foods import read_composition, read_food_texts
    from prandial.sources.nhanes.recalls import recall_means
    from prandial.tags import food_facts

    texts = read_food_texts(roots.foods, nhanes=roots.nhanes, rules=rules)
    if rules == "as-published" and roots.nhanes is not None and cycles:
        means = recall_means(roots.nhanes, cycles)
        note = f"amounts: means over {int(means.records.sum()):,} food records of the recalls"
    else:
        means = read_composition(roots.foods)
        note = "amounts: composition tables (FNDDS), per 100 g"
    return food_facts(texts, means, rules=rules), note


def read_foods(roots: Roots, *, rules: RuleSet, cycles: Sequence[str] = (), seed: int = 0) -> Foods:
    """Return the pool of foods to ask about.

    Raises
    ------
    MissingDataError, SchemaError
        As :func:`read_facts`.
    """
    from prandial.quiz.pool import food_pool

    facts, note = read_facts(roots, rules=rules, cycles=cycles)
    pool = food_pool(facts, rules=rules, seed=seed)
    counts = {"with facts": len(facts)}
    for group, before in pool.in_category.items():
        counts[f"{group} in category"] = before
        counts[f"{group} kept"] = pool.kept[group]
    return Foods(facts=pool.foods, counts=counts, notes=(note,))


def person_facts(profiles: Profiles, rows: Sequence[int]) -> dict[int, PersonFacts]:
    """Return the facts of some people by their row.

    Statuses keep the order of the needs table and habits that of their own.
    """
    at = np.unique(np.asarray(rows, dtype=np.int64))
    statuses = {s: v[at] for s, v in profiles.statuses.items()}
    habits = {h: v[at] == Truth.YES for h, v in profiles.habits.items()}
    return {
        int(row): PersonFacts(
            person=int(profiles.people.seqn[row]),
            statuses=tuple(s for s, v in statuses.items() if v[i] == Truth.YES),
            habits=tuple(h for h, v in habits.items() if v[i]),
            unknown=tuple(s for s, v in statuses.items() if v[i] == Truth.UNKNOWN),
        )
        for i, row in enumerate(at.tolist())
    }
