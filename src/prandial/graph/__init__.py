"""Graphs: the small graph of one question."""

from prandial.graph.question import question_graph

__all__ = ["question_graph"]
