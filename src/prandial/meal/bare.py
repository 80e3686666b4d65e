"""Numbers without a unit: ratios, kinds of flour, and weights whose unit was left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from prandial.meal.amounts import Mark
from prandial.meal.lexicon import Unit
from prandial.meal.tokens import Token

__all__ = ["read_bare_numbers"]

_GRAM: Final = Unit("g", "mass", "en")
#: so many weights in grams make a text one that weighs everything
_WEIGHS: Final = 3
#: nobody counts so many of a food that others are weighed beside
_MANY: Final = 20.0
_NOTE: Final = "taken as grams, as the other amounts of the text are"


def read_bare_numbers(tokens: Sequence[Token], marks: Sequence[Mark]) -> list[Mark]:
    """Read numbers without a unit that are no counts.

    "50:50" is a ratio and "type 500" a kind of flour: neither is an amount. In
    a text that gives its other amounts in grams, "46.5 white bread" is a weight.

    Parameters
    ----------
    tokens : sequence of Token
    marks : sequence of Mark

    Returns
    -------
    list of Mark
        The marks that are amounts, in order.
    """
    kept = [m for m in marks if not _no_amount(tokens, m)]
    grams = sum(_is_gram(m) for m in kept)
    counts = sum(m.numbered and not _is_gram(m) for m in kept)
    if grams < _WEIGHS or grams < 2 * counts:
        return kept
    return [_weighed(m) if _lacks_unit(tokens, m) else m for m in kept]


def _is_gram(mark: Mark) -> bool:
    return mark.numbered and mark.unit is not None and mark.unit.name == "g"


def _no_amount(tokens: Sequence[Token], mark: Mark) -> bool:
    if not mark.numbered or mark.unit is not None:
        return False
    before = tokens[mark.start - 1].text if mark.start else ""
    after = tokens[mark.end].text if mark.end < len(tokens) else ""
    ratio = ":" in (before, after) and (
        _is_number(tokens, mark.end + 1) or _is_number(tokens, mark.start - 2)
    )
    return ratio or "type" in (before, after)


def _is_number(tokens: Sequence[Token], i: int) -> bool:
    return 0 <= i < len(tokens) and tokens[i].kind == "num"


def _lacks_unit(tokens: Sequence[Token], mark: Mark) -> bool:
    """Tell whether a number is too large or too exact to count anything."""
    if not mark.numbered or mark.unit is not None or mark.bracketed:
        return False
    if not all(tokens[k].kind == "num" for k in range(mark.start, mark.end)):
        return False
    value = mark.number.mid
    opens = mark.start == 0 or tokens[mark.start - 1].text in _OPENS
    return opens and (value >= _MANY or value != int(value))


#: words and marks after which an amount may stand
_OPENS: Final = frozenset(", ; : . and with of plus had have ate on also about only by".split())


def _weighed(mark: Mark) -> Mark:
    return replace(mark, unit=_GRAM, number=replace(mark.number, note=_NOTE))
