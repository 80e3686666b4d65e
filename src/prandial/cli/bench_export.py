"""``prandial bench export``: benchmarks as tasks of other harnesses."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from prandial.cli import bench
from prandial.cli.bench_options import by_option, pairs
from prandial.cli.groups import new_group
from prandial.cli.options import Json
from prandial.cli.plain import json_text, plain

__all__ = ["app"]

app = new_group("Benchmarks as tasks of other harnesses; the scores stay prandial's.")


@app.command("lm-eval")
def lm_eval(
    benchmark: bench.Benchmark,
    folder: Annotated[
        Path, typer.Argument(help="Gets the task files; they hold the questions.", metavar="DIR")
    ],
    data: bench.Data = "v2",
    method: bench.MethodName = "",
    nutrient: bench.Nutrient = "carb",
    serving: bench.Serving = "",
    country: bench.Country = None,
    items: bench.Items = "",
    half: bench.Half = "",
    column: bench.Column = None,
    level: bench.Level = "all",
    task: bench.Task = "all",
    mode: bench.Mode = "",
    split: bench.Split = "",
    limit: bench.Limit = None,
    seed: bench.Seed = 0,
    option: bench.MethodOption = None,
    prompt: bench.Prompt = None,
    retriever: bench.Retriever = "",
    textualizer: bench.Textualizer = "",
    encoder: bench.Encoder = "",
    graph: bench.GraphFile = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Write over tasks that are there.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Write tasks for lm-evaluation-harness (0.4): the same requests, reading and scores.

    Methods of one request a question. lm-eval must run in an environment that has prandial too:
    it calls prandial's reader and scorer, under both rule sets.
    """
    from prandial.api import bench_export as api

    with by_option():
        done = api.bench_export_lm_eval(
            benchmark,
            folder,
            method=method,
            data=data,
            nutrient=nutrient,
            serving=serving,
            country=country or (),
            items=items,
            half=half,
            columns=pairs(column, "--column"),
            level=level,
            task=task,
            mode=mode,
            split=split,
            limit=limit,
            seed=seed,
            options=pairs(option, "--option"),
            prompts=pairs(prompt, "--prompt"),
            retriever=retriever,
            textualizer=textualizer,
            encoder=encoder,
            graph=graph or "",
            replace=replace,
        )
    if as_json:
        typer.echo(json_text({"exports": [d.to_dict() for d in done]}, indent=2))
        return 0
    for one in done:
        typer.echo(f"{one.questions} questions in {', '.join(one.tasks)}")
        typer.echo(plain(one.command))
    return 0
