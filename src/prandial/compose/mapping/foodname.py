"""Names of foods read: FoodEx2 terms and facets, in the words of USDA food tables.

``Potatoes, PART-CONSUMED-ANALYSED = W/o peel, PROCESS = Cooking in water`` is a term and two
facets; it becomes "potatoes, without skin, boiled" and the state ``cooked``. Files write
facets in two ways (``PROCESS = Boiling``, ``QUAL=Fresh``). Names without facets are read too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal

from prandial.tables.rules import read_rules

__all__ = ["CARB_OF_DRY_G", "FoodName", "State", "read_food_name", "states_of", "tokens_of"]

State = Literal["raw", "cooked", "dry", "canned", ""]
#: carbohydrate in 100 g above which a boiled grain or pulse cannot have taken up water
#: (spec of the benchmark: 343 of 994 such items of GIFT)
CARB_OF_DRY_G: Final = 45.0

_FACET: Final = re.compile(r",\s*([A-Z][A-Z-]+)\s*=\s*")
#: what a food is without is another word than what it is with
_WITHOUT: Final = re.compile(r"\b(?:without|no|w/o)\s+(?:added\s+)?([a-z]+)")
#: a name in the country's own language behind a slash, as some surveys add it
_VERNACULAR: Final = re.compile(r"\s*/\s+[A-Z][^,=]*$")
_TOKEN: Final = re.compile(r"[a-z0-9]+%?|\d+%")
_LETTERS: Final = str.maketrans({"é": "e", "è": "e", "ê": "e", "ñ": "n", "ç": "c", "à": "a",
                                 "á": "a", "í": "i", "ó": "o", "ú": "u", "ü": "u", "ö": "o",
                                 "ã": "a", "õ": "o"})  # fmt: skip
_BOILED: Final = frozenset(("boiled", "cooked", "steamed", "simmered", "stewed"))


@dataclass(frozen=True, kw_only=True, slots=True)
class FoodName:
    """What a name says.

    Parameters
    ----------
    name : str
        As given.
    text : str
        In the words of food tables, for an encoder.
    core : tuple of str
        Words of the term itself, as :func:`tokens_of` gives them.
    facets : tuple of str
        Words of its facets.
    states : frozenset of str
        ``raw``, ``cooked``, ``dry``, ``canned``: what is said of its state.
    staple : bool
        Whether it is a grain, pulse or pasta, which is sold dry and eaten cooked.
    """

    name: str
    text: str
    core: tuple[str, ...]
    facets: tuple[str, ...]
    states: frozenset[str]
    staple: bool

    def weighed_dry(self, carb_per_100g: float | None) -> bool:
        """Tell whether a food that is named as boiled must have been weighed before.

        Parameters
        ----------
        carb_per_100g : float, optional
            As its survey has it, in grams; None when unknown.
        """
        boiled = "cooked" in self.states and bool(_BOILED & {*self.core, *self.facets})
        if not (self.staple and boiled):
            return False
        return "raw" in self.states or (carb_per_100g is not None and carb_per_100g > CARB_OF_DRY_G)

    def as_dry(self) -> FoodName:
        """Return the same food before it was cooked."""
        cooked = _state_words()["cooked"]
        kept = tuple(w for w in self.facets if w not in cooked)
        core = tuple(w for w in self.core if w not in cooked)
        words = [w for w in re.split(r"(\W+)", self.text) if w not in cooked]
        text = re.sub(r"[\s,]*,[\s,]*", ", ", "".join(words)).strip(" ,")
        return FoodName(
            name=self.name,
            text=f"{text}, raw, dry",
            core=core,
            facets=(*kept, "raw"),
            states=frozenset(("raw", "dry")),
            staple=True,
        )


@lru_cache(maxsize=20_000)
def read_food_name(name: str) -> FoodName:
    """Read a food's name.

    Parameters
    ----------
    name : str
        FoodEx2 description with facets, or any name of a food.

    Returns
    -------
    FoodName
    """
    first, *rest = _FACET.split(" ".join(name.split()))
    core = _in_table_words(_VERNACULAR.sub("", first) or first)
    facets: list[str] = []
    states: set[str] = set()
    for label, value in zip(rest[::2], rest[1::2], strict=True):
        kind = _labels().get(label.casefold(), "other")
        if not kind:
            continue
        words, state = _facet(kind, value, core)
        if words:
            facets.append(words)
        states |= {state} if state else set()
    core_tokens = tokens_of(core)
    facet_tokens = tuple(t for words in facets for t in tokens_of(words))
    return FoodName(
        name=name,
        text=", ".join(dict.fromkeys([core, *facets])),
        core=core_tokens,
        facets=facet_tokens,
        states=frozenset(states | states_of((*core_tokens, *facet_tokens))),
        staple=bool(_words_of("dry_staple") & set(core_tokens)),
    )


def _in_table_words(term: str) -> str:
    """Say a term in the words of food tables: the longest known phrases first."""
    text = term.casefold().translate(_LETTERS).replace("*", " ").strip()
    for phrase, words in _terms():
        if phrase in text:
            if phrase[:1].isalnum() and phrase[-1:].isalnum():
                text = re.sub(rf"\b{re.escape(phrase)}\b", words, text)
            else:
                text = text.replace(phrase, words)
    return " ".join(text.split()).strip(" ,-")


def _facet(kind: str, value: str, core: str) -> tuple[str, str]:
    low = value.strip().rstrip(",").casefold()
    known = _facet_words().get((kind, low))
    if known is not None:
        return known
    words = _in_table_words(low)
    if kind == "source" and any(t in tokens_of(core) for t in tokens_of(words)):
        return "", ""
    return f"with {words}" if kind == "ingredient" else words, ""


@lru_cache(maxsize=100_000)
def tokens_of(text: str) -> tuple[str, ...]:
    """Return the words of a name: lower case, singular, without those that tell nothing."""
    plain = _WITHOUT.sub(r"no\1", text.casefold().translate(_LETTERS))
    found = _TOKEN.findall(plain)
    return tuple(_one(w) for w in found if w not in _words_of("unsaid"))


def _one(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    if word.endswith(("oes", "ches", "shes", "xes")):
        return word[:-2]
    return word[:-1]


def states_of(tokens: tuple[str, ...]) -> frozenset[str]:
    """Return the states that words tell."""
    held = set(tokens)
    return frozenset(state for state, words in _state_words().items() if words & held)


@cache
def _terms() -> tuple[tuple[str, str], ...]:
    rows = [r for r in read_rules("foodex2_words") if r["kind"] == "term"]
    return tuple(sorted(((r["phrase"], r["words"]) for r in rows), key=lambda t: -len(t[0])))


@cache
def _facet_words() -> Mapping[tuple[str, str], tuple[str, str]]:
    return {
        (r["facet"], r["phrase"]): (r["words"], r["state"])
        for r in read_rules("foodex2_words")
        if r["kind"] == "facet"
    }


@cache
def _labels() -> Mapping[str, str]:
    rows = read_rules("foodex2_words")
    return {r["phrase"]: r["facet"] for r in rows if r["kind"] == "facet_name"}


@cache
def _words_of(kind: str) -> frozenset[str]:
    rows = [r for r in read_rules("foodex2_words") if r["kind"] == kind]
    held = {w for r in rows for w in r["phrase"].split()}
    return frozenset(held if kind == "unsaid" else {_one(w) for w in held})


@cache
def _state_words() -> Mapping[str, frozenset[str]]:
    rows = [r for r in read_rules("foodex2_words") if r["kind"] == "state"]
    return {r["state"]: frozenset(_one(w) for w in r["phrase"].split()) for r in rows}
