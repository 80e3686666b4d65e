"""``inspect eval prandial/nutribench``."""

from __future__ import annotations

from inspect import signature
from typing import Any

from inspect_ai import Task, task

from prandial.answer.methods import Kit, Method
from prandial.bench.kits import kit_of, split_pairs
from prandial.bench.methods import method_named
from prandial.bench.questions import NUTRIENTS, Asked, meal_questions
from prandial.bench.rehearsal import rehearse
from prandial.bench.runner.record import told_options
from prandial.bench.tasks.making import make_task, plainly, refuse_unknown

__all__ = ["nutribench", "task_metadata"]


@task
def nutribench(
    data: str = "v2",
    nutrient: str = "carb",
    method: str = "base",
    serving: str = "",
    country: str | list[str] = "",
    items: str = "",
    half: str = "",
    limit: int | None = None,
    seed: int = 0,
    columns: str | list[str] = "",
    options: str | list[str] = "",
    prompts: str | list[str] = "",
    retriever: str = "",
    encoder: str = "",
    **unknown: Any,
) -> Task:
    """Estimate a nutrient of meals in words.

    Parameters
    ----------
    data : str
        ``v1``, ``v2``, or a CSV, JSON lines or Parquet file.
    nutrient : {'carb', 'protein', 'fat', 'energy'}
    method : str
        See ``prandial bench methods``.
    serving, country, items, half, limit, seed
        As :func:`prandial.bench.questions.meal_questions`; ``country`` may list several. Inspect's
        own ``--limit`` takes the first meals, this draws.
    columns, options, prompts : str or list of str
        ``name=value`` pairs with commas between: columns of a file, options of the method,
        prompt files.
    retriever : str
        Of an installed package; the built-in tables when empty.
    encoder : str
        As :func:`prandial.bench.kits.kit_of`.
    """
    with plainly():
        refuse_unknown(unknown, signature(nutribench).parameters)
        asked = meal_questions(
            data,
            nutrient=NUTRIENTS.get(nutrient, nutrient),
            serving=serving,
            country=[country] if isinstance(country, str) else country,
            items=str(items),
            half=half,
            limit=limit,
            seed=seed,
            columns=split_pairs(columns, "columns"),
        )
        chosen = method_named(method, "nutribench")
        kit = kit_of(
            chosen,
            options=split_pairs(options, "options"),
            prompts=split_pairs(prompts, "prompts"),
            retriever=retriever,
            encoder=encoder,
        )
        rehearse(chosen, asked.questions, kit)
        metadata = task_metadata(asked, chosen, kit)
        return make_task(asked.questions, chosen, kit, name="nutribench", metadata=metadata)


def task_metadata(asked: Asked, method: Method, kit: Kit) -> dict[str, Any]:
    """Return what a log says of its task."""
    from prandial.answer.encoder import encoder_id

    encoder = encoder_id(kit.embed) if kit.embed else ""
    return {
        "prandial": {  # what makes the log a run: prandial.bench.runner.import_log
            "benchmark": asked.benchmark,
            "method": method.name,
            "settings": {**asked.settings, "options": told_options(kit), "encoder": encoder},
            "data": dict(asked.data),
            "prompts": kit.prompts.hashes(*method.prompts),
        }
    }
