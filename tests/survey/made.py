"""A few people with chosen measures; all else is missing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prandial.records import PeopleTable, Prescriptions
from prandial.tables.rules import read_rules

NAMES = tuple(dict.fromkeys(r["name"] for r in read_rules("people_variables")))


def people(
    n: int = 1,
    *,
    cycle: str = "2017-2018",
    prescriptions: Prescriptions | None = None,
    **measures: float | Sequence[float],
) -> PeopleTable:
    values = {name: np.full(n, np.nan) for name in NAMES}
    for name, value in measures.items():
        assert name in values, name
        values[name] = np.broadcast_to(np.asarray(value, dtype=np.float64), (n,)).copy()
    return PeopleTable(
        cycle=np.full(n, cycle, dtype="U9"),
        seqn=np.arange(1, n + 1, dtype=np.int64),
        values=values,
        prescriptions=prescriptions,
    )
