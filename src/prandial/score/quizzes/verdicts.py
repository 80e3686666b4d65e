"""Figures of yes-or-no answers from the four counts; positive is Yes.

Balanced accuracy is the mean recall of both classes, MCC the Matthews correlation
coefficient (B. W. Matthews 1975, doi:10.1016/0005-2795(75)90109-9), macro-F1 the mean F1 of
both classes. What a division by nothing would give is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from prandial.score.quizzes.figures import Floats, Statistic, ratio
from prandial.score.quizzes.libraries import library

__all__ = ["VERDICT_FIGURES", "counts_of", "verdict_value"]

Labels = npt.NDArray[np.bool_]


def counts_of(gold: Sequence[bool], said: Sequence[bool]) -> Floats:
    """Return columns true Yes, false Yes, false No, true No, one row an answer."""
    right, told = np.asarray(gold, dtype=np.bool_), np.asarray(said, dtype=np.bool_)
    return np.column_stack([right & told, ~right & told, right & ~told, ~right & ~told]).astype(
        np.float64
    )


def _accuracy(s: Floats) -> Floats:
    return ratio(s[:, 0] + s[:, 3], s.sum(axis=1))


def _balanced(s: Floats) -> Floats:
    of_yes, of_no = ratio(s[:, 0], s[:, 0] + s[:, 2]), ratio(s[:, 3], s[:, 3] + s[:, 1])
    return (of_yes + of_no) / 2


def _mcc(s: Floats) -> Floats:
    tp, fp, fn, tn = s.T
    below = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return ratio(tp * tn - fp * fn, below)


def _f1(s: Floats) -> Floats:
    return ratio(2 * s[:, 0], 2 * s[:, 0] + s[:, 1] + s[:, 2])


def _macro_f1(s: Floats) -> Floats:
    return (_f1(s) + _f1(s[:, ::-1])) / 2


def _precision(s: Floats) -> Floats:
    return ratio(s[:, 0], s[:, 0] + s[:, 1])


def _recall(s: Floats) -> Floats:
    return ratio(s[:, 0], s[:, 0] + s[:, 2])


#: figure -> of sums of the four counts
VERDICT_FIGURES: Final[dict[str, Statistic]] = {
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced,
    "mcc": _mcc,
    "macro_f1": _macro_f1,
    "precision": _precision,
    "recall": _recall,
    "f1": _f1,
}
_OF_LIBRARY: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "accuracy": ("accuracy_score", {}),
    "balanced_accuracy": ("balanced_accuracy_score", {}),
    "mcc": ("matthews_corrcoef", {}),
    "macro_f1": ("f1_score", {"average": "macro", "labels": [0, 1]}),
    "precision": ("precision_score", {}),
    "recall": ("recall_score", {}),
    "f1": ("f1_score", {}),
}


def verdict_value(figure: str, gold: Sequence[bool], said: Sequence[bool]) -> float | None:
    """Return a figure as scikit-learn has it, None where it is undefined.

    Parameters
    ----------
    figure : str
        One of :data:`VERDICT_FIGURES`.
    gold, said : sequence of bool
        Yes is true.

    Raises
    ------
    MissingDataError
        When scikit-learn is not installed.
    """
    counts = counts_of(gold, said).sum(axis=0, keepdims=True)
    if not np.isfinite(VERDICT_FIGURES[figure](counts)[0]):
        return None
    name, options = _OF_LIBRARY[figure]
    metric: Callable[..., float] = getattr(library("sklearn.metrics", "scikit-learn"), name)
    return float(metric(np.array(gold, dtype=int), np.array(said, dtype=int), **options))
