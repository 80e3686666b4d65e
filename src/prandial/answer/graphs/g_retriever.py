"""G-Retriever: the prize-collecting Steiner tree of what is most like the question.

X. He et al., arXiv 2402.07630, without the trained graph encoder: retrieval and text only.
Of ``k`` nodes the most alike has prize ``k``, the last 1; edges likewise with ``k_edges``. An
edge is embedded as its whole triple, since relations alone are the same for most edges here.
"""

from __future__ import annotations

from prandial.answer.ask import Ask
from prandial.answer.encoder import encoder_id
from prandial.answer.graphs.asking import Asking, part_text
from prandial.answer.graphs.kaping import embedder, nearest
from prandial.answer.graphs.options import number, whole
from prandial.answer.graphs.steiner import MOST_PRIZES, best_tree
from prandial.answer.graphs.view import edges_of, open_graph
from prandial.answer.methods import Kit
from prandial.records.bench import GraphQuestion, Replied

__all__ = ["g_retriever"]


async def g_retriever(question: GraphQuestion, ask: Ask, kit: Kit) -> Replied:
    """Put the best tree before the model."""
    asking, view = Asking.of(question, kit), open_graph(question, kit)
    embed = embedder(kit)
    k, k_edges = whole(kit, "k", 3, 0, MOST_PRIZES), whole(kit, "k_edges", 5, 0, MOST_PRIZES)
    ids = [n.id for n in view.graph.nodes]
    near = nearest(question.text, tuple(view.texts[i] for i in ids), embed, k)
    near_edges = nearest(question.text, view.triples, embed, k_edges)
    tree = best_tree(
        ids,
        [(e.source, e.target) for e in view.graph.edges],
        {ids[at]: float(len(near) - rank) for rank, at in enumerate(near)},
        {at: float(len(near_edges) - rank) for rank, at in enumerate(near_edges)},
        number(kit, "edge_cost", 0.5, 0.0, 1000.0),
    )
    part = edges_of(view, tree.edges, first=tree.nodes)
    return await asking.answer(
        ask,
        asking.prompt("plain", part_text(part, kit)),
        part,
        detail={"encoder": encoder_id(embed), "value": tree.value},
    )
