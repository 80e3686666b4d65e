"""Figures of sets of tags: overlap of each answer, and precision, recall, F1 over all answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import numpy as np

from prandial.score.quizzes.figures import Floats, Statistic, ratio
from prandial.score.quizzes.libraries import library

__all__ = ["TAG_FIGURES", "Average", "TagCounts", "jaccard", "tag_figure"]

Average = Literal["micro", "macro", "weighted"]
TagSet = frozenset[str]
TAG_FIGURES: Final = ("precision", "recall", "f1")


def jaccard(gold: TagSet, said: TagSet, *, empty: float) -> float:
    """Return common tags over all tags; ``empty`` when there is none at all."""
    union = gold | said
    return len(gold & said) / len(union) if union else empty


class TagCounts:
    """Sets of tags as columns: by label, tags that are right, told, and of the gold.

    Parameters
    ----------
    gold, said : sequence of frozenset of str
        One a row.
    labels : sequence of str
        Others are left out.
    """

    def __init__(
        self, gold: Sequence[TagSet], said: Sequence[TagSet], labels: Sequence[str]
    ) -> None:
        self.labels = tuple(labels)
        self.gold = self._matrix(gold)
        self.said = self._matrix(said)
        self.columns = np.column_stack([self.gold * self.said, self.said, self.gold])

    def _matrix(self, sets: Sequence[TagSet]) -> Floats:
        cells = [[label in tags for label in self.labels] for tags in sets]
        return np.array(cells, dtype=np.float64).reshape(len(sets), len(self.labels))

    def statistic(self, figure: str, average: Average, *, empty: float = np.nan) -> Statistic:
        """Return a figure of the sums of :attr:`columns`; ``empty`` stands for 0/0."""
        size = len(self.labels)

        def of_sums(sums: Floats) -> Floats:
            parts = [sums[:, i * size : (i + 1) * size] for i in range(3)]
            if average == "micro":
                parts = [p.sum(axis=1, keepdims=True) for p in parts]
            right, told, held = parts
            above, below = {
                "precision": (right, told),
                "recall": (right, held),
                "f1": (2 * right, told + held),
            }[figure]
            each = ratio(above, below, empty=empty)
            weights = held if average == "weighted" else np.ones_like(held)
            known = ~np.isnan(each)
            above = np.where(known, each * weights, 0).sum(axis=1)
            return ratio(above, (weights * known).sum(axis=1), empty=empty)

        return of_sums

    def value(self, figure: str, average: Average, *, empty: float = np.nan) -> float | None:
        """Return a figure as scikit-learn has it, None where it is undefined.

        Raises
        ------
        MissingDataError
            When scikit-learn is not installed.
        """
        return tag_figure(figure, average, self.gold, self.said, empty=empty)


def tag_figure(
    figure: str, average: Average, gold: Floats, said: Floats, *, empty: float
) -> float | None:
    """Return precision, recall or F1 of label matrices by scikit-learn; None if undefined.

    Parameters
    ----------
    empty : float
        Stands for 0/0 of a label; NaN leaves the label out of the mean.
    """
    if not gold.size:
        return None
    metric: Any = getattr(library("sklearn.metrics", "scikit-learn"), f"{figure}_score")
    value = float(metric(gold, said, average=average, zero_division=empty))
    return value if np.isfinite(value) else None
