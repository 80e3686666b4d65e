"""The same questions under several wordings of the instruction: how much the wording matters."""

from __future__ import annotations

import statistics as plain
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from prandial.errors import InputError
from prandial.nutrients import unit_of
from prandial.score.analyses import statistics
from prandial.score.answers.bootstrap import Floats
from prandial.score.answers.meals import MealPair, MealRules, answers_of, nutrient_of, right_of

__all__ = ["WordingFigure", "cochran_q", "compare_wordings"]


@dataclass(frozen=True, kw_only=True, slots=True)
class WordingFigure:
    """One metric over the runs of several wordings.

    Parameters
    ----------
    metric : str
    by_run : mapping of str to float
    mean : float
    sd : float
        Of the runs, with n as divisor: what the paper prints (0.71 of its four accuracies).
    sd_sample : float
        With n - 1 as divisor.
    test : str
        ``Cochran's Q`` or ``Friedman``, on the same questions.
    statistic, p : float
    n : int
        Questions the test rests on.
    n_left_out : int
        Questions that are not scored in every run.
    """

    metric: str
    by_run: Mapping[str, float]
    mean: float
    sd: float
    sd_sample: float
    test: str
    statistic: float
    p: float
    n: int
    n_left_out: int
    unit: str
    rules: str


def compare_wordings(
    runs: Mapping[str, Sequence[MealPair]], *, rules: MealRules
) -> tuple[WordingFigure, ...]:
    """Return mean, SD and p of accuracy and mean error over wordings.

    Parameters
    ----------
    runs : mapping of str to sequence of (MealQuestion, Prediction)
        Name of a wording to its run; questions in every run are used.
    rules : {'ours', 'published'}

    Returns
    -------
    tuple of WordingFigure
        Accuracy over questions that no run failed on (Cochran's Q of right and wrong), and
        the mean absolute error over those that every run answered (Friedman's test of its
        ranks). The paper gives a p for both and does not name its test.

    Raises
    ------
    InputError
        With fewer than three runs, or no question in common.
    """
    if len(runs) < 3:
        raise InputError(
            "wordings are compared from three runs on",
            where="runs",
            hint="compare two runs with a paired comparison",
        )
    by_id = {name: {q.id: (q, p) for q, p in pairs} for name, pairs in runs.items()}
    first = next(iter(by_id.values()))
    shared = [i for i in first if all(i in run for run in by_id.values())]
    asked = {i for run in by_id.values() for i in run}
    rows = [[run[i] for i in shared] for run in by_id.values()]
    nutrient = nutrient_of([pair for run in rows for pair in run])
    labels = np.array([first[i][0].label for i in shared], dtype=np.float64)
    errors = np.array([answers_of(run, rules) - labels for run in rows], dtype=np.float64)
    failed = np.array([[p.reading.status == "failed" for _, p in run] for run in rows])
    was_run = ~failed.any(axis=0) if shared else np.zeros(0, dtype=bool)
    if not was_run.any():
        raise InputError("no question was run under every wording", where="runs")
    right = np.nan_to_num(np.array([right_of(e, nutrient, rules) for e in errors]), nan=0.0)[
        :, was_run
    ]
    size = np.abs(errors)[:, was_run]
    answered = ~np.isnan(size).any(axis=0)
    unit = unit_of(nutrient)
    figures = [
        _figure(
            "acc_all", list(by_id), right, "Cochran's Q", cochran_q(right), len(asked), "", rules
        )
    ]
    if answered.any():
        size = size[:, answered]
        test = statistics.friedman(size.tolist())
        figures.append(
            _figure(f"mae_{unit}", list(by_id), size, "Friedman", test, len(asked), unit, rules)
        )
    return tuple(figures)


def cochran_q(right: Floats) -> tuple[float, float]:
    """Return Q and p of equal shares right in several runs on the same questions.

    Cochran (1950), doi:10.1093/biomet/37.3-4.256: with k runs, column totals C, row totals R
    and N in all, Q = (k - 1) (k sum C^2 - N^2) / (k N - sum R^2), chi-square with k - 1
    degrees of freedom.

    Parameters
    ----------
    right : ndarray of float
        Shape (runs, questions), 0 and 1.

    Returns
    -------
    statistic, p : float
        0 and 1 when no question tells the runs apart.
    """
    k = right.shape[0]
    columns, rows, n = right.sum(axis=1), right.sum(axis=0), float(right.sum())
    below = k * n - float((rows**2).sum())
    if below == 0:
        return 0.0, 1.0
    q = (k - 1) * (k * float((columns**2).sum()) - n**2) / below
    return q, statistics.chi_square_tail(q, k - 1)


def _figure(
    metric: str,
    names: Sequence[str],
    values: Floats,
    test: str,
    found: tuple[float, float],
    asked: int,
    unit: str,
    rules: str,
) -> WordingFigure:
    means = [float(m) for m in values.mean(axis=1)]
    return WordingFigure(
        metric=metric,
        by_run=dict(zip(names, means, strict=True)),
        mean=plain.fmean(means),
        sd=plain.pstdev(means),
        sd_sample=plain.stdev(means),
        test=test,
        statistic=found[0],
        p=found[1],
        n=int(values.shape[1]),
        n_left_out=asked - int(values.shape[1]),
        unit=unit,
        rules=rules,
    )
