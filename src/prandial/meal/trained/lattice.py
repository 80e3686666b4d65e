"""All ways to cut a text into items, thinned to those near the best one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from prandial.meal import segment as cuts
from prandial.meal.match import Match

if TYPE_CHECKING:
    from prandial.meal.match import Matcher
    from prandial.meal.reading import Reading

__all__ = ["Edge", "thinned_edges"]

#: ways that cost this much more than the best are not looked at
_SLACK: Final = 9.0


@dataclass(slots=True)
class Edge:
    """Atoms ``[first, last)`` as one item, or (without a match) as no item."""

    first: int
    last: int
    match: Match | None
    cost: float


def thinned_edges(reading: Reading, matcher: Matcher, slack: float = _SLACK) -> list[Edge]:
    """List the items a text could have, by the untrained costs.

    Parameters
    ----------
    reading : Reading
    matcher : Matcher
    slack : float
        Ways whose best score is further than this below the best are left out.

    Returns
    -------
    list of Edge
        Ordered by where they end; at least one way leads through.
    """
    edges = [Edge(*e) for e in cuts.edges(reading, matcher)]
    n = len(reading.atoms)
    low = float("-inf")
    ahead = [low] * (n + 1)
    behind = [low] * (n + 1)
    ahead[0] = behind[n] = 0.0
    scores = [(e.match.score if e.match is not None else 0.0) - e.cost for e in edges]
    for e, s in zip(edges, scores, strict=True):
        ahead[e.last] = max(ahead[e.last], ahead[e.first] + s)
    for e, s in zip(reversed(edges), reversed(scores), strict=True):
        behind[e.first] = max(behind[e.first], behind[e.last] + s)
    floor = ahead[n] - slack
    return [
        e
        for e, s in zip(edges, scores, strict=True)
        if ahead[e.first] + s + behind[e.last] >= floor
    ]
