"""Text as it should have been: decoding, double encoding, stray characters."""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

__all__ = ["Decoded", "clean", "decode", "repair", "squeeze"]

_SPACES: Final = re.compile(r"\s+")
_ESCAPED: Final = re.compile("[\udc80-\udcff]")
_QUOTES: Final = "“”‘’«»„‚"
#: invisible characters that are no control characters but no text either
_INVISIBLE: Final = "\ufeff\u200b\u2060\ufffe"


@dataclass(slots=True)
class Decoded:
    """Text of a file, and what was not UTF-8 in it."""

    text: str = ""
    encoding: str = "UTF-8"
    bad_bytes: int = 0
    first_bad_line: int = 0


def _byte_char(byte: int) -> str:
    """Return a byte's Windows-1252 character, or Latin-1 where it has none."""
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


_CHAR_OF: Final = tuple(_byte_char(b) for b in range(256))
_BYTE_OF: Final = {c: b for b, c in enumerate(_CHAR_OF)} | {chr(b): b for b in range(0x80, 0xA0)}
_TAIL: Final = "[" + re.escape("".join(c for c, b in _BYTE_OF.items() if 0x80 <= b < 0xC0)) + "]"
#: UTF-8 read as Windows-1252: two bytes for Latin letters and signs, three for punctuation
_DOUBLE: Final = re.compile(f"[ÂÃÄÅ]{_TAIL}|Æ’|Ë†|Ëœ|â{_TAIL}{{2}}")


def decode(raw: bytes) -> Decoded:
    """Decode a text file's bytes.

    A byte-order mark is never part of the text. Bytes that are not UTF-8 are
    read as Windows-1252 (Latin-1 where that has no character) and counted, so
    a file that mixes encodings keeps both.

    Parameters
    ----------
    raw : bytes
        The whole file.

    Returns
    -------
    Decoded
    """
    out = Decoded()
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        out.encoding = "UTF-16"
        out.text = raw.decode("utf-16", errors="replace").lstrip("\ufeff")
        return out
    # a byte that is not UTF-8 comes out as a lone surrogate, U+DC80 to U+DCFF
    text = raw.decode("utf-8", errors="surrogateescape")
    bad = _ESCAPED.findall(text)
    if bad:
        out.bad_bytes = len(bad)
        out.first_bad_line = text.count("\n", 0, text.index(bad[0])) + 1
        text = _ESCAPED.sub(lambda m: _CHAR_OF[ord(m.group()) - 0xDC00], text)
    out.text = text.lstrip("\ufeff")
    return out


def _undo(match: re.Match[str]) -> str:
    found = match.group()
    after = match.string[match.end() : match.end() + 1]
    if found[-1] in _QUOTES and len(found) == 2 and not after.isalpha():
        return found  # a closing quotation mark after a capital, as in MAÇÃ”
    try:
        char = bytes(_BYTE_OF[c] for c in found).decode("utf-8")
    except UnicodeDecodeError:
        return found
    known = char < "\u0180" or char in "ƒˆ˜" or "\u2000" <= char <= "\u22ff"
    return char if known else found


def repair(text: str) -> str:
    """Undo UTF-8 that was read as Windows-1252 and written as UTF-8 again.

    Parameters
    ----------
    text : str
        Such as ``CRÃˆME``.

    Returns
    -------
    str
        Such as ``CRÈME``; text that was never encoded twice is unchanged.
    """
    for _ in range(3):  # encoded three times is the worst seen
        new = _DOUBLE.sub(_undo, text)
        if new == text:
            break
        text = new
    return text


def squeeze(text: str) -> str:
    """Return the text with every run of white space made one space."""
    return _SPACES.sub(" ", text).strip()


def _stray(char: str) -> bool:
    if char in _INVISIBLE:
        return True
    return unicodedata.category(char) == "Cc" and char not in "\t\n\v\f\r"


def clean(text: str) -> tuple[str, bool, bool]:
    """Repair, strip and squeeze a cell.

    Returns
    -------
    text : str
    repaired : bool
        Double encoding was undone.
    stripped : bool
        Control or invisible characters were removed.
    """
    if text.isascii() and text.isprintable():
        return squeeze(text), False, False
    fixed = repair(text)
    kept = "".join(c for c in fixed if not _stray(c))
    return squeeze(kept), fixed != text, kept != fixed
