"""The symbolic method: no model, the rules over what the graph says of food and person."""

from __future__ import annotations

from prandial.answer.ask import Ask
from prandial.answer.methods import Kit
from prandial.answer.symbolic import symbolic_reply
from prandial.records.bench import GraphQuestion, Replied

__all__ = ["rules"]


async def rules(question: GraphQuestion, ask: Ask, kit: Kit) -> Replied:  # noqa: ARG001
    """Answer as :func:`prandial.answer.symbolic.symbolic_reply`."""
    return symbolic_reply(question)
