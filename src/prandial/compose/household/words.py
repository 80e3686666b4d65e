"""Amounts in English: "half a cup", "2 slices", "a quarter of a medium apple"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from prandial.compose.english import plural, singular

__all__ = ["said_amount", "said_grams", "sayable"]

_NEAR: Final = 1e-6
#: parts of one that people say -> in front of a noun, and behind a whole number
_PARTS: Final = (
    (1 / 4, "a quarter of", "1/4"),
    (1 / 3, "a third of", "1/3"),
    (1 / 2, "half", "1/2"),
    (2 / 3, "two thirds of", "2/3"),
    (3 / 4, "three quarters of", "3/4"),
)
#: whole things are counted in parts up to here ("2 1/2 slices", never "16 2/3 crackers")
_MOST_IN_PARTS: Final = 4
_SIZES: Final = frozenset(
    "small medium large extra jumbo miniature regular whole mini thin thick".split()
)
_SPELLED: Final = {"tbsp": "tablespoon", "tsp": "teaspoon"}
_FIRST_COUNTS: Final = frozenset(("cup", "tablespoon", "teaspoon", "pint", "quart", "gallon"))
_COUNTED_FIRST: Final = _FIRST_COUNTS | {"cups", "tablespoons", "teaspoons"}
#: words after which a phrase says what kind of thing it is, not what thing
_AFTER: Final = re.compile(r"[,(]|\b(?:of|with|without|in|from|on|per)\b")


def said_grams(grams: float) -> str:
    """Return an amount in grams, such as ``150 g``."""
    return f"{round(grams, 2):g} g"


def sayable(number: float) -> bool:
    """Tell whether a number of things has a name: whole, or a small one with a plain part."""
    whole, part = _split(number)
    if part is None:
        return False
    return part == 0 or (whole < _MOST_IN_PARTS and (whole > 0 or part >= 1 / 4 - _NEAR))


def said_amount(number: float, unit: str, food: str = "") -> str:
    """Say a number of a unit.

    Parameters
    ----------
    number : float
        Whole, or with a quarter, third, half, two thirds or three quarters.
    unit : str
        Words of a measure in the manner of food tables, such as ``cup, diced``.
    food : str
        Name in the manner of food tables; a unit that is a size only is one of the food
        ("medium" of "Apples, raw").

    Returns
    -------
    str

    Raises
    ------
    ValueError
        When the number has no name.
    """
    if not sayable(number):
        msg = f"{number} has no name"
        raise ValueError(msg)
    whole, part = _split(number)
    phrase = _phrase(unit, food)
    if part and not whole:
        lead = next(front for value, front, _ in _PARTS if value == part)
        one = _counted(phrase, many=False)
        return f"{lead} {'an' if one[:1] in 'aeiou' else 'a'} {one}"
    if part:
        behind = next(text for value, _, text in _PARTS if value == part)
        return f"{whole} {behind} {_counted(phrase, many=True)}"
    return f"{whole} {_counted(phrase, many=whole != 1)}"


def _split(number: float) -> tuple[int, float | None]:
    """Return the whole and the part of a number; None for a part without a name."""
    whole = int(number + _NEAR)
    rest = number - whole
    if abs(rest) <= _NEAR:
        return whole, 0.0
    return whole, next((v for v, _, _ in _PARTS if abs(v - rest) <= 1e-3), None)


@lru_cache(maxsize=20_000)
def _phrase(unit: str, food: str) -> str:
    """Put the words of a unit as they are said: ``thin slice`` of ``slice, thin``."""
    words = re.sub(r"(?<=\w),", " ,", unit).split()
    words = [_SPELLED.get(w.lower(), w) for w in words]
    words = [w.lower() if _common(w, food) else w for w in words]
    if words[0] in _COUNTED_FIRST and words[1:2] not in ([], [","]) and words[1][0] != "(":
        words.insert(1, ",")
    if len(words) == 3 and words[1] == "," and set(words[2].split("/")) <= _SIZES:
        words = [words[2], words[0]]
    if food and set(" ".join(words).replace("/", " ").split()) <= _SIZES | {"or", ","}:
        words.append(_thing(food))
    return " ".join(words).replace(" ,", ",")


def _common(word: str, food: str) -> bool:
    """Tell whether a capital is no name's: ``Potato`` of potatoes, not ``Italian``."""
    low = word.lower()
    return singular(low) in food.lower() or singular(low) in _FIRST_COUNTS or low == "guideline"


def _thing(food: str) -> str:
    """Return what one of a food is called: ``apple`` of "Apples, raw, with skin"."""
    first = re.split(r"[,(]", food)[0].strip().lower()
    head, _, last = first.rpartition(" ")
    return f"{head} {singular(last)}".strip()


@lru_cache(maxsize=20_000)
def _counted(phrase: str, *, many: bool) -> str:
    """Put the counted word of a phrase into the singular or plural."""
    if phrase.startswith("fl oz"):
        return phrase
    cut = _AFTER.search(phrase)
    head, tail = (phrase[: cut.start()], phrase[cut.start() :]) if cut else (phrase, "")
    space = head[len(head.rstrip()) :]
    words = head.split()
    if not words:
        return phrase
    at = 0 if singular(words[0]) in _FIRST_COUNTS else len(words) - 1
    one = singular(words[at])
    words[at] = plural(one) if many else one
    return " ".join(words) + space + tail
