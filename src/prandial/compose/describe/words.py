"""Words brought to one form: "boiled", "Boiling" and "boils" are the same."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

__all__ = ["plain", "stem"]

_SIGNS: Final = {"’": "'", "‘": "'", "–": "-", "—": "-", "\u2044": "/"}
_KEEP: Final = frozenset(
    "pudding herring whiting "
    "dressing stuffing pickling string ring king bread red seed shed feed weed bed "
    "shredded dried fried stewed boiled this is as us gas plus hummus asparagus octopus couscous "
    "molasses swiss grits oats species citrus".split()
)
_SAME: Final = {
    "fries": "fries", "fried": "fry", "frying": "fry", "fry": "fry", "dried": "dry",
    "drying": "dry", "leaves": "leaf", "loaves": "loaf", "halves": "half", "boiled": "boil",
    "stewed": "stew", "shredded": "shred", "cookies": "cooky", "cookie": "cooky",
    "brownies": "browny", "brownie": "browny", "veggies": "vegetabl", "veggie": "vegetabl",
    "smoothie": "smoothy", "smoothies": "smoothy", "calories": "calory", "chilies": "chili",
    "chilli": "chili", "chile": "chili", "chiles": "chili", "yoghurt": "yogurt",
    "molasses": "molass", "doughnut": "donut", "doughnuts": "donut", "donuts": "donut",
    "omelette": "omelet", "omelettes": "omelet", "catsup": "ketchup", "flavour": "flavor",
    "flavoured": "flavor", "flavored": "flavor", "barbeque": "barbecu", "bbq": "barbecu",
    "potatoes": "potato", "tomatoes": "tomato", "mangoes": "mango", "grits": "grit",
    "oats": "oat", "swiss": "swis", "tortillas": "tortilla", "ozs": "oz", "knives": "knife",
    "topped": "atop", "iced": "ice", "icing": "ice", "fibre": "fiber", "iodised": "iodiz",
    "iodized": "iodiz", "chillies": "chili",
}  # fmt: skip


def plain(text: str) -> str:
    """Return text in small letters, without accents, with straight quotes, as long as before."""
    if text.isascii():
        return text.lower()
    return "".join(map(_flat, text))


@lru_cache(maxsize=10_000)
def _flat(char: str) -> str:
    if char in _SIGNS:
        return _SIGNS[char]
    if char.isascii() or unicodedata.numeric(char, None) is not None:
        return char.lower()
    return unicodedata.normalize("NFKD", char)[:1].lower()[:1] or " "


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return what is common to the forms of a word; light, for English food words."""
    word = plain(word).removesuffix("'s").strip("'")
    if word in _SAME:
        return _SAME[word]
    if word not in _KEEP:
        word = _unplural(word)
        word = word if word in _KEEP else _untensed(word)
    if len(word) > 4 and word.endswith("ie"):
        return word[:-2] + "y"
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _unplural(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses", "zes", "oes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _untensed(word: str) -> str:
    for end in ("ing", "ed"):
        if len(word) > len(end) + 2 and word.endswith(end):
            root = word[: -len(end)]
            if not any(c in "aeiouy" for c in root):
                return word
            if root[-1] == root[-2] and root[-1] not in "ls":
                root = root[:-1]
            return root[:-1] + "y" if root.endswith("i") else root
    return word
