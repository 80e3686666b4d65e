"""RDF in Turtle, through pyoxigraph.

Standard vocabularies: SKOS for names, tags, statuses and matches to coding systems,
schema.org ``NutritionInformation`` for amounts per 100 g, FoodOn for the classes of food and
ingredient, PROV for the source of a rule, RDF reification for an edge with an amount,
UCUM codes for units. All else is in ``urn:prandial:``. Amounts in schema.org's form are for
other readers; reading back relies on the statements.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import numpy as np

from prandial.errors import MissingDataError
from prandial.graph.flat import Reading, edge_rows, number_text
from prandial.graph.merged import GraphNode, MergedGraph
from prandial.graph.schema import KINDS, RELATIONS, Coding, coding_systems, codings

if TYPE_CHECKING:
    import pyoxigraph as ox

__all__ = ["read_turtle", "write_turtle"]

_OWN: Final = "urn:prandial:"
_WORD: Final = "urn:prandial:schema:"
_RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
_PROV: Final = "http://www.w3.org/ns/prov#"
_SCHEMA: Final = "https://schema.org/"
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_PREFIXES: Final = {"skos": _SKOS, "prov": _PROV, "schema": _SCHEMA, "p": _WORD, "rdf": _RDF}
_CONCEPTS: Final = frozenset({"condition", "diet", "habit", "measure", "category", "tag"})


def _library() -> Any:
    try:
        import pyoxigraph
    except ImportError as error:
        raise MissingDataError(
            "pyoxigraph is not installed", where="Turtle", hint="pip install 'prandial[ngqa]'"
        ) from error
    return pyoxigraph


def _word(name: str) -> str:
    first, *rest = name.split(" ")
    return _WORD + first + "".join(r.capitalize() for r in rest)


def node_iri(kind: str, key: str) -> str:
    """Return the IRI of a node: its kind and its key, percent-encoded."""
    return f"{_OWN}{kind}:{quote(key, safe='')}"


class _Writer:
    """Quads of a graph, one after another."""

    def __init__(self, graph: MergedGraph) -> None:
        self._ox = _library()
        self._graph = graph
        self._coded: dict[tuple[str, str], list[Coding]] = {}
        for coding in codings():
            self._coded.setdefault((coding.kind, coding.name), []).append(coding)
        self._iris = [
            self._named(node_iri(KINDS[k], key))
            for k, key in zip(graph.kind.tolist(), graph.key, strict=True)
        ]

    def _named(self, iri: str) -> ox.NamedNode:
        named: ox.NamedNode = self._ox.NamedNode(iri)
        return named

    def _triple(self, subject: Any, predicate: str, value: Any) -> ox.Triple:
        found = self._named(value) if isinstance(value, str) else value
        triple: ox.Triple = self._ox.Triple(subject, self._named(predicate), found)
        return triple

    def _text(self, text: str) -> Any:
        return self._ox.Literal(text)

    def _number(self, value: float) -> Any:
        return self._ox.Literal(number_text(value), datatype=self._named(_XSD + "double"))

    def triples(self) -> Iterator[ox.Triple]:
        for i in range(len(self._graph)):
            yield from self._node(self._graph.at(i))
        amounts: list[Any] = []
        parallel = self._parallel()
        for number, edge in enumerate(edge_rows(self._graph)):
            source, target = self._iris[edge.source], self._iris[edge.target]
            yield self._triple(source, _word(edge.relation), target)
            if edge.relation == "contains":
                for coding in self._coded.get(("relation", "contains"), ()):
                    yield self._triple(source, self._external(coding), target)
            if not edge.unit and isnan(edge.value) and number not in parallel:
                continue
            statement = self._named(f"{_OWN}statement:{number}")
            yield self._triple(statement, _RDF + "type", _RDF + "Statement")
            yield self._triple(statement, _RDF + "subject", source)
            yield self._triple(statement, _RDF + "predicate", _word(edge.relation))
            yield self._triple(statement, _RDF + "object", target)
            if not isnan(edge.value):
                yield self._triple(statement, _WORD + "value", self._number(edge.value))
            if edge.unit:
                yield self._triple(statement, _WORD + "unit", self._text(edge.unit))
            if edge.relation == "provides" and not isnan(edge.value):
                amounts.append(edge)
        yield from self._nutrition(amounts)

    def _parallel(self) -> frozenset[int]:
        """Return the edges that share both ends and the relation with another."""
        columns = (self._graph.source, self._graph.relation, self._graph.target)
        same = np.flatnonzero(np.logical_and.reduce([c[1:] == c[:-1] for c in columns]))
        return frozenset((*same.tolist(), *(same + 1).tolist()))

    def _nutrition(self, amounts: list[Any]) -> Iterator[ox.Triple]:
        begun: set[int] = set()
        for edge in amounts:
            key = self._graph.key[edge.target]
            told = self._named(f"{_OWN}nutrition:{quote(self._graph.key[edge.source], safe='')}")
            for coding in self._coded.get(("nutrient", key), ()):
                if coding.system != "schema.org":
                    continue
                if edge.source not in begun:
                    begun.add(edge.source)
                    yield self._triple(self._iris[edge.source], _SCHEMA + "nutrition", told)
                    yield self._triple(told, _RDF + "type", _SCHEMA + "NutritionInformation")
                    yield self._triple(told, _SCHEMA + "servingSize", self._text("100 g"))
                amount = self._text(f"{edge.value:g} {edge.unit}")
                yield self._triple(told, self._external(coding), amount)

    def _external(self, coding: Coding) -> str:
        return coding_systems()[coding.system] + coding.code

    def _node(self, node: GraphNode) -> Iterator[ox.Triple]:
        me = self._iris[node.place]
        yield self._triple(me, _RDF + "type", _WORD + node.kind.capitalize())
        if node.kind in _CONCEPTS:
            yield self._triple(me, _RDF + "type", _SKOS + "Concept")
        if node.kind == "rule":
            yield self._triple(me, _RDF + "type", _PROV + "Entity")
            yield self._triple(me, _PROV + "hadPrimarySource", self._source(node.label))
        yield self._triple(me, _SKOS + "notation", self._text(node.key))
        yield self._triple(me, _SKOS + "prefLabel", self._text(node.label))
        if not isnan(node.value):
            yield self._triple(me, _WORD + "value", self._number(node.value))
        if node.unit:
            yield self._triple(me, _WORD + "unit", self._text(node.unit))
        for coding in self._coded.get(("class", node.kind), ()):
            yield self._triple(me, _RDF + "type", self._external(coding))
        for coding in self._coded.get((node.kind, node.key), ()):
            if coding.system not in ("UCUM", "schema.org"):
                yield self._triple(me, f"{_SKOS}{coding.match}Match", self._external(coding))

    def _source(self, citation: str) -> str:
        return f"{_OWN}source:{quote(citation, safe='')}"


def write_turtle(graph: MergedGraph, path: Path) -> None:
    """Write a graph as Turtle.

    Raises
    ------
    MissingDataError
        When pyoxigraph is not installed.
    """
    ox = _library()
    with path.open("wb") as file:
        ox.serialize(_Writer(graph).triples(), file, ox.RdfFormat.TURTLE, prefixes=_PREFIXES)


def read_turtle(path: Path) -> MergedGraph:
    """Read Turtle that :func:`write_turtle` wrote.

    Raises
    ------
    MissingDataError
        When pyoxigraph is not installed.
    SchemaError
        When the file is not Turtle or lacks what a graph of the house has.
    """
    ox = _library()
    reading = Reading(str(path))
    held: dict[str, dict[str, str]] = {}
    plain: list[tuple[str, str, str]] = []
    kinds = {_WORD + k.capitalize(): k for k in KINDS}
    relations = {_word(r): r for r in RELATIONS}
    try:
        for triple in ox.parse(path=str(path), format=ox.RdfFormat.TURTLE):
            subject, predicate = triple.subject.value, triple.predicate.value
            value = triple.object.value
            if predicate in relations:
                plain.append((subject, relations[predicate], value))
            elif predicate != _RDF + "type":
                held.setdefault(subject, {})[predicate] = value
            elif value in kinds:
                held.setdefault(subject, {})["kind"] = kinds[value]
    except (SyntaxError, UnicodeDecodeError) as error:
        raise reading.wrong(f"not readable as Turtle: {error}") from error
    for iri, facts in held.items():
        if "kind" in facts:
            key, label = (facts.get(_SKOS + w, "") for w in ("notation", "prefLabel"))
            number = reading.number(facts.get(_WORD + "value"))
            reading.node(iri, facts["kind"], key, label, number, facts.get(_WORD + "unit", ""))
    told = set()
    for facts in held.values():
        if _RDF + "predicate" in facts:
            ends = facts.get(_RDF + "subject", ""), facts.get(_RDF + "object", "")
            relation = relations.get(facts[_RDF + "predicate"], facts[_RDF + "predicate"])
            told.add((ends[0], relation, ends[1]))
            number = reading.number(facts.get(_WORD + "value"))
            reading.edge(ends[0], relation, ends[1], number, facts.get(_WORD + "unit", ""))
    for source, relation, target in plain:
        if (source, relation, target) not in told:
            reading.edge(source, relation, target, nan, "")
    return reading.graph()
