"""Nodes on simple paths between food and user, in time linear in the graph.

A node lies on a simple path between two nodes exactly when it is in the same biconnected
component as an edge put between them. Source: Hopcroft and Tarjan, Algorithm 447,
Communications of the ACM 16 (1973), 372-378.
"""

from __future__ import annotations

from typing import Final

from prandial.records.quiz import QuestionGraph

__all__ = ["useful_nodes"]

_USER: Final = 0
_FOOD: Final = 1


def useful_nodes(graph: QuestionGraph, *, source: int = _USER, target: int = _FOOD) -> set[int]:
    """Return the ids of all nodes on simple paths between source and target, both included.

    Edges count in either direction. Without a path the set is empty.
    """
    around: dict[int, set[int]] = {node.id: set() for node in graph.nodes}
    for edge in graph.edges:
        if edge.source != edge.target:
            around[edge.source].add(edge.target)
            around[edge.target].add(edge.source)
    if source not in around or target not in around:
        return set()
    around[source].add(target)
    around[target].add(source)
    block = _block(around, source, target)
    if len(block) == 2:
        # nothing but the edge put in, unless the graph has that edge itself
        real = any({e.source, e.target} == block for e in graph.edges)
        return block if real else set()
    return block


def _block(around: dict[int, set[int]], source: int, target: int) -> set[int]:
    """Return the biconnected component that holds the edge from source to target.

    A depth-first walk that takes this edge first: what is found below it and reaches back
    to the source forms the component.
    """
    seen = {source: 0, target: 1}
    low = {source: 0, target: 0}
    parts: dict[int, list[int]] = {target: [target]}
    walk = [(target, source, iter(sorted(around[target])))]
    while walk:
        node, parent, further = walk[-1]
        for other in further:
            if other == parent:
                continue
            if other in seen:
                low[node] = min(low[node], seen[other])
                continue
            seen[other] = low[other] = len(seen)
            parts[other] = [other]
            walk.append((other, node, iter(sorted(around[other]))))
            break
        else:
            walk.pop()
            if walk:
                above = walk[-1][0]
                low[above] = min(low[above], low[node])
                if low[node] < seen[above]:  # not cut off by the node above
                    parts[above] += parts[node]
    return {source, *parts[target]}
