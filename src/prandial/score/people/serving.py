"""Table 10 of NutriBench: accuracy by serving of each rater, of all together, of the consensus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from prandial.records.bench import MealQuestion, Score
from prandial.score.answers.bootstrap import DRAWS, cluster_interval
from prandial.score.people.rated import Rated, Rules, consensus_of, error_of, is_right
from prandial.tables.rules import read_rules

__all__ = ["PeopleRow", "PublishedRow", "published_rows", "serving_rows"]

Kind = Literal["rater", "mean", "consensus", "model"]


@dataclass(frozen=True, kw_only=True, slots=True)
class PeopleRow:
    """One row: who, in which arm, and scores over all meals and by serving.

    The metrics are ``acc_all`` and ``mae_g`` (``mae_kcal`` for energy); the slice is empty or
    ``serving=metric``. A mean of raters counts an answer of each rater to each meal.
    """

    name: str
    arm: str
    kind: Kind
    scores: tuple[Score, ...]

    def score(self, metric: str, slice_: str = "") -> Score:
        """Return one score."""
        return next(s for s in self.scores if (s.metric, s.slice) == (metric, slice_))


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedRow:
    """A row of the paper's table 10, in percent as printed."""

    method: str
    arm: str
    acc_all_percent: float
    acc_metric_percent: float
    acc_natural_percent: float
    meals: int
    raters: int | None
    source: str


def published_rows() -> tuple[PublishedRow, ...]:
    """Return the rows of the paper that stand beside ours."""
    return tuple(
        PublishedRow(
            method=r["method"],
            arm=r["arm"],
            acc_all_percent=float(r["acc_all_percent"]),
            acc_metric_percent=float(r["acc_metric_percent"]),
            acc_natural_percent=float(r["acc_natural_percent"]),
            meals=int(r["meals"]),
            raters=int(r["raters"]) if r["raters"] else None,
            source=r["source"],
        )
        for r in read_rules("published_people")
    )


def serving_rows(
    rated: Sequence[Rated], *, rules: Rules = "ours", seed: int = 0, draws: int = DRAWS
) -> tuple[PeopleRow, ...]:
    """Return the rows of Table 10.

    Parameters
    ----------
    rated : sequence of Rated
        People of any arms, and models.
    rules : {'ours', 'published'}
    seed, draws : int
        Of the bootstrap over groups of meals.

    Returns
    -------
    tuple of PeopleRow
        For each arm its raters, and where there are several the mean over them and, of meals
        that all of them were asked, the consensus; then the models.
    """
    out = []
    for arm in sorted({r.arm for r in rated if r.arm}):
        raters = [r for r in rated if r.arm == arm]
        out += [_row(r.name, arm, "rater", [r], rules, seed, draws) for r in raters]
        if len(raters) > 1:
            out.append(_row("mean of raters", arm, "mean", raters, rules, seed, draws))
            middle = consensus_of(raters, arm=arm)
            if middle.questions:
                out.append(_row(middle.name, arm, "consensus", [middle], rules, seed, draws))
    out += [_row(r.name, "", "model", [r], rules, seed, draws) for r in rated if not r.arm]
    return tuple(out)


def _row(
    name: str,
    arm: str,
    kind: Kind,
    rated: Sequence[Rated],
    rules: Rules,
    seed: int,
    draws: int,
) -> PeopleRow:
    answers = [(r, q) for r in rated for q in r.questions]
    servings = sorted({q.serving for _, q in answers if q.serving})
    scores: list[Score] = []
    for serving in ("", *servings):
        part = [(r, q) for r, q in answers if serving in ("", q.serving)]
        scores += _scores(part, f"serving={serving}" if serving else "", rules, seed, draws)
    return PeopleRow(name=name, arm=arm, kind=kind, scores=tuple(scores))


def _scores(
    part: Sequence[tuple[Rated, MealQuestion]], slice_: str, rules: Rules, seed: int, draws: int
) -> Iterable[Score]:
    groups = [q.group for _, q in part]
    right = np.array([is_right(r, q, rules) for r, q in part], dtype=np.float64)
    errors = np.array([_error(r, q, rules) for r, q in part], dtype=np.float64)
    answered = sum(r.value(q.id) is not None for r, q in part)
    unit = part[0][1].nutrient.rsplit("_", 1)[-1] if part else ""
    for metric, values, higher in (
        ("acc_all", right, True),
        (f"mae_{unit}", errors, False),
    ):
        value, low, high = cluster_interval(values, groups, seed=seed, draws=draws)
        yield Score(
            metric=metric,
            value=value,
            low=low,
            high=high,
            n_scored=answered,
            n_unscored=len(part) - answered,
            rules=rules,
            higher_is_better=higher,
            slice=slice_,
            unit="" if higher else unit,
            seed=seed,
        )


def _error(rated: Rated, meal: MealQuestion, rules: Rules) -> float:
    if rules == "published":
        return abs(rated.published_value(meal.id) - meal.label)
    error = error_of(rated, meal)
    return float("nan") if error is None else error
