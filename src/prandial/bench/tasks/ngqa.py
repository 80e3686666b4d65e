"""``inspect eval prandial/ngqa``."""

from __future__ import annotations

from inspect import signature
from typing import Any

from inspect_ai import Task, task

from prandial.bench.graph_questions import graph_questions
from prandial.bench.kits import kit_of, split_pairs
from prandial.bench.methods import method_named
from prandial.bench.rehearsal import graph_of_data, rehearse
from prandial.bench.tasks.making import make_task, plainly, refuse_unknown
from prandial.bench.tasks.nutribench import task_metadata

__all__ = ["ngqa"]


@task
def ngqa(
    data: str,
    level: str = "all",
    task: str = "all",
    method: str = "plain",
    mode: str = "",
    split: str = "",
    limit: int | None = None,
    seed: int = 0,
    options: str | list[str] = "",
    prompts: str | list[str] = "",
    textualizer: str = "",
    encoder: str = "",
    graph: str = "",
    **unknown: Any,
) -> Task:
    """Answer whether a food suits a person, over a graph.

    Parameters
    ----------
    data : str
        Folder of ``prandial ngqa build``, or a CSV file in the published form.
    level, task, mode, split, limit, seed
        As :func:`prandial.bench.graph_questions.graph_questions`.
    method : str
        See ``prandial bench methods``.
    options, prompts : str
        As for ``nutribench``; an option may choose the wording.
    textualizer : str
        Of an installed package; the published text form when empty.
    encoder, graph : str
        As :func:`prandial.bench.kits.kit_of`.
    """
    with plainly():
        refuse_unknown(unknown, signature(ngqa).parameters)
        asked = graph_questions(
            data, level=level, task=task, mode=mode, split=split, limit=limit, seed=seed
        )
        chosen = method_named(method, "ngqa")
        kit = kit_of(
            chosen,
            options=split_pairs(options, "options"),
            prompts=split_pairs(prompts, "prompts"),
            textualizer=textualizer,
            encoder=encoder,
            graph=graph_of_data(data, asked.settings["mode"], graph),
        )
        rehearse(chosen, asked.questions, kit)
        metadata = task_metadata(asked, chosen, kit)
        return make_task(asked.questions, chosen, kit, name="ngqa", metadata=metadata)
