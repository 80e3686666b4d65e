"""Abbreviations in a text, read as the words they stand for.

"choc", "sandw." and "OJ" become "chocolate", "sandwich" and "orange juice", and
"2 percent" becomes "2%", before anything else is read. Each token keeps its place in
the original text; the letters of an initialism are shared out among its words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from prandial.meal.tokens import Token, stem

__all__ = ["Shorthand", "expand"]

#: abbreviation -> (words, whether a full stop must follow)
Shorthand = Mapping[str, tuple[tuple[str, ...], bool]]

_PBJ: Final = ("peanut", "butter", "jelly", "sandwich")
_PERCENT: Final = frozenset(("percent", "pct"))
_SPOKEN: Final = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
_AND: Final = frozenset(("&", "and", "n", "+"))


def expand(tokens: list[Token], text: str, shorthand: Shorthand) -> list[Token]:
    """Return the tokens with abbreviations written out.

    Parameters
    ----------
    tokens : list of Token
    text : str
        The original text; a full stop before a small letter, a digit or a comma
        belongs to the abbreviation, before anything else it ends a sentence.
    shorthand : mapping
        Abbreviation to its words, and whether a full stop must follow.

    Returns
    -------
    list of Token
    """
    if not any(t.text in shorthand or t.text in _PERCENT for t in tokens if t.kind == "word"):
        return tokens
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.text in _PERCENT and _is_percentage(out):
            number = out.pop()
            digits = _SPOKEN.get(number.text, number.text)
            out.append(Token(digits + "%", digits + "%", "num", number.start, token.end))
            i += 1
            continue
        found = shorthand.get(token.text) if token.kind == "word" else None
        if found is None:
            out.append(token)
            i += 1
            continue
        words, must = found
        if token.text == "pb" and _is_pbj(tokens, i):
            out += _pbj(tokens, i)
            i += 3
            continue
        dotted = _dot_belongs(tokens, i, text)
        if must and not dotted:
            out.append(token)
            i += 1
            continue
        end = tokens[i + 1].end if dotted else token.end
        out += _shared(words, token.start, end)
        i += 2 if dotted else 1
    return out


def _is_percentage(before: list[Token]) -> bool:
    """Tell whether "percent" follows a plain number."""
    return bool(before) and (
        before[-1].text in _SPOKEN
        or (before[-1].kind == "num" and not before[-1].text.endswith("%"))
    )


def _shared(words: tuple[str, ...], start: int, end: int) -> list[Token]:
    """Share a place out among words, one character each and the rest to the last."""
    last = len(words) - 1
    return [
        Token(w, stem(w), "word", start + k, end if k == last else start + k + 1)
        for k, w in enumerate(words)
    ]


def _dot_belongs(tokens: list[Token], i: int, text: str) -> bool:
    """Tell whether the full stop behind an abbreviation belongs to it."""
    if i + 1 >= len(tokens) or tokens[i + 1].text != "." or tokens[i + 1].start != tokens[i].end:
        return False
    rest = text[tokens[i + 1].end :].lstrip(" ")
    return bool(rest) and (rest[0].islower() or rest[0].isdigit() or rest[0] in ",;&()+/-")


def _is_pbj(tokens: list[Token], i: int) -> bool:
    return i + 2 < len(tokens) and tokens[i + 1].text in _AND and tokens[i + 2].text == "j"


def _pbj(tokens: list[Token], i: int) -> list[Token]:
    """Read "PB&J" as the sandwich; the last word is left out where it follows anyway."""
    start, end = tokens[i].start, tokens[i + 2].end
    following = tokens[i + 3].text if i + 3 < len(tokens) else ""
    return _shared(_PBJ[:3] if following.startswith("sand") else _PBJ, start, end)
