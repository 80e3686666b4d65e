"""The merged graph as text: one triple an edge, made from the edges and never read back."""

from __future__ import annotations

from math import isnan

from prandial.graph.merged import MergedGraph
from prandial.graph.schema import ORDER, RELATIONS

__all__ = ["amount_text", "triples"]


def amount_text(value: float, unit: str) -> str:
    """Return an amount as text: ``unknown`` if it has a unit only, empty without either."""
    if isnan(value):
        return "unknown" if unit else ""
    number = f"{value:g}"
    return number if unit in ("", ORDER) else f"{number} {unit}"


def triples(graph: MergedGraph) -> list[str]:
    """Return one ``(source relation target)`` an edge, in canonical order.

    An amount follows the target after a colon; places in an order are left out.
    """
    found = []
    for e in range(graph.n_edges):
        unit = graph.units[graph.edge_unit[e]]
        amount = "" if unit == ORDER else amount_text(float(graph.edge_value[e]), unit)
        source, target = graph.label[graph.source[e]], graph.label[graph.target[e]]
        tail = f": {amount}" if amount else ""
        found.append(f"({source} {RELATIONS[graph.relation[e]]} {target}{tail})")
    return found
