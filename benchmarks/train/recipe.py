"""The recipe: from labelled meals of the tuning half to a learned ranking."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.train.fit import Floats, Problem, minimise
from benchmarks.train.gold import Meal, fold_of, learned_foods
from benchmarks.train.lattices import Lattices, Way
from prandial.meal.estimator import Estimator
from prandial.meal.trained import LearnedFood, Trained, TrainedRanker
from prandial.tables import load_foods

__all__ = ["Recipe", "Settings", "families"]

_SCALE = 2.5  # the untrained ranking's scores, taken as log odds
_GIVEN = {
    "food score": _SCALE,
    "measure score": _SCALE,
    "span cost": -_SCALE,
    "left-out cost": -_SCALE,
}
#: weights this small are not kept
_LEAST = 0.004


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a ranking is fitted.

    Attributes
    ----------
    pull : float
        L2 on features with value 1.
    pull_given : float
        L2 on the untrained scores and other numbers.
    steps : int
        Most quasi-Newton steps.
    artefact : bool
        Use the feature "grams equal a listed measure" (reported apart).
    without : tuple of str
        Families of features to leave out, for ablations.
    release : str
        Food table.
    """

    pull: float = 2.0
    pull_given: float = 0.01
    steps: int = 80
    artefact: bool = False
    without: tuple[str, ...] = ()
    release: str = "fndds-2017-2018"


def families(names: Sequence[str]) -> list[str]:
    """Return the family of each feature; an empty string for numbers."""
    return [n.split("|", 1)[0].rstrip("mn") if "|" in n else "" for n in names]


@dataclass
class Recipe:
    """Meals of the tuning half as lattices, fitted in whole or in part."""

    shared: Path
    meals: list[Meal]
    settings: Settings = field(default_factory=Settings)
    tell: Callable[[str], None] = print

    def __post_init__(self) -> None:
        found = learned_foods(self.shared)
        self.foods = list(found)
        self.groups_of = [found[f] for f in self.foods]
        card = {"artefact": self.settings.artefact}
        start = Trained(weights={}, foods=tuple(self.foods), card=card)
        self.estimator = Estimator(load_foods(self.settings.release), trained=start)
        ranker = self.estimator.matcher.trained
        assert isinstance(ranker, TrainedRanker)
        self.ranker = ranker
        self.data = Lattices(self.estimator)
        begun = time.perf_counter()
        for place, meal in enumerate(self.meals):
            if not self._far(place):
                self.data.add(place, meal)
        self._mark = self.data.mark()
        self.tell(f"{len(self.data.ways)} lattices in {time.perf_counter() - begun:.0f} s")

    def _add_abroad(self, fold: int | None) -> None:
        """Add meals of other countries; a meal's own labels tell it nothing.

        A learned food that stands only in a meal's own group, or only in the
        part left out, is not looked at.
        """
        self.data.rewind(self._mark)
        rest = [{g for g in s if fold is None or fold_of(g) != fold} for s in self.groups_of]
        rows: dict[str, list[int]] = defaultdict(list)
        for k, groups in enumerate(rest):
            for g in groups:
                rows[g].append(k)
        own, support = self.ranker.own, [len(r) for r in rest]
        gone = frozenset(own + k for k, groups in enumerate(rest) if not groups)
        self.ranker.maker.support = support
        for place, meal in enumerate(self.meals):
            if self._far(place) and (fold is None or fold_of(meal.group) != fold):
                mine = rows[meal.group]
                for k in mine:
                    support[k] -= 1
                blocked = gone.union(own + k for k in mine if support[k] == 0)
                self.data.add(place, meal, blocked=blocked)
                for k in mine:
                    support[k] += 1

    def fit(self, fold: int | None = None) -> Trained:
        """Fit on every meal, or on all but one fold.

        Parameters
        ----------
        fold : int, optional
            Part of the tuning half to leave out.

        Returns
        -------
        Trained
            Its card holds only the number of meals.
        """
        self._add_abroad(fold)
        ways = [
            w for w in self.data.ways if fold is None or fold_of(self.meals[w.meal].group) != fold
        ]
        home, meals = self._weights([w for w in ways if not self._far(w.meal)])
        abroad, more = self._weights([w for w in ways if self._far(w.meal)])
        return Trained(
            weights=home,
            abroad=abroad,
            foods=tuple(self._foods(fold)),
            card={"artefact": self.settings.artefact, "meals": meals + more},
        )

    def _far(self, place: int) -> bool:
        return self.meals[place].country not in ("", "USA")

    def _weights(self, ways: Sequence[Way]) -> tuple[dict[str, float], int]:
        """Return the weights kept, and the number of meals that told something."""
        begun = time.perf_counter()
        ways = [w for w in ways if w.right]
        names = list(self.data.number)
        start, pull, fixed = self._start(names)
        if not ways:
            return {n: float(v) for n, v in zip(names, start, strict=True) if v}, 0
        problem = Problem(self.data, ways, start, pull, fixed)

        def tell(step: int, loss: float) -> None:
            if step % 20 == 0:
                self.tell(f"step {step}: {loss:.0f} after {time.perf_counter() - begun:.0f} s")

        w = minimise(problem, start, steps=self.settings.steps, tell=tell)
        kept = {n: float(v) for n, v in zip(names, w.tolist(), strict=True) if abs(v) > _LEAST}
        seconds = time.perf_counter() - begun
        self.tell(f"{problem.count} meals fitted in {seconds:.0f} s; {len(kept)} weights kept")
        return kept, problem.count

    def _foods(self, fold: int | None) -> list[LearnedFood]:
        if "foods" in self.settings.without:
            return []
        if fold is None:
            return self.foods
        groups = {m.group for m in self.meals if fold_of(m.group) != fold}
        groups |= {g for s in self.groups_of for g in s if fold_of(g) != fold}
        return list(learned_foods(self.shared, groups))

    def _start(self, names: Sequence[str]) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
        start = np.zeros(len(names))
        kinds = families(names)
        given = np.array([not k for k in kinds])
        for k, name in enumerate(names):
            if given[k]:
                start[k] = _GIVEN.get(name.rsplit(" ", 1)[0], 0.0)
        pull = np.where(given, self.settings.pull_given, self.settings.pull)
        return start, pull, np.isin(kinds, self.settings.without)
