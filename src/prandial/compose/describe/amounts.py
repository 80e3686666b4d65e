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
    in_full,
    is_counted,
    is_itself,
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
#: a size in brackets that tells length: people leave it out
_LENGTH: Final = re.compile(r"\"|\bdia\b|\binch|\blong\b")
#: of whom a size is: "a child-size drink"
_SIZE_OF: Final = re.compile(r"^(child|senior|adult)$")
_OF_SIZE: Final = r"\1-size"
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
    measure = in_full(" ".join(measure.split()))
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
    read = replace(read, sizes=tuple(s for s in read.sizes if not _LENGTH.search(s)))
    if not read.unit:
        return _behind(name, text)
    read = _said_once(read, name)
    out: list[Phrase] = []
    for unit in _one_of_units(read.unit, name):
        out += _serving_said(name, replace(read, unit=unit), read.number * times)
    return tuple(out)


def _said_once(read: Measure, name: str) -> Measure:
    """Return a measure without what the food's name says: a "fast food order", "cup, cooked"."""
    own = {stem(w) for w in re.findall(r"[\w'-]+", name)}
    head, link, inside = read.unit.partition(" filled with ")
    unit = head if link and own.issuperset(map(stem, inside.split())) else read.unit
    words = unit.split()
    if not {"or", "of", "with", "in", "on"} & set(words) and stem(words[-1]) not in _nouns_of(name):
        sizes = _units("size")
        more = [w for w in words[:-1] if stem(w) not in sizes]
        again = own - _nouns_of(name)  # but a "king crab leg" of crab
        if all(stem(w) in again and w[0].islower() for w in more):
            words = [w for w in words if w not in more]
    said = read.notes.split(", ")
    if any(n.startswith("or ") for n in said):
        said = []  # of "tender, strip, or finger" the first
    said = [n for n in said if not _LENGTH.search(n)]
    notes = [n for n in said if not own.issuperset(map(stem, n.split()))]
    return replace(read, unit=" ".join(words), notes=", ".join(notes))


def _one_of_units(unit: str, name: str) -> tuple[str, ...]:
    """Return the units of which one is said: "can" or "bottle" for "can or bottle".

    Of "taco or tostada" the one that the food is; of "medium or regular slice" both sizes.
    """
    first, link, last = unit.partition(" or ")
    if not link or not first.strip() or not last.strip():
        return (unit,)
    sizes, noun = _sizes_off(first)
    others, counted = _sizes_off(last)
    if not noun and not counted:
        return (first, _last_of(others))
    if not noun:
        if not others:
            return (f"{first} {counted}",)
        if _SIZE_OF.match(first):
            return (f"{_SIZE_OF.sub(_OF_SIZE, first)} {counted}",)
        return (f"{first} {counted}", f"{_last_of(others)} {counted}")
    heads = _nouns_of(name)
    own = [u for u in (first, f"{sizes} {last}".strip()) if stem(u.split()[-1]) in heads]
    if len(own) == 1:
        return tuple(own)
    if noun and all(stem(u.split()[-1]) in _units("of") for u in (first, last)):
        return (first, f"{sizes} {last}".strip())
    return (unit,)


def _last_of(sizes: str) -> str:
    return sizes.split(" or ")[-1]


def _is_part_of_noun(unit: str, name: str) -> bool:
    """Tell whether a unit is a word of a counted name: "1 sandwich" of sandwich cookies."""
    before = _JOINED.split(name_variants(name)[0].split("(")[0])[0]
    words = {stem(w) for w in before.split()}
    return _is_counted(name) and is_counted(unit) and stem(unit) in words


def _sizes_off(unit: str) -> tuple[str, str]:
    """Return the sizes in front of a unit, and what is left of it."""
    words = unit.split()
    at = next(
        (k for k, w in enumerate(words) if stem(w) not in _units("size") and w != "or"), len(words)
    )
    return " ".join(words[:at]), " ".join(words[at:])


@lru_cache(maxsize=100_000)
def _nouns_of(name: str) -> frozenset[str]:
    """Return the stems of a food's noun, of each where "or" parts them."""
    core = _JOINED.split(spoken_food(name).core.split("(")[0])[0]
    return frozenset(stem(w.split()[-1]) for w in core.split(" or ") if w.strip())


def _serving_said(name: str, read: Measure, count: float) -> tuple[Phrase, ...]:
    last = read.unit.split()[-1]
    spoken = spoken_food(name)
    noun = _JOINED.split(spoken.core.split("(")[0])[0].split()[-1]
    words = _count_words(count)
    if not read.unit[0].isalpha():
        words = tuple(w for w in words if not w[0][-1].isdigit()) or words
    if " with " in read.unit:
        return _said_behind(name, read, words)
    if all(stem(w) in _units("size") or w == "or" for w in read.unit.split()):
        return _counted(name, read, words, read.unit)
    if is_itself(last) and read.unit == last and " " not in spoken.core:
        return _counted(name, read, words, "")
    named = stem(last) in (stem(noun), *_nouns_of(name))
    if (
        named or (not _JOINED.search(read.unit) and _is_part_of_noun(last, name))
    ) and not spoken.listed:
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
    core = _JOINED.split(spoken_food(name).core)[0]
    for noun in (part.split()[-1] for part in core.split(" or ") if part.strip()):
        if noun.endswith("s"):
            spoken = re.sub(rf"\b{re.escape(noun)}\b", single_of(noun), spoken, count=1)
    return spoken


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
        for spoken in _unbracketed(name, many=form == "many"):
            article = _article(name, form)
            out.append(Phrase(with_article(f"{article}{spoken} ({notes})"), spoken, amount))
    return tuple(out[: _MOST * 3])


@lru_cache(maxsize=100_000)
def _is_counted(name: str) -> bool:
    spoken = spoken_food(name)
    core = _JOINED.split(spoken.core.split("(")[0])[0]
    return not spoken.listed and is_counted(core.split()[-1])


def _article(name: str, form: str) -> str:
    """Return the article of a food that is counted by a unit in brackets behind it."""
    if not _is_counted(name):
        return ""
    return {"one": "a ", "part": "some "}.get(form, "")


def _behind(name: str, text: str) -> tuple[Phrase, ...]:
    return tuple(Phrase(f"{s} ({text})", s, text) for s in _unbracketed(name))


def _unbracketed(name: str, *, many: bool = False) -> tuple[str, ...]:
    """Return the ways to name a food before a bracket: "raw orange", not "orange (raw)"."""
    variants = name_variants(name, many=many and _is_counted(name))
    return tuple(v for v in variants if "(" not in v) or variants
