"""A retriever with one fact, and a text form in capital letters."""

from collections.abc import Sequence

from prandial.records.quiz import QuestionGraph

__all__ = ["pantry", "shout"]


def pantry(food: str, k: int) -> Sequence[str]:
    """Return facts about a food, best first."""
    return [f"1 piece of {food[:20]} has 12 g carb"][:k]


def shout(graph: QuestionGraph) -> str:
    """Return a graph as text."""
    names = {n.id: n.attr for n in graph.nodes}
    return "\n".join(
        f"{names[e.source]} {e.relation} {names[e.target]}".upper() for e in graph.edges
    )
