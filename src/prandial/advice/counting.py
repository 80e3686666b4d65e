"""The rule of the verdict: count distinct nutrients, in the worst and in the best case.

Rule ``worst-and-best-case``. Each needed nutrient speaks for (+1), against (-1) or on
neither side (0). What is unknown, a tag or a status, may turn out any way it still can;
a nutrient needed both low and high speaks on neither side. The worst case adds up the
least each nutrient can say, the best case the most. Yes when the worst case is above 0,
no when the best case is below 0, else unknown; so a tie is unknown.

Each nutrient is bounded by itself: that one status stands behind two nutrients is not
used, so the cases are never too narrow, and the more is unknown the wider they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Literal

from prandial.advice.names import RULES
from prandial.records import Answer, Outcome
from prandial.tables.rules import NUTRIENT_ORDER, load_needs
from prandial.tags import split_tag

__all__ = ["Count", "Wanted", "count", "outcome_of", "wanted_by"]

#: a nutrient -> whether its low and its high tag hold
Tags = Mapping[str, tuple[Answer, Answer]]
_NOWHERE = "neither"


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """Directions in which a person needs a nutrient: surely, and by a status unknown."""

    sure: frozenset[str]
    maybe: frozenset[str]

    @property
    def direction(self) -> str:
        """The one sure direction, or nothing when there is none or two."""
        return next(iter(self.sure)) if len(self.sure) == 1 else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Count:
    """What speaks for and against, and how far the unknown can turn it.

    ``outcomes`` holds what each surely needed nutrient says, in the order of gold answers.
    """

    answer: Answer
    lean: Literal["for", "against", "even", "nothing"]
    outcomes: Mapping[str, Outcome]
    worst: int
    best: int

    def nutrients(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the nutrients of an outcome."""
        return tuple(n for n, o in self.outcomes.items() if o == outcome)


def wanted_by(held: Iterable[str], unknown: Iterable[str] = ()) -> dict[str, Wanted]:
    """Return what statuses need, by nutrient in the order of gold answers."""
    tags = load_needs(RULES).tags
    sure = {split_tag(t) for s in held for t in tags[s]}
    maybe = {split_tag(t) for s in unknown for t in tags[s]} - sure
    found = {}
    for n in NUTRIENT_ORDER:
        wanted = Wanted(
            sure=frozenset(d for d, m in sure if m == n),
            maybe=frozenset(d for d, m in maybe if m == n),
        )
        if wanted.sure or wanted.maybe:
            found[n] = wanted
    return found


def outcome_of(direction: str, low: Answer, high: Answer) -> Outcome:
    """Tell what a nutrient says that is needed in one direction."""
    if low == "yes" or high == "yes":
        return "match" if (direction == "low") == (low == "yes") else "contradict"
    return "neither" if low == high == "no" else "unknown"


def _says(wanted: Wanted, low: Answer, high: Answer) -> set[int]:
    """Return everything a nutrient may say: -1, 0, 1."""
    states = ["low"] if low == "yes" else ["high"] if high == "yes" else [_NOWHERE]
    if "yes" not in (low, high):
        states += [d for d, t in (("low", low), ("high", high)) if t == "unknown"]
    maybe = sorted(wanted.maybe)
    added = chain.from_iterable(combinations(maybe, k) for k in range(len(maybe) + 1))
    found = set()
    for directions in (wanted.sure | set(more) for more in added):
        for state in states:
            one = len(directions) == 1 and state != _NOWHERE
            found.add((1 if state in directions else -1) if one else 0)
    return found


def count(wanted: Mapping[str, Wanted], tags: Tags) -> Count:
    """Apply the rule.

    Parameters
    ----------
    wanted : mapping of str to Wanted
        As :func:`wanted_by`.
    tags : mapping of str to (low, high)
        Whether the tags of each nutrient hold.
    """
    outcomes: dict[str, Outcome] = {}
    worst = best = 0
    for n, want in wanted.items():
        said = _says(want, *tags[n])
        worst, best = worst + min(said), best + max(said)
        if len(want.sure) > 1:
            outcomes[n] = "conflict"
        elif want.sure:
            outcomes[n] = outcome_of(want.direction, *tags[n])
    told = list(outcomes.values())
    net = told.count("match") - told.count("contradict")
    lean: Literal["for", "against", "even", "nothing"]
    if not {"match", "contradict"} & set(told):
        lean = "nothing"
    else:
        lean = "for" if net > 0 else "against" if net < 0 else "even"
    answer: Answer = "yes" if worst > 0 else "no" if best < 0 else "unknown"
    return Count(answer=answer, lean=lean, outcomes=outcomes, worst=worst, best=best)
