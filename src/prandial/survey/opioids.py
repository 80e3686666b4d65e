"""Prescriptions that count as opioids: the longest of each person."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.records import PeopleTable, Prescriptions
from prandial.records.people import RuleSet
from prandial.tables.rules import read_rules

__all__ = ["opioid_days", "opioid_records"]

#: the code for "don't know" that the published pipeline takes for a number of days
_PUBLISHED_UNKNOWN_DAYS: Final = 99999.0
_Numbers = npt.NDArray[np.float64]


def opioid_records(prescriptions: Prescriptions) -> npt.NDArray[np.bool_]:
    """Return which records are of an opioid or given for dependence on one (``opioids.csv``)."""
    rows = read_rules("opioids")
    classes = {r["code"] for r in rows if r["kind"] == "class"}
    reasons = {r["code"] for r in rows if r["kind"] == "reason"}
    hits = [
        not classes.isdisjoint(c) or not reasons.isdisjoint(w)
        for c, w in zip(prescriptions.classes, prescriptions.reasons, strict=True)
    ]
    return np.array(hits, dtype=bool)


def _rows_of(people: PeopleTable, prescriptions: Prescriptions) -> npt.NDArray[np.int64]:
    """Return the row of each record's person, -1 for none."""
    _, codes = np.unique(np.concatenate([people.cycle, prescriptions.cycle]), return_inverse=True)
    step = np.int64(10**10)
    own = codes[: len(people)] * step + people.seqn
    theirs = codes[len(people) :] * step + prescriptions.seqn
    order = np.argsort(own, kind="stable")
    place = np.minimum(np.searchsorted(own[order], theirs), len(own) - 1)
    row = order[place]
    return np.where(own[row] == theirs, row, -1)


def opioid_days(people: PeopleTable, rules: RuleSet | str) -> _Numbers:
    """Return days of the longest current opioid prescription; 0 for those with none.

    Returns
    -------
    ndarray of float64
        NaN where a person was not asked, where no known length exceeds an unknown one, or
        where a drug is not known and none that is decides (``as-published`` takes the code
        for an unknown length as a long time, and an unknown drug as none of these).
    """
    days = np.where(np.isfinite(people["prescriptions_code"]), 0.0, np.nan)
    records = people.prescriptions
    if records is None or not len(people):
        return days
    picked = opioid_records(records)
    row = _rows_of(people, records)
    picked &= row >= 0
    doubtful = np.zeros(len(people), dtype=bool)
    if rules != "as-published" and records.identified is not None:
        doubtful[row[~records.identified & ~picked & (row >= 0)]] = True
    row, length = row[picked], records.days[picked]
    unknown = np.isnan(length)
    if rules == "as-published":
        length = np.where(unknown, _PUBLISHED_UNKNOWN_DAYS, length)
        unknown = np.zeros(len(length), dtype=bool)
    longest = np.zeros(len(people))
    np.maximum.at(longest, row[~unknown], length[~unknown])
    seen = np.zeros(len(people), dtype=bool)
    seen[row] = True
    doubtful[row[unknown]] = True
    days = np.where(seen, longest, days)
    return np.where(doubtful & (longest <= _long()), np.nan, days)


def _long() -> float:
    """Return the longest threshold of days in the rules: above it an unknown changes nothing."""
    rows = read_rules("indicators")
    return max(float(r["men"]) for r in rows if r["measure"] == "opioid_prescription_days")
