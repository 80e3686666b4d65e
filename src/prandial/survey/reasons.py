"""Why a status is yes, no or unknown: the rows of ``indicators.csv`` that decided it.

A status is yes when all rows of one group hold, and no when in every group some row does
not. So a yes is told by the groups that hold, a no by one failing row of each group, and
an unknown by the rows of which it cannot be told in the groups that may still hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf, isnan
from typing import Final

from prandial.records import StatusReason
from prandial.survey.rules import Condition
from prandial.survey.words import measure_words, rounded
from prandial.truth import Truth

__all__ = ["explain", "sentence"]

_LIMITS: Final = {">=": "", ">": "above ", "<": "below ", "<=": "up to "}
_CODES: Final = ("is", "in", "isnt", "said")
_WOMAN: Final = 2.0
_NO_DIET: Final = 2.0
#: longest unit that is said again after a limit
_SHORT_UNIT: Final = 6
_COUNTS_AS_NO: Final = "which counts as no"
_Person = Mapping[str, float]


def _silent(row: Condition, person: _Person) -> str:
    """Return why the row tells nothing of this person; empty when it does."""
    if row.from_age and not person["age_years"] >= row.from_age:
        if isnan(person["age_years"]):
            return "age not known"
        return f"younger than {row.from_age:g} years, of whom no condition is told"
    for pair in filter(None, row.unless.split(";")):
        name, code = pair.split("=")
        about, value = measure_words(name), person[name]
        if code == "missing" and isnan(value):
            return f"{about.words}: {about.missing}"
        if code != "missing" and value == float(code):
            answer = about.answers.get(value, f"{value:g}")
            other = measure_words(row.measure).words
            return f"{about.words}: {answer}, so that {other} tells nothing"
    return ""


def _limit(row: Condition, person: _Person) -> float:
    """Return the threshold for this person's sex; NaN where it hangs on an unknown sex."""
    if row.men == row.women:
        return float(row.men)
    if isnan(person["sex_code"]):
        return float("nan")
    return float(row.women if person["sex_code"] == _WOMAN else row.men)


def _number(row: Condition, person: _Person) -> tuple[str, float | None]:
    """Return a number beside its limit in words, and the limit."""
    about, value = measure_words(row.measure), person[row.measure]
    limit = _limit(row, person)
    if isnan(limit):
        return f"sex not known, on which the limit of {about.words} hangs", None
    said = about.answers.get(value)
    if said is None:
        said = f"{rounded(value, about.decimals, limit)} {about.unit}".strip()
    whose = ""
    if row.men != row.women:
        whose = "for women " if person["sex_code"] == _WOMAN else "for men "
    unit = f" {about.unit}" if len(about.unit) <= _SHORT_UNIT else ""
    return f"{about.words} {said}, limit {whose}{_LIMITS[row.op]}{limit:g}{unit}", limit


def _diet(row: Condition, person: _Person, told: Truth) -> tuple[str, str]:
    """Return what was said of a diet, in words and in short."""
    on_diet = person["special_diet_code"]
    if told == Truth.YES:
        return f"said to be on a {measure_words(row.measure).words}", "this diet"
    if on_diet == _NO_DIET:
        return "said to be on no special diet", "no special diet"
    if on_diet == 1 and told == Truth.NO:
        return "said to be on a special diet, but not on this one", "another diet"
    if on_diet == 1:
        return "on a special diet, but whether this one could be named is not known", ""
    return "whether on a special diet: not told", ""


def _reason(row: Condition, person: _Person, told: Truth) -> StatusReason:
    """Return what one row saw, in words, without its source."""
    about, raw = measure_words(row.measure), person[row.measure]
    value: float | str | None = None if isnan(raw) else raw
    limit: float | str | None = None
    silent = _silent(row, person)
    if silent:
        words = silent
    elif row.op in ("chosen", "any"):
        words, short = _diet(row, person, told)
        value, limit = short or None, "this diet"
    elif isnan(raw):
        words = f"{about.words}: {about.missing}"
    elif not row.valid_low <= raw <= row.valid_high:
        high = "" if row.valid_high == inf else f" to {row.valid_high:g}"
        shown = f"{rounded(raw, about.decimals)} {about.unit}".strip()
        words = f"{about.words} {shown}, outside of what can be ({row.valid_low:g}{high})"
    elif row.op in _CODES:
        value = about.answers.get(raw, "another answer")
        limit = " or ".join(about.answers.get(float(c), c) for c in row.men.split(";"))
        words = f"{about.words}: {value}"
    else:
        words, limit = _number(row, person)
        if raw in about.answers and raw != 0:
            value = about.answers[raw]
    unit = about.unit if isinstance(value, float) else ""
    return StatusReason(
        rule=row.id, words=words, source=row.source, value=value, limit=limit, unit=unit
    )


def _groups(rows: Iterable[Condition]) -> list[list[Condition]]:
    found: dict[str, list[Condition]] = {}
    for row in rows:
        found.setdefault(row.group, []).append(row)
    return list(found.values())


def _failing(
    groups: Sequence[Sequence[Condition]], told: Mapping[str, Truth]
) -> list[tuple[Condition, ...]]:
    """Return of each group one row that fails, or all unknown ones where none does.

    Of several failing rows that one whose measure fails the most groups, so that few
    measures tell it all.
    """
    no = [[r for r in group if told[r.id] == Truth.NO] for group in groups]
    fails = [{r.measure for r in rows} for rows in no]
    out: list[tuple[Condition, ...]] = []
    for group, rows in zip(groups, no, strict=True):
        if rows:
            often = [sum(r.measure in f for f in fails) for r in rows]
            out.append((rows[often.index(max(often))],))
        else:
            out.append(tuple(r for r in group if told[r.id] == Truth.UNKNOWN))
    return out


def _deciding(
    rows: Sequence[Condition], told: Mapping[str, Truth], status: Truth
) -> list[Condition]:
    groups = _groups(rows)
    if status == Truth.YES:
        return [r for g in groups if all(told[r.id] == Truth.YES for r in g) for r in g]
    if status == Truth.NO:
        return [r for part in _failing(groups, told) for r in part]
    open_groups = (g for g in groups if all(told[r.id] != Truth.NO for r in g))
    return [r for g in open_groups for r in g if told[r.id] == Truth.UNKNOWN]


def explain(
    rows: Sequence[Condition], told: Mapping[str, Truth], status: Truth, person: _Person
) -> tuple[StatusReason, ...]:
    """Return what decided a status.

    Parameters
    ----------
    rows : sequence of Condition
        All rows of the status.
    told : mapping of str to Truth
        What each row says of the person, by its id.
    status : Truth
        What follows from them.
    person : mapping of str to float
        The person's measures as derived for the rule set; NaN is missing.

    Returns
    -------
    tuple of StatusReason
        In the order of the rows. What is unknown is no reason for a yes, such as a
        pregnancy that nobody told of; limits are those for the person's sex.
    """
    out = []
    for row in _deciding(rows, told, status):
        if status == Truth.YES and isnan(person[row.measure]):
            continue
        reason = _reason(row, person, told[row.id])
        words = reason.words
        if status == Truth.NO and told[row.id] == Truth.UNKNOWN and reason.value is None:
            words = f"{words}, {_COUNTS_AS_NO}"
        if status != Truth.UNKNOWN:
            words = f"{words} ({row.cite})"
        out.append(replace(reason, words=words))
    return tuple(out)


def sentence(reasons: Sequence[StatusReason], measures: Mapping[str, str]) -> str:
    """Return reasons as one sentence, each measure once.

    Parameters
    ----------
    reasons : sequence of StatusReason
        As explained.
    measures : mapping of str to str
        The measure of each rule, by id.
    """
    said: dict[str, str] = {}
    for reason in reasons:
        said.setdefault(measures[reason.rule], reason.words)
    return "; ".join(dict.fromkeys(said.values()))
