"""How many people have each status and each pair of them: Tables 10 and 11 of the NGQA paper."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from prandial.records import Profiles
from prandial.tables.rules import load_needs, read_rules
from prandial.truth import Truth

__all__ = ["CountRow", "counts"]

#: In the published count each person of this cycle who was told of osteoporosis is counted
#: three times: all 13 counts and 44 overlaps of Tables 10 and 11 follow exactly. The two
#: cycles after and before it have no such table, as if its rows had stood in for theirs and
#: a join by respondent had multiplied them.
_REPEATED: Final = ("2013-2014", "osteoporosis_told_code", 1.0, 3)


@dataclass(frozen=True, kw_only=True, slots=True)
class CountRow:
    """A count of people.

    Parameters
    ----------
    statuses : tuple of str
        All of which they have.
    people : int
    as_counted : int
        With the repetition of the published count.
    published : int or None
        The paper's figure where it gives one.
    unknown : int
        People of whom it cannot be told.
    """

    statuses: tuple[str, ...]
    people: int
    as_counted: int
    published: int | None
    unknown: int


def _wanted(profiles: Profiles) -> list[tuple[str, ...]]:
    kinds = load_needs(profiles.rules).kinds
    conditions = [s for s in profiles.statuses if kinds[s] == "condition"]
    diets = [s for s in profiles.statuses if kinds[s] == "diet"]
    rows: list[tuple[str, ...]] = [(s,) for s in profiles.statuses]
    rows += [(c, d) for c in conditions for d in diets]
    for size in range(2, 5):
        rows += list(combinations(conditions, size))
    return rows


def _published() -> dict[frozenset[str], int]:
    rows = [r for r in read_rules("people_demo") if r["kind"] == "status"]
    return {frozenset(r["name"].split(" & ")): int(r["count"]) for r in rows}


def counts(profiles: Profiles) -> tuple[CountRow, ...]:
    """Count people by status, condition with diet, and conditions together.

    Returns
    -------
    tuple of CountRow
        ``published`` is the paper's figure for 95,872 records of 2003 to March 2020, whatever
        people are counted here.
    """
    cycle, column, code, times = _REPEATED
    people = profiles.people
    repeated = (people.cycle == cycle) & (people[column] == code)
    weight = np.where(repeated, times, 1)
    published = _published()
    out = []
    for statuses in _wanted(profiles):
        told = np.stack([profiles.statuses[s] for s in statuses])
        yes = (told == Truth.YES).all(axis=0)
        no = (told == Truth.NO).any(axis=0)
        out.append(
            CountRow(
                statuses=statuses,
                people=int(yes.sum()),
                as_counted=int(weight[yes].sum()),
                published=published.get(frozenset(statuses)),
                unknown=int((~yes & ~no).sum()),
            )
        )
    return tuple(out)
