"""Benchmarks as tasks of other harnesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prandial.api.bench import _by_nutrient, _settings

if TYPE_CHECKING:
    from prandial.bench.lm_eval import ExportedTasks

__all__ = ["bench_export_lm_eval"]


def bench_export_lm_eval(
    benchmark: str,
    folder: Path | str,
    *,
    method: str = "",
    data: Path | str = "v2",
    nutrient: str = "carb",
    serving: str = "",
    country: Sequence[str] = (),
    items: str = "",
    half: str = "",
    columns: Mapping[str, str] | None = None,
    level: str = "all",
    task: str = "all",
    mode: str = "",
    split: str = "",
    limit: int | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    prompts: Mapping[str, Path | str] | None = None,
    retriever: str = "",
    textualizer: str = "",
    encoder: str = "",
    graph: Path | str = "",
    replace: bool = False,
) -> tuple[ExportedTasks, ...]:
    """Write tasks that run in lm-evaluation-harness and score as our bench does.

    Parameters
    ----------
    benchmark : {'nutribench', 'ngqa'}
    folder : Path
        Gets the files of the tasks; they hold the questions.
    method : str
        One of a single request a question; ``base`` or ``plain`` when empty.
    data, nutrient, serving, country, items, half, columns
        As for :func:`prandial.api.bench.bench_run`.
    level, task, mode, split, limit, seed
        As there.
    options, prompts, retriever, textualizer, encoder, graph
        As there.
    replace : bool
        Write over tasks that are there.

    Returns
    -------
    tuple of ExportedTasks
        One a nutrient.

    Raises
    ------
    InputError, NotFoundError
        On a method of several requests, and on choices that there are not.
    MissingDataError, SchemaError
        When data are not there, or damaged.
    """
    from prandial import __version__
    from prandial.bench.lm_eval import export_lm_eval
    from prandial.bench.runner import questions_of

    settings = _settings(
        benchmark,
        model="",
        data=data,
        serving=serving,
        country=country,
        items=items,
        half=half,
        columns=dict(columns or {}),
        level=level,
        task=task,
        mode=mode,
        split=split,
        limit=limit,
        seed=seed,
    )
    return tuple(
        export_lm_eval(
            questions_of(one).questions,
            Path(folder),
            method=method or {"nutribench": "base", "ngqa": "plain"}[benchmark],
            version=__version__,
            options=options,
            prompts=prompts,
            retriever=retriever,
            textualizer=textualizer,
            encoder=encoder,
            graph=graph,
            replace=replace,
        )
        for _, one in _by_nutrient(settings, nutrient)
    )
