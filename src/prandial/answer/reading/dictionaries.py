"""The total in a reply's dictionaries: whose key names it, and what its value says.

A key that names the nutrient and says ``total`` comes first, then one that names the
nutrient alone and stands for no single item, then one that says ``total`` or ``answer``
alone. Keys of something else (``net_carbs``, ``saturated_fat``, ``carbs_per_100g``) and of
single items are no total, and items are never added up.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from prandial.answer.reading import words
from prandial.answer.reading.amounts import Amount, amounts_in, first_amount
from prandial.answer.reading.found import Found
from prandial.answer.reading.objects import Entry, entries_in

__all__ = ["found_in_dictionaries", "without_dictionaries"]

_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])(?!J(?![A-Za-z]))")
#: ``totalcarbohydrates``
_JOINED: Final = re.compile(r"\b(total)(?=(?:carb|prot|fat|ener|calor|kcal))", re.IGNORECASE)
_SPLIT: Final = re.compile(r"[\s_\-()./]+")
#: words of a key that change nothing
_NEUTRAL: Final = frozenset(
    "total totals amount content estimate estimated value values of in the this for meal grams "
    "nutrition nutrients nutritional facts macros macronutrients summary answer result output "
    "final prediction response".split()
)
_ALONE: Final = frozenset("total answer result output final prediction value estimate".split())
_MASS_KEYS: Final = frozenset({"g", "mg", "kg"})
_OF_FOOD: Final = re.compile(r"\s*of\s+(?!the\b|carb|prot|fat|total|energy)", re.IGNORECASE)
_ITEMS: Final = re.compile(r"\s+[^\W\d_]+,\s*\d")
#: an explanation of a value: in brackets, or a comment
_ASIDE: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|(?://|#|\bfrom\b|\bbecause\b).*", re.DOTALL)
_LIST: Final = re.compile(r"\[(.*)\]\Z", re.DOTALL)
#: what may stand before the number of a value
_LEAD: Final = re.compile(r"[\s~=≈:\"']*")


def found_in_dictionaries(
    text: str, nutrient: str, *, decimal_commas: bool
) -> tuple[tuple[Found, ...], tuple[str, ...]]:
    """Return the totals of the best kind of key, and why entries of that kind were left out.

    Parameters
    ----------
    text : str
        The reply in plain writing.
    nutrient : str
    decimal_commas : bool
        Of the words around; a bare number in a dictionary has a decimal point.
    """
    ranked: dict[int, list[tuple[Entry, str]]] = {}
    for entry in entries_in(text):
        rank, unit = _rank(entry, nutrient)
        if rank:
            ranked.setdefault(rank, []).append((entry, unit))
    for rank in sorted(ranked):
        found, left = [], []
        for entry, unit in _in_kcal(ranked[rank]):
            one, why = _read(entry, unit, nutrient, decimal_commas=decimal_commas)
            if one is not None:
                found.append(one)
            elif why:
                left.append(why)
        if rank > 1 and len({f.value for f in found}) > 1 and _one_dictionary(found):
            return (), ("several amounts in one dictionary and no total",)
        if found or left:
            return tuple(found), tuple(left)
    return (), ()


def without_dictionaries(text: str) -> str:
    """Return the text with its dictionaries blank, every other letter in its place."""
    for entry in entries_in(text):
        text = text[: entry.start] + " " * (entry.end - entry.start) + text[entry.end :]
    return text


def _one_dictionary(found: list[Found]) -> bool:
    return len({f.start for f in found}) < len(found)


def _in_kcal(entries: list[tuple[Entry, str]]) -> list[tuple[Entry, str]]:
    """Leave out energy in kJ that stands beside the same in kcal."""
    told = {entry.start for entry, unit in entries if unit == "kcal"}
    return [(e, u) for e, u in entries if u != "kJ" or e.start not in told]


@lru_cache(maxsize=1)
def _kinds() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, words.pattern(kind)) for kind in (*words.NUTRIENT_KINDS, "other"))


def _rank(entry: Entry, nutrient: str) -> tuple[int, str]:
    """Return 1 for a total of the nutrient, 2 nutrient alone, 3 total alone, 0 none; the unit."""
    if entry.listed:
        return 0, ""
    tokens = [
        t.casefold()
        for key in entry.path
        for t in _SPLIT.split(_JOINED.sub(r"\1 ", _CAMEL.sub(" ", key)))
        if t and not t.isdigit()
    ]
    if any(key[-4:].casefold() in ("100g", "00 g") for key in entry.path):
        return 0, ""
    unit = ""
    named: set[str] = set()
    total = False
    for token in tokens:
        kind = next((k for k, p in _kinds() if p.fullmatch(token)), "")
        if words.pattern("total").fullmatch(token):
            total = True
        elif kind and kind != "other":
            named.add(kind)
        elif words.unit_of_word(token):
            unit = words.unit_of_word(token) or ""
        elif token not in _NEUTRAL:
            return 0, ""
    if not named and unit in ("kcal", "kJ") and nutrient == "energy_kcal":
        named.add(nutrient)
    if named == {nutrient}:
        return (1 if total else 2), unit
    alone = tokens and not named and all(t in _ALONE or t in _MASS_KEYS for t in tokens)
    return (3 if alone else 0), unit


def _read(
    entry: Entry, unit: str, nutrient: str, *, decimal_commas: bool
) -> tuple[Found | None, str]:
    """Return the total an entry states, or why there is none."""
    value = entry.value.removeprefix("+")
    if words.pattern("unknown").fullmatch(value.strip().rstrip(".")):
        return _found(entry, None, f"{value!r} in a dictionary"), ""
    listed = _LIST.match(value)
    if listed is not None:
        return _of_list(entry, listed[1], nutrient)
    lead = _lead(value)
    amount = first_amount(value, lead, decimal_commas=decimal_commas and not _bare(value))
    if amount is None:
        echo = "no number" if value else "nothing"
        return None, f"{echo} as the value of {entry.path[-1]!r}"
    if not amount.usable:
        return None, f"{value!r} is a limit, a share or a piece of a sum"
    if amount.unit == "" and unit:
        amount = replace(amount, unit=unit)
    read = amount.of(nutrient)
    if read is None or amount.nutrient not in ("", nutrient):
        return None, f"{value!r} is an amount of something else"
    if _has_rival(value, amount, nutrient):
        return None, f"{value!r} has several amounts"
    how = f", {amount.how}" if amount.how else ""
    if amount.unit not in ("", "g", "kcal"):
        how += f", from {amount.unit}"
    return _found(entry, read, f"dictionary{how}"), ""


def _has_rival(value: str, amount: Amount, nutrient: str) -> bool:
    """Whether another amount stands beside the first, or a second one has a unit of its own."""
    rest = value[amount.end :]
    if _ITEMS.match(rest) or (_OF_FOOD.match(rest) and not amount.nutrient):
        return True
    rest = _ASIDE.sub("", rest)
    others = [a for a in amounts_in(rest, decimal_commas=False) if a.of(nutrient) is not None]
    first = amount.of(nutrient)
    links = words.pattern("link", "and")
    return any(
        a.of(nutrient) != first
        and a.nutrient in ("", nutrient)
        and (a.unit or not links.sub("", rest[: a.start]).strip(" ,;/|"))
        and "equation" not in a.how
        for a in others
    )


def _bare(value: str) -> bool:
    return re.fullmatch(r"-?\d+\.\d+", value) is not None


def _lead(value: str) -> int:
    """Return where the number begins after ``about`` and such."""
    at, before = 0, -1
    while at != before:
        before = at
        for pattern in (_LEAD, words.pattern("about", "between", "from")):
            match = pattern.match(value, at)
            at = match.end() if match else at
    return at


def _of_list(entry: Entry, inside: str, nutrient: str) -> tuple[Found | None, str]:
    """Read a list: of two rising numbers the middle, of one that number."""
    amounts = [a for a in amounts_in(inside, decimal_commas=False) if a.usable]
    values = [v for a in amounts if (v := a.of(nutrient)) is not None]
    if len(values) == 1 and len(amounts) == 1:
        return _found(entry, values[0], "dictionary, list of one"), ""
    if len(values) == 2 and len(amounts) == 2 and values[0] < values[1]:
        return _found(entry, sum(values) / 2, "dictionary, middle of a range"), ""
    return None, "a list of amounts and no total"


def _found(entry: Entry, value: float | None, why: str) -> Found:
    return Found(value=value, start=entry.start, end=entry.end, why=why)
