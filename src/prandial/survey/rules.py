"""Rules of ``indicators.csv``: rows of a group must all hold, any group is enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from prandial.errors import InputError
from prandial.tables.rules import read_rules
from prandial.truth import (
    Truth,
    TruthArray,
    above,
    at_least,
    at_most,
    below,
    both,
    either,
    holds,
    one_of,
)

__all__ = ["Condition", "chosen", "conditions", "statuses_of", "tell"]

_Numbers = npt.NDArray[np.float64]
_COMPARE = {">=": at_least, ">": above, "<=": at_most, "<": below}


@dataclass(frozen=True, kw_only=True, slots=True)
class Condition:
    """One row of the table: a measure compared with thresholds or codes."""

    id: str
    status: str
    group: str
    measure: str
    op: str
    men: str
    women: str
    unless: str
    valid_low: float
    valid_high: float
    from_age: float
    cite: str
    source: str


def _number(text: str, default: float) -> float:
    return float(text) if text else default


@cache
def conditions(rules: str) -> Mapping[str, tuple[Condition, ...]]:
    """Return the rows of a rule set by status.

    Raises
    ------
    InputError
        When no row is of that rule set.
    """
    found: dict[str, tuple[Condition, ...]] = {}
    for row in read_rules("indicators"):
        if row["rules"] != rules:
            continue
        condition = Condition(
            id=row["id"],
            status=row["then"],
            group=row["group"],
            measure=row["measure"],
            op=row["op"],
            men=row["men"],
            women=row["women"],
            unless=row["unless"],
            valid_low=_number(row["valid_low"], -np.inf),
            valid_high=_number(row["valid_high"], np.inf),
            from_age=_number(row["from_age"], 0.0),
            cite=row["cite"],
            source=row["source"],
        )
        found[condition.status] = (*found.get(condition.status, ()), condition)
    if not found:
        known = dict.fromkeys(r["rules"] for r in read_rules("indicators"))
        raise InputError(f"no rule set {rules!r}", where="rules", hint="known: " + ", ".join(known))
    return found


def _threshold(condition: Condition, sex_code: _Numbers) -> float | _Numbers:
    men, women = float(condition.men), float(condition.women)
    if men == women:
        return men
    return np.where(np.isnan(sex_code), np.nan, np.where(sex_code == 2, women, men))


def chosen(
    values: _Numbers, measures: Mapping[str, _Numbers], cycle: npt.NDArray[np.str_]
) -> TruthArray:
    """Return whether a special diet is held.

    Known for those who hold it, for those on no diet, and for those on another one where
    anybody of their cycle holds it: a diet that nobody holds may not have been offered.
    """
    held = ~np.isnan(values)
    on_diet = measures["special_diet_code"]
    offered = np.isin(cycle, np.unique(cycle[held]))
    known = held | (on_diet == 2) | ((on_diet == 1) & offered)
    return holds(held, known=known)


def tell(
    condition: Condition, measures: Mapping[str, _Numbers], cycle: npt.NDArray[np.str_]
) -> TruthArray:
    """Return whether one row holds for each person: yes, no or unknown.

    A value outside the row's valid range is no value; nothing is told of people
    younger than the row's age, or where its ``unless`` code is present.
    """
    raw = measures[condition.measure]
    values = np.where((raw < condition.valid_low) | (raw > condition.valid_high), np.nan, raw)
    if condition.op in _COMPARE:
        out = _COMPARE[condition.op](values, _threshold(condition, measures["sex_code"]))
    elif condition.op in ("is", "in"):
        out = one_of(values, tuple(float(c) for c in condition.men.split(";")))
    elif condition.op in ("isnt", "said"):
        same = values == float(condition.men)
        all_known = np.ones(len(values), dtype=bool)
        out = holds(same if condition.op == "said" else ~same, known=all_known)
    elif condition.op == "any":
        out = holds(~np.isnan(values), known=~np.isnan(values))
    elif condition.op == "chosen":
        out = chosen(values, measures, cycle)
    else:
        raise InputError(
            f"no comparison {condition.op!r}", where=f"indicators, {condition.id}", hint=">="
        )
    silent = np.zeros(len(values), dtype=bool)
    if condition.from_age:
        silent |= ~(measures["age_years"] >= condition.from_age)
    for pair in filter(None, condition.unless.split(";")):
        name, code = pair.split("=")
        column = measures[name]
        silent |= np.isnan(column) if code == "missing" else column == float(code)
    return np.where(silent, np.uint8(Truth.UNKNOWN), out).astype(np.uint8)


def statuses_of(
    rules: str, measures: Mapping[str, _Numbers], cycle: npt.NDArray[np.str_]
) -> dict[str, TruthArray]:
    """Return each status of a rule set for each person; ``as-published`` knows no unknown."""
    out = {}
    for status, rows in conditions(rules).items():
        groups: dict[str, list[TruthArray]] = {}
        for row in rows:
            groups.setdefault(row.group, []).append(tell(row, measures, cycle))
        told = either(*(both(*parts) for parts in groups.values()))
        if rules == "as-published":
            told = np.where(told == Truth.YES, np.uint8(Truth.YES), np.uint8(Truth.NO))
        out[status] = told.astype(np.uint8)
    return out
