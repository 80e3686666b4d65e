"""Measures and answers in words, by ``measure_words.csv``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import isnan
from typing import Final

from prandial.tables.rules import read_rules

__all__ = ["MeasureWords", "about_person", "measure_words", "rounded"]

_MOST_DECIMALS: Final = 6
_ADULT_YEARS: Final = 18
#: oldest age that a release tells, 85 in the first two cycles and 80 after (NHANES, DEMO)
_TOP_85: Final = ("2003-2004", "2005-2006")


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasureWords:
    """How a measure is called, its unit, decimals shown, answers by code, and no value."""

    words: str
    unit: str = ""
    decimals: int = 1
    answers: Mapping[float, str]
    missing: str = "not known"


@cache
def _all() -> Mapping[str, MeasureWords]:
    found = {}
    for row in read_rules("measure_words"):
        pairs = (pair.split(":", 1) for pair in filter(None, row["answers"].split(";")))
        found[row["measure"]] = MeasureWords(
            words=row["words"],
            unit=row["unit"],
            decimals=int(row["decimals"] or 0),
            answers={float(code): words for code, words in pairs},
            missing=row["missing"],
        )
    return found


def measure_words(measure: str) -> MeasureWords:
    """Return the words of a measure; its house name where the table has none."""
    return _all().get(measure) or MeasureWords(words=measure, answers={})


def rounded(value: float, decimals: int, limit: float | None = None) -> str:
    """Return a number with at most so many decimals, more where rounding would cross a limit."""
    for places in range(decimals, _MOST_DECIMALS):
        near = round(value, places)
        if limit is None or (near < limit, near > limit) == (value < limit, value > limit):
            return f"{near:.{places}f}".rstrip("0").rstrip(".") if places else f"{near:.0f}"
    return repr(value)


def about_person(sex_code: float, age_years: float, cycle: str) -> str:
    """Return who somebody is, such as ``woman, 66 years``; the oldest are ``or older``."""
    sex = measure_words("sex_code").answers.get(sex_code, "sex not known")
    if age_years < _ADULT_YEARS:
        sex = {"man": "boy", "woman": "girl"}.get(sex, sex)
    if isnan(age_years):
        return f"{sex}, age not known"
    top = 85 if cycle in _TOP_85 else 80
    return f"{sex}, {age_years:.0f} years" + (" or older" if age_years >= top else "")
