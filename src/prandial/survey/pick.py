"""Some of the people of a table, in the order asked for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from prandial.records import PeopleTable, Profiles

__all__ = ["pick_people", "pick_profiles"]


def pick_people(people: PeopleTable, rows: npt.NDArray[np.int64]) -> PeopleTable:
    """Return these rows of people; prescriptions stay whole, they are looked up by number."""
    return PeopleTable(
        cycle=people.cycle[rows],
        seqn=people.seqn[rows],
        values={name: column[rows] for name, column in people.values.items()},
        prescriptions=people.prescriptions,
        notes=people.notes,
    )


def pick_profiles(profiles: Profiles, rows: npt.NDArray[np.int64]) -> Profiles:
    """Return these rows of profiles as told before: no cut is set anew."""
    return Profiles(
        rules=profiles.rules,
        people=pick_people(profiles.people, rows),
        statuses={s: v[rows] for s, v in profiles.statuses.items()},
        severity={s: v[rows] for s, v in profiles.severity.items()},
        habits={s: v[rows] for s, v in profiles.habits.items()},
    )
