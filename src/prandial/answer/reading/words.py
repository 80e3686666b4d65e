"""Words that tell what a number in a reply is, from tables; looked for as patterns."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final

__all__ = ["NUTRIENT_KINDS", "pattern", "unit_of_word", "words"]

NUTRIENT_KINDS: Final = ("carb_g", "protein_g", "fat_g", "energy_kcal")
#: written without spaces between words, or with vowel signs that end a word for Python
_UNSPACED: Final = frozenset({"hi", "ja", "ko", "th", "zh"})


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[str, str, str], ...]:
    text = files("prandial.answer.reading").joinpath("words.csv").read_text("utf-8")
    return tuple((r["kind"], r["language"], r["word"]) for r in csv.DictReader(text.splitlines()))


def words(*kinds: str) -> tuple[tuple[str, str], ...]:
    """Return language and word of each word of some kinds."""
    return tuple((language, word) for kind, language, word in _rows() if kind in kinds)


@lru_cache(maxsize=64)
def pattern(*kinds: str) -> re.Pattern[str]:
    """Return a pattern of all words of some kinds, the longest first, whatever the case."""
    return re.compile(source(words(*kinds)), re.IGNORECASE)


def source(found: Sequence[tuple[str, str]]) -> str:
    """Return the pattern's text for words with their language."""
    return "(?:" + "|".join(_one(*w) for w in sorted(found, key=lambda w: -len(w[1]))) + ")"


def _one(language: str, word: str) -> str:
    stem = re.escape(word.rstrip("*")).replace("\\ ", r"\s+")
    if language in _UNSPACED:
        return stem
    start = r"(?<![^\W\d_])" if word[:1].isalnum() else ""
    if word.endswith("*"):
        return start + stem + r"[^\W\d_]*"
    return start + stem + (r"(?![^\W\d_])" if word[-1:].isalnum() else "")


@lru_cache(maxsize=1)
def _units() -> dict[str, str]:
    text = files("prandial.answer.reading").joinpath("unit_words.csv").read_text("utf-8")
    return {r["word"]: r["unit"] for r in csv.DictReader(text.splitlines())}


def unit_of_word(word: str) -> str | None:
    """Return the unit a word stands for, or None."""
    return _units().get(word.casefold())


@lru_cache(maxsize=1)
def unit_source() -> str:
    """Return the pattern's text of all units that may follow a number."""
    parts = []
    for word in sorted(_units(), key=len, reverse=True):
        unspaced = not ("a" <= word[0] <= "z" or word[0] == "%" or "\u0370" <= word[0] <= "\u06ff")
        parts.append(re.escape(word) + ("" if unspaced or word == "%" else r"(?![^\W\d_])"))
    return "(?:" + "|".join(parts) + ")"
