"""From what is needed and what a food is tagged with to a verdict.

Every nutrient that is needed in one direction and tagged counts once; Yes when more speak for
the food than against it, a tie is No (NGQA, arXiv 2412.15547, appendix B).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from prandial.tags.needed import split_tag

__all__ = ["Judged", "judge", "low_first"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """A verdict and the food tags it rests on.

    Parameters
    ----------
    verdict : {'Yes', 'No'}
    tags : tuple of str
        All that decide, in the order of the needs.
    matches, contradicts : tuple of str
        Those that speak for the food and against it.
    """

    verdict: Literal["Yes", "No"]
    tags: tuple[str, ...]
    matches: tuple[str, ...]
    contradicts: tuple[str, ...]


def judge(tags: Iterable[str], directions: Mapping[str, tuple[str, ...]]) -> Judged:
    """Judge a food by its tags.

    Parameters
    ----------
    tags : iterable of str
        Of the food, in any order.
    directions : mapping of str to tuple of {'low', 'high'}
        By nutrient, as in :class:`prandial.tags.needed.Needed`; one that is needed both ways
        is left out.

    Raises
    ------
    InputError
        On what is no tag.
    """
    held = _by_nutrient(tuple(tags))
    sides: dict[bool, list[str]] = {True: [], False: []}
    involved = []
    for nutrient, wanted in directions.items():
        if len(wanted) > 1:
            continue
        for tag in held.get(nutrient, ()):
            involved.append(tag)
            sides[split_tag(tag)[0] == wanted[0]].append(tag)
    return Judged(
        verdict="Yes" if len(sides[True]) > len(sides[False]) else "No",
        tags=tuple(involved),
        matches=tuple(sides[True]),
        contradicts=tuple(sides[False]),
    )


@lru_cache(maxsize=8192)
def _by_nutrient(tags: tuple[str, ...]) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {}
    for tag in sorted(set(tags), key=low_first):
        held.setdefault(split_tag(tag)[1], []).append(tag)
    return held


@cache
def low_first(tag: str) -> tuple[str, bool]:
    """Return what sorts tags by nutrient, low before high."""
    direction, nutrient = split_tag(tag)
    return nutrient, direction == "high"
