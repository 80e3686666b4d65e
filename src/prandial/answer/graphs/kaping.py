"""KAPING: facts near the question, by embedding; and the one-hop form that NGQA ran.

J. Baek et al., arXiv 2306.04136.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from prandial.answer.ask import Ask
from prandial.answer.encoder import LexicalEncoder, encoder_id
from prandial.answer.graphs.asking import Asking, part_text
from prandial.answer.graphs.options import whole
from prandial.answer.graphs.view import edges_of, open_graph
from prandial.answer.methods import Embed, Kit
from prandial.records.bench import GraphQuestion, Replied

__all__ = ["embedder", "kaping", "kaping_published", "nearest"]

_LEXICAL: Final = LexicalEncoder()


def embedder(kit: Kit) -> Embed:
    """Return the kit's encoder, or the lexical one when it has none."""
    return kit.embed or _LEXICAL


def nearest(question: str, texts: tuple[str, ...], embed: Embed, k: int) -> list[int]:
    """Return the places of the ``k`` texts most like the question, best first.

    Likeness is the cosine; of equal ones the earlier comes first.
    """
    if not texts:
        return []
    vectors = embed([question, *texts])
    order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")
    return [int(i) for i in order[:k]]


async def kaping(question: GraphQuestion, ask: Ask, kit: Kit) -> Replied:
    """Put the ``k`` facts before the model that are most like the question, best first."""
    asking, view = Asking.of(question, kit), open_graph(question, kit)
    embed = embedder(kit)
    kept = nearest(question.text, view.triples, embed, whole(kit, "k", 10, 1, 10_000))
    part = edges_of(view, kept)
    return await asking.answer(
        ask,
        asking.prompt("plain", part_text(part, kit)),
        part,
        detail={"encoder": encoder_id(embed)},
    )


async def kaping_published(question: GraphQuestion, ask: Ask, kit: Kit) -> Replied:
    """Put the edges that leave the user and the food before the model, and no other.

    No match, contradict or need edge is among them: they leave a status.
    """
    asking, view = Asking.of(question, kit), open_graph(question, kit)
    edges = view.graph.edges
    kept = [i for end in (view.user, view.food) for i, e in enumerate(edges) if e.source == end]
    part = edges_of(view, kept, first=(view.user, view.food))
    return await asking.answer(ask, asking.prompt("plain", part_text(part, kit)), part)
