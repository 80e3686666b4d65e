"""``inspect eval prandial/nutribench``."""

from __future__ import annotations

from typing import Any

from inspect_ai import Task, task

from prandial.bench.kits import kit_of, split_pairs
from prandial.bench.methods import method_named
from prandial.bench.questions import meal_questions
from prandial.bench.tasks.making import make_task

__all__ = ["nutribench"]


@task
def nutribench(
    data: str = "v2",
    nutrient: str = "carb_g",
    method: str = "base",
    serving: str = "",
    country: str = "",
    items: str = "",
    half: str = "",
    limit_items: int | None = None,
    seed: int = 0,
    columns: str = "",
    options: str = "",
    prompts: str = "",
    retriever: str = "",
) -> Task:
    """Estimate a nutrient of meals in words.

    Parameters
    ----------
    data : str
        ``v1``, ``v2``, or a CSV, JSON lines or Parquet file.
    nutrient : {'carb_g', 'protein_g', 'fat_g', 'energy_kcal'}
    method : str
        See ``prandial bench methods``.
    serving, country, items, half, limit_items, seed
        As :func:`prandial.bench.questions.meal_questions`; ``country`` may list several.
    columns, options, prompts : str
        ``name=value`` pairs with commas between: columns of a file, options of the method,
        prompt files.
    retriever : str
        Of an installed package; the built-in tables when empty.
    """
    asked = meal_questions(
        data,
        nutrient=nutrient,
        serving=serving,
        country=[country] if country else (),
        items=str(items),
        half=half,
        limit=limit_items,
        seed=seed,
        columns=split_pairs(columns, "columns"),
    )
    chosen = method_named(method, "nutribench")
    kit = kit_of(
        chosen,
        options=split_pairs(options, "options"),
        prompts=split_pairs(prompts, "prompts"),
        retriever=retriever,
    )
    metadata: dict[str, Any] = _metadata(asked, chosen.name, kit, chosen.prompts)
    return make_task(asked.questions, chosen, kit, name="nutribench", metadata=metadata)


def _metadata(asked: Any, method: str, kit: Any, prompts: tuple[str, ...]) -> dict[str, Any]:
    return {
        "prandial": {
            "benchmark": asked.benchmark,
            "method": method,
            "settings": {**asked.settings, "options": dict(kit.options)},
            "data": dict(asked.data),
            "prompts": kit.prompts.hashes(*prompts),
        }
    }
