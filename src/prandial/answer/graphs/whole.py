"""Methods that put the whole graph before the model: plain, chain of thought, build a graph.

CoT-Zero: T. Kojima et al., arXiv 2205.11916; NGQA asks once, the original reasons in one call
and draws the answer from the reasoning in a second. CoT-BaG: H. Wang et al., arXiv 2305.10037.
"""

from __future__ import annotations

from prandial.answer.ask import Ask, Request
from prandial.answer.graphs.asking import Asking, part_text
from prandial.answer.graphs.options import whole
from prandial.answer.graphs.view import node_texts, open_graph
from prandial.answer.methods import Kit
from prandial.answer.texts import fill
from prandial.records.bench import GraphQuestion, Replied
from prandial.records.quiz import QuestionGraph

__all__ = ["cot_bag", "cot_zero", "cot_zero_two_stage", "directed_text", "plain"]


async def plain(question: GraphQuestion, ask: Ask, kit: Kit) -> Replied:
    """Put the whole graph before the model."""
    return await _whole(question, ask, kit, "plain")


async def cot_zero(question: GraphQuestion, ask: Ask, kit: Kit) -> Replied:
    """Put the whole graph before the model and have it think step by step, in one call."""
    return await _whole(question, ask, kit, "cot_zero")


async def cot_bag(question: GraphQuestion, ask: Ask, kit: Kit) -> Replied:
    """Put the whole graph before the model as a list of directed edges, to be built first.

    The text of the graph is what makes the method, so that a textualizer has no say here.
    """
    asking, view = Asking.of(question, kit), open_graph(question, kit)
    text = directed_text(view.in_order)
    return await asking.answer(ask, asking.prompt("cot_bag", text), view.graph)


async def cot_zero_two_stage(question: GraphQuestion, ask: Ask, kit: Kit) -> Replied:
    """Have the model reason freely, then draw the answer from what it said.

    The second message holds the first one and the reasoning, as in the original.
    """
    asking, view = Asking.of(question, kit), open_graph(question, kit)
    first = asking.prompt("cot_zero", part_text(view.in_order, kit), task="")
    reasoning = await ask(
        Request(
            name="reason",
            user=first,
            system=asking.system,
            max_tokens=whole(kit, "reason_tokens", 400, 1, 100_000),
        )
    )
    second = fill(
        kit.prompts["ngqa_extract"],
        {"prompt": first, "reasoning": reasoning.reply.strip(), "task": asking.task},
    )
    return await asking.answer(ask, second, view.graph, before=[reasoning], reasoned=False)


def directed_text(graph: QuestionGraph) -> str:
    """Return a graph as directed edges in words, made from the edges.

    The published code takes the other text form apart again by string splits, which a name
    that holds `` has `` or ``), (`` breaks.
    """
    texts = node_texts(graph)
    edges = ", ".join(
        f"an edge between node {texts[e.source]} directed to node {texts[e.target]} "
        f"with attribute {e.relation}"
        for e in graph.edges
    )
    return f"The graph contains {edges or 'no edge'}."


async def _whole(question: GraphQuestion, ask: Ask, kit: Kit, frame: str) -> Replied:
    asking, view = Asking.of(question, kit), open_graph(question, kit)
    user = asking.prompt(frame, part_text(view.in_order, kit))
    return await asking.answer(ask, user, view.graph)
