"""The knowledge graph: built from people, foods and rules, asked, kept, exported and drawn.

No edge of the merged graph is a verdict: what suits a person follows from the needs of
their statuses and the tags of the food (:func:`evidence`).
"""

from __future__ import annotations

from prandial.graph.build import Eaten, build_merged
from prandial.graph.drawing import draw_png, draw_svg
from prandial.graph.evidence import Evidence, Need, evidence
from prandial.graph.export import FORMS, export_graph, import_graph
from prandial.graph.merged import GraphNode, MergedGraph, canonical_graph
from prandial.graph.published import question_text, question_to_networkx, question_triples
from prandial.graph.query import (
    Neighbour,
    Path,
    excerpt,
    find,
    neighbours,
    paths,
    people_with,
    subgraph,
)
from prandial.graph.question import question_graph
from prandial.graph.schema import KINDS, RELATIONS, Coding, codings, measure_names
from prandial.graph.store import load_graph, save_graph
from prandial.graph.text import triples

__all__ = [
    "FORMS",
    "KINDS",
    "RELATIONS",
    "Coding",
    "Eaten",
    "Evidence",
    "GraphNode",
    "MergedGraph",
    "Need",
    "Neighbour",
    "Path",
    "build_merged",
    "canonical_graph",
    "codings",
    "draw_png",
    "draw_svg",
    "evidence",
    "excerpt",
    "export_graph",
    "find",
    "import_graph",
    "load_graph",
    "measure_names",
    "neighbours",
    "paths",
    "people_with",
    "question_graph",
    "question_text",
    "question_to_networkx",
    "question_triples",
    "save_graph",
    "subgraph",
    "triples",
]
