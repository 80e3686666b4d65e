"""How severe a condition is, by ``severity.csv``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from prandial.tables.rules import read_rules
from prandial.truth import Truth, TruthArray

__all__ = ["grades"]

_Numbers = npt.NDArray[np.float64]
_Texts = npt.NDArray[np.str_]


def _holds(row: Mapping[str, str], measures: Mapping[str, _Numbers]) -> npt.NDArray[np.bool_]:
    values = measures[row["measure"]]
    men, women = float(row["men"]), float(row["women"])
    limit = np.where(measures["sex_code"] == 2, women, men)
    compare = {
        ">=": np.greater_equal,
        ">": np.greater,
        "<": np.less,
        "is": np.equal,
        "isnt": np.not_equal,
    }
    return np.asarray(compare[row["op"]](values, limit), dtype=bool)


def _part(rows: Sequence[Mapping[str, str]], measures: Mapping[str, _Numbers]) -> _Texts:
    size = len(next(iter(measures.values())))
    grade = np.full(size, "", dtype="U24")
    for row in sorted(rows, key=lambda r: int(r["rank"])):
        grade[_holds(row, measures)] = row["grade"]
    return grade


def grades(
    statuses: Mapping[str, TruthArray], measures: Mapping[str, _Numbers]
) -> dict[str, _Texts]:
    """Return a grade for each condition that has one.

    Parameters
    ----------
    statuses : mapping of str to truth array
    measures : mapping of str to ndarray
        As derived for the same rule set.

    Returns
    -------
    dict of str to ndarray of str
        Of each part the highest rank that holds, parts joined by a comma; empty for
        people without the condition, save for grades that are of those (borderline).
    """
    rows = read_rules("severity")
    out = {}
    for status in dict.fromkeys(r["status"] for r in rows):
        if status not in statuses:
            continue
        told = statuses[status]
        text = np.full(len(told), "", dtype="U48")
        for part in dict.fromkeys(r["part"] for r in rows if r["status"] == status):
            own = [r for r in rows if r["status"] == status and r["part"] == part]
            wanted = Truth.YES if own[0]["of"] == "yes" else Truth.NO
            grade = np.where(told == wanted, _part(own, measures), "")
            joint = np.where((text != "") & (grade != ""), ", ", "")
            text = np.char.add(np.char.add(text, joint), grade)
        out[status] = text
    return out
