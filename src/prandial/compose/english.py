"""One and several of a thing, as food tables name them."""

from __future__ import annotations

from typing import Final

__all__ = ["is_participle", "plural", "singular"]

#: the same for one and for several: units, sizes, and names that end so by themselves
_UNCHANGED: Final = frozenset(
    "oz g lb ml dozen fries shrimp trout cod bass asparagus molasses couscous hummus swiss "
    "small medium large regular miniature tiny jumbo individual whole thin thick any extra "
    "extra-large fresh dried".split()
) | {"fl oz"}  # fmt: skip
_SEVERAL: Final = {
    "loaf": "loaves", "leaf": "leaves", "half": "halves", "knife": "knives", "sheaf": "sheaves",
    "calf": "calves", "potato": "potatoes", "tomato": "tomatoes", "mango": "mangoes",
    "foot": "feet", "child": "children", "quiche": "quiches", "kolache": "kolaches",
    "chili": "chilis", "pierogi": "pierogis", "mini": "minis",
}  # fmt: skip
_ONE: Final = {several: one for one, several in _SEVERAL.items()}
#: nouns in "ed"; other words in it are participles, which have no plural: "steamed"
_ED_NOUNS: Final = ("eed", "bed", "sled", "shed")
#: several of what ends in "ie"
_IES: Final = frozenset("cookies brownies pies smoothies veggies pixies sweeties calories".split())


def is_participle(word: str) -> bool:
    """Tell whether a word says how a thing was made or is: ``steamed``, but not ``seed``."""
    low = word.lower()
    return low.endswith("ed") and not low.endswith(_ED_NOUNS)


def plural(word: str) -> str:
    """Return several of a thing: ``slices`` of ``slice``.

    Parameters
    ----------
    word : str
        One word; a word that is several already, a participle, a number or a sign stays.
    """
    low = word.lower()
    if low in _UNCHANGED or not low[-1:].isalpha() or low.endswith("fish"):
        return word
    if is_participle(low):
        return word
    if low in _SEVERAL:
        return _SEVERAL[low]
    if low.endswith("s") and not low.endswith("ss"):
        return word
    if low.endswith(("ss", "x", "ch", "sh", "z")):
        return word + "es"
    if low.endswith("y") and low[-2:-1] not in tuple("aeiou"):
        return word[:-1] + "ies"
    return word + "s"


def singular(word: str) -> str:
    """Return one of a thing: ``slice`` of ``slices``.

    Parameters
    ----------
    word : str
        One word; a word that is one already stays.
    """
    low = word.lower()
    if low in _ONE:
        return _ONE[low]
    if low in _UNCHANGED or not low.endswith("s") or low.endswith(("ss", "us", "is", "'s")):
        return word
    if low.endswith("ies") and low not in _IES and len(low) > 4:
        return word[:-3] + "y"
    if low.endswith(("oes", "ches", "shes", "xes", "sses", "zzes", "tzes")):
        return word[:-2]
    return word[:-1]
