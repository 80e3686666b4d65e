"""Paths that grow through a graph, for Think-on-Graph: by relation, then by entity.

Entities are keys: ids of nodes, or texts as in the published code, where nodes of the same
text are one. A path alternates keys and relations, ``(key, relation, key, ...)``; one that
ends in a relation is half a step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from prandial.answer.graphs.view import View
from prandial.records.quiz import QuestionGraph

__all__ = ["Path", "Web"]

Path = tuple[int | str, ...]


@dataclass(frozen=True, kw_only=True)
class Web:
    """A graph by keys.

    Parameters
    ----------
    view : View
    by_text : bool
        Whether entities are texts (published) or ids.
    """

    view: View
    by_text: bool

    @cached_property
    def keys(self) -> Mapping[int, int | str]:
        """Node id to key."""
        return {i: text if self.by_text else i for i, text in self.view.texts.items()}

    @cached_property
    def _edges(self) -> list[tuple[int | str, str, int | str]]:
        return [
            (self.keys[e.source], e.relation, self.keys[e.target]) for e in self.view.graph.edges
        ]

    @property
    def seeds(self) -> list[Path]:
        """A path at the user and one at the food."""
        return [(self.keys[self.view.user],), (self.keys[self.view.food],)]

    def by_relation(self, paths: Sequence[Path]) -> list[Path]:
        """Add to each path every relation that leads on from its end; keep those without one."""
        found: list[Path] = []
        for path in paths:
            onward = dict.fromkeys(relation for relation, _ in self._onward(path, path[-1]))
            found += [(*path, relation) for relation in onward] or [path]
        return found

    def by_entity(self, paths: Sequence[Path]) -> list[Path]:
        """Add to each path that ends in a relation every entity that it leads to."""
        found: list[Path] = []
        for path in paths:
            if len(path) % 2:
                found.append(path)
                continue
            onward = self._onward(path, path[-2])
            found += [(*path, k) for k in dict.fromkeys(k for r, k in onward if r == path[-1])]
        return found

    def _onward(self, path: Path, end: int | str) -> list[tuple[str, int | str]]:
        """Return relation and entity of each edge at a path's end that leads out of the path."""
        inside = set(path[::2])
        return [
            (relation, target if source == end else source)
            for source, relation, target in self._edges
            if end in (source, target) and not (source in inside and target in inside)
        ]

    def told(self, path: Path) -> str:
        """Return a path in words.

        With ids each step is told along its edge, whichever way it was walked; the published
        code tells it in the order of walking.
        """
        steps = []
        for head, relation, tail in zip(path[::2], path[1::2], (*path[2::2], None), strict=False):
            ways = {(s, t) for s, r, t in self._edges if r == relation}
            forward = self.by_text or (
                (head, tail) in ways if tail is not None else head in {s for s, _ in ways}
            )
            ends = self._word(head), self._word(tail)
            source, target = ends if forward else ends[::-1]
            steps.append(f"{source} {relation} {target}".rstrip())
        return " , ".join(steps) or self._word(path[0])

    def _word(self, key: int | str | None) -> str:
        if key is None:
            return "" if self.by_text else "?"
        return key if isinstance(key, str) else self.view.texts[key]

    def part(self, paths: Sequence[Path]) -> QuestionGraph:
        """Return the part of the graph that paths make up.

        With ids the edges that were walked. With texts, as published, for each path the edges
        of its relations between any nodes with its texts, and the union of that.
        """
        edges = set()
        nodes = set()
        for path in paths:
            held, relations = set(path[::2]), set(path[1::2])
            steps = set(zip(path[::2], path[1::2], path[2::2], strict=False))
            nodes |= {i for i, key in self.keys.items() if key in held}
            for edge, (s, r, t) in enumerate(self._edges):
                walked = (s, r, t) in steps or (t, r, s) in steps
                inside = s in held and t in held and r in relations
                if inside if self.by_text else walked:
                    edges.add(edge)
        whole = self.view.in_order
        kept = {self.view.graph.edges[i] for i in edges}
        return QuestionGraph(
            tuple(n for n in whole.nodes if n.id in nodes),
            tuple(e for e in whole.edges if e in kept),
        )
