"""Rankings as one, by reciprocal ranks.

G. V. Cormack, C. L. A. Clarke and S. Buettcher, "Reciprocal rank fusion outperforms Condorcet
and individual rank learning methods", SIGIR 2009: the sum of 1 / (60 + rank). Weights and the
constant were chosen on the tuning half of the foods (``benchmarks.retrieval_facts --tune``), for
meals' words first and descriptions next; equal weights find less there than words alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Fused", "Fusing", "fuse"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Fusing:
    """How rankings become one.

    Attributes
    ----------
    constant : float
        Added to each rank: the larger, the less the first places count.
    lexical, vector, known : float
        Weights; ``known`` of what a matcher of everyday words finds among known foods.
    label : float
        What the score of a food from labels is times: everyday words mean the plain food.
    depth : int
        Foods of each ranking that are looked at.
    """

    constant: float = 20.0
    lexical: float = 8.0
    vector: float = 1.0
    known: float = 4.0
    label: float = 0.9
    depth: int = 100


@dataclass(frozen=True, slots=True)
class Fused:
    """A food with its fused score, and its place from 1 in each ranking it is in."""

    food: int
    score: float
    lexical_rank: int | None
    vector_rank: int | None


def fuse(
    lexical: Sequence[int],
    vector: Sequence[int],
    fusing: Fusing,
    *,
    first_label: int,
    with_vectors: int | None = None,
    known: Sequence[int] = (),
) -> list[Fused]:
    """Return the foods of rankings, best first; of equal scores those that words found.

    Parameters
    ----------
    lexical, vector : sequence of int
        Foods, best first.
    fusing : Fusing
    first_label : int
        Number of the first food from labels; those before it are of reference tables.
    with_vectors : int, optional
        How many foods, from number 0, have vectors. The others, which vectors cannot find, stand
        in both rankings where words put them; all have vectors when None.
    known : sequence of int
        Foods that a matcher of everyday words found, best first.
    """
    in_words = {int(f): r for r, f in enumerate(lexical, start=1)}
    in_space = {int(f): r for r, f in enumerate(vector, start=1)}
    in_known = {int(f): r for r, f in enumerate(known, start=1)}
    found = []
    for food in {**in_words, **in_space, **in_known}:
        one, two = in_words.get(food), in_space.get(food)
        score = 0.0 if one is None else fusing.lexical / (fusing.constant + one)
        near = one if with_vectors is not None and food >= with_vectors else two
        score += 0.0 if near is None else fusing.vector / (fusing.constant + near)
        if food in in_known:
            score += fusing.known / (fusing.constant + in_known[food])
        score *= fusing.label if food >= first_label else 1.0
        found.append(Fused(food, score, one, two))
    return sorted(found, key=lambda f: (-f.score, f.lexical_rank or len(in_words) + 1, f.food))
