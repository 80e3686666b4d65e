"""Plain sums as people and models write them: numbers, ``+ - * /`` and brackets, nothing else."""

from __future__ import annotations

import math
import re
from typing import Final

__all__ = ["calculate"]

_TOKEN: Final = re.compile(r"\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?|\.\d+)|([-+*/()]))")
#: deeper brackets are no sum of a meal
_DEEPEST: Final = 30


class _NotASumError(Exception):
    pass


def calculate(text: str) -> float | None:
    """Return what a sum comes to.

    Parameters
    ----------
    text : str
        Such as ``28 + 27 + 12`` or ``30 * (564.28/200)``; two numbers or brackets side by side
        are no sum, nor is anything with other signs in it.

    Returns
    -------
    float or None
        None for what is no sum, divides by nothing or leaves the finite numbers.

    Examples
    --------
    >>> calculate("28 + 27 + 12")
    67.0
    >>> calculate("28 grams") is None
    True
    """
    try:
        tokens = _tokens(text)
        value, rest = _sum(tokens, 0, 0)
    except (_NotASumError, ZeroDivisionError, OverflowError):
        return None
    return value if rest == len(tokens) and math.isfinite(value) else None


def _tokens(text: str) -> list[float | str]:
    tokens: list[float | str] = []
    at, text = 0, text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _NotASumError
        tokens.append(float(match[1]) if match[1] else match[2])
        at = match.end()
    return tokens


def _sum(tokens: list[float | str], at: int, depth: int) -> tuple[float, int]:
    value, at = _product(tokens, at, depth)
    while at < len(tokens) and tokens[at] in ("+", "-"):
        more, end = _product(tokens, at + 1, depth)
        value, at = (value + more if tokens[at] == "+" else value - more), end
    return value, at


def _product(tokens: list[float | str], at: int, depth: int) -> tuple[float, int]:
    value, at = _one(tokens, at, depth)
    while at < len(tokens) and tokens[at] in ("*", "/"):
        more, end = _one(tokens, at + 1, depth)
        value, at = (value * more if tokens[at] == "*" else value / more), end
    return value, at


def _one(tokens: list[float | str], at: int, depth: int) -> tuple[float, int]:
    if at >= len(tokens) or depth > _DEEPEST:
        raise _NotASumError
    first = tokens[at]
    if isinstance(first, float):
        return first, at + 1
    if first == "-":
        value, at = _one(tokens, at + 1, depth + 1)
        return -value, at
    if first == "(":
        value, at = _sum(tokens, at + 1, depth + 1)
        if at < len(tokens) and tokens[at] == ")":
            return value, at + 1
    raise _NotASumError
