"""The people of a build as a table beside it, so that results can be told apart by group."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from prandial import survey
from prandial.records import Profiles
from prandial.tables.parquetfile import write_columns
from prandial.truth import Truth

__all__ = ["RESPONDENTS", "write_respondents"]

RESPONDENTS: Final = "people.parquet"
#: measures that come along as they are, with their unit; NaN is written as null
_MEASURES: Final = (
    "age_years",
    "income_ratio",
    "bmi_kg_m2",
    "weight_interview_persons",
    "weight_exam_persons",
    "weight_recall_persons",
    "stratum_code",
    "psu_code",
)


def write_respondents(profiles: Profiles, rows: Sequence[int], path: Path) -> int:
    """Write who was asked about: groups, grades of conditions, survey weights and design.

    Parameters
    ----------
    profiles : Profiles
    rows : sequence of int
        Rows of the people to write; repeats are written once.
    path : Path
        Parquet file: ``person``, ``cycle``, one column a way of grouping (``sex``, ``age``,
        ``income``, ``food_security``, ``origin``), ``severity`` and ``statuses_unknown`` as
        JSON, and measures; null is unknown.

    Returns
    -------
    int
        People written.

    Raises
    ------
    InputError
        When the file cannot be written.
    """
    at = np.unique(np.asarray(rows, dtype=np.int64))
    part = survey.pick_profiles(profiles, at)
    people = part.people
    columns: dict[str, Any] = {
        "person": people.seqn,
        "cycle": people.cycle.astype(object),
    }
    for name, groups in survey.slices(part).items():
        columns.setdefault(name.replace(" ", "_"), groups.astype(object))
    columns["severity"] = np.array(
        [
            json.dumps({k: str(v[i]) for k, v in part.severity.items() if str(v[i])})
            for i in range(len(at))
        ],
        dtype=object,
    )
    columns["statuses_unknown"] = np.array(
        [
            json.dumps([s for s, v in part.statuses.items() if v[i] == Truth.UNKNOWN])
            for i in range(len(at))
        ],
        dtype=object,
    )
    for name in _MEASURES:
        columns[name] = people[name]
    write_columns(path, columns)
    return len(at)
