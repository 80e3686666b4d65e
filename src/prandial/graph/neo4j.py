"""CSV for ``neo4j-admin database import full``: ``nodes.csv`` and ``edges.csv`` in a folder.

Header fields as in the Neo4j operations manual, "Import": ``:ID``, ``:LABEL``,
``:START_ID``, ``:END_ID``, ``:TYPE`` and typed columns. Names may hold line breaks, so give
``--multiline-fields=true``. A text that a spreadsheet would take for a formula (it begins
with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return; OWASP, "CSV Injection") or that
begins with an apostrophe gets an apostrophe before it, which reading takes away.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from prandial.graph.flat import Reading, edge_rows, number_text, words
from prandial.graph.merged import MergedGraph
from prandial.graph.schema import KINDS, RELATIONS

__all__ = ["read_neo4j", "write_neo4j"]

_NODES: Final = "nodes.csv"
_EDGES: Final = "edges.csv"
_NODE_HEAD: Final = ("id:ID", "key:string", "label:string", "value:double", "unit:string", ":LABEL")
_EDGE_HEAD: Final = (":START_ID", ":END_ID", ":TYPE", "value:double", "unit:string")
_GUARDED: Final = tuple("=+-@\t\r'")


def _guard(text: str) -> str:
    return "'" + text if text.startswith(_GUARDED) else text


def _unguard(text: str) -> str:
    return text.removeprefix("'")


def write_neo4j(graph: MergedGraph, folder: Path) -> tuple[Path, Path]:
    """Write a graph as two CSV files, all cells quoted."""
    folder.mkdir(parents=True, exist_ok=True)
    nodes, edges = folder / _NODES, folder / _EDGES
    with nodes.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        out.writerow(_NODE_HEAD)
        for i in range(len(graph)):
            node = graph.at(i)
            texts = (_guard(node.key), _guard(node.label), number_text(node.value), node.unit)
            out.writerow((f"{node.kind}/{i}", *texts, node.kind.capitalize()))
    ids = [f"{KINDS[k]}/{i}" for i, k in enumerate(graph.kind.tolist())]
    with edges.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        out.writerow(_EDGE_HEAD)
        out.writerows(
            (ids[e.source], ids[e.target], words(e.relation), number_text(e.value), e.unit)
            for e in edge_rows(graph)
        )
    return nodes, edges


def read_neo4j(folder: Path) -> MergedGraph:
    """Read the two files that :func:`write_neo4j` wrote.

    Raises
    ------
    SchemaError
        When a header or a cell is another one.
    """
    reading = Reading(str(folder / _NODES))
    for id_, key, label, value, unit, kind in _rows(folder / _NODES, _NODE_HEAD, reading):
        number = reading.number(value)
        reading.node(id_, kind.lower(), _unguard(key), _unguard(label), number, unit)
    reading.where = str(folder / _EDGES)
    named = {words(r): r for r in RELATIONS}
    for source, target, type_, value, unit in _rows(folder / _EDGES, _EDGE_HEAD, reading):
        reading.edge(source, named.get(type_, type_), target, reading.number(value), unit)
    return reading.graph()


def _rows(path: Path, head: tuple[str, ...], reading: Reading) -> Iterator[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, strict=True)
        try:
            if tuple(next(rows, ())) != head:
                raise reading.wrong("the header is not " + ", ".join(head))
            for row in rows:
                if len(row) != len(head):
                    raise reading.wrong(f"line {rows.line_num} has {len(row)} cells")
                yield row
        except (csv.Error, UnicodeDecodeError) as error:
            raise reading.wrong(f"not readable as CSV: {error}") from error
