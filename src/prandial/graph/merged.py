"""The merged graph: nodes and edges as columns, immutable, in one canonical order."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from prandial.errors import InputError, NotFoundError
from prandial.graph.schema import KINDS, RELATIONS

__all__ = ["GraphNode", "MergedGraph", "canonical_graph"]

_Ints = npt.NDArray[np.int32]
_Bytes = npt.NDArray[np.uint8]
_Numbers = npt.NDArray[np.float64]

#: characters that XML 1.0 cannot hold (section 2.2), so no name may have them
_UNWRITABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class GraphNode(NamedTuple):
    """One node; ``value`` is NaN and ``unit`` empty where it has none."""

    place: int
    kind: str
    key: str
    label: str
    value: float
    unit: str


@dataclass(frozen=True, kw_only=True, eq=False)
class MergedGraph:
    """All people, foods and rules as one directed graph.

    Nodes are sorted by kind, length of key, key (so that numbers sort as numbers); edges by
    source, relation, target, value, unit. Build one by :func:`~prandial.graph.build_merged`
    or :func:`canonical_graph`; arrays are read-only. No edge is a verdict.

    Parameters
    ----------
    kind : ndarray of uint8, shape (n,)
        Place in :data:`~prandial.graph.KINDS`.
    key, label : tuple of str, length n
    value : ndarray of float64, shape (n,)
        Of the node: its place in an order; NaN if none.
    unit : ndarray of uint8, shape (n,)
        Place in ``units``.
    source, target : ndarray of int32, shape (m,)
    relation : ndarray of uint8, shape (m,)
        Place in :data:`~prandial.graph.RELATIONS`.
    edge_value : ndarray of float64, shape (m,)
        NaN with a unit is an unknown amount, NaN without one is no amount.
    edge_unit : ndarray of uint8, shape (m,)
    units : tuple of str
        UCUM codes in use, sorted; the first is empty.
    """

    kind: _Bytes
    key: tuple[str, ...]
    label: tuple[str, ...]
    value: _Numbers
    unit: _Bytes
    source: _Ints
    relation: _Bytes
    target: _Ints
    edge_value: _Numbers
    edge_unit: _Bytes
    units: tuple[str, ...]

    def __post_init__(self) -> None:
        for column in fields(self):
            array = getattr(self, column.name)
            if isinstance(array, np.ndarray):
                array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.key)

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return len(self.source)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MergedGraph):
            return NotImplemented
        return all(
            np.array_equal(a, b, equal_nan=a.dtype == np.float64)
            if isinstance(a, np.ndarray)
            else a == b
            for a, b in ((getattr(self, f.name), getattr(other, f.name)) for f in fields(self))
        )

    def __hash__(self) -> int:
        return hash(self.content_hash)

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 (hex) of the canonical bytes of all columns."""
        digest = hashlib.sha256()
        for column in fields(self):
            held = getattr(self, column.name)
            if isinstance(held, tuple):
                data = "\0".join(held).encode()
            else:
                little = np.where(np.isnan(held), np.nan, held) if held.dtype.kind == "f" else held
                data = little.astype(little.dtype.newbyteorder("<")).tobytes()
            digest.update(f"{column.name}:{len(held)}:{len(data)}\n".encode())
            digest.update(data)
        return digest.hexdigest()

    @cached_property
    def _index(self) -> dict[tuple[int, str], int]:
        return {pair: i for i, pair in enumerate(zip(self.kind.tolist(), self.key, strict=True))}

    @cached_property
    def _out_start(self) -> npt.NDArray[np.int64]:
        return np.searchsorted(self.source, np.arange(len(self) + 1))

    @cached_property
    def _in_edges(self) -> npt.NDArray[np.int64]:
        return np.argsort(self.target, kind="stable")

    @cached_property
    def _in_start(self) -> npt.NDArray[np.int64]:
        return np.searchsorted(self.target[self._in_edges], np.arange(len(self) + 1))

    @cached_property
    def inner_steps(self) -> dict[int, list[tuple[int, int, bool]]]:
        """Steps between nodes that are neither person nor food: to, relation, forward."""
        ends = [KINDS.index("person"), KINDS.index("food")]
        inner = ~np.isin(self.kind, ends)
        steps: dict[int, list[tuple[int, int, bool]]] = {}
        for e in np.flatnonzero(inner[self.source] & inner[self.target]).tolist():
            a, r, b = int(self.source[e]), int(self.relation[e]), int(self.target[e])
            steps.setdefault(a, []).append((b, r, True))
            steps.setdefault(b, []).append((a, r, False))
        return steps

    def out_edges(self, index: int) -> npt.NDArray[np.int64]:
        """Return the places of the edges that leave a node, in order."""
        return np.arange(self._out_start[index], self._out_start[index + 1])

    def in_edges(self, index: int) -> npt.NDArray[np.int64]:
        """Return the places of the edges that enter a node, in order."""
        return self._in_edges[self._in_start[index] : self._in_start[index + 1]]

    def at(self, index: int) -> GraphNode:
        """Return the node at a place."""
        return GraphNode(
            index,
            KINDS[self.kind[index]],
            self.key[index],
            self.label[index],
            float(self.value[index]),
            self.units[self.unit[index]],
        )

    def node(self, kind: str, key: str | int) -> GraphNode:
        """Return the node of a kind and key.

        Raises
        ------
        NotFoundError
            Naming the nearest keys of that kind, or the kinds there are.
        """
        if kind not in KINDS:
            raise NotFoundError(
                f"no kind of node {kind!r}", where="graph", hint="kinds: " + ", ".join(KINDS)
            )
        index = self._index.get((KINDS.index(kind), str(key)))
        if index is None:
            raise NotFoundError(f"no {kind} {key!r}", where="graph", hint=self._nearest(kind, key))
        return self.at(index)

    def of_kind(self, kind: str) -> range:
        """Return the places of the nodes of a kind, which lie together."""
        low, high = np.searchsorted(self.kind, [KINDS.index(kind), KINDS.index(kind) + 1])
        return range(int(low), int(high))

    def induced(self, keep: npt.NDArray[np.bool_]) -> MergedGraph:
        """Return the graph of some nodes and all edges between them.

        Parameters
        ----------
        keep : ndarray of bool, shape (n,)
        """
        return self.selected(keep, keep[self.source] & keep[self.target])

    def selected(self, nodes: npt.NDArray[np.bool_], edges: npt.NDArray[np.bool_]) -> MergedGraph:
        """Return the graph of some nodes and some of the edges between them."""
        place = (np.cumsum(nodes) - 1).astype(np.int32)
        kept = np.flatnonzero(nodes).tolist()
        used = np.union1d(np.union1d(self.unit[nodes], self.edge_unit[edges]), [0]).astype(np.intp)
        fresh = np.zeros(len(self.units), dtype=np.uint8)
        fresh[used] = np.arange(len(used))
        return MergedGraph(
            kind=self.kind[nodes],
            key=tuple(self.key[i] for i in kept),
            label=tuple(self.label[i] for i in kept),
            value=self.value[nodes],
            unit=fresh[self.unit[nodes]],
            source=place[self.source[edges]],
            relation=self.relation[edges],
            target=place[self.target[edges]],
            edge_value=self.edge_value[edges],
            edge_unit=fresh[self.edge_unit[edges]],
            units=tuple(self.units[i] for i in used),
        )

    def _nearest(self, kind: str, key: str | int) -> str:
        from rapidfuzz import process

        keys = [self.key[i] for i in self.of_kind(kind)]
        near = process.extract(str(key), keys, limit=3)
        return "nearest: " + ", ".join(n[0] for n in near) if near else f"there is no {kind} at all"


def canonical_graph(
    *,
    kind: Sequence[int] | _Bytes,
    key: Sequence[str],
    label: Sequence[str],
    value: _Numbers,
    unit: Sequence[str],
    source: npt.NDArray[np.integer],
    relation: npt.NDArray[np.integer],
    target: npt.NDArray[np.integer],
    edge_value: _Numbers,
    edge_unit: npt.NDArray[np.integer],
    edge_units: Sequence[str],
) -> MergedGraph:
    """Put nodes and edges given in any order into the canonical one.

    Parameters
    ----------
    kind, key, label, value, unit : sequences, length n
        Of the nodes; ``unit`` as text.
    source, relation, target, edge_value, edge_unit : ndarray, shape (m,)
        Of the edges; ``source`` and ``target`` are places in the nodes as given, ``edge_unit``
        places in ``edge_units``. Of wholly equal edges one is kept.
    edge_units : sequence of str

    Raises
    ------
    InputError
        When two nodes share kind and key, or a name holds a control character.
    """
    kinds = np.asarray(kind, dtype=np.uint8)
    _check_names((*key, *label))
    by_kind = kinds.tolist()
    order = sorted(range(len(key)), key=lambda i: (by_kind[i], len(key[i]), key[i]))
    for a, b in itertools.pairwise(order):
        if by_kind[a] == by_kind[b] and key[a] == key[b]:
            raise InputError(
                f"{KINDS[by_kind[a]]} {key[a]!r} is there twice",
                where="graph",
                hint="give each person, food and status once",
            )
    units = ("", *sorted({*unit, *(edge_units[i] for i in np.unique(edge_unit))} - {""}))
    code = {text: i for i, text in enumerate(units)}
    recoded = np.array([code.get(text, 0) for text in edge_units], dtype=np.uint8)
    place = np.empty(len(key), dtype=np.int64)
    place[order] = np.arange(len(key))
    edges = _sorted_edges(
        place[source],
        relation.astype(np.int64),
        place[target],
        edge_value + 0.0,
        recoded[edge_unit] if len(edge_units) else np.zeros(0, dtype=np.uint8),
    )
    return MergedGraph(
        kind=kinds[order],
        key=tuple(key[i] for i in order),
        label=tuple(label[i] for i in order),
        value=np.asarray(value, dtype=np.float64)[order] + 0.0,
        unit=np.array([code[unit[i]] for i in order], dtype=np.uint8),
        units=units,
        source=edges[0].astype(np.int32),
        relation=edges[1].astype(np.uint8),
        target=edges[2].astype(np.int32),
        edge_value=edges[3],
        edge_unit=edges[4],
    )


def _check_names(names: Sequence[str]) -> None:
    bad = _UNWRITABLE.search("\n".join(names))
    if bad:
        name = next(n for n in names if _UNWRITABLE.search(n))
        raise InputError(
            f"the name {name!r} holds a character that no export can write",
            where="graph",
            hint=f"take out {bad.group()!r}",
        )


def _sorted_edges(
    source: npt.NDArray[np.int64],
    relation: npt.NDArray[np.int64],
    target: npt.NDArray[np.int64],
    value: _Numbers,
    unit: _Bytes,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64], _Numbers, _Bytes]:
    nodes = int(max(source.max(), target.max())) + 1 if len(source) else 1
    packed = (source * len(RELATIONS) + relation) * nodes + target
    order = np.lexsort((unit, value, packed))
    packed, value, unit = packed[order], value[order], unit[order]
    same = packed[1:] == packed[:-1]
    same &= (value[1:] == value[:-1]) | (np.isnan(value[1:]) & np.isnan(value[:-1]))
    same &= unit[1:] == unit[:-1]
    keep = np.concatenate(([True], ~same))[: len(packed)]
    order = order[keep]
    return source[order], relation[order], target[order], value[keep], unit[keep]
