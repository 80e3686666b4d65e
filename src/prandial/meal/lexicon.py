"""The word tables of the meal room, read once: units, roles, implied words."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Final

from prandial.meal.tokens import stem, tokenize

__all__ = ["Lexicon", "Unit", "load_lexicon"]

_WORDS: Final = "words"
_LINKS: Final = frozenset(("of", "and", "de", "con", "&", "n"))


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit word: canonical name, kind and language.

    ``kind`` is mass, volume, size, measure, container, household or length.
    """

    name: str
    kind: str
    language: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Word tables: see ``tables/words`` for the rows and their card."""

    units: dict[str, Unit]
    household_ml: dict[str, tuple[float, float, float]]
    roles: dict[str, frozenset[str]]
    implies: dict[tuple[str, ...], tuple[str, ...]]
    implies_first: dict[str, int]
    foreign: dict[tuple[str, ...], str]
    replaced: frozenset[tuple[str, ...]]
    implies_words: frozenset[str]
    shorthand: dict[str, tuple[tuple[str, ...], bool]]

    def has_role(self, word: str, role: str) -> bool:
        """Tell whether a word has a role such as ``stop`` or ``filler``."""
        return word in self.roles[role]


def _rows(name: str) -> list[dict[str, str]]:
    path = Path(str(resources.files("prandial").joinpath("tables", _WORDS, name)))
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def _phrase_key(phrase: str) -> tuple[str, ...]:
    """Words of a phrase; a word after "without" stands as ``no:word``."""
    key: list[str] = []
    negated = False
    for token in tokenize(phrase):
        if token.text == "without":
            negated = True
        elif token.text not in _LINKS:
            key.append("no:" + token.stem if negated else token.stem)
    return tuple(key)


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """Read the word tables (cached)."""
    units: dict[str, Unit] = {}
    for row in _rows("units.csv"):
        unit = Unit(row["unit"], row["kind"], row["language"])
        units[row["word"]] = unit
        if row["language"] == "en" and len(row["word"]) > 2:
            units.setdefault(row["word"] + "s", unit)
            units.setdefault(row["word"] + "es", unit)
            if row["word"].endswith("y"):
                units.setdefault(row["word"][:-1] + "ies", unit)
            units.setdefault(stem(row["word"]), unit)
    for word, name in (("loaves", "loaf"), ("leaves", "leaf"), ("halves", "piece")):
        units[word] = Unit(name, "measure", "en")
    household = {
        row["unit"]: (float(row["ml_low"]), float(row["ml_mid"]), float(row["ml_high"]))
        for row in _rows("household.csv")
    }
    roles = {row["role"]: frozenset(row["words"].split()) for row in _rows("plain_words.csv")}
    implies: dict[tuple[str, ...], tuple[str, ...]] = {}
    foreign: dict[tuple[str, ...], str] = {}
    first: dict[str, int] = {}
    replaced: set[tuple[str, ...]] = set()
    for row in _rows("implies.csv"):
        key = _phrase_key(row["phrase"])
        implies[key] = tuple(t.stem for t in tokenize(row["tokens"]))
        first[key[0]] = max(first.get(key[0], 0), len(key))
        if row["mode"] == "is":
            replaced.add(key)
        if row["language"] != "en":
            foreign[key] = row["language"]
    shorthand = {
        row["short"]: (tuple(row["full"].split()), row["dot"] == "must")
        for row in _rows("abbreviations.csv")
    }
    return Lexicon(
        units,
        household,
        roles,
        implies,
        first,
        foreign,
        frozenset(replaced),
        frozenset(w for key in implies for w in key),
        shorthand,
    )
