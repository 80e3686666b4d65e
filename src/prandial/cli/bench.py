"""``prandial bench``: put models, our estimator and recorded answers to the same questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from prandial.cli import bench_get, bench_scores
from prandial.cli.bench_options import by_option, pairs, price_of, values
from prandial.cli.groups import new_group
from prandial.cli.options import Json
from prandial.cli.plain import json_text
from prandial.cli.risk_options import shows_bar
from prandial.errors import ModelError

if TYPE_CHECKING:
    from prandial.bench.runs import Run

__all__ = ["app"]

app = new_group(
    "Benchmarks of models: nutrients of meals (NutriBench), questions over a graph (NGQA).\n\n"
    "A run is a folder. The same command goes on with it: answered questions are not asked again."
)


def _option(about: str, *names: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, help=about, metavar=metavar, show_default=False)


Benchmark = Annotated[str, typer.Argument(help="nutribench or ngqa.", metavar="BENCHMARK")]
Model = Annotated[
    str,
    _option(
        "prandial/grounded, prandial/local, ..., or a model of Inspect such as"
        " openai-api/NAME/MODEL, ollama/MODEL. [default: none, for methods that ask no model]",
        "--model",
        "-m",
        metavar="NAME",
    ),
]
Data = Annotated[
    str,
    _option(
        "NutriBench: v1, v2 or a file. NGQA: a folder of 'ngqa build', or a file in the published"
        " CSV form. [default: v2]",
        "--data",
        metavar="NAME|PATH",
    ),
]
MethodName = Annotated[
    str,
    _option("See 'bench methods'. [default: the model itself, or base / plain]", metavar="NAME"),
]
Nutrient = Annotated[
    str, typer.Option(help="carb, protein, fat, energy, or all (a run each).", metavar="NAME")
]
Serving = Annotated[str, _option("Only natural or metric meals.", metavar="NAME")]
Country = Annotated[
    list[str] | None, _option("Only meals of this country, again for each.", metavar="CODE")
]
Items = Annotated[str, _option("Only meals of so many foods, such as 1, 2-4, 5+.", metavar="N")]
Half = Annotated[
    str, _option("Only the tune or the test half; groups are never parted.", metavar="NAME")
]
Column = Annotated[
    list[str] | None,
    _option("text=NAME, carb_g=NAME, ...: columns of a file, again for each.", metavar="WHAT=NAME"),
]
Level = Annotated[str, typer.Option(help="sparse, standard, complex, or all.", metavar="LIST")]
Task = Annotated[str, typer.Option(help="B, ML, TG, or all.", metavar="LIST")]
Mode = Annotated[
    str,
    _option("Graphs as published, no-verdict or merged. [default: as the data]", metavar="NAME"),
]
Split = Annotated[str, _option("Only train, dev or test.", metavar="NAME")]
Limit = Annotated[
    int | None, _option("Draw so many meals, or rows (each is asked in every task).", metavar="N")
]
Seed = Annotated[int, typer.Option(help="Seed of the draw.")]
MethodOption = Annotated[
    list[str] | None,
    _option("Option of the method, again for each.", "--option", "-O", metavar="NAME=VALUE"),
]
Prompt = Annotated[
    list[str] | None,
    _option("Put a file in a prompt's place, again for each.", metavar="NAME=FILE"),
]
Retriever = Annotated[
    str, _option("facts:DIR of facts build, or one of an installed package.", metavar="NAME")
]
Textualizer = Annotated[str, _option("Text form of an installed package.", metavar="NAME")]
Encoder = Annotated[
    str,
    _option(
        "lexical, weights by name, or a folder. [default: minilm-l6 where it was pulled]",
        metavar="NAME",
    ),
]
GraphFile = Annotated[
    Path | None,
    _option("For --mode merged: a graph of 'graph export --form parquet'.", metavar="DIR"),
]
ModelArg = Annotated[
    list[str] | None,
    _option(
        "Argument of the model, again for each: temperature=0.6, base_url=URL, name=qwen2.5-0.5b.",
        "-M",
        metavar="NAME=VALUE",
    ),
]
PriceIn = Annotated[float | None, _option("Price of a million input tokens.", metavar="X")]
PriceOut = Annotated[float | None, _option("Price of a million output tokens.", metavar="X")]
Prices = Annotated[
    Path | None,
    _option("Table with model, input_per_million, output_per_million.", metavar="CSV"),
]


@app.command()
def run(
    benchmark: Benchmark,
    out: Annotated[Path, _option("Folder of the run.", "--out", "-o", metavar="DIR")],
    model: Model = "",
    data: Data = "v2",
    method: MethodName = "",
    nutrient: Nutrient = "carb",
    serving: Serving = "",
    country: Country = None,
    items: Items = "",
    half: Half = "",
    column: Column = None,
    level: Level = "all",
    task: Task = "all",
    mode: Mode = "",
    split: Split = "",
    limit: Limit = None,
    seed: Seed = 0,
    option: MethodOption = None,
    prompt: Prompt = None,
    retriever: Retriever = "",
    textualizer: Textualizer = "",
    encoder: Encoder = "",
    graph: GraphFile = None,
    model_arg: ModelArg = None,
    max_connections: Annotated[
        int | None, _option("Requests at a time. [default: 10]", metavar="N")
    ] = None,
    max_retries: Annotated[
        int, typer.Option(help="Repeats of a request after 429, 5xx or a timeout.", min=0)
    ] = 4,
    attempt_timeout: Annotated[
        int, typer.Option(help="Seconds for one try of a request.", min=1)
    ] = 180,
    timeout: Annotated[
        int, typer.Option(help="Seconds for a request with its repeats.", min=1)
    ] = 900,
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    prices: Prices = None,
    max_cost: Annotated[
        float | None, _option("Stop asking when so much is spent.", metavar="X")
    ] = None,
    progress: Annotated[
        bool,
        typer.Option("--progress/--no-progress", help="Show progress, where it is a terminal."),
    ] = True,
    as_json: Json = False,
) -> int:
    """Run a benchmark, or go on with a run.

    Answers are kept as they come. A model that fails at a question is told as failed and never
    scored; the same command asks it again. The exit code is 5 when every question of a run failed.
    """
    from prandial.api import bench as api
    from prandial.cli.show_bench import bench_bar, money, run_to_dict, show_run

    chosen = _chosen(locals())
    bar = shows_bar(wished=progress, as_json=as_json)
    with by_option():
        price = price_of(price_in, price_out, prices, model)
        if price is not None and max_cost is None:
            told = api.bench_cost(benchmark, **chosen, price=price)
            typer.echo(
                f"cost: about {money(told.cost or 0.0)} to"
                f" {money(told.most_cost or 0.0)} (characters / 4) for"
                f" {told.questions} questions; --max-cost X stops at X",
                err=True,
            )
    with by_option(), bench_bar(show=bar) as hear:
        found = api.bench_run(
            benchmark,
            out,
            **chosen,
            max_connections=max_connections,
            max_retries=max_retries,
            attempt_timeout_s=attempt_timeout,
            timeout_s=timeout,
            price=price,
            max_cost=max_cost,
            progress=hear,
        )
    if as_json:
        typer.echo(json_text({"runs": [run_to_dict(r) for r in found]}, indent=2))
    else:
        for one in found:
            show_run(one)
    return ModelError.exit_code if any(_all_failed(one) for one in found) else 0


def _all_failed(run: Run) -> bool:
    statuses = {p.reading.status for p in run.predictions.values()}
    return statuses == {"failed"}


def _chosen(given: dict[str, Any]) -> dict[str, Any]:
    """Return what ``run`` and ``cost`` share, by the API's names."""
    same = (
        "model data method nutrient serving items half level task mode split limit seed retriever"
        " textualizer encoder"
    ).split()
    return {
        **{name: given[name] for name in same},
        "country": given["country"] or (),
        "columns": pairs(given["column"], "--column"),
        "options": pairs(given["option"], "--option"),
        "prompts": pairs(given["prompt"], "--prompt"),
        "graph": given["graph"] or "",
        "model_args": values(given["model_arg"], "-M"),
    }


@app.command()
def cost(
    benchmark: Benchmark,
    model: Model = "",
    data: Data = "v2",
    method: MethodName = "",
    nutrient: Nutrient = "carb",
    serving: Serving = "",
    country: Country = None,
    items: Items = "",
    half: Half = "",
    column: Column = None,
    level: Level = "all",
    task: Task = "all",
    mode: Mode = "",
    split: Split = "",
    limit: Limit = None,
    seed: Seed = 0,
    option: MethodOption = None,
    prompt: Prompt = None,
    retriever: Retriever = "",
    textualizer: Textualizer = "",
    encoder: Encoder = "",
    graph: GraphFile = None,
    model_arg: ModelArg = None,
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    prices: Prices = None,
    as_json: Json = False,
) -> int:
    """Estimate requests, tokens and money of a run; no model is asked."""
    from prandial.api import bench as api
    from prandial.cli.show_bench import show_cost

    with by_option():
        found = api.bench_cost(
            benchmark,
            **_chosen(locals()),
            price=price_of(price_in, price_out, prices, model),
        ).to_dict()
    if as_json:
        typer.echo(json_text(found, indent=2))
    else:
        show_cost(found, model or "the model")
    return 0


@app.command()
def methods(
    benchmark: Annotated[
        str, typer.Argument(help="nutribench or ngqa.", metavar="[BENCHMARK]")
    ] = "",
    as_json: Json = False,
) -> int:
    """List the methods, those of installed packages too, with their options."""
    from prandial.api import bench as api
    from prandial.cli.show_bench import show_methods

    with by_option():
        rows = api.bench_methods(benchmark)
    if as_json:
        typer.echo(json_text({"methods": rows}, indent=2))
    else:
        show_methods(rows)
    return 0


@app.command("import")
def import_log(
    log: Annotated[Path, typer.Argument(help="Log of Inspect, .eval or .json.", metavar="LOG")],
    out: Annotated[Path, _option("Folder of the run.", "--out", "-o", metavar="DIR")],
    as_json: Json = False,
) -> int:
    """Make a run of a log of 'inspect eval prandial/nutribench' or 'prandial/ngqa'."""
    from prandial.api import bench as api
    from prandial.cli.show_bench import run_to_dict, show_run

    found = api.bench_import(log, out)
    if as_json:
        typer.echo(json_text(run_to_dict(found), indent=2))
    else:
        show_run(found)
    return 0


app.command("get")(bench_get.get)
app.command("score")(bench_scores.score)
app.command("compare")(bench_scores.compare)
