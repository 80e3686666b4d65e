"""Text into tokens, with the place of each token in the original text.

The text is first folded character by character (digits of any script to ASCII,
curly quotes and dashes to plain ones, accents off, case off) without changing
its length, so that every position in the folded text is a position in the
original. Each token knows its characters; white space and control characters
lie between tokens.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

__all__ = ["Token", "fold", "stem", "tokenize"]

_EXTRA: Final = {
    "⁄": "/",
    "∕": "/",
    "÷": "/",
    "\u2018": "'",
    "\u2019": "'",
    "\u02bc": "'",
    "\u00b4": "'",
    "`": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u2033": '"',
    "×": "x",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ı": "i",
    "٫": ".",
    "٬": ",",
    "、": ",",
    "，": ",",
    "。": ".",
    "；": ";",
    "（": "(",
    "）": ")",
    "％": "%",
}


def _fold_char(char: str) -> str:
    if char in _EXTRA:
        return _EXTRA[char]
    digit = unicodedata.decimal(char, None)
    if digit is not None:
        return str(digit)
    category = unicodedata.category(char)
    if category == "Pd" or char == "\u2212":
        return "-"
    if category in ("Zs", "Cf", "Cs", "Co", "Cn"):
        return " "
    if category in ("Cc", "Zl", "Zp"):
        return "\n"
    if category in ("Mn", "Me"):
        return "'"  # a combining mark stays inside its word
    if category[0] == "L":
        base = unicodedata.normalize("NFKD", char)[0]
        low = base.lower()
        return low if len(low) == 1 else base
    return char


class _FoldTable(dict[int, str]):
    """Translation table filled as characters are met."""

    def __missing__(self, code: int) -> str:
        folded = _fold_char(chr(code))
        if len(self) < 20_000:
            self[code] = folded
        return folded


_FOLD: Final = _FoldTable({code: chr(code) for code in range(32, 127)})
_FOLD.update({code: chr(code).lower() for code in range(65, 91)})
_FOLD.update({ord("`"): "'", 9: " ", 10: "\n", 13: "\n"})

VULGAR: Final = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞↉"

_TOKEN: Final = re.compile(
    rf"""
      (?P<esc>\\u00b[cde]|\\u215[0-9a-e]|&frac\d\d;)
    | (?P<vulgar>[{VULGAR}])
    | (?P<num>\d+(?:[.,]\d+)*%?|(?<![\w.])\.\d+%?)
    | (?P<word>[a-z]{{1,2}}\d{{1,2}}(?!\w)
        | \bm\s?(?:&|\band\b)\s?m(?:'?s)?\b|w/o\b | w/(?=[\s\w]) |[^\W\d_]+(?:'[^\W\d_]+)*)
    | (?P<nl>\n+)
    | (?P<punct>[^\s\w]|_)
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """One token: its folded text, its stem, its kind, and where it stands.

    ``kind`` is ``num``, ``vulgar``, ``word``, ``nl`` or ``punct``.
    """

    text: str
    stem: str
    kind: str
    start: int
    end: int


#: makes a token from its parts
_token: Final = tuple.__new__


def fold(text: str) -> str:
    """Fold a text character by character; the length does not change."""
    return text.translate(_FOLD)


_IRREGULAR: Final = {
    "leaves": "leaf",
    "loaves": "loaf",
    "halves": "half",
    "knives": "knife",
    "cookies": "cookie",
    "brownies": "brownie",
    "smoothies": "smoothie",
    "pies": "pie",
    "calories": "calorie",
    "veggies": "veggie",
    "hoagies": "hoagie",
    "movies": "movie",
    "geese": "goose",
    "potatoes": "potato",
    "tomatoes": "tomato",
    "mangoes": "mango",
    "shoes": "shoe",
    "fries": "fries",
    "swiss": "swiss",
    "molasses": "molasses",
    "hummus": "hummus",
    "couscous": "couscous",
    "asparagus": "asparagus",
    "citrus": "citrus",
    "grits": "grits",
    "oats": "oat",
    "chips": "chip",
    "yoghurt": "yogurt",
    "yoghurts": "yogurt",
    "donut": "doughnut",
    "donuts": "doughnut",
    "omelet": "omelet",
    "omelette": "omelet",
    "omelettes": "omelet",
    "catsup": "ketchup",
    "flavour": "flavor",
    "flavoured": "flavored",
    "fibre": "fiber",
}
_STEMS: dict[str, str] = {}


def _stem(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("'s"):
        word = word[:-2]
        return _IRREGULAR.get(word, word)
    if word.endswith("s'"):
        word = word[:-1]
    word = word.replace("'", "")
    if len(word) > 3 and word.endswith("s"):
        if word.endswith("ies") and len(word) > 4:
            return word[:-3] + "y"
        if word.endswith(("ches", "shes", "sses", "xes", "zes", "oes")):
            return word[:-2]
        if not word.endswith(("ss", "us", "is")):
            return word[:-1]
    return word


def stem(word: str) -> str:
    """Return the singular form used to compare words."""
    found = _STEMS.get(word)
    if found is None:
        found = _stem(word)
        if len(_STEMS) < 50_000:
            _STEMS[word] = found
    return found


def _unescape(text: str) -> str:
    if text.startswith("\\u"):
        return chr(int(text.removeprefix("\\u"), 16))
    digits = text[5:7]
    return {"12": "½", "14": "¼", "34": "¾", "13": "⅓", "23": "⅔", "18": "⅛"}.get(digits, "½")


def tokenize(text: str) -> list[Token]:
    """Cut a text into tokens.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    list of Token
        In order of place; characters between tokens are white space.
    """
    folded = fold(text)
    tokens: list[Token] = []
    for match in _TOKEN.finditer(folded):
        kind = match.lastgroup or "punct"
        piece = match.group()
        start, end = match.span()
        if kind == "word":
            known = _STEMS.get(piece)
            if known is not None:  # a plain word that was met before
                tokens.append(_token(Token, (piece, known, kind, start, end)))
            elif piece == "w/o":
                tokens.append(Token("without", "without", "word", start, end))
            elif piece == "w/":
                tokens.append(Token("with", "with", "word", start, end))
            elif "&" in piece or (piece[0] == "m" and " " in piece):
                tokens.append(Token("m&m", "m&m", "word", start, end))
            else:
                tokens.append(Token(piece, stem(piece), "word", start, end))
        elif kind == "esc":
            char = _unescape(piece)
            tokens.append(Token(char, char, "vulgar", start, end))
        else:
            tokens.append(_token(Token, (piece, piece, kind, start, end)))
    return tokens
