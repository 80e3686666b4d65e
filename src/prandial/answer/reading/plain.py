"""A reply in plain writing: one kind of digit, quote, sign and space; no mark-up."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["in_plain_writing", "without_thinking"]

_SIGNS: Final = str.maketrans(
    {
        "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "＂": '"',
        "‘": "'", "’": "'", "′": "'",
        "−": "-", "﹣": "-", "‐": "-", "‑": "-", "‒": "-", "—": "–",
        "×": "*", "∗": "*", "·": "*", "⋅": "*", "÷": "/", "∕": "/", "⁄": "/",
        "٫": ".", "٬": ",", "，": ",", "：": ":", "。": ". ", "、": ", ", "；": ";", "।": ". ",
        "≈": "=", "≃": "=", "≅": "=", "∼": "~", "～": "~", "〜": "~",
        "\u200b": "", "\u200e": "", "\u200f": "", "\u2060": "", "\ufeff": "", "\r": "\n",
    }
)  # fmt: skip
#: a narrow or unbreakable space between the thousands of a number
_SPACED: Final = re.compile(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))")
#: thousands of kcal are written with a plain space, and nothing else is
_SPACED_ENERGY: Final = re.compile(
    r"(?<![\d.,])(\d{1,3}) (?=\d{3}[ ]?(?:kcal|kj)\b)", re.IGNORECASE
)
_SPACES: Final = re.compile(r"[^\S\n]")
_THOUGHT: Final = re.compile(
    r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
_THOUGHT_TAIL: Final = re.compile(r"\A.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_TAGS: Final = re.compile(r"<\|[^|<>\n]{1,40}\|>|</?(?:s|p|b|i|strong|em|br ?/?)>", re.IGNORECASE)
_LATEX_WORDS: Final = re.compile(
    r"\\(?:text|mathrm|mathbf|textbf|mbox|operatorname)\s*\{([^{}]*)\}"
)
_LATEX_FRACTION: Final = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_LATEX_SIGNS: Final = re.compile(
    r"\\(?:left|right|displaystyle|quad|qquad)(?![a-z])|\\[()\[\],;:! ]|\$"
)
_LATEX_TIMES: Final = re.compile(r"\\(?:times|cdot)(?![a-z])")
_LATEX_ABOUT: Final = re.compile(r"\\(?:approx|simeq|sim)(?![a-z])")
_ARROW: Final = re.compile(r"(?<![-=])[-=]{1,5}>|[→⇒➜➔]")
_LEADER: Final = re.compile(r"(?<!\.)\.{3,}(?=[ ]*\d)")
_GIVE_OR_TAKE: Final = re.compile(r"\+[ ]?/[ ]?-|\+-(?=[ ]?\d)")
_ZERO: Final = re.compile(
    r"((?:[:=]|\b(?:is|are))[ ]*[\"']?|^)zero(?=[ ]*(?:[\"'.,;!}]|g\b|grams?\b|k?cal|carb|\Z))",
    re.IGNORECASE,
)
_BREAK_AS_TEXT: Final = re.compile(r"\\n(?![a-z])")


def without_thinking(text: str) -> str:
    """Return the reply without what a model thought aloud between tags.

    Thinking that was never closed is thinking to the end; thinking of which only the end
    was kept is all that stands before that end.
    """
    return _THOUGHT_TAIL.sub("", _THOUGHT.sub("", text))


def in_plain_writing(text: str) -> str:
    r"""Return a reply with all writings of one thing made one.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        Digits of any script and full-width letters as ASCII, one kind of quotes and minus,
        escaped quotes and line ends resolved, Markdown and LaTeX taken off
        (``\boxed{...}`` stays), vulgar fractions as decimals, arrows and dot leaders as colons,
        ``zero`` in the place of an amount as 0.
    """
    text = _SPACED.sub("", text).translate(_SIGNS)
    text = "".join(_plain_character(c) for c in text)
    text = text.replace('\\"', '"').replace("\\'", "'")
    text = _BREAK_AS_TEXT.sub("\n", text)
    text = _LATEX_WORDS.sub(r" \1 ", text)
    text = _LATEX_FRACTION.sub(r"((\1)/(\2))", text)
    text = _LATEX_TIMES.sub("*", _LATEX_ABOUT.sub("=", text)).replace("\\%", "%")
    text = _LATEX_SIGNS.sub(" ", text).replace("{,}", ",")
    text = _TAGS.sub(" ", text)
    text = text.replace("**", "").replace("__", "").replace("`", "")
    text = _GIVE_OR_TAKE.sub("±", _LEADER.sub(": ", _ARROW.sub(":", text)))
    text = _SPACED_ENERGY.sub(r"\1", text)
    text = _ZERO.sub(r"\g<1>0", text)
    return _SPACES.sub(" ", _vulgar(text))


def _plain_character(char: str) -> str:
    if char < "\x80":
        return char
    if "\uff01" <= char <= "\uff5e":
        return chr(ord(char) - 0xFEE0)
    digit = unicodedata.decimal(char, None)
    return char if digit is None else str(digit)


_VULGAR: Final = re.compile(r"(\d{1,4})?\s?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])")


def _vulgar(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        return f"{float(match[1] or 0) + unicodedata.numeric(match[2]):.6g}"

    return _VULGAR.sub(one, text)
