"""Methods for questions over a graph: what of the graph is put before a model, and how."""

from __future__ import annotations

from typing import Final

from prandial.answer.graphs.asking import prompts_of
from prandial.answer.graphs.g_retriever import g_retriever
from prandial.answer.graphs.kaping import kaping, kaping_published
from prandial.answer.graphs.options import COMMON
from prandial.answer.graphs.rules import rules
from prandial.answer.graphs.tog import tog, tog_published
from prandial.answer.graphs.whole import cot_bag, cot_zero, cot_zero_two_stage, plain
from prandial.answer.methods import Method

__all__ = ["METHODS"]

_PRUNE: Final = ("ngqa_prune_system", "ngqa_matched_prune", "ngqa_published_prune")
_TOG: Final = {"width": 5, "depth": 3, "prune_from": 2}

#: methods by name
METHODS: Final[dict[str, Method]] = {
    method.name: method
    for method in (
        Method(
            name="plain",
            benchmark="ngqa",
            about="the whole graph",
            run=plain,
            prompts=prompts_of("plain"),
            options=COMMON,
        ),
        Method(
            name="kaping",
            benchmark="ngqa",
            about="the facts most like the question, by embedding (k)",
            run=kaping,
            prompts=prompts_of("plain"),
            options={**COMMON, "k": 10},
        ),
        Method(
            name="kaping_published",
            benchmark="ngqa",
            about="the edges that leave the user and the food, as NGQA ran KAPING",
            run=kaping_published,
            prompts=prompts_of("plain"),
            options=COMMON,
        ),
        Method(
            name="cot_zero",
            benchmark="ngqa",
            about="the whole graph, step by step, one call, as NGQA ran CoT-Zero",
            run=cot_zero,
            prompts=prompts_of("cot_zero"),
            options=COMMON,
        ),
        Method(
            name="cot_zero_two_stage",
            benchmark="ngqa",
            about="the whole graph: one call to reason, one to draw the answer",
            run=cot_zero_two_stage,
            prompts=(*prompts_of("cot_zero"), "ngqa_extract"),
            options={**COMMON, "reason_tokens": 400},
        ),
        Method(
            name="cot_bag",
            benchmark="ngqa",
            about="the whole graph as directed edges, to be built first",
            run=cot_bag,
            prompts=prompts_of("cot_bag"),
            options=COMMON,
        ),
        Method(
            name="tog",
            benchmark="ngqa",
            about="paths that the model prunes by relation and by entity",
            run=tog,
            prompts=(*prompts_of("plain"), *_PRUNE),
            options={**COMMON, **_TOG},
        ),
        Method(
            name="tog_published",
            benchmark="ngqa",
            about="as NGQA ran Think-on-Graph, its errors kept",
            run=tog_published,
            prompts=(*prompts_of("plain"), *_PRUNE),
            options={**COMMON, **_TOG},
        ),
        Method(
            name="g_retriever",
            benchmark="ngqa",
            about="the prize-collecting Steiner tree of what is most like the question",
            run=g_retriever,
            prompts=prompts_of("plain"),
            options={**COMMON, "k": 3, "k_edges": 5, "edge_cost": 0.5},
        ),
        Method(
            name="rules",
            benchmark="ngqa",
            about="the rules over the food's tags and the person's statuses, no model",
            run=rules,
            asks=False,
        ),
    )
}
