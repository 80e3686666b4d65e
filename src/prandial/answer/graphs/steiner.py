"""The prize-collecting Steiner tree, exact, for graphs with few prizes.

The part of a graph, in one piece, with the largest sum of prizes of its nodes and edges minus
a cost for each edge (X. He et al., arXiv 2402.07630, section 4.3). As there, an edge whose
prize is above the cost becomes a node of its own between its ends; any other costs what its
prize leaves. Then the cheapest tree is found for every set of prized nodes (S. E. Dreyfus and
R. A. Wagner, Networks 1 (1971), 195-207) and the best set is taken. The time grows as 3 to
the number of prizes.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from prandial.errors import InputError

__all__ = ["MOST_PRIZES", "Tree", "best_tree"]

MOST_PRIZES: Final = 12
#: how a state came about: by two smaller sets at the node, or by a step from a neighbour
_Came = tuple[str, int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Tree:
    """Nodes and places of edges that were chosen, and what they are worth."""

    nodes: tuple[int, ...]
    edges: tuple[int, ...]
    value: float


def best_tree(
    nodes: Sequence[int],
    edges: Sequence[tuple[int, int]],
    node_prizes: Mapping[int, float],
    edge_prizes: Mapping[int, float],
    cost: float,
) -> Tree:
    """Return the best connected part; of equally good ones always the same.

    Parameters
    ----------
    nodes : sequence of int
    edges : sequence of (int, int)
        Taken in either direction.
    node_prizes : mapping of int to float
        By node.
    edge_prizes : mapping of int to float
        By place in ``edges``.
    cost : float
        Of each edge, at least 0.

    Raises
    ------
    InputError
        When more than ``MOST_PRIZES`` prizes are to be had, or the cost is below 0.
    """
    return _Search(nodes, edges, node_prizes, edge_prizes, cost).tree()


class _Search:
    def __init__(
        self,
        nodes: Sequence[int],
        edges: Sequence[tuple[int, int]],
        node_prizes: Mapping[int, float],
        edge_prizes: Mapping[int, float],
        cost: float,
    ) -> None:
        self._nodes, self._edges, self._cost = nodes, edges, cost
        self._node_prizes, self._edge_prizes = node_prizes, edge_prizes
        self._place = {n: i for i, n in enumerate(nodes)}
        self._beside: list[list[tuple[int, float, int]]] = [[] for _ in nodes]
        self._ends = [(self._place[s], self._place[t]) for s, t in edges]
        won = [(self._place[n], p) for n, p in node_prizes.items() if p > 0]
        for edge, (s, t) in enumerate(self._ends):
            over = edge_prizes.get(edge, 0.0) - cost
            if over > 0:
                between = len(self._beside)
                self._beside.append([])
                won.append((between, over))
                self._join(s, between, 0.0, edge)
                self._join(between, t, 0.0, edge)
            elif s != t:
                self._join(s, t, -over, edge)
        if len(won) > MOST_PRIZES or cost < 0:
            raise InputError(
                f"{len(won)} prizes at a cost of {cost:g}",
                where="prize-collecting Steiner tree",
                hint=f"at most {MOST_PRIZES} prizes (k and k_edges together), cost from 0",
            )
        self._won = won
        self._best: list[list[float]] = []
        self._came: list[dict[int, _Came]] = []

    def _join(self, a: int, b: int, price: float, edge: int) -> None:
        self._beside[a].append((b, price, edge))
        self._beside[b].append((a, price, edge))

    def tree(self) -> Tree:
        if not self._won:
            return Tree(nodes=tuple(self._nodes[:1]), edges=(), value=0.0)
        best, where = -inf, (0, 0)
        for held in range(1 << len(self._won)):
            self._solve(held)
            if not held:
                continue
            at = min(range(len(self._beside)), key=self._best[held].__getitem__)
            prizes = sum(p for i, (_, p) in enumerate(self._won) if held >> i & 1)
            if prizes - self._best[held][at] > best + 1e-12:
                best, where = prizes - self._best[held][at], (held, at)
        return self._told(*where)

    def _solve(self, held: int) -> None:
        """Find the cheapest tree of a set of prizes and each node."""
        costs = [inf] * len(self._beside)
        came: dict[int, _Came] = {}
        if held and not held & (held - 1):
            costs[self._won[held.bit_length() - 1][0]] = 0.0
        part = (held - 1) & held
        while part > held ^ part:
            for at, (a, b) in enumerate(
                zip(self._best[part], self._best[held ^ part], strict=True)
            ):
                if a + b < costs[at]:
                    costs[at], came[at] = a + b, ("parts", part, held ^ part)
            part = (part - 1) & held
        waiting = [(c, at) for at, c in enumerate(costs) if c < inf]
        heapq.heapify(waiting)
        while waiting:
            c, at = heapq.heappop(waiting)
            if c > costs[at]:
                continue
            for to, price, edge in self._beside[at]:
                if c + price < costs[to]:
                    costs[to], came[to] = c + price, ("step", at, edge)
                    heapq.heappush(waiting, (costs[to], to))
        self._best.append(costs)
        self._came.append(came)

    def _told(self, held: int, at: int) -> Tree:
        edges: set[int] = set()
        real = len(self._nodes)
        touched = {at}
        waiting = [(held, at)]
        while waiting:
            held, at = waiting.pop()
            touched.add(at)
            match self._came[held].get(at):
                case ("parts", one, other):
                    waiting += [(one, at), (other, at)]
                case ("step", before, edge):
                    edges.add(edge)
                    waiting.append((held, before))
        chosen = {n for n in touched if n < real} | {n for e in edges for n in self._ends[e]}
        chosen, edges = self._with_own(touched, chosen, edges)
        value = sum(self._node_prizes.get(self._nodes[n], 0.0) for n in chosen)
        value += sum(self._edge_prizes.get(e, 0.0) - self._cost for e in edges)
        return Tree(
            nodes=tuple(self._nodes[n] for n in sorted(chosen)),
            edges=tuple(sorted(edges)),
            value=value,
        )

    def _with_own(
        self, touched: set[int], chosen: set[int], edges: set[int]
    ) -> tuple[set[int], set[int]]:
        """Add the prized edges that stand as nodes of their own and were reached alone."""
        for between in (n for n in touched if n >= len(self._nodes)):
            edge = self._beside[between][0][2]
            edges = edges | {edge}
            chosen = chosen | set(self._ends[edge])
        return chosen, edges
