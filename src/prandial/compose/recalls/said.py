"""How a number of household measures is said: ``half a cup, diced``, ``2 egg whites``."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from prandial.compose.english import plural
from prandial.compose.recalls.kinds import STEPS, kind_of, spoons_of, times_said

__all__ = ["serving_text"]

#: notes for coders, in brackets or behind a comma
_NOTES: Final = re.compile(
    r"\s*\((?:[^()]|\([^()]*\))*\b(?:yield|NFS|NS|use for|live w|raw|bird)\b(?:[^()]|\([^()]*\))*\)"
    r"|,?\s+(?:NFS|NS as to [a-z ]+|NS size|any size)\b"
    r"|(?:,\s+(?:dry|raw|drained|in shell))*,?\s+yields?$|,\s+with bone,\s+raw\b",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(r",|\s\(|\s(?:with|on|in|of|from)\s|:")
_VOWEL: Final = re.compile(r"[aeio]|u(?!ni)|8|11|18", re.IGNORECASE)


def _many(words: str) -> str:
    """Return the plural of a measure's words up to the first comma, bracket or ``with``."""
    cut = _TAIL.search(words)
    head, tail = (words[: cut.start()], words[cut.start() :]) if cut else (words, "")
    sides = re.split(r"( or |/)", head)
    for place in range(0, len(sides), 2):
        before, _, last = sides[place].rpartition(" ")
        sides[place] = f"{before} {plural(last)}".lstrip()
    return "".join(sides) + tail


@lru_cache(maxsize=50_000)
def serving_text(measure: str, steps: int = STEPS) -> str:
    """Return an amount in words.

    Parameters
    ----------
    measure : str
        As the food table names it, such as ``1 cup, diced``.
    steps : int
        How many ninety-sixths of it, one that its kind allows.

    Returns
    -------
    str
        Notes for coders in the name are left out; a name that begins with another number
        than 1 stands as it is.

    Examples
    --------
    >>> serving_text("1 cup, diced", 192)
    '2 cups, diced'
    >>> serving_text("1 egg", 48)
    'half an egg'
    >>> serving_text("1 cup, diced", 12)
    '2 tablespoons, diced'
    >>> serving_text("1 100 calorie package", 192)
    'two 100 calorie packages'
    """
    name = " ".join(_NOTES.sub("", measure).split())
    if not name.startswith("1 "):
        return name
    one = name[2:]
    kind = kind_of(measure).name
    spoon = spoons_of(kind).get(steps)
    if spoon is not None:
        return spoon.words + one.removeprefix(kind)
    article = "an" if _VOWEL.match(one) else "a"
    times = times_said()[steps]
    words = times.spelled if one[:1].isdigit() else times.words
    return words.format(one=one, many=_many(one), a=f"{article} {one}")
