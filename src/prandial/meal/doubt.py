"""Signs that an item's food is none of those found.

Each sign is a number between 0 and 1; their weights are set on generated text
(``tools/calibrate_ranges.py``) and stand in ``tables/words/ranges.csv``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from prandial.meal.match import Match, Matcher
from prandial.meal.portions import Option
from prandial.tables import RangeConstants

__all__ = ["SIGNS", "doubt_of", "signs_of"]

#: names of the signs, in order
SIGNS: Final = (
    "always",
    "unknown_word",
    "unknown_words",
    "unknown_head",
    "unused_words",
    "head_elsewhere",
    "weak_fit",
    "words_lacking",
    "unsure_food",
    "amount_not_said",
    "rarely_eaten",
    "no_recalls",
    "spelling",
    "weighed",
    "abroad",
)
#: a food score at which a fit counts as weak, and one at which it is as good as can be
_WEAK, _STRONG = -16.0, -4.0
#: weight of said words that the food lacks, at which the sign is full
_ALL_LACKING: Final = 8.0
_RARE: Final = 2000.0
#: how much of the sign "abroad" remains where a staple of the country was taken
#: (convention: generated text has no staples to set it on)
_STAPLE: Final = 0.25


def signs_of(
    match: Match,
    options: Sequence[Option],
    shares: Sequence[float],
    matcher: Matcher,
    *,
    abroad: bool,
) -> tuple[float, ...]:
    """Return the signs of doubt of an item.

    Parameters
    ----------
    match : Match
    options : sequence of Option
        The match's options, best first.
    shares : sequence of float
        Share of each of the first options.
    matcher : Matcher
    abroad : bool
        The country is given and is not that of the table.

    Returns
    -------
    tuple of float
        In the order of :data:`SIGNS`, each 0 to 1.
    """
    q = match.query
    best = options[0]
    index = matcher.index
    content = max(len(q.content), 1)
    unused = matcher.unused_words(match)
    terms = index.food_terms(best.food)
    heads = (q.head, *q.implied_heads)
    share = sum(s for o, s in zip(options, shares, strict=False) if o.food == best.food)
    eaten = float(matcher.index.table.eaten_count[best.food])
    lacking = sum(v for t, v in q.terms if t not in terms)
    fit = (_STRONG - best.food_score) / (_STRONG - _WEAK)
    return (
        1.0,
        float(len(q.unknown) > 0),
        float(len(q.unknown) > 1),
        float(q.head_unknown),
        min(len(unused) / content, 1.0),
        float(bool(q.head) and not any(h in terms for h in heads)),
        min(max(fit, 0.0), 1.0),
        min(lacking / _ALL_LACKING, 1.0),
        1.0 - share,
        float(best.basis == "default"),
        0.0 if eaten <= 0 else max(0.0, 1.0 - math.log1p(eaten) / math.log1p(_RARE)),
        float(eaten <= 0),
        float(bool(q.corrected)),
        float(best.basis == "weighed"),
        float(abroad) * (_STAPLE if q.staple else 1.0),
    )


def doubt_of(signs: Sequence[float], constants: RangeConstants) -> float:
    """Share of "something else", 0 to 1: a logistic function of the signs."""
    z = math.fsum(constants.doubt[name] * v for name, v in zip(SIGNS, signs, strict=True))
    return 1.0 / (1.0 + math.exp(-z))
