"""Table 10 of NutriBench: accuracy by serving of each rater, of all together, of the consensus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from prandial.records.bench import Score
from prandial.score.answers.bootstrap import DRAWS
from prandial.score.answers.meals import MealRules, score_meal_slices, score_meals
from prandial.score.people.rated import Rated, consensus_of
from prandial.tables.rules import read_rules

__all__ = ["PeopleRow", "PublishedRow", "published_rows", "serving_rows"]

Kind = Literal["rater", "mean", "consensus", "model"]


@dataclass(frozen=True, kw_only=True, slots=True)
class PeopleRow:
    """One row: who, in which arm, and scores over all meals and by serving.

    Metrics and slices are those of :func:`prandial.score.answers.meals.score_meals`, such as
    ``acc_all`` and ``serving=metric``. A mean of raters counts each rater's answer to each meal.
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
    rated: Sequence[Rated], *, rules: MealRules = "ours", seed: int = 0, draws: int = DRAWS
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
    rules: MealRules,
    seed: int,
    draws: int,
) -> PeopleRow:
    pairs = [(q, r.prediction(q.id)) for r in rated for q in r.questions]
    scores = list(score_meals(pairs, rules=rules, seed=seed, draws=draws))
    if any(q.serving for q, _ in pairs):
        scores += score_meal_slices(pairs, rules=rules, by=("serving",), seed=seed, draws=draws)
    return PeopleRow(name=name, arm=arm, kind=kind, scores=tuple(scores))
