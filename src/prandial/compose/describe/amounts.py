"""Household servings in everyday words: counts, simple fractions, units, sizes.

A measure is said in one of three ways: a unit "of" the food (two cups of milk), a size or a
count of the food itself (a medium banana, three eggs), or behind the name in brackets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from prandial.compose.describe.names import (
    many_of,
    name_variants,
    single_of,
    spoken_food,
)
from prandial.compose.describe.words import stem
from prandial.tables.rules import read_rules

__all__ = ["Measure", "Phrase", "grams_text", "read_measure", "serving_phrases", "with_article"]

_LEAD: Final = re.compile(r"^(\d+(?:\.\d+)?)(?:[ -](\d+)/(\d+))?\s+(?=\S)|^(\d+)/(\d+)\s+")
#: parts in words in front of a unit: "half a cup", "three quarters of an ounce"
_SPOKEN: Final = re.compile(
    r"^(half|a quarter of|a third of|two thirds of|three quarters of) an? (?=\S)"
)
_SPOKEN_PARTS: Final = {
    "half": 1 / 2,
    "a quarter of": 1 / 4,
    "a third of": 1 / 3,
    "two thirds of": 2 / 3,
    "three quarters of": 3 / 4,
}
_BRACKET: Final = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
_DIMENSION: Final = re.compile(r"^(?:approx\.? )?([\d.]+(?:/\d+)? ?(?:fl oz|oz|ml|g|lb))\b")
#: "1 large piece or 2 squares"
_OTHERWISE: Final = re.compile(r" or (?=\d+ \w)")
_NOTE: Final = re.compile(r"\b(yields?|[Ii]nclude\b.*|NFS|NS as to.*|NS size|any size|NS)\b")
_JOINED: Final = re.compile(r" (?:with|in|on|from|of) ")
#: units of which nobody says a dozen
_MEASURED: Final = frozenset(("oz", "cup", "tablespoon", "teaspoon"))
_NEAR: Final = 0.004
_MOST: Final = 8


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure's name taken apart: "2 large slices (3 oz), toasted".

    ``number`` 2, ``unit`` "large slice" as given, ``notes`` "toasted", ``sizes`` "3 oz".
    """

    number: float
    unit: str
    notes: str
    sizes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A food with its amount: the whole, and its two parts as they stand in it."""

    text: str
    name: str
    amount: str


@lru_cache(maxsize=100_000)
def read_measure(measure: str) -> Measure:
    """Take a measure's name apart; without a number it is one."""
    measure = " ".join(measure.split())
    lead = _LEAD.match(measure)
    number = 1.0
    if lead:
        whole, top, under, part, of = lead.groups()
        number = float(whole or 0)
        if top or part:
            number += float(top or part) / float(under or of)
    rest = measure[lead.end() :] if lead else measure
    spoken = None if lead else _SPOKEN.match(measure)
    if spoken:
        number, rest = _SPOKEN_PARTS[spoken[1]], measure[spoken.end() :]
    sizes = tuple(b.strip() for b in _BRACKET.findall(rest) if b.strip() and not _NOTE.search(b))
    rest, *other = _OTHERWISE.split(_BRACKET.sub("", rest), maxsplit=1)
    unit, *notes = [p.strip() for p in rest.split(",")]
    notes = [n for n in (_NOTE.sub("", n).strip() for n in notes) if n]
    unit = _NOTE.sub("", unit).strip().replace("/", " or ")
    return Measure(number, " ".join(unit.split()), ", ".join(notes), (*sizes, *other))


def grams_text(grams: float) -> str:
    """Return grams to two decimals without needless zeros, more for less than a centigram."""
    if grams < 0.01:
        return f"{grams:.3g}"
    text = f"{grams:.2f}"
    return text.rstrip("0").rstrip(".")


@cache
def _counts() -> dict[float, tuple[tuple[str, str], ...]]:
    out: dict[float, list[tuple[str, str]]] = {}
    for row in read_rules("count_words"):
        out.setdefault(float(row["value"]), []).append((row["words"], row["form"]))
    return {k: tuple(v) for k, v in out.items()}


@cache
def _units(role: str) -> frozenset[str]:
    rows = read_rules("serving_words")
    return frozenset(stem(w) for r in rows if r["role"] == role for w in r["words"].split())


def _count_words(value: float) -> tuple[tuple[str, str], ...]:
    for known, words in _counts().items():
        if abs(known - value) <= _NEAR:
            return words
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return ((text, "many" if value > 1 else "part"),)


#: where "a" stands before a vowel that is heard: 8, 80, 8.5, 11 and 18, but not 110
_HEARD: Final = re.compile(r"\ba (?=[aeio]|8|1[18](?!\d)|u(?!ni|s[aeiou]))", re.IGNORECASE)


def with_article(words: str) -> str:
    """Put "an" before a vowel that is heard."""
    start = 0
    if words.startswith("half a ") or " of a " in words:
        start = len("half ") if words.startswith("half a ") else words.index(" of a ") + 4
    elif not words.startswith("a "):
        return words
    found = _HEARD.match(words, start)
    return words if found is None else f"{words[:start]}an {words[found.end() :]}"


@lru_cache(maxsize=400_000)
def serving_phrases(
    name: str, measure: str, times: float, text: str, rule: str
) -> tuple[Phrase, ...]:
    """Return ways to say a serving of a food.

    Parameters
    ----------
    name : str
        Of the food, as in its table.
    measure, times, text, rule
        Of the :class:`~prandial.records.composed.HouseholdServing`.
    """
    if rule == "volume" or not measure:
        measure, times = text, 1.0
    read = read_measure(measure)
    count = read.number * times
    last = read.unit.split()[-1] if read.unit else ""
    spoken = spoken_food(name)
    noun = _JOINED.split(spoken.core.split("(")[0])[0].split()[-1]
    words = _count_words(count)
    if not last:
        return _behind(name, text)
    if not read.unit[0].isalpha():
        words = tuple(w for w in words if not w[0][-1].isdigit()) or words
    if " with " in read.unit:
        return _said_behind(name, read, words)
    if all(stem(w) in _units("size") or w == "or" for w in read.unit.split()):
        return _counted(name, read, words, read.unit)
    if stem(last) == stem(noun) and not spoken.listed:
        own = set(spoken.text().lower().split()) - {"or"}
        said = " ".join(w for w in read.unit.split()[:-1] if w.lower() not in own)
        size = "" if said == "or" else said.removeprefix("or ").removesuffix(" or")
        if any(w[0].isupper() for w in size.split()):
            return _said_behind(name, read, words)
        return _counted(name, read, words, size)
    if any(stem(w) in _units("of") for w in _head(read.unit)):
        return _of(name, read, words)
    return _said_behind(name, read, words)


def _head(unit: str) -> list[str]:
    """Return the words that may be the noun of a unit: the last one, or the one before "of"."""
    before = re.split(r" (?:of|with|in|on) ", unit)[0].split()
    return [before[-1], unit.split()[-1]]


def _noted(phrase: str, read: Measure, sizes: tuple[str, ...]) -> str:
    notes = "; ".join([*sizes, *([read.notes] if read.notes else [])])
    return f"{phrase} ({notes})" if notes else phrase


@lru_cache(maxsize=10_000)
def _many_units(unit: str) -> str:
    """Return a unit in the plural: "can or bottle" as "cans or bottles"."""
    first, link, last = unit.partition(" or ")
    if link and stem(first.split()[-1]) in _units("of"):
        return many_of(first) + link + many_of(last)
    return many_of(unit)


def _said_unit(read: Measure, count: str, form: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return "two 12 fl oz bottles" and "two bottles", with the sizes still to be said."""
    unit = _many_units(read.unit) if form == "many" else read.unit
    said = [(with_article(f"{count} {unit}"), read.sizes)]
    size = _DIMENSION.match(read.sizes[0]) if len(read.sizes) == 1 else None
    if size and size.group(1) == read.sizes[0] and not count[-1].isdigit():
        said.append((with_article(f"{count} {size.group(1)} {unit}"), ()))
    return said


def _again_single(count: str, unit: str) -> bool:
    return count == "a single" and unit.startswith(("single", "individual"))


def _of(name: str, read: Measure, words: tuple[tuple[str, str], ...]) -> tuple[Phrase, ...]:
    out = []
    if read.notes == "cooked" and "cooked" in name.lower():
        read = replace(read, notes="")
    measured = read.unit.split()[-1] in _MEASURED
    for count, form in words:
        if (measured and count.endswith("dozen")) or _again_single(count, read.unit):
            continue
        for said, sizes in _said_unit(read, count, form):
            for spoken in name_variants(name):
                amount = _noted(said, read, sizes)
                out.append(Phrase(f"{amount} of {spoken}", spoken, amount))
    return tuple(out[: _MOST * 3])


def _counted(
    name: str, read: Measure, words: tuple[tuple[str, str], ...], size: str
) -> tuple[Phrase, ...]:
    out = []
    for count, form in words:
        if count == "a single" and size:
            continue
        variants = name_variants(name, many=form == "many")
        # not "half of a 1 small patty hamburger"
        for spoken in [v for v in variants if not v[0].isdigit()] or variants:
            amount = " ".join(p for p in (count, size) if p)
            if form != "many":
                spoken = _of_one(name, spoken)
            whole = with_article(f"{amount} {spoken}")
            amount = whole[: len(whole) - len(spoken) - 1]
            out.append(Phrase(_noted(whole, read, read.sizes), spoken, amount))
    return tuple(out[: _MOST * 3])


def _of_one(name: str, spoken: str) -> str:
    """Return a name whose noun the table has in the plural, of one."""
    core = spoken_food(name).core
    return spoken.replace(core, single_of(core), 1) if core.endswith("s") else spoken


def _said_behind(
    name: str, read: Measure, words: tuple[tuple[str, str], ...]
) -> tuple[Phrase, ...]:
    out = []
    for count, form in words:
        if _again_single(count, read.unit):
            continue
        unit = _many_units(read.unit) if form == "many" else read.unit
        amount = with_article(f"{count} {unit}")
        notes = "; ".join(p for p in (amount, *read.sizes, read.notes) if p)
        out += [Phrase(f"{s} ({notes})", s, amount) for s in _unbracketed(name)]
    return tuple(out[: _MOST * 3])


def _behind(name: str, text: str) -> tuple[Phrase, ...]:
    return tuple(Phrase(f"{s} ({text})", s, text) for s in _unbracketed(name))


def _unbracketed(name: str) -> tuple[str, ...]:
    """Return the ways to name a food before a bracket: "raw orange", not "orange (raw)"."""
    variants = name_variants(name)
    return tuple(v for v in variants if "(" not in v) or variants
