"""Where a text names each item of a meal: every word is given to one item only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prandial.compose.describe.foods import FoodNames

__all__ = ["Mention", "find_mentions"]

#: words that may stand between two words of one name
_GAP: Final = 5
#: words that one mention has at most, far more than any name
_WORDS: Final = 40
_FAR: Final = 0.03
#: what a later beginning must tell more
_LATER: Final = 0.25
#: from here a word tells a food
_TELLS: Final = 1.0
#: from here it is one of the name's own words, not a qualifier
_HEAD: Final = 2.0


@dataclass(frozen=True, slots=True)
class Mention:
    """Tokens ``start`` to ``end`` name an item; ``places`` are the words that tell."""

    start: int
    end: int
    told: float
    places: tuple[int, ...]


def find_mentions(
    senses: Sequence[tuple[str, ...]],
    items: Sequence[FoodNames],
    *,
    barriers: frozenset[int],
    links: frozenset[int] = frozenset(),
    commas: frozenset[int] = frozenset(),
    turns: frozenset[int] = frozenset(),
    ands: frozenset[int] = frozenset(),
    preferred: Sequence[tuple[int, int] | None] = (),
) -> list[Mention | None]:
    """Return a mention of each item, None where the text has no word left that tells it.

    Parameters
    ----------
    senses : sequence of tuple of str
        What each token may stand for; empty for numbers and signs.
    items : sequence of FoodNames
    barriers : frozenset of int
        Tokens that no name runs across.
    links : frozenset of int
        Tokens that no name runs across before a word that tells it.
    commas : frozenset of int
        Tokens behind which a word that was said already begins another name.
    turns : frozenset of int
        Tokens such as "along with", which no name runs across before one of its own words.
    ands : frozenset of int
        Tokens right behind which a name's own word begins another name if it was said already:
        "coffee and coffee creamer".
    preferred : sequence
        Of each item, the tokens where it is expected, or None.
    """
    matched = [_matched(senses, names) for names in items]
    walls = (barriers, links | commas, commas, turns, ands)
    taken: set[int] = set()
    out: list[Mention | None] = [None] * len(items)
    found = {k: _best(m, taken, walls, _at(preferred, k)) for k, m in enumerate(matched)}
    while True:
        named = [(m.told, -m.start, -k, m) for k, m in found.items() if m is not None]
        if not named:
            return out
        _, _, minus, mention = max(named, key=lambda n: n[:3])
        out[-minus] = mention
        del found[-minus]
        taken.update(mention.places)
        for k, other in found.items():
            if other is not None and not taken.isdisjoint(other.places):
                found[k] = _best(matched[k], taken, walls, _at(preferred, k))


def _at(preferred: Sequence[tuple[int, int] | None], k: int) -> tuple[int, int] | None:
    return preferred[k] if k < len(preferred) else None


def _matched(senses: Sequence[tuple[str, ...]], names: FoodNames) -> list[tuple[int, str, float]]:
    out = []
    for place, sense in enumerate(senses):
        told = [t for said in sense if (t := names.told(said)) is not None]
        if told:
            weight, word = max(told, key=lambda t: t[0])
            out.append((place, word, weight))
    return out


def _best(
    matched: list[tuple[int, str, float]],
    taken: set[int],
    barriers: tuple[frozenset[int], ...],
    preferred: tuple[int, int] | None,
) -> Mention | None:
    free = [m for m in matched if m[0] not in taken]
    best: Mention | None = None
    for first in range(len(free)):
        one = _run(free[first : first + _WORDS], barriers, preferred)
        if one is not None and (best is None or one.told > best.told + _LATER):
            best = one
    return best


def _run(
    free: list[tuple[int, str, float]],
    barriers: tuple[frozenset[int], ...],
    preferred: tuple[int, int] | None,
) -> Mention | None:
    """Return the best mention that begins with the first of the places."""
    start = last = free[0][0]
    told = strongest = 0.0
    seen: dict[str, int] = {}
    places: list[int] = []
    best: Mention | None = None
    for place, word, weight in free:
        between = range(last + 1, place)
        if place - last > _GAP or not barriers[0].isdisjoint(between):
            break
        if strongest < _TELLS and not barriers[1].isdisjoint(between):
            break
        if strongest < _HEAD and not barriers[3].isdisjoint(between):
            break
        if word in seen and not barriers[2].isdisjoint(range(seen[word], place)):
            break
        if word in seen and weight >= _HEAD and place - 1 in barriers[4]:
            break
        last = place
        if word not in seen:
            told += weight
            seen[word] = place
        strongest = max(strongest, weight)
        places.append(place)
        score = told - _FAR * (place - start + 1 - len(places))
        if preferred and preferred[0] <= start and place < preferred[1]:
            score += 2.0
        again = best is not None and place == best.end
        if strongest >= _TELLS and (best is None or score > best.told or again):
            best = Mention(start, place + 1, score, tuple(places))
    return best
