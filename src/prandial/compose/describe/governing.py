"""Which stated amount belongs to a mention, and whether it is the serving of the item."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from prandial.compose.describe.amounts import read_measure
from prandial.compose.describe.foods import FoodNames, no_food, same_word
from prandial.compose.describe.mentions import Mention
from prandial.compose.describe.names import is_itself
from prandial.compose.describe.reading import Stated, Token, read_amounts, read_tokens
from prandial.compose.describe.words import stem
from prandial.tables.rules import read_rules

__all__ = ["LINKS", "Serving", "amounts_of", "fits", "fits_together", "serving_of", "unit_words"]

_NEAR: Final = 0.02
#: a number from here is one of units that are said
_SEVERAL: Final = 2
#: a size in brackets that tells length, not how much
_LENGTH: Final = re.compile(r"\"|\bdia\b|\binch|\blong\b|\bapprox\b")
#: words after which what stands before belongs to another food
LINKS: Final = frozenset(
    "and with plus along alongside then also followed paired accompanied topped together "
    "including while drank ate washed beside".split()
)
#: "a cup filled with"
_FULL: Final = frozenset(stem(w) for w in ("filled", "packed", "stuffed", "loaded"))
#: a size without an article says one: "with medium fries"
_BARE: Final = frozenset(("small", "medium", "large"))
_NOT_MINE: Final = LINKS | {",", "some", "for", "was", "is", "i", "had"}
#: tokens between "my" and what is mine: "my small cup of coffee"
_MINE: Final = 6
_STOPS: Final = frozenset(".;!?:")
#: words between an article and the unit it counts
_HOLDER: Final = 4
_FROM: Final = frozenset(("in", "from", "about", "approximately"))
#: words behind a comma with which a food's amount may follow
_SAID_OF: Final = frozenset(
    "served which that about approximately totaling weighing at measured measuring".split()
)
#: tokens behind a mention in which a bare amount may follow it
_BEHIND: Final = 10


@dataclass(frozen=True, slots=True)
class Serving:
    """A serving as a text may say it.

    ``counts`` are the numbers that state it; ``others`` may stand beside them; ``units`` are
    stems of its unit, ``sizes`` those of its size, each
    of which must be said, or one of them (and of the units) where ``either``.
    """

    counts: tuple[float, ...]
    others: tuple[float, ...]
    units: tuple[str, ...]
    sizes: tuple[str, ...]
    either: bool = False


@cache
def _role(role: str) -> frozenset[str]:
    rows = read_rules("serving_words")
    return frozenset(stem(w) for r in rows if r["role"] == role for w in r["words"].split())


def unit_words() -> frozenset[str]:
    """Return stems of units of which one says "a cup of"."""
    return _role("of")


@cache
def _same_units() -> dict[str, frozenset[str]]:
    out: dict[str, set[str]] = {}
    for row in read_rules("serving_words"):
        if row["role"] == "same":
            group = {stem(w) for w in row["words"].split()}
            for word in group:
                out.setdefault(word, set()).update(group)
    return {k: frozenset(v) for k, v in out.items()}


@lru_cache(maxsize=200_000)
def serving_of(measure: str, times: float) -> Serving:
    """Take a measure and how many of it apart into numbers, unit and size."""
    read = read_measure(measure)
    count = read.number * times
    inside = [
        a.value for s in (*read.sizes, read.notes, read.unit) for a in read_amounts(read_tokens(s))
    ]
    counts = [count]
    if abs(times - 1) < _NEAR:
        counts += [v for s in read.sizes if not _LENGTH.search(s) for v in _leading(s)]
    if read.unit == "half":
        counts.append(count / 2)
    if read.unit == "pair":
        counts.append(2 * count)
    words = [stem(t.text) for t in read_tokens(read.unit) if t.word]
    last = max((k for k, w in enumerate(words) if w not in _role("size")), default=len(words))
    sizes = tuple(w for w in words[:last] if w in _role("size"))  # not of "chip, crisp, or thin"
    units = tuple(w for w in words if w not in _role("size") and len(w) > 1 and w not in LINKS)
    either = " or " in read.unit
    units = tuple(w for w in _alternatives(read.unit) if w in units) if either else units[-1:]
    if is_itself(read.unit):
        units = ()
    others = (*inside, read.number, times, count, 1.0)
    return Serving(tuple(counts), others, units, sizes, either)


def _alternatives(unit: str) -> list[str]:
    """Return the noun of each unit that "or" parts: of "taco or tostada" either may be said."""
    nouns = [stem(part.split()[-1]) for part in unit.split(" or ") if part.strip()]
    return list(dict.fromkeys(n for n in nouns if n not in _role("size")))


def _leading(size: str) -> list[float]:
    return [a.value for a in read_amounts(read_tokens(size)) if a.exact][:1]


def amounts_of(
    tokens: Sequence[Token],
    amounts: Sequence[Stated],
    mention: Mention,
    others: Sequence[Mention],
    words: tuple[Container[int], Container[int]] = ((), ()),
) -> list[Stated]:
    """Return the amounts that a text states of a mention; empty when it states none.

    Those before it, back to another mention, the end of a sentence, a linking word or a word of
    another food; else those behind it in brackets or before the next comma. ``words`` are the
    places of other foods' words and of the item's own.
    """
    walls, own = words
    before = [m.end for m in others if m.end <= mention.start]
    floor = max(before, default=0)
    found: list[Stated] = []
    at = start = _outside(tokens, mention.start)
    while at >= floor:
        here = next((a for a in amounts if a.start <= at < a.end), None)
        if here is not None:
            found.insert(0, here)
            at = here.start - 1
            continue
        if at < start and at in walls:
            break
        if tokens[at].text == "and" and at - 1 in own and not found:
            at -= 1
            continue
        at = _back(tokens, at, start, joined=bool(found))
    ahead = min([m.start for m in others if m.start >= mention.end], default=len(tokens))
    far = bool(found) and any(t.text == "," for t in tokens[found[-1].end : start])
    if far or not found:
        told = _in_brackets(tokens, amounts, mention, start)
        found = told or found
    if found and not any(a.exact for a in found):
        found = [*found, *_behind(tokens, amounts, mention, ahead, bracket=True)]
    if found:
        return found
    mine = next(
        (k for k in range(start - 1, max(floor, start - _MINE) - 1, -1) if tokens[k].text == "my"),
        None,
    )
    if mine is not None and not any(tokens[k].text in _NOT_MINE for k in range(mine, start)):
        return [Stated(mine, mine + 1, 1.0, exact=False)]
    size = start - 1
    if size >= floor and tokens[size].text in _BARE:
        return [Stated(size, size + 1, 1.0, exact=False)]
    return _behind(tokens, amounts, mention, ahead)


def _describes(token: Token) -> bool:
    """Tell whether a word before "and" only describes: "a rich and creamy cup of soup"."""
    return token.word and token.stem in no_food() and token.stem not in unit_words()


def _in_brackets(
    tokens: Sequence[Token], amounts: Sequence[Stated], mention: Mention, start: int
) -> list[Stated]:
    """Return amounts in the bracket a mention ends in, or that opens right behind it."""
    inside = (
        [a for a in amounts if start < a.start < mention.start] if start < mention.start else []
    )
    behind = [t.text for t in tokens[mention.end : mention.end + 2]]
    if inside or "(" not in behind:
        return inside
    opening = mention.end + behind.index("(")
    close = next((k for k in range(opening, len(tokens)) if tokens[k].text == ")"), opening)
    found = [a for a in amounts if opening < a.start < close]
    return found if found and found[0].start == opening + 1 else []


def _outside(tokens: Sequence[Token], at: int) -> int:
    """Return the bracket that a place stands in, or the place."""
    for k in range(at - 1, -1, -1):
        if tokens[k].text == ")":
            return at
        if tokens[k].text == "(":
            return k
    return at


def _back(tokens: Sequence[Token], at: int, start: int, *, joined: bool) -> int:
    """Return the place before, past what is in brackets; -1 where another food's words begin."""
    text = tokens[at].text
    if at == start:
        return at - 1
    if text == "with" and at and tokens[at - 1].stem in _FULL and not joined:
        return at - 1
    if text == "and" and at and _describes(tokens[at - 1]) and not joined:
        return at - 1
    if text in _STOPS or text in LINKS:
        return -1
    if joined and text in (",", ")"):
        return -1
    if text == ")":
        opened = [k for k in range(at) if tokens[k].text == "("]
        return opened[-1] - 1 if opened else -1
    return at - 1


def _behind(
    tokens: Sequence[Token],
    amounts: Sequence[Stated],
    mention: Mention,
    ceiling: int,
    *,
    bracket: bool = False,
) -> list[Stated]:
    """Return amounts behind a mention: "milk (1 cup)", "an apple, 2 small ones".

    With ``bracket`` only those that open one: "a granola bar (one large bar)".
    """
    at = mention.end
    limit = min(ceiling, at + _BEHIND, len(tokens))
    for bracket_at in [k for k in range(at, limit) if tokens[k].text == "("]:
        close = next((k for k in range(bracket_at, len(tokens)) if tokens[k].text == ")"), limit)
        inside = [a for a in amounts if bracket_at < a.start < close]
        alone = not any(at <= a.start < bracket_at for a in amounts)
        if inside and (not bracket or (alone and inside[0].start == bracket_at + 1)):
            return inside
    if bracket:
        return []
    stop = next((k for k in range(at, limit) if _ends(tokens, k)), limit)
    inside = [a for a in amounts if at <= a.start < stop]
    return [a for a in inside if a.exact or _held(tokens, a)][:1]


def _held(tokens: Sequence[Token], stated: Stated) -> bool:
    """Tell whether an article behind a food says what holds it: "from a small bag"."""
    after = tokens[stated.end : stated.end + _HOLDER]
    from_ = bool(stated.start) and tokens[stated.start - 1].text in _FROM
    return from_ and any(t.stem in unit_words() for t in after)


def _ends(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether what is said of a food ends here."""
    text = tokens[at].text
    if text == "," and at + 1 < len(tokens):
        return tokens[at + 1].text not in _SAID_OF
    return text in _STOPS or text in LINKS or text in ("/", "+")


def fits(
    stated: Sequence[Stated],
    zone: Sequence[Token],
    servings: Sequence[Serving],
    names: FoodNames,
) -> tuple[bool, bool]:
    """Tell whether stated numbers are those of a serving, and whether its measure is said too.

    Parameters
    ----------
    stated : sequence of Stated
        Amounts of one mention.
    zone : sequence of Token
        The words in which the unit may stand.
    servings : sequence of Serving
        Any of which may be meant. Where the unit of some is said, and is no word of the food's
        name, the numbers must be those of one of them.
    names : FoodNames
        Of the item.
    """
    said = {t.stem for t in zone if t.word}
    fit = [s for s in servings if _numbers(stated, s)]
    if any(_unit_said(said, s) and _size_said(said, s) for s in fit):
        return True, True
    if any(_unit_said(said, s) for s in fit):
        return True, False
    own = [s for s in servings if s.units and _unit_said(said, s)]
    if any(names.told(u) is None for s in own for u in s.units):
        return False, False
    several = [a for a in stated if a.value >= _SEVERAL]
    if fit and several and not any(_own(s, names) or _sized(several, s) for s in fit):
        return False, False
    return bool(fit), False


def _sized(stated: Sequence[Stated], serving: Serving) -> bool:
    """Tell whether numbers are those of a size, "a 6.75 fl oz box", not of how many."""
    return all(any(_near(a.value, v) for v in serving.counts[1:]) for a in stated)


def _own(serving: Serving, names: FoodNames) -> bool:
    """Tell whether a serving counts the food itself: no unit, or a word of its name."""
    return not serving.units or any(names.told(u) is not None for u in serving.units)


def fits_together(
    stated: Sequence[Stated], one: Sequence[Serving], other: Sequence[Serving]
) -> bool:
    """Tell whether a number counts two items of the same unit: "two burritos, one with ..."."""
    sums = [
        a.counts[0] + b.counts[0]
        for a in one
        for b in other
        if (a.units, a.sizes) == (b.units, b.sizes)
    ]
    return any(_near(a.value, s) for a in stated if a.exact for s in sums)


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= _NEAR * max(1.0, b)


def _numbers(stated: Sequence[Stated], serving: Serving) -> bool:
    if not any(_near(a.value, c) for a in stated for c in serving.counts):
        return False
    known = (*serving.counts, *serving.others)
    return all(any(_near(a.value, v) for v in known) for a in stated if a.exact)


def _unit_said(said: set[str], serving: Serving) -> bool:
    found = [_word_said(said, word) for word in serving.units]
    return any(found) if serving.either and found else all(found)


def _size_said(said: set[str], serving: Serving) -> bool:
    """Tell whether a size is said; of "small or medium" either."""
    found = [_word_said(said, word) for word in serving.sizes]
    return any(found) if serving.either and found else all(found)


def _word_said(said: set[str], word: str) -> bool:
    group = _same_units().get(word, frozenset((word,)))
    return any(w in group or same_word(w, word) for w in said)
