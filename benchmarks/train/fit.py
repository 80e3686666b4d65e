"""Weights that make the right ways through lattices likely: a semi-Markov field.

The likelihood sums over every right way, so where an item begins or which of
several equal foods stands for it is left open. L2 pulls weights to their start,
which is the untrained ranking.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.train.lattices import Lattices, Way

__all__ = ["Arcs", "Problem", "Sparse", "minimise"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_CHUNK = 4_000_000


class Sparse:
    """Rows of (feature, value), multiplied by numpy alone."""

    def __init__(self, ids: Ints, values: npt.NDArray[np.float32], ends: Ints, width: int) -> None:
        self.ids, self.values, self.ends, self.width = ids, values, ends, width
        starts = np.concatenate([[0], ends[:-1]])
        self.lengths = ends - starts
        self.blocks: list[tuple[int, int]] = []
        row = 0
        while row < len(ends):
            stop = int(np.searchsorted(ends, starts[row] + _CHUNK, side="right"))
            stop = max(stop, row + 1)
            self.blocks.append((row, stop))
            row = stop
        self.starts = starts

    def dot(self, w: Floats) -> Floats:
        """Return the score of each row."""
        out = np.zeros(len(self.ends))
        for a, b in self.blocks:
            lo, hi = self.starts[a], self.ends[b - 1]
            terms = w[self.ids[lo:hi]] * self.values[lo:hi]
            total = np.concatenate([[0.0], np.cumsum(terms)])
            out[a:b] = total[self.ends[a:b] - lo] - total[self.starts[a:b] - lo]
        return out

    def dot_rows(self, g: Floats) -> Floats:
        """Return the weighted sum of the rows."""
        out = np.zeros(self.width)
        for a, b in self.blocks:
            lo, hi = self.starts[a], self.ends[b - 1]
            weights = np.repeat(g[a:b], self.lengths[a:b]) * self.values[lo:hi]
            out += np.bincount(self.ids[lo:hi], weights=weights, minlength=self.width)
        return out


def _log_sums(scores: Floats, ends: Ints) -> Floats:
    """Return log sum exp of each run of scores."""
    starts = np.concatenate([[0], ends[:-1]])
    top = np.maximum.reduceat(scores, starts)
    lengths = ends - starts
    return top + np.log(np.add.reduceat(np.exp(scores - np.repeat(top, lengths)), starts))


@dataclass
class Arcs:
    """Arcs of many lattices, sorted by where they end."""

    n_nodes: int
    source: Ints
    target: Ints
    level: Ints
    sources: Ints
    sinks: Ints

    def __post_init__(self) -> None:
        self._by_end = _runs(self.target, self.level[self.target])
        self._by_start = _runs(self.source, self.level[self.source])[::-1]

    def marginals(self, scores: Floats) -> tuple[Floats, Floats]:
        """Return log partition of each lattice, and each arc's share."""
        ahead = np.full(self.n_nodes, -np.inf)
        ahead[self.sources] = 0.0
        for order, starts, nodes in self._by_end:
            ahead[nodes] = _reduce(ahead[self.source[order]] + scores[order], starts)
        behind = np.full(self.n_nodes, -np.inf)
        behind[self.sinks] = 0.0
        for order, starts, nodes in self._by_start:
            behind[nodes] = _reduce(behind[self.target[order]] + scores[order], starts)
        total = ahead[self.sinks]
        of = np.searchsorted(self.sinks, self.target)  # sinks are the last node of each lattice
        with np.errstate(invalid="ignore"):
            share = np.exp(ahead[self.source] + scores + behind[self.target] - total[of])
        return total, np.nan_to_num(share)


def _reduce(values: Floats, starts: Ints) -> Floats:
    top = np.maximum.reduceat(values, starts)
    lengths = np.diff(np.concatenate([starts, [len(values)]]))
    safe = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return safe + np.log(np.add.reduceat(np.exp(values - np.repeat(safe, lengths)), starts))


def _runs(nodes: Ints, levels: Ints) -> list[tuple[Ints, Ints, Ints]]:
    """Group arcs by level and node: (arcs, starts of runs, node of each run)."""
    order = np.lexsort((nodes, levels))
    cuts = np.flatnonzero(np.diff(levels[order])) + 1
    out = []
    for part in np.split(order, cuts):
        if len(part):
            own = nodes[part]
            starts = np.concatenate([[0], np.flatnonzero(np.diff(own)) + 1])
            out.append((part, starts, own[starts]))
    return out


class Problem:
    """Loss and slope of some meals' lattices.

    Parameters
    ----------
    data : Lattices
    ways : sequence of Way
        The meals to fit; those without a right way are left out.
    start : ndarray
        Weights at the start, to which L2 pulls.
    pull : ndarray or float
        Strength of L2, per weight.
    fixed : ndarray of bool, optional
        Weights that stay at their start.
    """

    def __init__(
        self,
        data: Lattices,
        ways: Sequence[Way],
        start: Floats,
        pull: Floats,
        fixed: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        self.start, self.pull = start, pull
        self.fixed = np.zeros(len(start), dtype=np.bool_) if fixed is None else fixed
        ways = [w for w in ways if w.right]
        self.count = len(ways)
        self._take(data, ways)

    def _take(self, data: Lattices, ways: Sequence[Way]) -> None:
        """Renumber only what the meals use."""
        self.all = _arcs([(w.n + 1, w.edges, None) for w in ways])
        self.right = _arcs([(len(w.state_level), w.right, w.state_level) for w in ways])
        edge_lists = [np.array(w.edges, dtype=np.int64) for w in ways]
        edges = np.concatenate(edge_lists)
        offsets = np.cumsum([0, *(len(e) for e in edge_lists)])[:-1]
        right = np.concatenate([np.array(w.right, dtype=np.int64) for w in ways])
        shift = np.repeat(offsets, [len(w.right) for w in ways])
        self.right_edge = right[:, 2] + shift
        self.right_subset_of = right[:, 3]
        choice_end = np.array(data.choice_end, dtype=np.int64)
        choice_start = np.concatenate([[0], choice_end[:-1]])
        used, edge_choice = np.unique(edges[:, 2], return_inverse=True)
        self.none = used[0] == -1
        used = used[1:] if self.none else used
        self.edge_choice = edge_choice - int(self.none)
        lengths = choice_end[used] - choice_start[used]
        drafts = np.concatenate([np.arange(choice_start[c], choice_end[c]) for c in used.tolist()])
        self.choice_end = np.cumsum(lengths)
        place = np.full(len(data.draft_food), -1, dtype=np.int64)
        place[drafts] = np.arange(len(drafts))
        subset_end = np.array(data.subset_end, dtype=np.int64)
        subset_start = np.concatenate([[0], subset_end[:-1]])
        subs, self.right_subset = np.unique(right[:, 3], return_inverse=True)
        no = int(subs[0] == -1)
        subs = subs[no:]
        self.right_subset -= no
        flat = np.array(data.subset, dtype=np.int64)
        self.subset = place[
            np.concatenate([flat[subset_start[s] : subset_end[s]] for s in subs.tolist()])
        ]
        self.subset_end = np.cumsum(subset_end[subs] - subset_start[subs])
        bag_ids = np.concatenate(
            [
                np.array(data.draft_food)[drafts],
                np.array(data.draft_row)[drafts],
                edges[:, 3],
            ]
        )
        bags, where = np.unique(bag_ids, return_inverse=True)
        k = len(drafts)
        self.draft_food, self.draft_row, self.edge_bag = (
            where[:k],
            where[k : 2 * k],
            where[2 * k :],
        )
        ends = np.array(data.ends, dtype=np.int64)
        starts = np.concatenate([[0], ends[:-1]])
        ids, values = np.array(data.ids), np.array(data.values, dtype=np.float32)
        pick = np.concatenate([np.arange(starts[b], ends[b]) for b in bags.tolist()])
        self.x = Sparse(
            ids[pick].astype(np.int64),
            values[pick],
            np.cumsum(ends[bags] - starts[bags]),
            len(self.start),
        )

    def __call__(self, w: Floats) -> tuple[float, Floats]:
        """Return the loss and its slope."""
        bag = self.x.dot(w)
        draft = bag[self.draft_food] + bag[self.draft_row]
        choice = _log_sums(draft, self.choice_end)
        subset = _log_sums(draft[self.subset], self.subset_end)
        edge = bag[self.edge_bag]
        has = self.edge_choice >= 0
        whole = edge + np.where(has, choice[self.edge_choice], 0.0)
        held = self.right_subset >= 0
        gold = edge[self.right_edge] + np.where(held, subset[self.right_subset], 0.0)
        z, share = self.all.marginals(whole)
        zr, gold_share = self.right.marginals(gold)
        loss = float((z - zr).sum())
        g_edge = share.copy()
        g_edge -= np.bincount(self.right_edge, weights=gold_share, minlength=len(edge))
        g_choice = np.bincount(
            self.edge_choice[has], weights=share[has], minlength=len(self.choice_end)
        )
        g_subset = np.bincount(
            self.right_subset[held], weights=gold_share[held], minlength=len(self.subset_end)
        )
        lengths = np.diff(np.concatenate([[0], self.choice_end]))
        g_draft = np.exp(draft - np.repeat(choice, lengths)) * np.repeat(g_choice, lengths)
        lengths = np.diff(np.concatenate([[0], self.subset_end]))
        part = np.exp(draft[self.subset] - np.repeat(subset, lengths))
        part *= np.repeat(g_subset, lengths)
        g_draft -= np.bincount(self.subset, weights=part, minlength=len(draft))
        n = len(bag)
        g_bag = np.bincount(self.draft_food, weights=g_draft, minlength=n)
        g_bag += np.bincount(self.draft_row, weights=g_draft, minlength=n)
        g_bag += np.bincount(self.edge_bag, weights=g_edge, minlength=n)
        slope = self.x.dot_rows(g_bag)
        off = w - self.start
        loss += 0.5 * float((self.pull * off * off).sum())
        slope += self.pull * off
        slope[self.fixed] = 0.0
        return loss, slope


def _arcs(lattices: Iterable[tuple[int, list[Any], list[int] | None]]) -> Arcs:
    """Join lattices given as (nodes, arcs, level of each node or None for its number)."""
    source: list[Ints] = []
    target: list[Ints] = []
    level: list[Ints] = []
    sources: list[int] = []
    sinks: list[int] = []
    n = 0
    for count, arcs, levels in lattices:
        table = np.array(arcs, dtype=np.int64)
        source.append(table[:, 0] + n)
        target.append(table[:, 1] + n)
        level.append(np.arange(count) if levels is None else np.array(levels, dtype=np.int64))
        sources.append(n)
        n += count
        sinks.append(n - 1)
    return Arcs(
        n,
        np.concatenate(source),
        np.concatenate(target),
        np.concatenate(level),
        np.array(sources),
        np.array(sinks),
    )


def minimise(
    problem: Callable[[Floats], tuple[float, Floats]],
    w: Floats,
    *,
    steps: int,
    memory: int = 10,
    tell: Callable[[int, float], None] | None = None,
) -> Floats:
    """Minimise by limited-memory quasi-Newton steps with backtracking.

    Parameters
    ----------
    problem : callable
        Returns loss and slope.
    w : ndarray
        Where to start.
    steps : int
    memory : int
        Pairs kept.
    tell : callable, optional
        Called with step and loss.
    """
    loss, slope = problem(w)
    pairs: deque[tuple[Floats, Floats, float]] = deque(maxlen=memory)
    for step in range(steps):
        way = _direction(slope, pairs)
        gain = float(way @ slope)
        length = 1.0 if pairs else min(1.0, 1.0 / float(np.abs(slope).sum()) * 10)
        for _ in range(20):
            new = w + length * way
            new_loss, new_slope = problem(new)
            if np.isfinite(new_loss) and new_loss <= loss + 1e-4 * length * gain:
                break
            length *= 0.5
        else:
            return w
        s, y = new - w, new_slope - slope
        curve = float(s @ y)
        if curve > 1e-10:
            pairs.append((s, y, 1.0 / curve))
        done = loss - new_loss < 1e-5 * abs(loss)
        w, loss, slope = new, new_loss, new_slope
        if tell is not None:
            tell(step, loss)
        if done:
            break
    return w


def _direction(slope: Floats, pairs: Sequence[tuple[Floats, Floats, float]]) -> Floats:
    q = -slope.copy()
    held = []
    for s, y, rho in reversed(pairs):
        a = rho * float(s @ q)
        q -= a * y
        held.append(a)
    if pairs:
        s, y, _ = pairs[-1]
        q *= float(s @ y) / float(y @ y)
    for (s, y, rho), a in zip(pairs, reversed(held), strict=True):
        q += (a - rho * float(y @ q)) * s
    return q
