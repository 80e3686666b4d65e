"""What people write into the cells of a sheet: an estimate, and minutes.

Plain numbers are read here (``45``, ``45 g``, ``1,5``, ``0``); words go to the reader of
replies that models have too, so that "about 45" and "40-50" mean the same from both.
"""

from __future__ import annotations

import math
import re
import unicodedata
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from prandial.answer.reading.meals import read_meal_reply
from prandial.errors import InputError
from prandial.meal.numbers import read_number
from prandial.meal.tokens import VULGAR, tokenize
from prandial.nutrients import unit_of
from prandial.records.bench import Reading

__all__ = ["cell_text", "estimate_of", "minutes_of"]

_OWN: Final = {
    "g": r"g|gr|gm|gms|grams?|grammes?",
    "kcal": r"kcals?|cals?|calories?|kilocalories?",
}
#: units of weight, energy and exchange lists: an estimate in one of them is not what was asked
_UNITS: Final = re.compile(
    r"\d\s*(?P<unit>kcals?|cals?|calories?|kilocalories?|kj|kilojoules?|joules?"
    r"|kg|kgs|kilos?|kilograms?|mg|milligrams?|mcg|µg|ug|g|gr|gm|gms|grams?|grammes?"
    r"|oz|ounces?|lbs?|pounds?|ml|millilit(?:er|re)s?|cl|dl|lit(?:er|re)s?"
    r"|exchanges?|carb\s+(?:exchanges?|choices?|units?|portions?)|choices?|percent|%)(?![a-z])",
    re.IGNORECASE,
)
_NO_ANSWER: Final = frozenset(
    {"", "?", "??", "???", "-", "--", "—", "–", ".", "/", "x", "n/a", "na", "n.a.", "dk", "idk"}
    | {"don't know", "dont know", "do not know", "i don't know", "i dont know", "i do not know"}
    | {"no idea", "not known", "unknown", "unsure", "not sure", "can't tell", "cannot tell"}
    | {"can't say", "cannot say", "no answer", "skip", "skipped"}
)
_PLAIN: Final = r"(?P<number>\d+(?:[.,]\d+)?|[.,]\d+)"
_BETWEEN: Final = re.compile(
    r"between\s+(?P<low>\d+(?:[.,]\d+)?)\s*[a-z]*\s+and\s+(?P<high>\d+(?:[.,]\d+)?)\s*[a-z]*\.?"
    r"|(?P<from>\d+(?:[.,]\d+)?)\s*[-\u2013]\s*(?P<to>\d+(?:[.,]\d+)?)\s*[a-z]*\.?",
    re.IGNORECASE,
)
#: in front of an amount that is meant all the same
_ABOUT: Final = re.compile(
    r"(?:~|\u2248|(?:abt|about|approx|approximately|around|roughly|circa|ca|c|say|maybe|perhaps"
    r"|probably|i guess|i think|my guess|guess|estimate|est)\b[.:]?)\s*",
    re.IGNORECASE,
)
_MARGIN: Final = re.compile(
    r"\s*(?:\u00b1|\+\s*/\s*[-\u2212]|\+-)\s*\d+(?:[.,]\d+)?(?=\s*[a-z]*\.?$)"
)
#: no amount, but what it is more or less than
_LIMIT: Final = re.compile(
    r"(?:<|>|\u2264|\u2265|(?:less|more|fewer|greater) than|at (?:least|most)|under|over|below"
    r"|above|up to|max|min)[\s.:]*=?\s*[\d.,]+.*"
    r"|[\d.,]+\s*[a-z]*\s*(?:\+|(?:or|and) (?:more|less|up))",
    re.IGNORECASE,
)
_NONE: Final = re.compile(
    r"none|nil|nothing|no (?:carb\w*|fat|protein|energy|calories)|traces?|tr", re.IGNORECASE
)
_TIME: Final = re.compile(
    _PLAIN + r"\s*(?P<unit>min|mins|minutes?|m|'|s|sec|secs|seconds?|\"|h|hours?)?\.?",
    re.IGNORECASE,
)
_BOTH: Final = re.compile(
    r"(?P<minutes>\d{1,4})\s*(?:min|mins|minutes?|m|')\.?(?:\s*(?:and)?\s*)"
    r"(?P<seconds>[0-5]?\d)\s*(?:s|sec|secs|seconds?|\")?\.?",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(r"(?P<minutes>\d{1,3}):(?P<seconds>[0-5]\d)")
_SHARE: Final = re.compile(
    r"(?:(\d+)\s+)?(\d+)\s*/\s*([1-9]\d*)(?:\s*min(?:ute)?s?\.?)?", re.IGNORECASE
)
#: what a spreadsheet makes of 10-12 or 5/6
_DATE: Final = re.compile(
    r"\d{1,2}[-./ ]?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:[-./ ]?\d{2,4})?"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-./ ]\d{1,4}"
    r"|\d{4}-\d{2}-\d{2}(?:[ T].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}",
    re.IGNORECASE,
)
#: a day has so many
_MOST_MINUTES: Final = 24 * 60.0


def cell_text(cell: Any) -> str:
    """Return what a cell shows, without spaces around; the mark of a text cell falls."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    text = " ".join(str(cell).split())
    return text[1:].strip() if text.startswith("'") else text


def estimate_of(cell: Any, nutrient: str, where: str) -> Reading:
    """Read an estimate.

    Parameters
    ----------
    cell : any
        As the reader of tables gives it: text, number, date or None.
    nutrient : str
        Its name tells the unit.
    where : str
        File, row and column, for errors.

    Returns
    -------
    Reading
        ``refused`` for a blank cell and "don't know"; ``unreadable`` where no amount can be
        found, with why. The published value is the amount, and -1 without one, as the
        published code scores it.

    Raises
    ------
    InputError
        On an amount in another unit, and a date that a spreadsheet made of a range.
    """
    _no_date(cell, where)
    text = cell_text(cell)
    unit = unit_of(nutrient)
    if text.casefold().replace("\u2019", "'").rstrip(".!") in _NO_ANSWER or not text:
        return Reading(
            status="refused", published_value=-1.0, why="left blank" if not text else "no answer"
        )
    if isinstance(cell, bool):
        return _unreadable("true or false is no amount")
    other = _other_unit(text, unit)
    if other:
        raise InputError(
            f"{text[:40]!r} is in {other}, the sheet asks for {unit}",
            where=where,
            hint=f"ask the rater for {unit}; put remarks into the column note",
        )
    odd = _why_odd(text, unit)
    if odd:
        return _unreadable(odd)
    plain = _MARGIN.sub("", _ABOUT.sub("", text, count=1) if _ABOUT.match(text) else text)
    return _number_in(plain, unit) or _as_models_are_read(plain, nutrient)


def _why_odd(text: str, unit: str) -> str:
    """Return why a text with a number in it is no estimate."""
    if _LIMIT.fullmatch(text):
        return "a limit, no estimate"
    if _NONE.fullmatch(text.rstrip(".!")):
        return "0, or no answer?"
    if re.fullmatch(r"[-\u2212]\s*\d.*", text) and not re.fullmatch(r"[-\u2212]1(?:\.0+)?", text):
        return "less than 0"
    if re.fullmatch(r"\d+\s*/\s*\d+\D*", text):
        return "a slash: a share or a range?"
    if unit == "g" and re.fullmatch(r"\d{1,3},\d{3}\D*", text):
        return "a comma: thousands or a decimal?"
    return ""


def _number_in(text: str, unit: str) -> Reading | None:
    """Read a number, the ends of a range, or a number in English words."""
    found = re.fullmatch(rf"{_PLAIN}\s*(?:{_OWN[unit]})?\.?", text, re.IGNORECASE)
    if found and not re.fullmatch(r"\d{1,3},\d{3}", found["number"]):
        return _answered(_float(found["number"]), "a number")
    ends = _BETWEEN.fullmatch(text)
    if ends:
        low, high = (_float(ends[a] or ends[b]) for a, b in (("low", "from"), ("high", "to")))
        return _answered((low + high) / 2, "middle of a range")
    words = re.sub(rf"\s*\b(?:{_OWN[unit]})\.?$", "", text.rstrip("."), flags=re.IGNORECASE)
    if words.casefold() == "zero":
        return _answered(0.0, "a number in words")
    tokens = tokenize(words) if re.fullmatch(r"[A-Za-z][A-Za-z\s-]*", words) else []
    said = read_number(tokens, 0) if tokens else None
    if said is None or said.end != len(tokens) or not said.low == said.mid == said.high:
        return None
    return _answered(said.mid, "a number in words")


def _as_models_are_read(text: str, nutrient: str) -> Reading:
    read = read_meal_reply(text, nutrient, method="base")
    if read.status == "answered" and read.value is not None:
        return _answered(read.value, read.why)
    return Reading(status=read.status, published_value=-1.0, why=read.why)


def _float(text: str) -> float:
    return float(text.replace(",", "."))


def _answered(value: float, why: str) -> Reading:
    if not math.isfinite(value):
        return _unreadable("more than any number")
    return Reading(status="answered", value=value, published_value=value, why=why)


def _unreadable(why: str) -> Reading:
    return Reading(status="unreadable", published_value=-1.0, why=why)


def _other_unit(text: str, unit: str) -> str:
    for match in _UNITS.finditer(text):
        if not re.fullmatch(_OWN[unit], match["unit"], re.IGNORECASE):
            return match["unit"]
    return ""


def _no_date(cell: Any, where: str) -> None:
    if isinstance(cell, date | datetime | time | timedelta) or (
        isinstance(cell, str) and _DATE.fullmatch(cell.strip())
    ):
        raise InputError(
            f"the cell holds a date, {str(cell)[:40]!r}",
            where=where,
            hint="a spreadsheet makes one of 10-12: write what the rater wrote, such as 11",
        )


def minutes_of(cell: Any, where: str) -> float | None:
    """Read minutes: ``2``, ``1,5``, ``1/2``, ``about 2 min``, ``90 s``, ``1:30``, ``1 min 30 s``.

    None where it is blank.

    Raises
    ------
    InputError
        On what is no time, or longer than a day.
    """
    if isinstance(cell, timedelta):
        found: float | None = cell.total_seconds() / 60
    elif isinstance(cell, time):
        # a spreadsheet takes 1:30 for half past one; a rater meant a minute and a half
        found = cell.hour + cell.minute / 60
    else:
        text = cell_text(cell)
        if text.casefold() in _NO_ANSWER:
            return None
        found = _minutes_in(text)
    if found is None or isinstance(cell, bool) or not 0 <= found <= _MOST_MINUTES:
        raise InputError(
            f"{str(cell)[:40]!r} is no number of minutes",
            where=where,
            hint="minutes such as 2 or 0.5; leave it blank where it is not known",
        )
    return found


def _minutes_in(text: str) -> float | None:
    text = _ABOUT.sub("", text, count=1) if _ABOUT.match(text) else text
    if len(text) == 1 and text in VULGAR:
        return unicodedata.numeric(text)
    clock = _CLOCK.fullmatch(text) or _BOTH.fullmatch(text)
    if clock:
        return int(clock["minutes"]) + int(clock["seconds"]) / 60
    share = _SHARE.fullmatch(text)
    if share:
        return int(share[1] or 0) + int(share[2]) / int(share[3])
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    number = _float(match["number"])
    unit = (match["unit"] or "min").casefold()
    if unit.startswith("s") or unit == '"':
        return number / 60
    return number * 60 if unit.startswith("h") else number
