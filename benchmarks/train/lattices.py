"""Meals as lattices of readings with features, and the ways through that are right."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.train.gold import Meal, right_readings
from prandial.meal.estimator import Estimator
from prandial.meal.match import Match
from prandial.meal.reading import read_text
from prandial.meal.segment import is_metric
from prandial.meal.trained import TrainedRanker
from prandial.meal.trained.features import AtomTags, Bag
from prandial.meal.trained.lattice import thinned_edges

__all__ = ["Lattices", "Way"]

Ints = npt.NDArray[np.int64]
_KEYS = ("carb_g", "protein_g", "fat_g", "energy_kcal")
_MOST_ARCS = 16_000
#: ways kept at each place, and right ways kept, when only the total is labelled
_MOST_PATHS = 500
_RIGHT_PATHS = 6
_PATH_MARGIN = 2.0


@dataclass
class Way:
    """One meal's lattice: edges by number, and the right ways through.

    ``edges`` are (first, last, choice or -1, bag). ``right`` are edges between
    states: (from, to, edge number, subset number or -1); empty when no way is
    right.
    """

    meal: int
    n: int
    edges: list[tuple[int, int, int, int]]
    right: list[tuple[int, int, int, int]] = field(default_factory=list)
    state_level: list[int] = field(default_factory=list)
    tiers: list[int] = field(default_factory=list)


class Lattices:
    """Collects lattices of meals with shared features."""

    def __init__(self, estimator: Estimator) -> None:
        self.estimator = estimator
        ranker = estimator.matcher.trained
        assert isinstance(ranker, TrainedRanker)
        self.ranker = ranker
        self.number: dict[str, int] = {}
        self.ids = array("i")
        self.values = array("f")
        self.ends = array("q")
        self.draft_food = array("q")
        self.draft_row = array("q")
        self.draft_values: list[npt.NDArray[np.float64]] = []
        self.draft_grams: list[npt.NDArray[np.float64]] = []
        self.choice_end = array("q")
        self.subset = array("q")
        self.subset_end = array("q")
        self.ways: list[Way] = []
        self._choices: dict[tuple[int, str, str], tuple[int, Match]] = {}
        table = estimator.table
        columns = [table.nutrient_keys.index(k) for k in _KEYS]
        self._per_g = np.nan_to_num(table.per_100g[:, columns].astype(float)) / 100

    def mark(self) -> tuple[int, ...]:
        """Return where the data ends now, for :meth:`rewind`."""
        return tuple(len(held) for held in self._held())

    def rewind(self, mark: tuple[int, ...]) -> None:
        """Forget what was added since a mark; numbers of features stay."""
        for held, length in zip(self._held(), mark, strict=True):
            del held[length:]
        self._choices = {k: v for k, v in self._choices.items() if v[0] < len(self.choice_end)}

    def _held(self) -> tuple[Any, ...]:
        return (
            self.ids,
            self.values,
            self.ends,
            self.draft_food,
            self.draft_row,
            self.draft_values,
            self.draft_grams,
            self.choice_end,
            self.subset,
            self.subset_end,
            self.ways,
        )

    def _bag(self, bag: Bag) -> int:
        number = self.number
        names, values = bag
        for name in names:
            self.ids.append(number.setdefault(name, len(number)))
            self.values.append(1.0)
        for name, value in values.items():
            self.ids.append(number.setdefault(name, len(number)))
            self.values.append(value)
        self.ends.append(len(self.ids))
        return len(self.ends) - 1

    def _choice(self, match: Match, tag: str) -> int:
        key = (id(match), tag, self.ranker.country)
        kept = self._choices.get(key)
        if kept is not None:
            return kept[0]
        foods, readings = self.ranker.bags(match, tag)
        bag_of = {f: self._bag(b) for f, b in foods.items()}
        for draft, reading in zip(match.drafts, readings, strict=True):
            self.draft_food.append(bag_of[draft[1]])
            self.draft_row.append(self._bag(reading))
        rows = [o.food for o in match.options]
        grams = np.nan_to_num(np.array([o.grams[1] for o in match.options]))
        self.draft_grams.append(grams)
        self.draft_values.append(self._per_g[rows] * grams[:, None])
        self.choice_end.append(len(self.draft_food))
        number = len(self.choice_end) - 1
        self._choices[key] = (number, match)
        return number

    def add(self, place: int, meal: Meal, *, blocked: frozenset[int] | None = None) -> None:
        """Add a meal.

        Parameters
        ----------
        place : int
            The meal's number.
        meal : Meal
        blocked : frozenset of int, optional
            Learned foods that must not be looked at.
        """
        ranker, matcher = self.ranker, self.estimator.matcher
        ranker.country = meal.country
        if blocked is not None:
            ranker.blocked = blocked
            matcher.forget()
        reading = read_text(meal.text, self.estimator.lexicon, locale="en-US")
        tag = "m" if is_metric(reading) else "n"
        tags = AtomTags(reading, tag)
        edges: list[tuple[int, int, int, int]] = []
        spans: list[tuple[int, Match]] = []
        costs: list[float] = []
        for e in thinned_edges(reading, matcher):
            costs.append(e.cost)
            if e.match is None:
                bag = self._bag(tags.left_out(e.first, e.cost))
                edges.append((e.first, e.last, -1, bag))
            else:
                bag = self._bag(tags.span(e.first, e.last, e.cost))
                spans.append((len(edges), e.match))
                edges.append((e.first, e.last, self._choice(e.match, tag), bag))
        way = Way(place, len(reading.atoms), edges)
        if meal.items and spans:
            self._label(way, meal, spans)
        elif spans and all(v is not None for v in meal.total):
            self._label_by_total(way, meal, dict(spans), costs)
        self.ways.append(way)

    def _label(self, way: Way, meal: Meal, spans: Sequence[tuple[int, Match]]) -> None:
        names: list[str] = []
        words: list[frozenset[str]] = []
        values, grams = [], []
        owner: list[tuple[int, int]] = []
        for edge, match in spans:
            choice = way.edges[edge][2]
            start = self.choice_end[choice - 1] if choice else 0
            values.append(self.draft_values[choice])
            grams.append(self.draft_grams[choice])
            said = frozenset(match.query.words)
            for k, draft in enumerate(match.drafts):
                names.append(self.estimator.table.names[draft[1]])
                words.append(said)
                owner.append((edge, start + k))
        right, way.tiers = right_readings(
            meal.items, np.concatenate(values), names, words, np.concatenate(grams)
        )
        if 4 in way.tiers:
            return
        subsets: dict[tuple[int, int], int] = {}
        for g, hits in enumerate(right):
            by_edge: dict[int, list[int]] = {}
            for h in hits.tolist():
                by_edge.setdefault(owner[h][0], []).append(owner[h][1])
            for edge, drafts in by_edge.items():
                self.subset.extend(drafts)
                self.subset_end.append(len(self.subset))
                subsets[edge, g] = len(self.subset_end) - 1
        _states(way, subsets, len(meal.items))

    def _label_by_total(
        self, way: Way, meal: Meal, matches: dict[int, Match], costs: Sequence[float]
    ) -> None:
        """Take as right the likeliest ways whose four totals are those of the label."""
        steps: list[list[Step]] = []
        for number, (_, _, choice, _) in enumerate(way.edges):
            cost = costs[number]
            if choice < 0:
                steps.append([(-cost, np.zeros(4), -1)])
                continue
            start = self.choice_end[choice - 1] if choice else 0
            values = self.draft_values[choice]
            steps.append(
                [(-d[0] - cost, values[k], start + k) for k, d in enumerate(matches[number].drafts)]
            )
        total = np.array([float(v or 0.0) for v in meal.total])
        paths = paths_of_total(way, steps, total)
        if not paths:
            return
        way.state_level = [0]
        for path in paths:
            at = 0
            for place, (edge, draft) in enumerate(path):
                subset = -1
                if draft >= 0:
                    self.subset.append(draft)
                    self.subset_end.append(len(self.subset))
                    subset = len(self.subset_end) - 1
                to = -1 if place + 1 == len(path) else len(way.state_level)
                if to >= 0:
                    way.state_level.append(way.edges[edge][1])
                way.right.append((at, to, edge, subset))
                at = to
        sink = len(way.state_level)
        way.state_level.append(way.n)
        way.right = [(a, sink if b < 0 else b, e, s) for a, b, e, s in way.right]


#: (score, nutrients, draft or -1)
Step = tuple[float, npt.NDArray[np.float64], int]
State = tuple[int, int]
Arc = tuple[State, State, int, int]


def _walk(way: Way, by_edge: dict[int, list[tuple[int, int]]]) -> tuple[list[Arc], set[int]]:
    """Return the arcs between states (place, items found), and what is found at the end."""
    arcs: list[Arc] = []
    reach: dict[int, set[int]] = {0: {0}}
    for number, (first, last, choice, _) in enumerate(way.edges):
        steps = [(-1, -1)] if choice < 0 else by_edge.get(number, [])
        for mask in tuple(reach.get(first, ())):
            for g, subset in steps:
                if g >= 0 and mask >> g & 1:
                    continue
                after = mask if g < 0 else mask | 1 << g
                arcs.append(((first, mask), (last, after), number, subset))
                reach.setdefault(last, set()).add(after)
        if len(arcs) > _MOST_ARCS:
            return [], set()
    return arcs, reach.get(way.n, set())


def _states(way: Way, subsets: dict[tuple[int, int], int], n_items: int) -> None:
    """Build the states of the right ways: those that find every item."""
    by_edge: dict[int, list[tuple[int, int]]] = {}
    for (edge, g), subset in subsets.items():
        by_edge.setdefault(edge, []).append((g, subset))
    arcs, ends = _walk(way, by_edge)
    sink_state = (way.n, (1 << n_items) - 1)
    if sink_state[1] not in ends:
        return
    alive = {sink_state}
    kept = []
    for arc in reversed(arcs):
        if arc[1] in alive:
            alive.add(arc[0])
            kept.append(arc)
    kept.reverse()
    states = {s: k for k, s in enumerate(sorted(alive))}  # the start is first, the sink last
    way.state_level = [place for place, _ in states]
    way.right = [(states[a], states[b], edge, subset) for a, b, edge, subset in kept]


def paths_of_total(
    way: Way, steps: Sequence[Sequence[Step]], total: npt.NDArray[np.float64]
) -> list[list[tuple[int, int]]]:
    """Return the likeliest ways through that come to a total, as (edge, draft)."""
    room = total * 1.02 + np.array([1.0, 1.0, 1.0, 8.0])
    near = 0.01 * total + np.array([0.4, 0.4, 0.4, 4.0])
    at: list[list[tuple[float, npt.NDArray[np.float64], Any]]] = [[] for _ in range(way.n + 1)]
    at[0] = [(0.0, np.zeros(4), None)]
    into: dict[int, list[int]] = {}
    for number, edge in enumerate(way.edges):
        into.setdefault(edge[1], []).append(number)
    for place in range(1, way.n + 1):
        found = [
            (score + more, values + add, (back, number, draft))
            for number in into.get(place, ())
            for score, values, back in at[way.edges[number][0]]
            for more, add, draft in steps[number]
            if (values + add <= room).all()
        ]
        found.sort(key=lambda f: -f[0])
        at[place] = found[:_MOST_PATHS]
    right = [f for f in at[way.n] if (np.abs(f[1] - total) <= near).all()]
    out = []
    for score, _, back in right[:_RIGHT_PATHS]:
        if score < right[0][0] - _PATH_MARGIN:
            break
        path: list[tuple[int, int]] = []
        while back is not None:
            back, number, draft = back
            path.append((number, draft))
        out.append(path[::-1])
    return out
