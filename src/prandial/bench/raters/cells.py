"""What people write into the cells of a sheet: an estimate, and minutes.

Plain numbers are read here (``45``, ``45 g``, ``1,5``, ``0``); words go to the reader of
replies that models have too, so that "about 45" and "40-50" mean the same from both.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from prandial.answer.reading.meals import read_meal_reply
from prandial.errors import InputError
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
    r"between\s+(?P<low>\d+(?:[.,]\d+)?)\s*[a-z]*\s+and\s+(?P<high>\d+(?:[.,]\d+)?)\s*[a-z]*\.?",
    re.IGNORECASE,
)
_TIME: Final = re.compile(
    _PLAIN + r"\s*(?P<unit>min|mins|minutes?|m|'|s|sec|secs|seconds?|\"|h|hours?)?\.?",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(r"(?P<minutes>\d{1,3}):(?P<seconds>[0-5]\d)")
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
    found = re.fullmatch(rf"{_PLAIN}\s*(?:{_OWN[unit]})?\.?", text, re.IGNORECASE)
    if found and not re.fullmatch(r"\d{1,3},\d{3}", found["number"]):
        return _answered(float(found["number"].replace(",", ".")), "a number")
    if re.fullmatch(r"\d+\s*/\s*\d+\D*", text):
        return _unreadable("a slash: a share or a range?")
    ends = _BETWEEN.fullmatch(text)
    if ends:
        low, high = (float(ends[k].replace(",", ".")) for k in ("low", "high"))
        return _answered((low + high) / 2, "middle of a range")
    read = read_meal_reply(text, nutrient, method="base")
    if read.status == "answered" and read.value is not None:
        return _answered(read.value, read.why)
    return Reading(status=read.status, published_value=-1.0, why=read.why)


def _answered(value: float, why: str) -> Reading:
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
    """Read minutes: ``2``, ``1,5``, ``2 min``, ``90 s``, ``1:30``; None where it is blank.

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
    clock = _CLOCK.fullmatch(text)
    if clock:
        return int(clock["minutes"]) + int(clock["seconds"]) / 60
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    number = float(match["number"].replace(",", "."))
    unit = (match["unit"] or "min").casefold()
    if unit.startswith("s") or unit == '"':
        return number / 60
    return number * 60 if unit.startswith("h") else number
