"""Text of others inside a prompt: fenced, so that its end can be told, and never obeyed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Fenced", "fenced"]

#: marks by which chat templates begin and end a turn; in a meal they are only letters
_TURN: Final = re.compile(
    r"<(?=[|｜])|<(?=/?s>)|<(?=(?:start|end)_of_turn>)|<(?=</?SYS>>)|\[(?=/?INST\])",
    re.IGNORECASE,
)


#: what may stand within a mark and leave it one to a reader: ``< /meal >``
_LOOSE: Final = re.compile(r"[\s\u200b\u200c\u200d\u2060\ufeff]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Fenced:
    """A text with the marks that stand around it; neither mark occurs in it."""

    open: str
    text: str
    close: str


def fenced(text: str, word: str) -> Fenced:
    """Choose marks around a text that the text does not hold.

    Parameters
    ----------
    text : str
        Of a meal, of facts; not to be trusted. Marks of chat templates in it
        (``<|im_end|>``, ``[INST]``) are broken by a space; all else stays as it is.
    word : str
        What it is, such as ``meal``: the marks are ``<meal>`` and ``</meal>``, or
        ``<meal-2>`` ... where the text holds those.

    Returns
    -------
    Fenced
    """
    plain = _TURN.sub(lambda m: m[0] + " ", text)
    low = _LOOSE.sub("", plain.casefold())
    mark, number = word, 1
    while f"<{mark}>" in low or f"</{mark}" in low:
        number += 1
        mark = f"{word}-{number}"
    return Fenced(open=f"<{mark}>", text=plain, close=f"</{mark}>")
