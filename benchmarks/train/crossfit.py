"""Scores on parts of the tuning half that a fit left out."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from benchmarks.accuracy import LIMITS
from benchmarks.meals import LABELS, V1_PUBLISHED
from benchmarks.train.gold import FOLDS, Meal, fold_of
from benchmarks.train.recipe import Recipe
from prandial.meal.estimator import Estimator
from prandial.tables import load_foods

__all__ = ["Scores", "cross_fit"]


class Scores:
    """Absolute errors by set and nutrient; NaN where nothing was answered."""

    def __init__(self) -> None:
        self.errors: dict[tuple[str, str], list[float]] = defaultdict(list)
        self.seconds = 0.0

    def add(self, estimator: Estimator, meals: Sequence[Meal]) -> None:
        """Score some meals."""
        begun = time.perf_counter()
        estimates = [
            estimator.estimate(m.text, nutrients=LABELS, country=m.country or None) for m in meals
        ]
        self.seconds += time.perf_counter() - begun
        for meal, estimate in zip(meals, estimates, strict=True):
            for key, label in zip(LABELS, meal.total, strict=True):
                band = estimate.totals[key]
                if label is not None:
                    error = float("nan") if band is None else abs(band.mid - label)
                    self.errors[meal.set, key].append(error)

    def lines(self) -> Iterable[str]:
        """Yield a table."""
        yield "| set | n | carb Acc@7.5 | MAE g | answered | protein ±5 | fat ±5 | energy ±50 |"
        yield "|---|---|---|---|---|---|---|---|"
        for name in dict.fromkeys(s for s, _ in self.errors):
            c = np.array(self.errors[name, "carb_g"])
            other = [
                f"{self._acc(name, k):.1f}" if (name, k) in self.errors else "-" for k in LABELS[1:]
            ]
            yield (
                f"| {name} | {len(c)} | {self._acc(name, 'carb_g'):.1f} | {np.nanmean(c):.2f} |"
                f" {100 * np.mean(~np.isnan(c)):.1f} | {' | '.join(other)} |"
            )
        if all((k, "carb_g") in self.errors for k in V1_PUBLISHED):
            total = sum(V1_PUBLISHED.values())
            acc = sum(self._acc(k, "carb_g") * n for k, n in V1_PUBLISHED.items()) / total
            mae = sum(
                float(np.nanmean(self.errors[k, "carb_g"])) * n for k, n in V1_PUBLISHED.items()
            )
            yield f"\nv1 whole, weighted: {acc:.2f} %, MAE {mae / total:.2f} g"
        n = sum(len(v) for (_, k), v in self.errors.items() if k == "carb_g")
        if self.seconds:
            yield f"{n / self.seconds:.0f} meals a second, cold caches"

    def _acc(self, name: str, key: str) -> float:
        errors = np.nan_to_num(np.array(self.errors[name, key]), nan=np.inf)
        return 100 * float(np.mean(errors <= LIMITS[key]))


def cross_fit(recipe: Recipe, folds: Iterable[int] = range(FOLDS)) -> Scores:
    """Fit without each fold and score it by what was fitted on the others.

    Parameters
    ----------
    recipe : Recipe
    folds : iterable of int

    Returns
    -------
    Scores
    """
    scores = Scores()
    table = load_foods(recipe.settings.release)
    for fold in folds:
        trained = recipe.fit(fold)
        own = [m for m in recipe.meals if fold_of(m.group) == fold]
        scores.add(Estimator(table, trained=trained), own)
        for line in scores.lines():
            recipe.tell(line)
    return scores
