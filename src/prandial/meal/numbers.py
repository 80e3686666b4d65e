"""Numbers as people write them: digits, words, fractions, ranges.

A number is read at a token position and returned with its low and high, the
position after it, and a note where the reading was ambiguous.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prandial.meal.tokens import Token

__all__ = ["LOCALES", "Number", "decimal_comma", "read_digits", "read_number"]

#: locale -> True when a comma is the decimal mark
LOCALES: Final[dict[str, bool]] = {
    "en-US": False,
    "en-GB": False,
    "en-AU": False,
    "en-CA": False,
    "en-IN": False,
    "de-DE": True,
    "fr-FR": True,
    "es-ES": True,
    "es-MX": False,
    "it-IT": True,
    "pt-BR": True,
    "nl-NL": True,
    "da-DK": True,
    "sv-SE": True,
    "pl-PL": True,
    "sk-SK": True,
}

_WORDS: Final[dict[str, float]] = {
    w: float(i)
    for i, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen "
        "fourteen fifteen sixteen seventeen eighteen nineteen".split()
    )
}
#: what may follow "zero" for it to be an amount; "Coke Zero" is none
_AFTER_ZERO: Final = frozenset("cup cups g gram grams oz ounces slice slices piece pieces".split())
_TENS: Final[dict[str, float]] = {
    w: 10.0 * i
    for i, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_PARTS: Final[dict[str, float]] = {
    "half": 1 / 2,
    "halve": 1 / 2,
    "third": 1 / 3,
    "quarter": 1 / 4,
    "fourth": 1 / 4,
    "fifth": 1 / 5,
    "sixth": 1 / 6,
    "eighth": 1 / 8,
    "tenth": 1 / 10,
    "sixteenth": 1 / 16,
}
#: loose words: (low, mid, high)
_LOOSE: Final[dict[str, tuple[float, float, float]]] = {
    "couple": (2.0, 2.0, 3.0),
    "pair": (2.0, 2.0, 2.0),
    "few": (2.0, 3.0, 5.0),
    "several": (3.0, 4.0, 6.0),
}
#: locales that write "1 000" for one thousand
_SPACE_GROUPS: Final = frozenset(("fr-FR", "sv-SE", "pl-PL", "sk-SK", "da-DK", "nl-NL"))
#: ordinals that are parts only before "of" ("a third of", not "a third egg")
_ORDINALS: Final = frozenset(("third", "fourth", "fifth", "sixth"))
#: kinds of tokens that are numbers
_DIGITS: Final = frozenset(("num", "vulgar"))
#: words with which a number may begin, besides the parts
_STARTS: Final = frozenset(
    ("a", "an", "another", "dozen", "between", *_LOOSE, *_WORDS, *_TENS),
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number read from text; ``end`` is the position of the next token."""

    low: float
    mid: float
    high: float
    end: int
    explicit: bool = True
    note: str = ""


def decimal_comma(locale: str) -> bool:
    """Tell whether a comma is the decimal mark in a locale."""
    return LOCALES.get(locale, False)


_GROUPED_COMMA: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?$")
_GROUPED_POINT: Final = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?$")


def read_digits(piece: str, *, locale: str = "en-US") -> tuple[float, str]:
    """Read digits with thousands and decimal marks.

    Parameters
    ----------
    piece : str
        Digits with ``.`` and ``,`` between them.
    locale : str
        Decides ``1,000``: one thousand in ``en-US``, one in ``de-DE``.

    Returns
    -------
    value : float
    note : str
        How an ambiguous form was read, or an empty string.
    """
    if "," not in piece and "." not in piece:
        return float(piece[:300]), ""
    if decimal_comma(locale):
        found = _comma_decimal(piece, locale)
        if found is not None:
            return found
    return _point_decimal(piece, locale)


def _comma_decimal(piece: str, locale: str) -> tuple[float, str] | None:
    """Read "1.000,5" as one thousand and a half."""
    if _GROUPED_POINT.match(piece):
        value = float(piece.replace(".", "").replace(",", "."))
        if piece.count(".") == 1 and "," not in piece:
            return value, f"'{piece}' read as {value:g} (locale {locale}: '.' groups thousands)"
        return value, ""
    if piece.count(",") != 1:
        return None
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+\.\d+", piece):
        value = float(piece.replace(",", ""))
        return value, f"'{piece}' read as {value:g} (marks as in English)"
    value = float(piece.replace(".", "").replace(",", "."))
    if re.fullmatch(r"\d{1,3},\d{3}", piece):
        return value, f"'{piece}' read as {value:g} (locale {locale}: ',' is decimal)"
    if "." in piece:
        return value, f"'{piece}' is not a plain number; read as {value:g}"
    return value, ""


def _point_decimal(piece: str, locale: str) -> tuple[float, str]:
    """Read "1,000.5" as one thousand and a half."""
    if _GROUPED_COMMA.match(piece) and not piece.startswith("0,"):
        value = float(piece.replace(",", ""))
        if piece.count(",") == 1 and "." not in piece:
            return value, f"'{piece}' read as {value:g} (locale {locale}: ',' groups thousands)"
        english = f"'{piece}' read as {value:g} (marks as in English)"
        return value, english if decimal_comma(locale) else ""
    if "," in piece and "." not in piece and piece.count(",") == 1:
        value = float(piece.replace(",", "."))
        return value, f"'{piece}' read as {value:g} (decimal comma)"
    if piece.count(".") <= 1 and "," not in piece:
        return float(piece), ""
    # digits with marks in no known order: take what stands before the second mark
    marks = re.split(r"[.,]", piece)
    value = float(f"{marks[0] or 0}.{marks[1]}")
    return value, f"'{piece}' is not a plain number; read as {value:g}"


def _plain(tokens: Sequence[Token], i: int, locale: str) -> tuple[float, int, str] | None:
    """Read a number without ranges: digits, mixed fractions, number words."""
    token = tokens[i]
    if token.kind == "vulgar":
        return unicodedata.numeric(token.text), i + 1, ""
    if token.kind == "num":
        if token.text.endswith("%"):
            return None
        return _digits(tokens, i, locale)
    if token.kind == "word":
        return _word_number(tokens, i)
    return None


def _digits(tokens: Sequence[Token], i: int, locale: str) -> tuple[float, int, str]:
    """Read digits with what may follow them: a fraction, "and a half", a group."""
    n = len(tokens)
    token = tokens[i]
    value, note = read_digits(token.text, locale=locale)
    j = i + 1
    spoken = _spoken_decimals(tokens, j)
    if spoken is not None:
        return value + spoken[0], spoken[1], note
    if j < n and tokens[j].kind == "vulgar":
        return value + unicodedata.numeric(tokens[j].text), j + 1, note
    if j + 1 < n and tokens[j].text == "/" and _is_int(tokens[j + 1]):
        bottom = float(tokens[j + 1].text)
        if bottom > 0:
            return value / bottom, j + 2, note
        return value, j + 2, f"'{token.text}/0' is no number; read as {value:g}"
    k = j + 1 if j < n and tokens[j].text in ("-", "and") else j
    if _is_fraction(tokens, k):
        return value + float(tokens[k].text) / float(tokens[k + 2].text), k + 3, note
    if j + 1 < n and tokens[j].text == "and":
        part = _part(tokens, j + 1)
        if part is not None:
            return value + part[0], part[1], note
    if _groups_by_space(tokens, i, locale):
        both = token.text + tokens[j].text
        said = "" if locale in _SPACE_GROUPS else f"'{token.text} {tokens[j].text}' read as {both}"
        return float(both), j + 1, said
    if j + 1 < n and tokens[j].text == "." and tokens[j + 1].kind == "vulgar":
        return value + unicodedata.numeric(tokens[j + 1].text), j + 2, note
    return value, j, note


def _spoken_decimals(tokens: Sequence[Token], j: int) -> tuple[float, int] | None:
    """Read "point 5" or "point five" behind a whole number, as dictation writes it."""
    if j + 1 >= len(tokens) or tokens[j].text != "point":
        return None
    digits = ""
    k = j + 1
    while k < len(tokens):
        token = tokens[k]
        if token.kind == "num" and token.text.isdigit() and (not digits or len(token.text) == 1):
            digits += token.text
            k += 1
            if len(token.text) > 1:
                break
        elif token.kind == "word" and 0 <= _WORDS.get(token.text, -1) < 10:
            digits += f"{_WORDS[token.text]:.0f}"
            k += 1
        else:
            break
    return (float(f"0.{digits[:12]}"), k) if digits else None


def _is_fraction(tokens: Sequence[Token], k: int) -> bool:
    """Tell whether "1/2" stands at a place."""
    return (
        k + 2 < len(tokens)
        and _is_int(tokens[k])
        and tokens[k + 1].text == "/"
        and _is_int(tokens[k + 2])
        and 0 < float(tokens[k].text) < float(tokens[k + 2].text) <= 16
    )


def _is_int(token: Token) -> bool:
    return token.kind == "num" and token.text.isdigit() and len(token.text) < 7


def _groups_by_space(tokens: Sequence[Token], i: int, locale: str) -> bool:
    """Tell whether "1 000" is one number in a locale."""
    if i + 1 >= len(tokens):
        return False
    first, second = tokens[i], tokens[i + 1]
    return (
        (locale in _SPACE_GROUPS or second.text == "000")
        and first.text.isdigit()
        and len(first.text) <= 3
        and second.kind == "num"
        and len(second.text) == 3
        and second.text.isdigit()
        and second.start == first.end + 1
    )


def _part(tokens: Sequence[Token], i: int) -> tuple[float, int] | None:
    """Read 'a half', 'half', 'a quarter', 'one half', 'three quarters', '½'."""
    n = len(tokens)
    times = 1.0
    if tokens[i].kind == "vulgar":
        return unicodedata.numeric(tokens[i].text), i + 1
    count = _WORDS.get(tokens[i].text, 1.0 if tokens[i].text in ("a", "1") else 0.0)
    if count and i + 1 < n:
        times = count
        i += 1
        if tokens[i].text == "-" and i + 1 < n:
            i += 1
    part = _PARTS.get(tokens[i].stem)
    return None if part is None else (times * part, i + 1)


def _word_number(tokens: Sequence[Token], i: int) -> tuple[float, int, str] | None:
    n = len(tokens)
    word = tokens[i].text
    value = _WORDS.get(word)
    j = i + 1
    if value is None and word in _TENS:
        value = _TENS[word]
        k = j + 1 if j < n and tokens[j].text == "-" else j
        if k < n and 0 < _WORDS.get(tokens[k].text, 0) < 10:
            value += _WORDS[tokens[k].text]
            j = k + 1
    if value is None or (value == 0 and (j >= n or tokens[j].text not in _AFTER_ZERO)):
        return None
    if j < n and tokens[j].text == "hundred":
        value *= 100
        j += 1
        if j + 1 < n and tokens[j].text == "and":
            more = _word_number(tokens, j + 1)
            if more is not None and more[0] < 100:
                return value + more[0], more[1], ""
        return value, j, ""
    k = j + 1 if j < n and tokens[j].text == "-" else j
    if k < n:
        part = _PARTS.get(tokens[k].stem)
        # "two thirds", "one-eighth"; but "one half dozen" is left to the dozen rule
        if part is not None and (value == 1 or tokens[k].text.endswith("s")):
            return value * part, _past_of_a(tokens, k + 1), ""
    if j + 1 < n and tokens[j].text == "and":
        more_part = _part(tokens, j + 1)
        if more_part is not None:
            return value + more_part[0], more_part[1], ""
    return value, j, ""


def _past_of_a(tokens: Sequence[Token], i: int) -> int:
    """Step over "of a" behind a fraction."""
    if i + 1 < len(tokens) and tokens[i].text == "of" and tokens[i + 1].text in ("a", "an", "the"):
        return i + 2
    return i


def _skip(tokens: Sequence[Token], i: int, *words: str) -> int:
    for word in words:
        if i < len(tokens) and tokens[i].text == word:
            i += 1
    return i


def read_number(tokens: Sequence[Token], i: int, *, locale: str = "en-US") -> Number | None:
    """Read the number that starts at a token.

    Parameters
    ----------
    tokens : sequence of Token
    i : int
        Position of the first token.
    locale : str
        Decides thousands and decimal marks.

    Returns
    -------
    Number or None
        None when no number starts here. ``a`` and ``an`` give an inexplicit 1.
    """
    if i >= len(tokens):
        return None
    word, stem, kind, _, _ = tokens[i]
    if (word not in _STARTS and stem not in _PARTS) if kind == "word" else kind not in _DIGITS:
        return None
    if word in ("a", "an"):
        return _after_article(tokens, i, locale)
    if word == "another":
        return Number(1, 1, 1, i + 1, explicit=False)
    if word in _LOOSE:
        low, mid, high = _LOOSE[word]
        return Number(low, mid, high, _skip(tokens, i + 1, "of"))
    if word == "half" and _is_half_and_half(tokens, i):
        return None
    part = _PARTS.get(stem) if kind == "word" else None
    if part is not None and word not in _ORDINALS:
        return _after_part(tokens, i, part)
    if word == "dozen":
        return Number(12, 12, 12, _skip(tokens, i + 1, "of"))
    if word == "between":
        return _between(tokens, i, locale)
    if word == "point":
        spoken = _spoken_decimals(tokens, i)
        return None if spoken is None else Number(spoken[0], spoken[0], spoken[0], spoken[1])
    return _plain_number(tokens, i, locale)


def _plain_number(tokens: Sequence[Token], i: int, locale: str) -> Number | None:
    """Read digits or number words, with decimals that are spoken."""
    plain = _plain(tokens, i, locale)
    if plain is None:
        return None
    value, j, note = plain
    spoken = _spoken_decimals(tokens, j) if tokens[i].kind == "word" else None
    if spoken is not None:
        value, j = value + spoken[0], spoken[1]
    return _extend(tokens, value, j, note, locale)


def _is_half_and_half(tokens: Sequence[Token], i: int) -> bool:
    """Tell whether "half" belongs to the cream "half and half"."""
    words = [t.text for t in tokens[max(i - 3, 0) : i + 4] if t.text != "-"]
    return any(
        words[k : k + 3] in (["half", "and", "half"], ["half", "&", "half"], ["half", "n", "half"])
        for k in range(len(words))
    )


def _after_article(tokens: Sequence[Token], i: int, locale: str) -> Number:
    n = len(tokens)
    if i + 1 < n:
        after = tokens[i + 1].text
        if after in _LOOSE:
            low, mid, high = _LOOSE[after]
            return Number(low, mid, high, _skip(tokens, i + 2, "of"))
        if after == "dozen":
            return Number(12, 12, 12, _skip(tokens, i + 2, "of"))
        if after == "hundred":
            return Number(100, 100, 100, i + 2)
        part = _PARTS.get(tokens[i + 1].stem)
        before_of = i + 2 < n and tokens[i + 2].text == "of"
        if part is not None and (after not in _ORDINALS or before_of):
            return _after_part(tokens, i + 1, part)
        if tokens[i + 1].kind in ("num", "vulgar"):
            number = read_number(tokens, i + 1, locale=locale)
            if number is not None and number.mid < 1:
                return number
    return Number(1, 1, 1, i + 1, explicit=False)


def _after_part(tokens: Sequence[Token], i: int, part: float) -> Number:
    """'half a', 'half of a', 'half-dozen', 'a quarter of the'."""
    j = i + 1
    if j < len(tokens) and tokens[j].text == "-":
        j += 1
    k = _skip(tokens, j, "of")
    m = k + 1 if k < len(tokens) and tokens[k].text in ("a", "an", "the", "one", "my") else k
    if m < len(tokens) and tokens[m].text == "dozen":
        return Number(12 * part, 12 * part, 12 * part, m + 1)
    if m > k or k > j:
        j = m
    return Number(part, part, part, j)


def _between(tokens: Sequence[Token], i: int, locale: str) -> Number | None:
    if i + 3 >= len(tokens):
        return None
    first = _plain(tokens, i + 1, locale)
    if first is None or first[1] >= len(tokens) or tokens[first[1]].text != "and":
        return None
    if first[1] + 1 >= len(tokens):
        return None
    second = _plain(tokens, first[1] + 1, locale)
    if second is None:
        return None
    low, high = sorted((first[0], second[0]))
    return Number(low, (low + high) / 2, high, second[1])


def _extend(tokens: Sequence[Token], value: float, j: int, note: str, locale: str) -> Number | None:
    """Ranges and dozens after a first number."""
    n = len(tokens)
    if j + 1 < n and tokens[j].text in ("-", "to", "or") and tokens[j + 1].text not in ("a", "an"):
        second = _plain(tokens, j + 1, locale)
        if second is not None and second[0] > value and second[0] <= value * 5:
            low, high = value, second[0]
            end = second[1]
            dozen = 12.0 if end < n and tokens[end].text == "dozen" else 1.0
            end += dozen > 1
            return Number(low * dozen, (low + high) / 2 * dozen, high * dozen, end, note=note)
    if j < n and tokens[j].text == "dozen":
        value *= 12
        j = _skip(tokens, j + 1, "of")
    return Number(value, value, value, j, note=note)
