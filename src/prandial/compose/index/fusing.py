"""Two rankings as one, by reciprocal ranks.

G. V. Cormack, C. L. A. Clarke and S. Buettcher, "Reciprocal rank fusion outperforms Condorcet
and individual rank learning methods", SIGIR 2009: the sum of 1 / (60 + rank). Weights and the
constant had the best recall@5 for a meal's words on the tuning half of the gold foods, in a
table of all reference foods and a sixth of the labels, all with vectors
(``benchmarks.retrieval_facts --tune``; the figures are in ``docs/retrieval-facts.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Fused", "Fusing", "fuse"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Fusing:
    """How two rankings become one.

    Attributes
    ----------
    constant : float
        Added to each rank: the larger, the less the first places count.
    lexical, vector : float
        Weights.
    label : float
        What the score of a food from labels is times: everyday words mean the plain food.
    depth : int
        Foods of each ranking that are looked at.
    """

    constant: float = 5.0
    lexical: float = 2.0
    vector: float = 1.0
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
) -> list[Fused]:
    """Return the foods of two rankings, best first; of equal scores those that words found.

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
    """
    in_words = {int(f): r for r, f in enumerate(lexical, start=1)}
    in_space = {int(f): r for r, f in enumerate(vector, start=1)}
    found = []
    for food in {**in_words, **in_space}:
        one, two = in_words.get(food), in_space.get(food)
        score = 0.0 if one is None else fusing.lexical / (fusing.constant + one)
        near = one if with_vectors is not None and food >= with_vectors else two
        score += 0.0 if near is None else fusing.vector / (fusing.constant + near)
        score *= fusing.label if food >= first_label else 1.0
        found.append(Fused(food, score, one, two))
    return sorted(found, key=lambda f: (-f.score, f.lexical_rank or len(in_words) + 1, f.food))
