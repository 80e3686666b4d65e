"""What a rule set says of people: statuses, grades and habits."""

from __future__ import annotations

from typing import cast

import numpy as np
import numpy.typing as npt

from prandial.records import PeopleTable, Profiles
from prandial.records.people import RuleSet
from prandial.survey.habits import habits_of
from prandial.survey.measures import derive
from prandial.survey.rules import statuses_of
from prandial.survey.severity import grades
from prandial.tables.rules import load_needs

__all__ = ["minors", "profiles"]


def profiles(people: PeopleTable, rules: RuleSet | str = "default") -> Profiles:
    """Apply a rule set to people.

    Parameters
    ----------
    people : PeopleTable
    rules : {'default', 'as-published'}
        ``as-published`` follows the NGQA paper's code quirk for quirk: missing means no, no
        ages but for obesity, habits under wrong labels. ``default`` tells nothing (unknown)
        of minors' conditions or where measures are missing or implausible.

    Returns
    -------
    Profiles
        Statuses in the order of the needs of that rule set.

    Raises
    ------
    InputError
        On any other rule set.
    """
    order = load_needs(rules).tags
    measures = derive(people, rules)
    told = statuses_of(rules, measures, people.cycle)
    statuses = {status: told[status] for status in order}
    return Profiles(
        rules=cast("RuleSet", rules),
        people=people,
        statuses=statuses,
        severity=grades(statuses, measures),
        habits=habits_of(rules, measures, people),
    )


def minors(profiles: Profiles) -> npt.NDArray[np.bool_]:
    """Return who is younger than 18 years, or of unknown age."""
    return np.asarray(~(profiles.people["age_years"] >= 18), dtype=bool)
