"""Meal texts in the cells of a spreadsheet: no formulas, and known again when they come back."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["escaped", "one_line", "same_text", "unescaped"]

#: a spreadsheet takes a cell that begins like this for a formula, or drops the mark; the
#: apostrophes before it are ours
_FORMULA: Final = re.compile(r"'*[=+\-@\uff1d\uff0b\uff0d\uff20]")
_ESCAPED: Final = re.compile(r"''*[=+\-@\uff1d\uff0b\uff0d\uff20]")
#: what spreadsheets and mail programs write for one another
_ALIKE: Final = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"}
)


def one_line(text: str) -> str:
    """Return a text without line breaks, control characters and double spaces."""
    kept = "".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in text)
    return " ".join(unicodedata.normalize("NFC", kept).split())


def escaped(text: str) -> str:
    """Return a text for a cell: one that would be a formula gets an apostrophe before it."""
    plain = one_line(text)
    return "'" + plain if _FORMULA.match(plain) else plain


def unescaped(cell: str) -> str:
    """Return the text of a cell."""
    plain = one_line(cell)
    return plain[1:] if _ESCAPED.match(plain) else plain


def same_text(sent: str, back: str) -> bool:
    """Whether a cell that came back holds the text that was sent.

    A program that saves in an old code page writes ``?`` for what it does not know, some
    change quotes and dashes into others, and some hide the apostrophe of a text that is no
    formula; all that counts as the same.
    """
    meant = one_line(sent)
    return any(_alike(meant, found) for found in (unescaped(back), one_line(back)))


def _alike(meant: str, found: str) -> bool:
    if meant == found or meant.translate(_ALIKE) == found.translate(_ALIKE):
        return True
    pages = ("cp1252", "latin-1", "mac-roman", "ascii")
    return "?" in found and any(
        one_line(meant.encode(page, errors="replace").decode(page)) == found for page in pages
    )
