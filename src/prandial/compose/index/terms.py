"""Words of a text as terms: lower case, no accents, plurals as singulars."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["terms_of"]

_WORD: Final = re.compile(r"[a-z0-9]+")
_MARKS: Final = str.maketrans("", "", "'’")


def terms_of(text: str) -> list[str]:
    """Return the terms of a text in order, with repeats.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str
    """
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in parts if not unicodedata.combining(c))
    return [_singular(w) for w in _WORD.findall(text.translate(_MARKS).casefold())]


def _singular(word: str) -> str:
    """Return an English noun's singular by its ending; other words may come out cut."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("oes", "shes", "ches", "sses", "xes")):
        return word[:-2]
    return word[:-1]
