"""Texts cut and foods ranked by learned weights."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from prandial.meal.match import Depth, Match, Matcher
from prandial.meal.segment import Segment, best_way, is_metric
from prandial.meal.trained.features import AtomTags, Bag, FeatureMaker
from prandial.meal.trained.lattice import thinned_edges

if TYPE_CHECKING:
    from prandial.meal.index import FoodIndex, Scored
    from prandial.meal.portions import Draft
    from prandial.meal.reading import Reading
    from prandial.meal.trained.record import Trained

__all__ = ["ESTIMATOR_STEM", "TrainedRanker"]

ESTIMATOR_STEM: Final = "prandial-words-0.1"
_DEPTH: Final = Depth(foods=16, margin=6.5, keep=5.0, options=30)
#: learned foods looked at for a span
_LEARNED: Final = 10
#: kept foods of a learned name are those of this many candidates
_KEPT: Final = 12_000


class TrainedRanker:
    """Ranks readings and cuts texts by learned weights.

    Parameters
    ----------
    trained : Trained
    matcher : Matcher

    Attributes
    ----------
    country : str
        Alpha-3 code of the meal being read, or an empty string.
    blocked : frozenset of int
        Foods not to be looked at; used when fitting.
    """

    def __init__(self, trained: Trained, matcher: Matcher) -> None:
        self.trained = trained
        self.country = ""
        self.blocked: frozenset[int] = frozenset()
        self.maker = FeatureMaker(matcher.index, matcher.book, matcher.lexicon)
        self.own = matcher.index.n_foods - len(trained.foods)
        self.foods = trained.foods
        self.maker.own = self.own
        self.maker.support = [f.support for f in trained.foods]
        self.maker.artefact = bool(trained.card.get("artefact", False))
        self._ranked: dict[tuple[int, str], tuple[Match, Match, float]] = {}
        matcher.depth = _DEPTH

    @property
    def abroad(self) -> bool:
        """Tell whether a country other than the USA was named."""
        return self.country not in ("", "USA")

    def top(self, index: FoodIndex, scored: Scored, depth: Depth) -> list[tuple[int, int, float]]:
        """Return the foods to look at as (food row, document, score), best first."""
        if not self.foods:
            return index.top(scored, k=depth.foods, margin=depth.margin)
        documents, score = scored
        learned = index.doc_food[documents] >= self.own
        ours = np.flatnonzero(~learned)
        found: list[tuple[int, int, float]] = []
        if len(ours):
            found = index.top((documents[ours], score[ours]), k=depth.foods, margin=depth.margin)
        if self.abroad and len(ours) < len(documents):
            theirs = np.flatnonzero(learned)
            found += self._learned(index, (documents[theirs], score[theirs]), depth.margin)
            found.sort(key=lambda f: -f[2])
        return found

    def _learned(
        self, index: FoodIndex, scored: Scored, margin: float
    ) -> list[tuple[int, int, float]]:
        """Learned foods, each name once: of the same country, else the best known."""
        documents, score = scored
        near = np.flatnonzero(score > float(score.max()) - margin)
        support = self.maker.support
        rows = index.doc_food[documents[near]].tolist()
        ranked: list[tuple[float, bool, int, int, int]] = []
        for value, document, row in zip(
            score[near].tolist(), documents[near].tolist(), rows, strict=True
        ):
            if row not in self.blocked:
                food = self.foods[row - self.own]
                other = food.country != self.country
                ranked.append((-value, other, -support[row - self.own], row, document))
        ranked.sort()
        out: list[tuple[int, int, float]] = []
        names: set[str] = set()
        for value, _, _, row, document in ranked:
            name = self.foods[row - self.own].name
            if name not in names:
                names.add(name)
                out.append((row, document, -value))
                if len(out) >= _LEARNED:
                    break
        return out

    def bags(self, match: Match, tag: str) -> tuple[dict[int, Bag], list[Bag]]:
        """Features of a match: one bag for each food, one for each reading."""
        q = match.query
        foods: dict[int, Bag] = {}
        readings: list[Bag] = []
        for draft in match.drafts:
            food = draft[1]
            if food not in foods:
                foods[food] = self.maker.food(q, food, draft[3], tag, self.country)
            readings.append(self.maker.measure(q, match.amount, draft, tag))
        return foods, readings

    def worth(self, bag: Bag) -> float:
        """Sum of the weights of a bag's features."""
        get = (self.trained.abroad if self.abroad else self.trained.weights).get
        names, values = bag
        total = sum(get(k, 0.0) * v for k, v in values.items())
        for name in names:
            weight = get(name)
            if weight is not None:
                total += weight
        return total

    def rank(self, match: Match, tag: str) -> tuple[Match, float]:
        """Return a match with its readings ranked anew, and the worth of the best."""
        key = (id(match), tag)
        kept = self._ranked.get(key)
        if kept is not None:
            return kept[1], kept[2]
        foods, readings = self.bags(match, tag)
        by_food = {f: self.worth(bag) for f, bag in foods.items()}
        worth = [by_food[d[1]] + self.worth(b) for d, b in zip(match.drafts, readings, strict=True)]
        scale = self.maker.index.weights.temperature
        drafts: list[Draft] = []
        for draft, value in zip(match.drafts, worth, strict=True):
            minus = -value * scale
            option = draft[5]
            if option is not None:
                option = replace(option, score=-minus)
            drafts.append((minus, *draft[1:5], option))
        drafts.sort(key=lambda d: d[:5])
        found = match.ranked(drafts)
        if len(self._ranked) > _KEPT:
            self._ranked.clear()
        self._ranked[key] = (match, found, max(worth))
        return found, max(worth)

    def segment(self, reading: Reading, matcher: Matcher) -> list[Segment]:
        """Cut a reading into items, the whole text at once.

        Where learned weights find no item at all, the untrained cut is taken.
        """
        tag = "m" if is_metric(reading) else "n"
        tags = AtomTags(reading, tag)
        n = len(reading.atoms)
        edges = thinned_edges(reading, matcher)
        ways: list[tuple[int, int, Match | None, float]] = []
        for edge in edges:
            if edge.match is None:
                found, total = None, self.worth(tags.left_out(edge.first, edge.cost))
            else:
                found, total = self.rank(edge.match, tag)
                total += self.worth(tags.span(edge.first, edge.last, edge.cost))
            ways.append((edge.first, edge.last, found, total))
        out = best_way(ways, n)
        if any(s.match is not None for s in out):
            return out
        plain = [
            (f, t, m, (0.0 if e.match is None else e.match.score) - e.cost)
            for (f, t, m, _), e in zip(ways, edges, strict=True)
        ]
        return best_way(plain, n)
