"""Texts made plain, so that writing alone does not tell two of them apart."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["plain_text", "words_of"]

_WORD: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_GRAMS: Final = {"grams": "g", "gram": "g", "gr": "g", "gms": "g", "gm": "g"}


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text: no capitals, no punctuation, grams as g, 5.0 as 5.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return [_plain(w) for w in _WORD.findall(text.casefold())]


def _plain(word: str) -> str:
    if not word[0].isdigit():
        return _GRAMS.get(word, word)
    if "," in word:
        word = word.replace(",", "" if _THOUSANDS.fullmatch(word) else ".")
    return word.rstrip("0").rstrip(".") if "." in word else word


def plain_text(text: str) -> str:
    """Return the words of a text with single spaces between them."""
    return " ".join(words_of(text))
