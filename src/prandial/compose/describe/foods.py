"""What may name a food: the words of its table name, and words that mean the same.

Names are paraphrased freely ("Rice, polished, boiled" as "boiled polished rice", "Soft drink,
cola" as "a coke"), so a food is found by any word that tells it: its noun, a qualifier that
is more than a way of cooking, a brand, or a synonym.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from rapidfuzz.distance import Indel

from prandial.compose.describe.words import plain, stem
from prandial.tables.rules import read_rules

__all__ = [
    "FoodNames",
    "food_nouns",
    "food_words",
    "is_dish",
    "is_talk",
    "names_of",
    "no_food",
    "same_word",
    "too_general",
    "word_senses",
]

_FACET: Final = re.compile(r",?\s*\b([A-Z][A-Z-]+)\s*=\s*")
_WORD: Final = re.compile(r"[a-z][a-z']+|\d+%")
_JOINED: Final = re.compile(r"\b(?:with|without|w/|in|on|from|made|and/or|or|and)\b")
_JOINS: Final = frozenset("with of and in on or the to from as for by an its that".split())
_NOUN: Final = 3.0
_HEAD: Final = 2.0
_STRONG: Final = 1.0
_WEAK: Final = 0.2
#: of a measure: "a sandwich with egg and cheese"
_UNIT: Final = 0.3
#: letters from which a word may stand for a longer one, or be mistyped
_STEM: Final = 5
_ALIKE: Final = 0.85
#: part of another word, another food
_APART: Final = frozenset(
    (short, long)
    for short, longer in {
        "appl": "pineappl",
        "grap": "grapefruit",
        "corn": "popcorn cornbread",
        "cream": "creamer",
        "chees": "cheeseburger cheesecak",
        "hamburg": "hamburger",
        "butter": "buttermilk butternut",
        "milk": "milkshak milkfish",
        "egg": "eggplant eggnog",
        "water": "watermelon",
        "bread": "breadfruit",
        "pepper": "pepperoni",
    }.items()
    for long in longer.split()
)


@cache
def _weak() -> frozenset[str]:
    return _listed("weak")


@cache
def _listed(role: str) -> frozenset[str]:
    rows = read_rules("food_words")
    return frozenset(stem(w) for r in rows if r["role"] == role for w in r["words"].split())


def too_general(word: str) -> bool:
    """Tell whether a stem names no food by itself: "dish", "topping", "slice"."""
    return word in _listed("generic") or word in _weak()


def is_dish(word: str) -> bool:
    """Tell whether a stem is too general to be a food alone, but one with an amount: "soup"."""
    return word in _listed("dish")


def is_talk(word: str) -> bool:
    """Tell whether a stem speaks of taste or wishes, not of what was eaten: "craving"."""
    return word in _listed("talk")


@cache
def _same() -> dict[str, frozenset[str]]:
    out: dict[str, set[str]] = {}
    for row in read_rules("food_same"):
        group = [stem(w) for w in row["words"].split()]
        for word in group:
            out.setdefault(word, set()).update(group)
    return {k: frozenset(v) for k, v in out.items()}


@lru_cache(maxsize=500_000)
def same_word(said: str, meant: str) -> bool:
    """Tell whether a stem of a text stands for a stem of a name."""
    if said == meant:
        return True
    group = _same().get(said)
    if group and meant in group:
        return True
    short, long = sorted((said, meant), key=len)
    if (short, long) in _APART:
        return False
    if long == short + "less":
        return True
    if len(short) < _STEM:
        if len(short) == _STEM - 1 and len(long) == _STEM and long.startswith(short):
            return True
        return len(short) == _STEM - 1 and len(long) > _STEM + 1 and long.endswith(short)
    if long.startswith(short) or long.endswith(short):
        return True
    return short[0] == long[0] and Indel.normalized_similarity(said, meant) >= _ALIKE


class FoodNames:
    """The words that may name one item, and what each word of a text tells of it."""

    __slots__ = ("_told", "words")

    def __init__(self, words: Mapping[str, float]) -> None:
        self.words = words
        self._told: dict[str, tuple[float, str] | None] = {}

    def told(self, said: str) -> tuple[float, str] | None:
        """Return how much a stem tells of the item and the word it stands for, or None."""
        if said not in self._told:
            fit = [(told, w) for w, told in self.words.items() if same_word(said, w)]
            self._told[said] = max(fit) if fit else None
        return self._told[said]


@lru_cache(maxsize=100_000)
def names_of(name: str, measures: tuple[str, ...] = ()) -> FoodNames:
    """Return the words that may name an item: those of its name, then those of its measures."""
    words = dict(food_words(name))
    for measure in measures:
        for word, told in food_words(measure).items():
            if word not in words and (word not in no_food() or word in _weak()):
                words[word] = _UNIT if too_general(word) else min(told, _STRONG)
    return FoodNames(words)


@lru_cache(maxsize=200_000)
def food_words(name: str) -> dict[str, float]:
    """Return the stems that may name a food, with how much each tells.

    3 for the noun, 2 for other words of the first part and for brands, 1 for qualifiers, 0.2
    for ways of cooking, colours, sizes and the like.
    """
    base, *cells = _FACET.split(" ".join(name.split()))
    brackets = re.findall(r"\(([^()]*)\)", base)
    parts = [p for p in re.sub(r"\([^()]*\)|\*", " ", base).split(",") if p.strip()]
    weights: dict[str, float] = {}

    def add(text: str, weight: float) -> None:
        for word in _stems(text):
            if word in _JOINS:
                continue
            told = _WEAK if word in _weak() else weight
            weights[word] = max(told, weights.get(word, 0.0))

    for k, part in enumerate(parts):
        add(part, _HEAD if k == 0 else _STRONG)
    for said in brackets:
        add(said, _HEAD if said[:1].isupper() else _STRONG)
    for value in cells[1::2]:
        add(value, _STRONG)
    for noun in _nouns(parts[0] if parts else name):
        weights[noun] = _STRONG if noun in _listed("generic") else _NOUN
    if len(parts) > 1 and all(w in _weak() for w in _stems(parts[0])):
        for noun in _nouns(parts[1]):
            weights[noun] = max(_HEAD, weights.get(noun, 0.0))
    return weights


def _stems(text: str) -> list[str]:
    words = _WORD.findall(plain(text).replace("-", " "))
    return [stem(w) if w[0].isalpha() else w for w in words]


def _nouns(part: str) -> list[str]:
    """Return the nouns of a part: the last word, before "with" and the like; of each of "or"."""
    out = []
    for side in re.split(r"\bor\b|\band/or\b|/|\band\b", plain(part)):
        head = _JOINED.split(side)[0].split() if side.strip() else []
        words = _stems(" ".join(head))
        if words:
            out.append(words[-1])
    return out


@cache
def food_nouns() -> frozenset[str]:
    """Return stems that name a food: those of the first part of names of the built-in table."""
    from prandial.tables import load_foods

    out: set[str] = set()
    for name in {n.partition(",")[0] for n in load_foods().names}:
        out.update(_stems(name))
    out.update(_same(), *_implied())
    return frozenset(w for w in out if w[0].isalpha() and len(w) > 2 and not too_general(w))


@cache
def no_food() -> frozenset[str]:
    """Return stems of words that say nothing of food: of speech, measures, places, times."""
    out: set[str] = set()
    for name, column in (("plain_words", "words"), ("units", "word"), ("household", "word")):
        for row in _words_table(name):
            out.update(row.get(column, "").split())
    for row in read_rules("serving_words"):
        if row["role"] != "same":
            out.update(row["words"].split())
    for row in read_rules("meal_frames"):
        out.update(re.findall(r"[a-z']+", plain(row["text"])))
    return frozenset(stem(w) for w in out) - _listed("dish")


def _words_table(name: str) -> list[dict[str, str]]:
    folder = resources.files("prandial").joinpath("tables", "words")
    text = folder.joinpath(f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@cache
def _implied() -> dict[tuple[str, ...], tuple[str, ...]]:
    out: dict[tuple[str, ...], tuple[str, ...]] = {}
    for row in _words_table("implies"):
        if row["language"] == "en":
            phrase = tuple(_stems(row["phrase"]))
            out[phrase] = (*out.get(phrase, ()), *_stems(row["tokens"]))
    return out


def word_senses(words: Iterable[str]) -> list[tuple[str, ...]]:
    """Return for each stem of a text what it may stand for: itself first, then what is implied."""
    said = list(words)
    out: list[dict[str, None]] = [{w: None} for w in said]
    phrases = _implied()
    for at in range(len(said)):
        for size in (1, 2, 3):
            implied = phrases.get(tuple(said[at : at + size]))
            if implied:
                for k in range(at, min(at + size, len(said))):
                    out[k] |= dict.fromkeys(implied)
    return [tuple(s) for s in out]
