"""Word lists and numbers of the rewriting benchmarks, read from ``benchmarks/data``.

They are kept apart from the estimator's own word tables, so that a change there
never changes a rewritten text.
"""

from __future__ import annotations

import csv
import re
from functools import lru_cache
from pathlib import Path

__all__ = ["NUMBER", "food_words", "number_of", "read_rows", "word_list"]

DATA = Path(__file__).resolve().parent / "data"

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen twenty"
).split()
_PARTS = {"half": 0.5, "quarter": 0.25, "third": 1 / 3}
_VULGAR = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125}
_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\s*[½¼¾⅓⅔⅛]|\d+\s+\d/\d+|\d+/\d+|\d*\.\d+|\d+|[½¼¾⅓⅔⅛]"
_WORDS = "|".join(sorted(_SMALL[1:], key=len, reverse=True))
#: an amount as people write it: digits, fractions, number words, articles
NUMBER = (
    rf"(?:{_DIGITS}|(?:{_WORDS})\s+and\s+a\s+(?:half|quarter|third)|(?:{_WORDS})|"
    r"(?:a\s+|one\s+)?(?:half|quarter|third)(?:\s+of)?(?:\s+an?)?|an?)"
)


def number_of(text: str) -> float | None:
    """Return the value of an amount matched by :data:`NUMBER`."""
    piece = text.lower().strip()
    if piece in ("a", "an"):
        return 1.0
    if piece in _SMALL:
        return float(_SMALL.index(piece))
    mixed = re.fullmatch(r"(\w+)\s+and\s+a\s+(\w+)", piece)
    if mixed and mixed[1] in _SMALL:
        return _SMALL.index(mixed[1]) + _PARTS[mixed[2]]
    part = re.fullmatch(r"(?:a\s+|one\s+)?(half|quarter|third)(?:\s+of)?(?:\s+an?)?", piece)
    if part:
        return _PARTS[part[1]]
    return _written(piece)


def _written(piece: str) -> float | None:
    """Return the value of digits and fractions."""
    value = 0.0
    if piece[-1] in _VULGAR:
        value, piece = _VULGAR[piece[-1]], piece[:-1].strip()
    for bit in piece.split():
        top, _, bottom = bit.replace(",", "").partition("/")
        if bottom and float(bottom) == 0:
            return None
        value += float(top) / float(bottom or 1)
    return value


@lru_cache(maxsize=8)
def read_rows(name: str) -> tuple[dict[str, str], ...]:
    """Read a table of ``benchmarks/data``."""
    with (DATA / name).open(encoding="utf-8", newline="") as handle:
        return tuple(csv.DictReader(handle))


@lru_cache(maxsize=8)
def word_list(role: str) -> frozenset[str]:
    """Return the words of one role in ``diary_words.csv``."""
    return frozenset(
        w
        for row in read_rows("diary_words.csv")
        if row["role"] == role
        for w in row["words"].split()
    )


@lru_cache(maxsize=1)
def food_words() -> frozenset[str]:
    """Words of four letters or more that stand in a food name of the default release."""
    from prandial.tables import load_foods

    table = load_foods()
    found: set[str] = set()
    for name, kind in zip(table.names, table.table_of, strict=True):
        if kind == "fndds":
            found.update(re.findall(r"[a-z]{4,}", name.lower()))
    return frozenset(found - word_list("not_food"))
