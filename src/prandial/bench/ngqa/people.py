"""People at hand: which files, one profile, and counts over all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from prandial.bench.ngqa.inputs import Roots, cycles_with, read_people
from prandial.errors import InputError, NotFoundError
from prandial.sources.nhanes.people import DOUBLE_RELEASE
from prandial.tables.rules import load_needs, read_rules
from prandial.truth import Truth

if TYPE_CHECKING:
    from prandial.records import HealthProfile, Profiles
    from prandial.records.people import RuleSet
    from prandial.sources.nhanes import Cycle
    from prandial.survey import CountRow, HabitRow

__all__ = ["CycleAtHand", "PeopleStats", "cycles_at_hand", "find_person", "people_stats"]

_ADULT_YEARS: Final = 18
_PAPER: Final = "as-published"
_NO_ESTIMATE: Final = (
    "no prevalence by the rules as-published: they take who was not measured or asked for a no"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class CycleAtHand:
    """A survey cycle: its people, the files known of it and those at hand."""

    cycle: str
    title: str
    respondents: int
    files: int
    at_hand: int
    missing: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "cycle": self.cycle,
            "title": self.title,
            "respondents": self.respondents,
            "files": self.files,
            "at_hand": self.at_hand,
            "missing": list(self.missing),
        }


def cycles_at_hand(folder: Path) -> tuple[CycleAtHand, ...]:
    """Return all cycles of the registry with what of them is in a folder."""
    from prandial.sources.nhanes import NhanesFolder, list_files, load_cycles

    there = NhanesFolder(folder)
    found = []
    for name, cycle in load_cycles().items():
        files = list_files(name)
        missing = tuple(f.table for f in files if not there.has(name, f.table))
        found.append(
            CycleAtHand(
                cycle=name,
                title=cycle.title,
                respondents=cycle.respondents,
                files=len(files),
                at_hand=len(files) - len(missing),
                missing=missing,
            )
        )
    return tuple(found)


def find_person(
    person: int, *, roots: Roots, rules: RuleSet, cycles: Sequence[str] | None = None
) -> HealthProfile:
    """Return one person's profile.

    Raises
    ------
    NotFoundError
        When nobody at hand has that number; the hint names the cycle that would.
    """
    from prandial import survey
    from prandial.sources.nhanes import load_cycles

    home = [c for c in load_cycles().values() if c.first_seqn <= person <= c.last_seqn]
    wanted = cycles
    if cycles is None and roots.nhanes is not None:
        # all cycles, as a build reads them: cuts of habits are those of everybody
        wanted = cycles_with([person], roots)
    people = read_people(roots, rules=rules, cycles=wanted)
    if person not in people.profiles.people.seqn:
        hint = (
            f"that number is of {home[0].cycle}: prandial data get nhanes --cycle {home[0].cycle}"
            if home
            else _numbers_run(load_cycles().values())
        )
        raise NotFoundError(
            f"nobody has the number {person}", where=", ".join(people.cycles), hint=hint
        )
    return survey.one_person(people.profiles, person)


def _numbers_run(cycles: Iterable[Cycle]) -> str:
    known = list(cycles)
    first, last = min(c.first_seqn for c in known), max(c.last_seqn for c in known)
    return f"numbers run from {first} to {last}"


@dataclass(frozen=True, kw_only=True, slots=True)
class PeopleStats:
    """Counts over people: statuses, pairs, habits, and prevalence of adults by cycle."""

    rules: str
    made_up: bool
    cycles: tuple[str, ...]
    people: int
    adults: int
    statuses: tuple[dict[str, Any], ...]
    pairs: tuple[dict[str, Any], ...]
    habits: tuple[dict[str, Any], ...]
    prevalence: tuple[dict[str, Any], ...]
    published: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "rules": self.rules,
            "made_up": self.made_up,
            "cycles": list(self.cycles),
            "people": self.people,
            "adults": self.adults,
            "statuses": list(self.statuses),
            "pairs": list(self.pairs),
            "habits": list(self.habits),
            "prevalence": list(self.prevalence),
            "published_prevalence": list(self.published),
            "notes": list(self.notes),
        }


def people_stats(
    *,
    roots: Roots,
    rules: RuleSet,
    cycles: Sequence[str] | None = None,
    demo: int | None = None,
    seed: int = 0,
) -> PeopleStats:
    """Count the people at hand.

    Raises
    ------
    MissingDataError, NotFoundError
        As :func:`~prandial.bench.ngqa.inputs.read_people`.
    """
    from prandial import survey

    people = read_people(roots, rules=rules, cycles=cycles, demo=demo, seed=seed)
    profiles = people.profiles
    counted = survey.counts(profiles)
    prevalence, untold = ([], []) if people.made_up else _prevalence(profiles)
    published, unlike = ([], []) if people.made_up else _published(profiles)
    return PeopleStats(
        rules=rules,
        made_up=people.made_up,
        cycles=people.cycles,
        people=len(profiles),
        adults=int((profiles.people["age_years"] >= _ADULT_YEARS).sum()),
        statuses=tuple(_status(profiles, row) for row in counted if len(row.statuses) == 1),
        pairs=tuple(
            {
                "statuses": list(row.statuses),
                "people": row.people,
                "as_counted": row.as_counted,
                "published": row.published,
            }
            for row in counted
            if len(row.statuses) > 1
        ),
        habits=tuple(_habit(row) for row in survey.habit_table(profiles)),
        prevalence=tuple(prevalence),
        published=tuple(published),
        notes=(*people.notes, *untold, *unlike),
    )


def _status(profiles: Profiles, row: CountRow) -> dict[str, Any]:
    told = profiles.statuses[row.statuses[0]]
    return {
        "status": row.statuses[0],
        "yes": row.people,
        "no": int((told == Truth.NO).sum()),
        "unknown": row.unknown,
        "as_counted": row.as_counted,
        "published": row.published,
    }


def _habit(row: HabitRow) -> dict[str, Any]:
    return {
        "label": row.label,
        "variable": row.measure,
        "cut": row.cut,
        "count": row.count,
        "answered": row.answered,
        "prevalence": None if np.isnan(row.prevalence) else row.prevalence,
        "note": row.note,
    }


def _prevalence(profiles: Profiles) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the weighted share of adults with each condition by cycle, and what cannot be told."""
    from prandial import survey

    found: list[dict[str, Any]] = []
    untold: list[str] = []
    if profiles.rules == _PAPER:
        return found, [_NO_ESTIMATE]
    kinds = load_needs(profiles.rules).kinds
    for cycle in np.unique(profiles.people.cycle).tolist():
        part = survey.pick_profiles(profiles, np.flatnonzero(profiles.people.cycle == cycle))
        for status in (s for s, kind in kinds.items() if kind == "condition"):
            try:
                p = survey.prevalence(part, status, weight=survey.weight_of(profiles.rules, status))
                doubt = p.doubt
            except InputError as error:
                doubt = error.what
            if doubt:
                untold.append(f"{cycle}: no prevalence of {status}: {doubt}")
                continue
            found.append(
                {
                    "cycle": cycle,
                    "status": status,
                    "share": p.share,
                    "low": p.low,
                    "high": p.high,
                    "standard_error": p.standard_error,
                    "people": p.n,
                    "people_unknown": p.n_unknown,
                    "ages": p.ages,
                    "weight": p.weight,
                }
            )
    return found, untold


def _published(profiles: Profiles) -> tuple[list[dict[str, Any]], list[str]]:
    """Return CDC's figures beside ours by CDC's definitions, and what cannot be compared."""
    from prandial import survey

    found: list[dict[str, Any]] = []
    unlike: list[str] = []
    at_hand = set(np.unique(profiles.people.cycle).tolist())
    for row in read_rules("published_prevalence"):
        cycles = row["cycles"].split(";")
        if not at_hand.issuperset(cycles):
            if DOUBLE_RELEASE[0] in cycles and DOUBLE_RELEASE[1] in at_hand:
                unlike.append(
                    f"{row['cycles']}: CDC's {row['status']} not compared: these people are read"
                    " as part of 2017-2020; add --cycle 2017-2018"
                )
            continue
        rows = np.flatnonzero(np.isin(profiles.people.cycle, cycles))
        try:
            p = survey.prevalence(
                survey.pick_profiles(profiles, rows),
                row["status"],
                weight=row["weight"],
                ages=int(row["ages"]),
                adjusted=row["adjusted"] == "yes",
                rules="cdc",
            )
        except InputError as error:
            unlike.append(f"{row['cycles']}: CDC's {row['status']} not compared: {error.what}")
            continue
        found.append(
            {
                "cycles": cycles,
                "status": row["status"],
                "ages": p.ages,
                "share": p.share,
                "standard_error": p.standard_error,
                "people": p.n,
                "people_unknown": p.n_unknown,
                "weight": p.weight,
                "published_percent": float(row["percent"]),
                "source": row["source"],
            }
        )
    return found, unlike
