"""Diet habits by ``habits.csv``: the ends of a question's answers, or the answer itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from prandial.records import PeopleTable, Profiles
from prandial.survey.measures import derive
from prandial.survey.rules import chosen
from prandial.tables.rules import read_rules
from prandial.truth import Truth, TruthArray, holds

__all__ = ["HabitRow", "habit_cut", "habit_table", "habits_of"]

_Numbers = npt.NDArray[np.float64]
_Flags = npt.NDArray[np.bool_]
_TENTH = 0.1


@dataclass(frozen=True, kw_only=True, slots=True)
class HabitRow:
    """A habit in a population.

    Parameters
    ----------
    label, measure, cut, note : str
        ``cut`` in words, such as ``>= 7``; the measure is empty where none is at hand.
    count, answered : int
        People with the habit, and people of whom it can be told.
    prevalence : float
        Share of those of whom it can be told; NaN for none.
    """

    label: str
    measure: str
    cut: str
    note: str
    count: int
    answered: int
    prevalence: float


def habit_cut(answers: _Numbers, side: str, *, strict: bool) -> float:
    """Return the answer from which one end begins: the 10th or 90th percentile.

    Answers tied with the cut are all in, so that an end can hold more than a tenth of the
    people. With ``strict`` an end that reaches the median has no cut (NaN): what half of
    the people answer is not extreme, and nobody can be at both ends.

    Parameters
    ----------
    answers : ndarray of float64
        Those given; any NaN must be left out before.
    side : {'high', 'low'}
    strict : bool
    """
    if not len(answers):
        return float("nan")
    high = side == "high"
    cut = float(np.quantile(answers, 1 - _TENTH if high else _TENTH))
    middle = float(np.median(answers))
    if strict and (cut <= middle if high else cut >= middle):
        return float("nan")
    return cut


def _ends(row: Mapping[str, str], values: _Numbers, among: _Flags, *, strict: bool) -> TruthArray:
    known = ~np.isnan(values)
    cut = habit_cut(values[known & among], row["side"], strict=strict)
    if np.isnan(cut):
        return holds(np.zeros(len(values), dtype=bool), known=known)
    end = values >= cut if row["side"] == "high" else values <= cut
    return holds(end, known=known)


def _codes(row: Mapping[str, str], values: _Numbers) -> TruthArray:
    codes = row["cut"].split(";")
    missing = "missing" in codes
    hit = np.isin(values, [float(c) for c in codes if c != "missing"])
    gone = np.isnan(values)
    return holds(hit | (gone & missing), known=~gone | missing)


def _one(
    row: Mapping[str, str], measures: Mapping[str, _Numbers], people: PeopleTable, among: _Flags
) -> TruthArray:
    size = len(people)
    if row["side"] == "none":
        return np.full(size, Truth.UNKNOWN, dtype=np.uint8)
    if row["side"] == "always":
        return np.full(size, Truth.YES, dtype=np.uint8)
    values = measures[row["measure"]]
    if row["cycles"]:
        values = np.where(np.isin(people.cycle, row["cycles"].split(";")), values, np.nan)
    if row["side"] == "chosen":
        return chosen(values, measures, people.cycle)
    if row["side"] == "any":
        return holds(~np.isnan(values), known=np.ones(size, dtype=bool))
    if row["side"] == "code":
        return _codes(row, values)
    return _ends(row, values, among, strict=row["rules"] != "as-published")


def _asked(rules: str, measures: Mapping[str, _Numbers]) -> _Flags:
    """Return whose answers set the cuts: everyone as published, else adults."""
    if rules == "as-published":
        return np.ones(len(measures["age_years"]), dtype=bool)
    return np.asarray(measures["age_years"] >= 18, dtype=bool)


def _rows(rules: str) -> list[dict[str, str]]:
    return [r for r in read_rules("habits") if r["rules"] == rules]


def habits_of(
    rules: str, measures: Mapping[str, _Numbers], people: PeopleTable
) -> dict[str, TruthArray]:
    """Return each habit of a rule set for each person, in the order of the table."""
    among = _asked(rules, measures)
    return {row["label"]: _one(row, measures, people, among) for row in _rows(rules)}


def _cut_text(row: Mapping[str, str], measures: Mapping[str, _Numbers], among: _Flags) -> str:
    if row["side"] not in ("high", "low"):
        return row["cut"] or row["side"]
    values = measures[row["measure"]][among]
    cut = habit_cut(values[~np.isnan(values)], row["side"], strict=row["rules"] != "as-published")
    if np.isnan(cut):
        return "no cut: half of the answers are the same"
    return f"{'>=' if row['side'] == 'high' else '<='} {cut:g}"


def habit_table(profiles: Profiles) -> tuple[HabitRow, ...]:
    """Return each habit with its measure, cut, count and prevalence (unweighted)."""
    measures = derive(profiles.people, profiles.rules)
    among = _asked(profiles.rules, measures)
    out = []
    for row in _rows(profiles.rules):
        told = profiles.habits[row["label"]]
        answered, count = int((told != Truth.UNKNOWN).sum()), int((told == Truth.YES).sum())
        out.append(
            HabitRow(
                label=row["label"],
                measure=row["measure"],
                cut=_cut_text(row, measures, among),
                note=row["note"],
                count=count,
                answered=answered,
                prevalence=count / answered if answered else float("nan"),
            )
        )
    return tuple(out)
