"""Foods and amounts in plain words, said so that the answer follows from them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Final

from prandial.compose.english import plural, singular
from prandial.compose.meals import sentences
from prandial.compose.servings import VOLUMES, pieces
from prandial.compose.spoken import AFTER, SCOPE
from prandial.tables.rules import read_rules

if TYPE_CHECKING:
    from prandial.compose.tuning.helpings import Helping

__all__ = ["NOTE", "amount_and_name", "plain_name", "sentence"]

#: a note of a label's serving behind a measure that people do say
NOTE: Final = re.compile(r"\s*\([^()]*NLEA[^()]*\)", re.IGNORECASE)
_OUTSIDE: Final = re.compile(r",\s*(?![^()]*\))")
_TURNED: Final = 0.6
_MOST_TURNED: Final = 3
_ONE: Final = ("1", "one", "a", "a")
_PARTS: Final = {
    0.25: ("a quarter of a", "1/4"),
    1 / 3: ("a third of a", "1/3"),
    0.5: ("half a", "1/2"),
    1.5: ("1.5", "one and a half"),
}
_WORDS: Final = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_TAIL: Final = re.compile(r"\s+(?:with|without|as|from|in|per|for|on)\s+")
_UNCHANGED: Final = ("fl oz", "oz", "tbsp", "tsp")
_SIZE: Final = re.compile(
    r"(?:extra |very )?(?:small|medium|large|miniature|regular|individual)", re.IGNORECASE
)
_WEIGHED: Final = ("{g} g of {name}", "{g}g of {name}", "{g} grams of {name}", "{name} ({g} g)")
_OCCASION: Final = re.compile(
    r"breakfast|lunch|dinner|snack|supper|brunch|morning|evening|between meals|the day|to work"
    r"|just finished|before going out",
    re.IGNORECASE,
)
#: scope notes of a table within a name: "white or NFS bread", "tea, NS as to size"
_SCOPED: Final = re.compile(r"(?:,?\s*\bor|,)?\s*\b(?:NFS|NS as to [^,()]+|NS)\b", re.IGNORECASE)


def plain_name(name: str, rng: Random) -> str:
    """Return a table's name as it stands, or with its qualifiers before the food.

    Parameters
    ----------
    name : str
        Such as ``Milk, reduced fat (2%)``.
    rng : Random

    Returns
    -------
    str
        ``milk, reduced fat (2%)`` or ``reduced fat (2%) milk``; nothing but scope notes of the
        table (NFS, NS as to ...) is lost.
    """
    parts = [p.strip() for p in _OUTSIDE.split(name)]
    core, rest = parts[0], [p for p in parts[1:] if p and not SCOPE.match(p)]
    front = [p for p in rest if not p.lower().startswith(AFTER)]
    after = [p for p in rest if p.lower().startswith(AFTER)]
    if front and len(front) <= _MOST_TURNED and rng.random() < _TURNED:
        words = " ".join([*front, core, *after])
    else:
        words = ", ".join([core, *rest])
    words = _SCOPED.sub("", words)
    return " ".join(_lowered(w) for w in words.split())


@cache
def _proper() -> frozenset[str]:
    return frozenset(r["text"] for r in read_rules("name_speech") if r["role"] == "proper")


def _lowered(word: str) -> str:
    """Return a word without its capital, but for names ("Chinese"), letters and abbreviations."""
    bare = word.strip("(),.").casefold()
    letter = len(bare) == 1 and word.isupper()
    return word if letter or bare in _proper() or sum(map(str.isupper, word)) > 1 else word.lower()


def amount_and_name(helping: Helping, name: str, rng: Random) -> str:
    """Return an item in words: ``2 cups of cooked rice``, ``rice (150 g)``.

    Parameters
    ----------
    helping : Helping
    name : str
        Of the food, in its table.
    rng : Random
    """
    said = plain_name(name, rng)
    if helping.serving_type == "metric":
        return rng.choice(_WEIGHED).format(g=f"{helping.grams:.4g}", name=said)
    number, words, bracket = pieces(NOTE.sub("", helping.measure).strip())
    unit, *notes = [p.strip() for p in words.split(",")]
    if bracket and not SCOPE.match(bracket):
        notes.append(bracket)
    note = f" ({', '.join(notes)})" if notes else ""
    many = number * helping.times
    if _SIZE.fullmatch(unit):
        if many > 1:
            return f"{said} ({', '.join([f'{_count(many, unit, rng)} {unit}', *notes])})"
        return f"{_count(many, unit, rng)} {unit} {said}{note}"
    unit = unit if many > 1 else _singular(unit)
    count = _count(many, unit, rng)
    head = _plural(unit) if many > 1 else unit
    if _of_the_food(unit, name):
        return f"{count} {head} ({', '.join([said, *notes])})"
    return f"{count} {head} of {said}{note}"


def sentence(phrases: Sequence[str], rng: Random) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Put items into one sentence.

    Returns
    -------
    tuple
        The text, and where each item stands in it.
    """
    said = sentences()
    opening = rng.choice(said["opening"])
    closings = said["closing"]
    if _OCCASION.search(opening):
        closings = tuple(c for c in closings if not _OCCASION.search(c))
    text, spans = opening, []
    for number, phrase in enumerate(phrases):
        if number == 0:
            text += " " if text else ""
        elif number < len(phrases) - 1:
            text += ", "
        else:
            text += (", " if rng.random() < 0.4 else " ") + rng.choice(said["joiner"]) + " "
        spans.append((len(text), len(text) + len(phrase)))
        text += phrase
    return text + rng.choice(closings), tuple(spans)


def _count(many: float, unit: str, rng: Random) -> str:
    vowel = unit[:1].lower() in ("a", "e", "i", "o", "u")
    for value, ways in _PARTS.items():
        if abs(many - value) < 0.001:
            way = rng.choice(ways)
            return f"{way}n" if vowel and way.endswith(" a") else way
    if many == 1:
        count = rng.choice(_ONE)
        return "an" if count == "a" and vowel else count
    if many in _WORDS and rng.random() < 0.5:
        return _WORDS[int(many)]
    return f"{many:.4g}"


def _plural(unit: str) -> str:
    """Return a measure in the plural: its head, before ``with``, ``as`` and the like."""
    first, _, rest = unit.partition(" ")
    if rest and first.lower() in VOLUMES and first.lower() not in _UNCHANGED:
        return f"{first}s {rest}"
    found = _TAIL.search(unit)
    head, tail = (unit[: found.start()], unit[found.start() :]) if found else (unit, "")
    if head.lower().endswith(_UNCHANGED):
        return unit
    front, gap, last = head.rpartition(" ")
    return f"{front}{gap}{plural(last)}{tail}"


def _singular(unit: str) -> str:
    """Return a measure of one: its first word or the last before a bracket, not in the plural."""
    found = _TAIL.search(unit)
    head, tail = (unit[: found.start()], unit[found.start() :]) if found else (unit, "")
    front, gap, last = head.rpartition(" ")
    if not last.endswith("s") or last.lower().endswith(("ss", "us", "is", *_UNCHANGED)):
        return unit
    return f"{front}{gap}{singular(last)}{tail}"


def _of_the_food(unit: str, name: str) -> bool:
    """Tell whether a measure is a piece of the food itself ("1 banana" of bananas)."""
    words = unit.lower().split()
    if not words or any(w in VOLUMES or w in _UNCHANGED for w in words):
        return False
    return words[0].rstrip("s") in name.lower()
