"""Numbers that are no amounts of food: times, ages, people, blood glucose, medicines.

"at 7 I had an apple" is one apple, and "glucose 250 mg/dl, ate a sandwich" one
sandwich. Such numbers are set aside with the words that go with them.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from prandial.meal.amounts import Mark
from prandial.meal.tokens import Token

__all__ = ["set_aside"]

_HOURS: Final = 24.0
_LEAST_AGE: Final = 10.0
#: words behind a time of day: "at 7 I had", "at 12 and", "lunch 12.30: "
_GOES_ON: Final = frozenset(", . ; : - and then i we he she they for my am pm".split())
_SUGAR: Final = frozenset(("sugar", "sugars", "level", "levels"))
_ARTICLE: Final = frozenset(("a", "an", "the", "my"))


@lru_cache(maxsize=1)
def _words() -> dict[str, frozenset[str]]:
    path = Path(__file__).parent.parent / "tables" / "words" / "aside.csv"
    with path.open(encoding="utf-8", newline="") as handle:
        return {r["role"]: frozenset(r["words"].split()) for r in csv.DictReader(handle)}


def set_aside(tokens: Sequence[Token], marks: Sequence[Mark]) -> tuple[list[Mark], set[int]]:
    """Part the amounts of food from other numbers.

    Parameters
    ----------
    tokens : sequence of Token
    marks : sequence of Mark

    Returns
    -------
    kept : list of Mark
        Amounts of food, in order.
    aside : set of int
        Tokens of numbers that are none, with the words that go with them.
    """
    kept: list[Mark] = []
    aside: set[int] = set()
    for mark in marks:
        found = _aside(tokens, mark) if mark.numbered else None
        if found is None:
            kept.append(mark)
        else:
            aside.update(range(*found))
    return [m for m in kept if m.start not in aside], aside


def _aside(tokens: Sequence[Token], mark: Mark) -> tuple[int, int] | None:
    """Tokens ``[start, end)`` to set aside with a number, or None."""
    roles = _words()
    start, end, n = mark.start, mark.end, len(tokens)
    before = tokens[start - 1].text if start else ""
    second = tokens[start - 2].text if start > 1 else ""
    after = tokens[end].text if end < n else ""
    then = tokens[end + 1].text if end + 1 < n else ""
    value = mark.number.mid
    if mark.unit is None:
        dated = _past_a_date(tokens, start)
        if dated:
            return start, dated
        if after == ":" or (after in roles["meal"] and then == ":"):
            return start, end  # "page 12: a banana", "30/11 dinner: an apple"
        if after in roles["time"] or after in roles["person"]:
            return start, end + 1
        at = before in roles["at"] or (before in roles["meal"] and after in (":", ",", "-"))
        if at and value <= _HOURS and (after in _GOES_ON or not after):
            return start - 1 if before in roles["at"] else start, end
        if before in roles["age"] and value >= _LEAST_AGE and (after in _GOES_ON or not after):
            return start, end
        if after in roles["energy"] and (then == "of" or before in _ARTICLE):
            return start, end + 1
    if mark.unit is not None and after in roles["nutrient"] and then == "of":
        return start, end + 1
    return _reading(tokens, mark, before, second) or _dose(tokens, mark)


def _past_a_date(tokens: Sequence[Token], start: int) -> int:
    """Return where a date such as 2024-11-30 ends, or 0."""
    words = [t.text for t in tokens[start : start + 5]]
    if len(words) < 5 or words[1] != words[3] or words[1] not in ("-", "/", "."):
        return 0
    if not all(w.isdigit() for w in words[::2]):
        return 0
    years = [w for w in (words[0], words[4]) if len(w) == 4 and w[:2] in ("19", "20")]
    return start + 5 if years else 0


def _reading(
    tokens: Sequence[Token], mark: Mark, before: str, second: str
) -> tuple[int, int] | None:
    """Tokens of a blood glucose reading: "bg 120", "sugar was 180", "250 mg/dl"."""
    roles = _words()
    start, end = mark.start, mark.end
    if [t.text for t in tokens[end : end + 2]] == ["/", "dl"]:
        return start - (before in roles["glucose"]), end + 2
    said = before in roles["was"] and second in roles["glucose"]
    if said:
        return start - 2, end
    if before in roles["glucose"] - _SUGAR:
        return start - 1, end
    return None


def _dose(tokens: Sequence[Token], mark: Mark) -> tuple[int, int] | None:
    """Tokens of a medicine's dose: "metformin 500 mg", "5 units of novorapid"."""
    roles = _words()
    start, end, n = mark.start, mark.end, len(tokens)
    counted = end < n and tokens[end].text in roles["dose"]
    last = end + 1 if counted and mark.unit is None else end
    near = [k for k in range(max(start - 2, 0), start) if tokens[k].text in roles["medicine"]]
    if near:
        return near[0], last
    if mark.unit is None and counted and tokens[end].text in ("u", "iu"):
        vitamin = start > 1 and tokens[start - 2].text == "vitamin"
        return start - 2 * vitamin, last
    ahead = [k for k in range(last, min(last + 3, n)) if tokens[k].text in roles["medicine"]]
    if ahead and (counted or mark.unit is not None):
        return start, ahead[-1] + 1
    return None
