"""Meals on which people disagree most and least, and how everybody does there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, variance
from typing import Final, Literal

from prandial.errors import InputError
from prandial.records.bench import MealQuestion
from prandial.score.answers.meals import MealRules
from prandial.score.people.rated import Rated, common_meals, error_of, is_right

__all__ = ["Disagreement", "Figures", "disagreement"]

_QUARTER: Final = 0.25


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """One rater or model on some meals; ``acc`` over all of them, ``mae`` over those answered."""

    name: str
    arm: str
    meals: int
    answered: int
    acc: float
    mae: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Disagreement:
    """The meals of the highest or lowest variance over people.

    ``low`` and ``high`` bound the variance of these meals, in the square of the nutrient's
    unit; ``of`` tells how many meals have a variance at all.
    """

    group: Literal["highest", "lowest"]
    meals: tuple[str, ...]
    of: int
    low: float
    high: float
    figures: tuple[Figures, ...]


def disagreement(
    people: Sequence[Rated],
    others: Sequence[Rated] = (),
    *,
    share: float = _QUARTER,
    count: int | None = None,
    rules: MealRules = "ours",
) -> tuple[Disagreement, Disagreement]:
    """Group meals by the variance of people's amounts, and look at the ends.

    The variance is that of a sample (divided by one less than the raters). Equal variances
    are put in the order of the meals' ids. The paper looks at the ten meals of the highest
    variance (appendix L): ``count=10``.

    Parameters
    ----------
    people : sequence of Rated
        Two or more of one arm.
    others : sequence of Rated
        Models, or people of the other arm: figures only, of the meals they were asked.
    share : float
        Part of the meals at each end, at most a half; a quarter is the quartile.
    count : int, optional
        So many meals at each end instead.
    rules : {'ours', 'published'}

    Returns
    -------
    tuple of Disagreement
        Highest, lowest.

    Raises
    ------
    InputError
        With fewer than two people, and with fewer than two meals that two of them answered.
    """
    if len(people) < 2:
        raise InputError(
            "a variance needs two raters", where="people", hint="name runs of two or more"
        )
    if not 0 < share <= 0.5:
        raise InputError("share is more than 0, at most 0.5", where="share", hint="such as 0.25")
    spread: list[tuple[float, str, MealQuestion]] = []
    for meal in common_meals(people):
        said = [v for p in people if (v := p.value(meal.id)) is not None]
        if len(said) >= 2:
            spread.append((variance(said), meal.id, meal))
    spread.sort(key=lambda s: s[:2])
    size = max(1, int(len(spread) * share)) if count is None else count
    if size < 1 or 2 * size > len(spread):
        raise InputError(
            f"{len(spread)} meals have answers of two people, too few for {size} at each end",
            where="people",
            hint="all must have been asked the same meals; or take a smaller share",
        )
    asked = [(r, {q.id for q in common_meals([people[0], r])}) for r in (*people, *others)]
    return (
        _group("highest", spread[-size:], len(spread), asked, rules),
        _group("lowest", spread[:size], len(spread), asked, rules),
    )


def _group(
    name: Literal["highest", "lowest"],
    part: Sequence[tuple[float, str, MealQuestion]],
    of: int,
    asked: Sequence[tuple[Rated, set[str]]],
    rules: MealRules,
) -> Disagreement:
    meals = [meal for _, _, meal in part]
    figures = (_figures(r, [m for m in meals if m.id in known], rules) for r, known in asked)
    return Disagreement(
        group=name,
        meals=tuple(m.id for m in meals),
        of=of,
        low=part[0][0],
        high=part[-1][0],
        figures=tuple(f for f in figures if f.meals),
    )


def _figures(rated: Rated, meals: Sequence[MealQuestion], rules: MealRules) -> Figures:
    errors = [e for m in meals if (e := error_of(rated, m)) is not None]
    return Figures(
        name=rated.name,
        arm=rated.arm,
        meals=len(meals),
        answered=len(errors),
        acc=fmean(is_right(rated, m, rules) for m in meals) if meals else 0.0,
        mae=fmean(errors) if errors else None,
    )
