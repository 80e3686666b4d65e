"""Servings of tables and labels in plain words."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from prandial.tables.rules import read_rules

__all__ = ["USUAL", "serving_words"]

#: what a survey takes when nobody says how much
USUAL: Final = "a usual serving"
_NOT_SAID: Final = "quantity not specified"
#: no measure of a food: notes to coders, and a label that says nothing
_NOTE: Final = re.compile(r"guideline|amount per serving|per serving|serving size|\bserv\b")
_NUMBER: Final = re.compile(r"(\d+(?:\.\d+)?|\.\d+)(?![\d./])\s*")
_WEIGHT: Final = re.compile(r"[\d./ ]+(?:g|ml|l|kg|grm|gram|grams|mlt)?")
_IN_GRAMS: Final = re.compile(r"\s*\(\s*(?:about )?[\d.]+\s*(?:g|ml|gr|grams?)\.?\s*\)")
_NFS: Final = re.compile(r",? *\(?\b(?:nfs|ns as to [a-z]+)\b\)?")
_FRACTIONS: Final = {
    0.125: "1/8",
    0.2: "1/5",
    0.25: "1/4",
    0.333: "1/3",
    0.5: "1/2",
    0.667: "2/3",
    0.75: "3/4",
}
_CLOSE: Final = 0.0075


@cache
def _codes() -> dict[str, str]:
    return {r["code"]: r["says"] for r in read_rules("serving_codes")}


def serving_words(raw: str) -> str:
    """Return a serving as people write it.

    Parameters
    ----------
    raw : str
        As a table or a label states it, such as ``8 OZA``, ``0.5 cup`` or ``1 cup, NFS``.

    Returns
    -------
    str
        Such as ``8 fl oz``, ``1/2 cup`` or ``1 cup``; :data:`USUAL` for a survey's default
        amount; empty for what is no household measure: notes, bare grams and millilitres.
    """
    text = " ".join(raw.split()).lower().split("|")[0].removeprefix("per ").strip()
    if text.startswith(_NOT_SAID):
        return USUAL
    text = _NFS.sub("", _IN_GRAMS.sub("", text)).strip(" ,;")
    if not text or _NOTE.search(text):
        return ""
    found = _NUMBER.match(text)
    if found:
        text = f"{_number(float(found[1]))} {text[found.end() :]}".strip()
    first, _, rest = text.partition(" ")
    unit, gap, more = rest.partition(" ")
    text = f"{first} {_codes().get(unit, unit)}{gap}{more}".strip()
    return "" if _WEIGHT.fullmatch(text) else text


def _number(value: float) -> str:
    whole = int(value)
    for part, said in _FRACTIONS.items():
        if abs(value - whole - part) <= _CLOSE:
            return f"{whole} {said}" if whole else said
    return f"{value:g}"
