"""The nearest food of a table: text embedding beside lexical evidence, with alternatives.

The paper (arXiv 2407.12843, appendix F) takes the nearest neighbour in the space of an OpenAI
embedding and keeps it at a similarity of 0.5 or more. That model cannot be had offline, and
0.5 means nothing in the space of another; here the words of both names count as well, and the
threshold is one of the joint score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from prandial.compose.mapping.asked import AskedFood, FoodMatch, Mapped
from prandial.compose.mapping.evidence import Evidence, Lexicon
from prandial.compose.mapping.foodname import FoodName, read_food_name
from prandial.errors import InputError

if TYPE_CHECKING:
    from prandial.tables import FoodTable

__all__ = ["THRESHOLD", "Embed", "FoodMapper", "MappingWeights"]

#: texts to unit vectors, float32, one row a text
Embed = Callable[[Sequence[str]], npt.NDArray[np.float32]]

#: least joint score of a mapping that is kept, for all-MiniLM-L6-v2: the lowest step of 0.05 at
#: which nine in ten of the kept tuning names of ``benchmarks/gift_mapping.py`` are right or near
THRESHOLD: Final = 0.7
#: a flag, not a verdict: carbohydrate of survey and food differ by more than this
_CARB_APART_G: Final = 10.0
_CARB_APART: Final = 0.35
#: carbohydrate this far apart, in g of 100 g, is as far as can be
_CARB_FULL_G: Final = 50.0
_BATCH: Final = 512


@dataclass(frozen=True, kw_only=True, slots=True)
class MappingWeights:
    """What each piece of evidence counts in the joint score (house values, tuned on names).

    Parameters
    ----------
    similarity : float
        Cosine of the embeddings.
    said, meant, head, clash, another : float
        As in :class:`~prandial.compose.mapping.evidence.Evidence`.
    carb : float
        For carbohydrate of 100 g that differs from the survey's own by 50 g or more, less for
        less; nothing where the survey's is unknown.
    eaten : float
        For a food with records in the recalls.
    unserved : float
        For a food without a household measure.
    """

    similarity: float = 0.45
    said: float = 0.35
    meant: float = 0.2
    head: float = 0.06
    clash: float = -0.08
    another: float = -0.12
    carb: float = -0.15
    eaten: float = 0.01
    unserved: float = -0.02


class FoodMapper:
    """Finds the foods of a table that names mean.

    Parameters
    ----------
    table : FoodTable
    embed : callable
        Texts to unit vectors, one row a text; the encoder's work, not ours.
    vectors : ndarray, optional
        Of ``table.names``, when they were made before with the same ``embed``.
    threshold : float
        Least joint score that is kept.
    weights : MappingWeights, optional
    foods : sequence of str
        ``table_of`` of the foods that may be found.

    Raises
    ------
    InputError
        When vectors and foods do not fit.
    """

    def __init__(
        self,
        table: FoodTable,
        embed: Embed,
        *,
        vectors: npt.NDArray[np.float32] | None = None,
        threshold: float = THRESHOLD,
        weights: MappingWeights | None = None,
        foods: Sequence[str] = ("fndds", "sr"),
    ) -> None:
        self.table, self.threshold = table, threshold
        self.weights = weights or MappingWeights()
        self._embed = embed
        self.vectors = embed_names(table.names, embed) if vectors is None else vectors
        if len(self.vectors) != len(table.names):
            raise InputError(
                f"{len(self.vectors)} vectors for {len(table.names)} foods",
                where="vectors",
                hint="embed the names of the same table",
            )
        self._lexicon = Lexicon(table.names)
        carb = self.table.nutrient_keys.index("carb_g")
        self._carb = table.per_100g[:, carb].astype(np.float64)
        measured = np.diff(table.measure_offset) > 0
        self._prior = self.weights.eaten * (np.nan_to_num(table.eaten_count) > 0) + (
            self.weights.unserved * ~measured
        )
        allowed = np.array([t in foods for t in table.table_of])
        self._prior = np.where(allowed, self._prior, -np.inf)

    def map(self, foods: Sequence[AskedFood], *, alternatives: int = 5) -> list[Mapped]:
        """Map foods, in their order.

        Parameters
        ----------
        foods : sequence of AskedFood
        alternatives : int
            How many foods are named beside each, the best included.

        Returns
        -------
        list of Mapped
        """
        names = [read_food_name(f.name) for f in foods]
        dry = [n.weighed_dry(f.carb_per_100g) for n, f in zip(names, foods, strict=True)]
        names = [n.as_dry() if d else n for n, d in zip(names, dry, strict=True)]
        texts = [n.text for n in names]
        out: list[Mapped] = []
        for start in range(0, len(texts), _BATCH):
            part = slice(start, start + _BATCH)
            near = np.asarray(self._embed(texts[part])) @ self.vectors.T
            for similarity, name, food, was_dry in zip(
                near, names[part], foods[part], dry[part], strict=True
            ):
                out.append(self._mapped(food, name, similarity, was_dry, alternatives))
        return out

    def match(self, row: int, *, similarity: float = 1.0) -> FoodMatch:
        """Return a row of the table as a match, as when a person names it."""
        return FoodMatch(
            row=row,
            name=self.table.names[row],
            source=self.table.source(row),
            similarity=similarity,
            lexical=1.0,
            score=1.0,
        )

    def _mapped(
        self,
        food: AskedFood,
        name: FoodName,
        similarity: npt.NDArray[np.float32],
        was_dry: bool,
        alternatives: int,
    ) -> Mapped:
        evidence = self._lexicon.weigh(name)
        scores = self._scores(similarity, evidence) + self._apart(food)
        rows = np.argsort(-scores, kind="stable")[: max(alternatives, 2)]
        best = [
            FoodMatch(
                row=int(r),
                name=self.table.names[r],
                source=self.table.source(int(r)),
                similarity=float(similarity[r]),
                lexical=float(evidence.said[r]),
                score=float(scores[r]),
            )
            for r in rows
            if np.isfinite(scores[r])
        ]
        match = best[0] if best and best[0].score >= self.threshold else None
        return Mapped(
            asked=food,
            match=match,
            alternatives=tuple(best[:alternatives]),
            flags=self._flags(food, best, was_dry=was_dry),
        )

    def _scores(
        self, similarity: npt.NDArray[np.float32], evidence: Evidence
    ) -> npt.NDArray[np.float64]:
        w = self.weights
        scores: npt.NDArray[np.float64] = (
            w.similarity * similarity.astype(np.float64)
            + w.said * evidence.said
            + w.meant * evidence.meant
            + w.head * evidence.head
            + w.clash * evidence.clash
            + w.another * np.minimum(evidence.another, 2)
            + self._prior
        )
        return scores

    def _apart(self, food: AskedFood) -> npt.NDArray[np.float64] | float:
        """Return what carbohydrate that differs from the survey's own counts, a food."""
        if food.carb_per_100g is None or not self.weights.carb:
            return 0.0
        far = np.abs(self._carb - food.carb_per_100g) / _CARB_FULL_G
        return self.weights.carb * np.nan_to_num(np.minimum(far, 1.0))

    def _flags(
        self, food: AskedFood, best: Sequence[FoodMatch], *, was_dry: bool
    ) -> tuple[str, ...]:
        flags = ["weighed dry"] if was_dry else []
        if not best:
            return tuple(flags)
        first = best[0]
        if abs(first.score - self.threshold) < 0.05:
            flags.append("near the threshold")
        if len(best) > 1 and first.score - best[1].score < 0.01:
            flags.append("close second")
        own = self._carb[first.row]
        told = food.carb_per_100g
        if told is not None and np.isfinite(own):
            apart = abs(float(own) - told)
            if apart > max(_CARB_APART_G, _CARB_APART * max(float(own), told)):
                flags.append("nutrients differ")
        return tuple(flags)


def embed_names(names: Sequence[str], embed: Embed) -> npt.NDArray[np.float32]:
    """Return the vectors of names, in batches."""
    parts = [embed(names[i : i + _BATCH]) for i in range(0, len(names), _BATCH)]
    return np.concatenate([np.asarray(p, dtype=np.float32) for p in parts])
