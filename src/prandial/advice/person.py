"""The person a meal is judged for: statuses that hold, do not hold, or are unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from prandial.advice.names import RULES, Kind, status_named
from prandial.errors import InputError
from prandial.records import HealthProfile
from prandial.tables.rules import load_needs
from prandial.truth import Truth

__all__ = ["ADULT_FROM_YEARS", "Person", "named_person", "survey_person"]

#: thresholds rest on daily values and goals of adults; Convention on the Rights of the
#: Child, article 1: a child is below 18 years
ADULT_FROM_YEARS: Final = 18


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """Statuses of a person.

    Parameters
    ----------
    statuses : mapping of str to Truth
        A status that is not named does not hold.
    number : int or None
        NHANES respondent number.
    notes : tuple of str
        What a reader of the verdict has to know.
    """

    statuses: Mapping[str, Truth]
    number: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def held(self) -> tuple[str, ...]:
        """Statuses that hold, in the order of the needs."""
        return self._which(Truth.YES)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Statuses that could not be told, in the order of the needs."""
        return self._which(Truth.UNKNOWN)

    def _which(self, truth: Truth) -> tuple[str, ...]:
        return tuple(s for s in load_needs(RULES).tags if self.statuses.get(s) == truth)


def named_person(conditions: Iterable[str] = (), diets: Iterable[str] = ()) -> Person:
    """Return a person of whom only some statuses are named; no other one holds.

    Raises
    ------
    InputError
        When none is named, or one is no text.
    NotFoundError
        On a name that is not known, naming the nearest.
    """
    statuses = dict.fromkeys(_named(conditions, "condition") + _named(diets, "diet"), Truth.YES)
    if not statuses:
        raise InputError(
            "nothing to judge by: no condition, no diet and no person",
            where="person",
            hint="name one, such as --condition hypertension, --diet 'low sodium', or --person",
        )
    return Person(statuses=statuses, notes=_unjudged(statuses))


def survey_person(
    profile: HealthProfile, conditions: Iterable[str] = (), diets: Iterable[str] = ()
) -> Person:
    """Return a survey person, with statuses that are named on top of the survey's.

    Unknown statuses stay unknown unless they are named.

    Raises
    ------
    InputError
        When the profile was made by another rule set than ``default``, which judges.
    NotFoundError
        As :func:`named_person`.
    """
    if profile.rules != RULES:
        raise InputError(
            f"a profile of the rules {profile.rules}", where="person", hint=f"rules={RULES!r}"
        )
    survey = {**profile.conditions, **profile.diets}
    named = _named(conditions, "condition") + _named(diets, "diet")
    statuses = {**survey, **dict.fromkeys(named, Truth.YES)}
    notes = [f"{s}: named, the survey says {survey[s].word}" for s in named if s in survey]
    age = profile.measures.get("age_years", float("nan"))
    if age < ADULT_FROM_YEARS:
        notes.append(
            f"the person is {age:g} years old: needs and thresholds are those of adults, so"
            " this verdict does not hold for a minor"
        )
    elif age != age:
        notes.append("age unknown: needs and thresholds are those of adults")
    return Person(statuses=statuses, number=profile.person, notes=(*notes, *_unjudged(statuses)))


def _named(names: Iterable[str], kind: Kind) -> list[str]:
    given = [names] if isinstance(names, str) else names
    return list(dict.fromkeys(status_named(n, kind) for n in given))


def _unjudged(statuses: Mapping[str, Truth]) -> tuple[str, ...]:
    """Name statuses that need nothing a nutrition tag can tell."""
    tags = load_needs(RULES).tags
    lacking = [s for s, truth in statuses.items() if truth == Truth.YES and not tags[s]]
    return tuple(f"{s}: not judged, no nutrition tag tells it" for s in lacking)
