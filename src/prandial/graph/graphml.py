"""GraphML, written as a stream and read through networkx.

Form: http://graphml.graphdrawing.org/specification.html; a value that is unknown or not
there has no ``data`` element.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

from prandial.errors import MissingDataError, SchemaError
from prandial.graph.flat import Reading, edge_rows, number_text
from prandial.graph.merged import MergedGraph

__all__ = ["read_graphml", "write_graphml"]

_HEAD: Final = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="kind" for="node" attr.name="kind" attr.type="string"/>
<key id="key" for="node" attr.name="key" attr.type="string"/>
<key id="label" for="node" attr.name="label" attr.type="string"/>
<key id="value" for="node" attr.name="value" attr.type="double"/>
<key id="unit" for="node" attr.name="unit" attr.type="string"/>
<key id="relation" for="edge" attr.name="relation" attr.type="string"/>
<key id="amount" for="edge" attr.name="value" attr.type="double"/>
<key id="measure" for="edge" attr.name="unit" attr.type="string"/>
<graph edgedefault="directed">
"""


def _data(key: str, text: str) -> str:
    # a carriage return would be read as a line feed (XML 1.0, section 2.11)
    return f'<data key="{key}">{escape(text, {chr(13): "&#13;"})}</data>' if text else ""


def write_graphml(graph: MergedGraph, path: Path) -> None:
    """Write a graph as GraphML, one element a line."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(_HEAD)
        for i in range(len(graph)):
            node = graph.at(i)
            parts = (
                _data("kind", node.kind),
                _data("key", node.key),
                _data("label", node.label),
                _data("value", number_text(node.value)),
                _data("unit", node.unit),
            )
            file.write(f'<node id="n{i}">{"".join(parts)}</node>\n')
        for i, edge in enumerate(edge_rows(graph)):
            told = (
                _data("relation", edge.relation),
                _data("amount", number_text(edge.value)),
                _data("measure", edge.unit),
            )
            ends = f'id="e{i}" source="n{edge.source}" target="n{edge.target}"'
            file.write(f"<edge {ends}>{''.join(told)}</edge>\n")
        file.write("</graph>\n</graphml>\n")


def read_graphml(path: Path) -> MergedGraph:
    """Read GraphML that :func:`write_graphml` wrote.

    Raises
    ------
    MissingDataError
        When networkx is not installed.
    SchemaError
        When the file is another kind of GraphML, or none.
    """
    try:
        import networkx as nx
    except ImportError as error:
        raise MissingDataError(
            "networkx is not installed", where="GraphML", hint="pip install 'prandial[ngqa]'"
        ) from error
    reading = Reading(str(path))
    try:
        made: Any = nx.read_graphml(path)
    except (SyntaxError, nx.NetworkXError, KeyError, ValueError) as error:
        raise SchemaError(
            "not readable as GraphML", where=str(path), hint=f"the reader says: {error}"
        ) from error
    nan = float("nan")
    for id_, held in made.nodes(data=True):
        value = held.get("value", nan)
        kind, key, label = (held.get(k, "") for k in ("kind", "key", "label"))
        reading.node(id_, kind, key, label, value, held.get("unit", ""))
    for source, target, held in made.edges(data=True):
        relation, value = held.get("relation", ""), held.get("value", nan)
        reading.edge(source, relation, target, value, held.get("unit", ""))
    return reading.graph()
