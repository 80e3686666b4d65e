"""From a person's statuses to the nutrients wanted low or high, by rule set.

``as-published`` keeps one direction a nutrient and lets high overwrite low, as the NGQA
benchmark does. ``default`` keeps both and names the nutrient as a conflict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from prandial.errors import InputError, NotFoundError
from prandial.tables.rules import NUTRIENT_ORDER, load_needs
from prandial.truth import Truth, TruthArray

__all__ = [
    "HIGH",
    "LOW",
    "MAYBE_HIGH",
    "MAYBE_LOW",
    "Needed",
    "need_bits",
    "needed_by",
    "rule_nutrients",
    "split_tag",
]

#: bits of a need: wanted low, wanted high, and the same where a status is unknown
LOW: Final = 1
HIGH: Final = 2
MAYBE_LOW: Final = 4
MAYBE_HIGH: Final = 8
#: nutrients whose tags enter the published graphs; the others are tagged but never asked about
_PUBLISHED: Final = 7


@dataclass(frozen=True, kw_only=True, slots=True)
class Needed:
    """Nutrients that a person needs low or high.

    Parameters
    ----------
    directions : mapping of str to tuple of {'low', 'high'}
        By nutrient in the order of the gold answers; two directions only in ``default``.
    conflicts : tuple of str
        Nutrients that some status needs low and another high, in both rule sets.
    because : mapping of str to tuple of str
        Needed tag -> statuses that need it, in order.
    """

    directions: Mapping[str, tuple[str, ...]]
    conflicts: tuple[str, ...]
    because: Mapping[str, tuple[str, ...]]


@cache
def split_tag(tag: str) -> tuple[str, str]:
    """Return direction and nutrient of a tag: ``low_carb`` -> ``("low", "carb")``.

    Raises
    ------
    InputError
        When it is no ``low_`` or ``high_`` tag of a known nutrient.
    """
    direction, _, nutrient = tag.partition("_")
    if direction not in ("low", "high") or nutrient not in NUTRIENT_ORDER:
        raise InputError(
            f"{tag!r} is no nutrition tag",
            where="tag",
            hint="low_ or high_ with one of: " + ", ".join(NUTRIENT_ORDER),
        )
    return direction, nutrient


@cache
def rule_nutrients(rules: str) -> tuple[str, ...]:
    """Return the nutrients that a rule set asks about, in the order of the gold answers.

    Seven in ``as-published`` (the only ones in its graphs), all sixteen in ``default``.

    Raises
    ------
    InputError
        On an unknown rule set.
    """
    load_needs(rules)
    return NUTRIENT_ORDER[:_PUBLISHED] if rules == "as-published" else NUTRIENT_ORDER


def needed_by(statuses: Iterable[str], *, rules: str) -> Needed:
    """Return what a person with these statuses needs.

    Parameters
    ----------
    statuses : iterable of str
        Conditions and diets that hold; their order does not matter.
    rules : {'as-published', 'default'}

    Raises
    ------
    NotFoundError
        On a status that the rule set does not know, naming the nearest.
    InputError
        On an unknown rule set.
    """
    return _needed(tuple(statuses), rules)


@lru_cache(maxsize=8192)
def _needed(statuses: tuple[str, ...], rules: str) -> Needed:
    needs = load_needs(rules)
    for status in statuses:
        if status not in needs.tags:
            near = get_close_matches(status, needs.tags, n=3) or list(needs.tags)
            raise NotFoundError(
                f"no status {status!r} in the rule set {rules}",
                where="status",
                hint="nearest: " + ", ".join(near),
            )
    because: dict[str, tuple[str, ...]] = {}
    for status in (s for s in needs.tags if s in statuses):
        for tag in needs.tags[status]:
            because[tag] = (*because.get(tag, ()), status)
    directions: dict[str, tuple[str, ...]] = {}
    conflicts = []
    for nutrient in rule_nutrients(rules):
        wanted = tuple(d for d in ("low", "high") if f"{d}_{nutrient}" in because)
        if len(wanted) > 1:
            conflicts.append(nutrient)
            wanted = wanted[-1:] if rules == "as-published" else wanted
        if wanted:
            directions[nutrient] = wanted
    return Needed(directions=directions, conflicts=tuple(conflicts), because=because)


def need_bits(statuses: Mapping[str, TruthArray], *, rules: str) -> npt.NDArray[np.uint8]:
    """Return the needs of many people as bits.

    Parameters
    ----------
    statuses : mapping of str to truth array, shape (n,)
        As in a :class:`~prandial.records.people.Profiles`.
    rules : {'as-published', 'default'}

    Returns
    -------
    ndarray of uint8, shape (n, nutrients)
        Columns as :func:`rule_nutrients`. LOW and HIGH where a status that holds needs it;
        MAYBE_LOW and MAYBE_HIGH where only a status that is unknown would.

    Raises
    ------
    NotFoundError, InputError
        As :func:`needed_by`.
    """
    needed_by(statuses, rules=rules)  # refuses what the rule set does not know
    column = {n: i for i, n in enumerate(rule_nutrients(rules))}
    rows = len(next(iter(statuses.values()))) if statuses else 0
    bits = np.zeros((rows, len(column)), dtype=np.uint8)
    for status, truth in statuses.items():
        for direction, nutrient in map(split_tag, load_needs(rules).tags[status]):
            sure, maybe = (LOW, MAYBE_LOW) if direction == "low" else (HIGH, MAYBE_HIGH)
            at = bits[:, column[nutrient]]
            at |= np.where(truth == Truth.YES, sure, 0).astype(np.uint8)
            at |= np.where(truth == Truth.UNKNOWN, maybe, 0).astype(np.uint8)
    known = (bits & (LOW | HIGH)) << 2  # a need that is sure is no longer a maybe
    return bits & ~known.astype(np.uint8)
