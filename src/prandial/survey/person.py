"""One person alone, with the rule and the values behind each status."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from prandial.errors import NotFoundError
from prandial.records import HealthProfile, Profiles
from prandial.survey.measures import derive
from prandial.survey.pick import pick_people
from prandial.survey.rules import Condition, conditions, tell
from prandial.tables.rules import load_needs
from prandial.truth import Truth

__all__ = ["one_person"]

_Numbers = npt.NDArray[np.float64]


def _row_of(profiles: Profiles, seqn: int) -> int:
    found = np.flatnonzero(profiles.people.seqn == seqn)
    if len(found):
        return int(found[0])
    numbers = profiles.people.seqn
    near = numbers[np.argsort(np.abs(numbers - seqn), kind="stable")[:3]]
    raise NotFoundError(
        f"no person {seqn}",
        where="people",
        hint="nearest: " + ", ".join(str(n) for n in near) if len(near) else "no people were read",
    )


def _saw(condition: Condition, measures: Mapping[str, _Numbers], row: int) -> str:
    value = measures[condition.measure][row]
    seen = "not known" if np.isnan(value) else f"{value:g}"
    return f"{condition.text()}: {seen}"


def _because(
    rows: tuple[Condition, ...],
    measures: Mapping[str, _Numbers],
    told: Mapping[str, Truth],
    status: Truth,
    row: int,
) -> str:
    """Return the rows that make it so: the group that holds, or in each group what does not."""
    groups = dict.fromkeys(c.group for c in rows)
    if status == Truth.YES:
        for group in groups:
            own = [c for c in rows if c.group == group]
            if all(told[c.id] == Truth.YES for c in own):
                return "; ".join(f"{c.id} {_saw(c, measures, row)}" for c in own)
    wanted = [c for c in rows if told[c.id] == status] or [c for c in rows if told[c.id] != 1]
    return "; ".join(f"{c.id} {_saw(c, measures, row)}" for c in wanted)


def one_person(profiles: Profiles, seqn: int) -> HealthProfile:
    """Return one person's profile.

    Parameters
    ----------
    profiles : Profiles
        Also when the person's cycle stands beside others: cuts of habits and offered diets are
        those of all these people.
    seqn : int
        Respondent number.

    Returns
    -------
    HealthProfile
        ``because`` names, for each status, the rows of ``indicators.csv`` and what they saw.

    Raises
    ------
    NotFoundError
        Naming the nearest numbers.
    """
    row = _row_of(profiles, seqn)
    people = profiles.people
    rules = profiles.rules
    same = np.flatnonzero(people.cycle == people.cycle[row])
    own = pick_people(people, same)
    measures = derive(own, rules)
    at = int(np.searchsorted(same, row))
    told = {
        c.id: Truth(int(tell(c, measures, own.cycle)[at]))
        for rows in conditions(rules).values()
        for c in rows
    }
    kinds = load_needs(rules).kinds
    statuses = {s: Truth(int(v[row])) for s, v in profiles.statuses.items()}
    return HealthProfile(
        person=int(people.seqn[row]),
        cycle=str(people.cycle[row]),
        rules=rules,
        measures={name: float(column[at]) for name, column in measures.items()},
        conditions={s: t for s, t in statuses.items() if kinds[s] == "condition"},
        diets={s: t for s, t in statuses.items() if kinds[s] == "diet"},
        habits={label: Truth(int(v[row])) for label, v in profiles.habits.items()},
        severity={s: str(v[row]) for s, v in profiles.severity.items() if v[row]},
        because={
            s: _because(conditions(rules)[s], measures, told, t, at) for s, t in statuses.items()
        },
    )
