"""One person alone, with what decided each status."""

from __future__ import annotations

import numpy as np

from prandial.errors import NotFoundError
from prandial.records import HealthProfile, Profiles
from prandial.survey.measures import derive
from prandial.survey.pick import pick_people
from prandial.survey.reasons import explain, sentence
from prandial.survey.rules import conditions, tell
from prandial.survey.words import about_person
from prandial.tables.rules import load_needs
from prandial.truth import Truth

__all__ = ["one_person"]


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
        ``because`` says for each status what decided it, ``reasons`` the same rule by rule.

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
    known = conditions(rules)
    rows = [c for part in known.values() for c in part]
    told = {c.id: Truth(int(tell(c, measures, own.cycle)[at])) for c in rows}
    looks_at = {c.id: c.measure for c in rows}
    values = {name: float(column[at]) for name, column in measures.items()}
    kinds = load_needs(rules).kinds
    statuses = {s: Truth(int(v[row])) for s, v in profiles.statuses.items()}
    reasons = {s: explain(known[s], told, t, values) for s, t in statuses.items()}
    return HealthProfile(
        person=int(people.seqn[row]),
        cycle=str(people.cycle[row]),
        rules=rules,
        measures=values,
        conditions={s: t for s, t in statuses.items() if kinds[s] == "condition"},
        diets={s: t for s, t in statuses.items() if kinds[s] == "diet"},
        habits={label: Truth(int(v[row])) for label, v in profiles.habits.items()},
        severity={s: str(v[row]) for s, v in profiles.severity.items() if v[row]},
        because={s: sentence(why, looks_at) for s, why in reasons.items()},
        reasons=reasons,
        about=about_person(values["sex_code"], values["age_years"], str(people.cycle[row])),
    )
