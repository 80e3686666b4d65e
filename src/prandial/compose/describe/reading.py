"""A description read: its words, and the amounts it states.

A light reader for checking, kept apart from the estimator's: it must find what a text says of
a meal that is known, and must not share the mistakes of what wrote the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from prandial.compose.describe.words import plain, stem

__all__ = ["Stated", "Token", "read_amounts", "read_tokens"]

_TOKEN: Final = re.compile(
    r"\bw/o?(?![a-z])|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.(?=\s?g\b)|\d+(?:\.\d+)?|\.\d+|[½¼¾⅓⅔⅛]|[a-z]+(?:'[a-z]+|\d+)?"
    r"|[%().,;:!?/\"+&=-]"
)
_SHORT: Final = {"w/": "with", "w/o": "without"}
_VULGAR: Final = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125}
_GRAMS: Final = {
    "g": 1.0, "gram": 1.0, "grams": 1.0, "gr": 1.0, "gm": 1.0, "gms": 1.0, "kg": 1000.0,
    "kilo": 1000.0, "kilogram": 1000.0, "kilograms": 1000.0, "mg": 0.001,
}  # fmt: skip
_ML: Final = frozenset(("ml", "milliliter", "milliliters", "millilitre", "millilitres"))
_PARTS: Final = {
    "half": 0.5, "halves": 0.5, "third": 1 / 3, "thirds": 1 / 3, "quarter": 0.25,
    "quarters": 0.25, "fourth": 0.25, "fourths": 0.25, "eighth": 0.125, "eighths": 0.125,
    "sixteenth": 1 / 16,
}  # fmt: skip
_TENS: Final = {
    w: 10.0 * k
    for k, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_NUMBERS: Final = {
    w: float(k)
    for k, w in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split(),
        1,
    )
}
#: words that state one
_ONE: Final = frozenset("a an another".split())
#: words that may follow them and add nothing to the number
_ONE_MORE: Final = frozenset("single whole entire additional extra".split())
_MANY: Final = {"couple": 2.0, "pair": 2.0, "dozen": 12.0}


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or sign; ``number`` where it is digits."""

    text: str
    stem: str
    start: int
    end: int
    number: float | None = None

    @property
    def word(self) -> bool:
        """Whether it is made of letters."""
        return self.text[0].isalpha()


@dataclass(frozen=True, slots=True)
class Stated:
    """An amount in a text: tokens ``start`` to ``end``, its value, its unit.

    ``unit`` is ``g``, ``ml`` or ``%``, else empty; ``exact`` is False for "a" and the like;
    ``decimals`` are those written; ``malformed`` when the digits are, as in "911.g".
    """

    start: int
    end: int
    value: float
    unit: str = ""
    exact: bool = True
    decimals: int = 0
    malformed: bool = False


def read_tokens(text: str) -> list[Token]:
    """Return the tokens of a text; places are those of the text in plain letters."""
    out = []
    for found in _TOKEN.finditer(plain(text)):
        piece = _SHORT.get(found.group(), found.group())
        number = None
        if piece[0].isdigit() or (piece[0] == "." and len(piece) > 1):
            number = float(piece.replace(",", ""))
        elif piece in _VULGAR:
            number = _VULGAR[piece]
        said = stem(piece) if piece[0].isalpha() else piece
        out.append(Token(piece, said, found.start(), found.end(), number))
    return out


def read_amounts(tokens: list[Token]) -> list[Stated]:
    """Return every number, part and article that may state an amount, in the text's order."""
    out: list[Stated] = []
    at = 0
    while at < len(tokens):
        found = _quantity(tokens, at)
        if found is None:
            at += 1
            continue
        value, end, exact = found
        out.append(_with_unit(tokens, at, end, value, exact=exact))
        at = out[-1].end
    return out


def _with_unit(tokens: list[Token], at: int, end: int, value: float, *, exact: bool) -> Stated:
    after = end
    if after + 1 < len(tokens) and tokens[after].text == "-":
        after += 1
    text = tokens[at].text
    decimals = len(text.partition(".")[2]) if end == at + 1 else 2
    of_one = not exact and after < len(tokens) and tokens[after].text in ("gram", "kilo")
    if after < len(tokens) and tokens[after].text in _GRAMS and (exact or of_one):
        grams = value * _GRAMS[tokens[after].text]
        return Stated(at, after + 1, grams, "g", True, decimals, text.endswith("."))
    if after < len(tokens) and tokens[after].text in _ML and exact:
        return Stated(at, after + 1, value, "ml", True, decimals)
    if after < len(tokens) and tokens[after].text == "%":
        return Stated(at, after + 1, value, "%", True, decimals)
    return Stated(at, end, value, "", exact, decimals)


def _quantity(tokens: list[Token], at: int) -> tuple[float, int, bool] | None:
    """Read a quantity at a place: its value, the place behind it, whether it is a number."""
    token = tokens[at]
    if token.number is not None:
        return _digits(tokens, at, token.number)
    word = token.text
    if word in _TENS or word in _NUMBERS:
        return _number_words(tokens, at)
    if word in _PARTS or (word == "half" and at + 1 < len(tokens)):
        return _part(tokens, at)
    if word in _MANY:
        return (_MANY[word], at + 1, True)
    if word in _ONE:
        return _one(tokens, at)
    return None


def _digits(tokens: list[Token], at: int, value: float) -> tuple[float, int, bool]:
    after = [t.text for t in tokens[at + 1 : at + 5]]
    numbers = [t.number for t in tokens[at + 1 : at + 5]]
    joined = at + 1 < len(tokens) and tokens[at].end == tokens[at + 1].start
    if len(after) > 1 and joined and after[0] == "/" and numbers[1]:
        return value / numbers[1], at + 3, True
    if len(after) > 2 and numbers[0] is not None and after[1] == "/" and numbers[2]:
        return value + numbers[0] / numbers[2], at + 4, True
    if len(after) > 3 and after[0] == "-" and after[2] == "/" and numbers[1] and numbers[3]:
        return value + numbers[1] / numbers[3], at + 5, True
    if after and after[0] in _VULGAR:
        return value + _VULGAR[after[0]], at + 2, True
    return _and_part(tokens, at + 1, value)


def _number_words(tokens: list[Token], at: int) -> tuple[float, int, bool]:
    value = _TENS.get(tokens[at].text, 0.0) + _NUMBERS.get(tokens[at].text, 0.0)
    end = at + 1
    if tokens[at].text in _TENS:
        if end + 1 < len(tokens) and tokens[end].text == "-":
            end += 1
        if end < len(tokens) and _NUMBERS.get(tokens[end].text, 99.0) < 10:
            value += _NUMBERS[tokens[end].text]
            end += 1
        elif end < len(tokens) and tokens[end - 1].text == "-":
            end -= 1
    if end < len(tokens) and tokens[end].text == "hundred":
        value, end = value * 100, end + 1
    if end < len(tokens) and tokens[end].text == "dozen":
        return value * 12, end + 1, True
    part = end + (end + 1 < len(tokens) and tokens[end].text == "-")
    if part < len(tokens) and tokens[part].text in _PARTS and value < 10:
        return value * _PARTS[tokens[part].text], _past_of_a(tokens, part + 1), True
    return _and_part(tokens, end, value)


def _and_part(tokens: list[Token], end: int, value: float) -> tuple[float, int, bool]:
    """Add "and a half" to a number."""
    words = [t.text for t in tokens[end : end + 3]]
    if words[:1] == ["and"]:
        skip = 2 if words[1:2] in (["a"], ["one"]) else 1
        if len(words) > skip and words[skip] in _PARTS and not _half_and_half(tokens, end + skip):
            return value + _PARTS[words[skip]], end + skip + 1, True
    return value, end, True


def _half_and_half(tokens: list[Token], at: int) -> bool:
    return [t.text for t in tokens[at : at + 5] if t.text != "-"][:3] == ["half", "and", "half"]


def _part(tokens: list[Token], at: int) -> tuple[float, int, bool] | None:
    """Read "half a", "half of a", "quarter"; none in "half and half"."""
    if _half_and_half(tokens, at):
        return None
    if at >= 2 and [t.text for t in tokens[at - 2 : at] if t.text != "-"][-1:] == ["and"]:
        before = [t.text for t in tokens[max(0, at - 4) : at] if t.text != "-"]
        if before[-2:] == ["half", "and"]:
            return None
    value = _PARTS[tokens[at].text]
    end = at + 1
    end = _past_of_a(tokens, end)
    if end < len(tokens) and tokens[end].text == "dozen":
        return 12 * value, end + 1, True
    return value, end, True


def _past_of_a(tokens: list[Token], end: int) -> int:
    words = [t.text for t in tokens[end : end + 2]]
    if words[:1] in (["a"], ["an"], ["of"]):
        end += 1 if words[0] != "of" else 2 if words[1:2] in (["a"], ["an"], ["one"]) else 0
    return end


def _one(tokens: list[Token], at: int) -> tuple[float, int, bool] | None:
    """Read "a", "a half", "a couple of", "a single"; exact is False for the plain one."""
    after = at + 1
    if after >= len(tokens):
        return None
    word = tokens[after].text
    if word == "la":
        return None
    if word not in _ONE_MORE:
        if word in _NUMBERS or word in _TENS or tokens[after].number is not None:
            return 1.0, after, False
        if word in _PARTS:
            found = _part(tokens, after)
            return found if found is not None else (1.0, after, False)
        if word in _MANY:
            end = after + 1
            if end < len(tokens) and tokens[end].text == "of":
                end += 1
            return _MANY[word], end, True
        if word in ("little", "bit", "few", "lot", "bunch", "touch", "splash"):
            return (1.0, after, False) if word == "little" else None
        return _and_a_half(tokens, at)
    return 1.0, after + 1, False


def _and_a_half(tokens: list[Token], at: int) -> tuple[float, int, bool]:
    """Read "a cup and a half of"."""
    words = [t.text for t in tokens[at + 2 : at + 6]]
    if words == ["and", "a", "half", "of"]:
        return 1.5, at + 5, True
    return 1.0, at + 1, False
