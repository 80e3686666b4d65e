"""Rows of nodes and edges between a graph and a written form of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isnan, nan
from typing import NamedTuple

import numpy as np

from prandial.errors import SchemaError
from prandial.graph.merged import MergedGraph, canonical_graph
from prandial.graph.schema import KINDS, RELATIONS

__all__ = ["EdgeRow", "Reading", "edge_rows", "number_text", "words"]


class EdgeRow(NamedTuple):
    """One edge with its ends as places in the nodes."""

    source: int
    relation: str
    target: int
    value: float
    unit: str


def edge_rows(graph: MergedGraph) -> Iterator[EdgeRow]:
    """Yield the edges in canonical order."""
    columns = (graph.source, graph.relation, graph.target, graph.edge_value, graph.edge_unit)
    for s, r, t, v, u in zip(*(c.tolist() for c in columns), strict=True):
        yield EdgeRow(s, RELATIONS[r], t, v, graph.units[u])


def number_text(value: float) -> str:
    """Return a number so that it reads back equal; empty for NaN."""
    return "" if isnan(value) else repr(float(value))


def words(name: str) -> str:
    """Return a relation or kind in capitals, as graph databases write them."""
    return name.upper().replace(" ", "_")


@dataclass
class Reading:
    """Nodes and edges read back in any order, to be made a graph.

    Parameters
    ----------
    where : str
        File that is read, for errors.
    """

    where: str
    kinds: list[int] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    edges: list[tuple[int, int, int, float, str]] = field(default_factory=list)

    def node(self, id_: str, kind: str, key: str, label: str, value: float, unit: str) -> None:
        """Take a node in by the id that the edges use."""
        if kind not in KINDS:
            raise self.wrong(f"no kind of node {kind!r}")
        self.places[id_] = len(self.keys)
        self.kinds.append(KINDS.index(kind))
        self.keys.append(key)
        self.labels.append(label)
        self.values.append(value)
        self.units.append(unit)

    def edge(self, source: str, relation: str, target: str, value: float, unit: str) -> None:
        """Take an edge in."""
        if relation not in RELATIONS:
            raise self.wrong(f"no relation {relation!r}")
        for end in (source, target):
            if end not in self.places:
                raise self.wrong(f"an edge of a node that is not there: {end!r}")
        place = self.places[source], RELATIONS.index(relation), self.places[target]
        self.edges.append((*place, value, unit))

    def number(self, text: str | None) -> float:
        """Read a number; NaN for an empty text."""
        if not text:
            return nan
        try:
            return float(text)
        except ValueError:
            raise self.wrong(f"{text!r} is no number") from None

    def wrong(self, what: str) -> SchemaError:
        """Return the error for a file that is not what it should be."""
        return SchemaError(what, where=self.where, hint="write it again: prandial graph export")

    def graph(self) -> MergedGraph:
        """Return what was read as a graph."""
        units = sorted({e[4] for e in self.edges})
        code = {u: i for i, u in enumerate(units)}
        ints = np.array([(*e[:3], code[e[4]]) for e in self.edges], dtype=np.int64).reshape(-1, 4)
        return canonical_graph(
            kind=self.kinds,
            key=self.keys,
            label=self.labels,
            value=np.array(self.values, dtype=np.float64),
            unit=self.units,
            source=ints[:, 0],
            relation=ints[:, 1],
            target=ints[:, 2],
            edge_value=np.array([e[3] for e in self.edges], dtype=np.float64),
            edge_unit=ints[:, 3],
            edge_units=units,
        )
