"""``prandial finetune``: rows to learn from, the recipe, replies, merge and export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from prandial.cli.bench_options import by_option, pairs
from prandial.cli.groups import new_group
from prandial.cli.options import DEFAULT_RELEASE, Json, Release, UserFoods, chosen_tables
from prandial.cli.plain import json_text, plain

__all__ = ["app"]

app = new_group(
    "Fine-tune a language model: rows made by rule from food tables, LoRA, merge, export.\n\n"
    "Rows need no further library; the rest needs: pip install 'prandial[train]'"
)


def _option(about: str, *names: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, help=about, metavar=metavar, show_default=False)


Out = Annotated[Path, _option("Folder that gets the files.", "--out", "-o", metavar="DIR")]
Base = Annotated[
    str,
    _option(
        "Folder of weights, GGUF file, name of 'models list', or a name on the hub.",
        "--base",
        "-b",
        metavar="MODEL",
    ),
]
Adapter = Annotated[
    Path | None, _option("Adapter of 'finetune train', or its run's folder.", metavar="DIR")
]
Prompt = Annotated[
    list[str] | None,
    _option("Put a file in a prompt's place, again for each.", metavar="NAME=FILE"),
]
Nutrient = Annotated[str, typer.Option(help="carb, protein, fat or energy.", metavar="NAME")]
Bf16 = Annotated[bool, typer.Option("--bf16", help="Weights in bfloat16, not float32.")]


@app.command()
def rows(
    out: Out,
    data: Annotated[
        list[str] | None,
        _option(
            "v1, v2 or a file of NutriBench whose meals no row may repeat, again for each.",
            metavar="NAME|FILE",
        ),
    ] = None,
    method: Annotated[
        list[str] | None,
        _option(
            "Method of the bench whose prompt asks, again for each. [default: base, cot]",
            metavar="NAME",
        ),
    ] = None,
    nutrient: Nutrient = "carb",
    natural: Annotated[
        int, typer.Option(help="Most household servings of a food told alone.", metavar="N")
    ] = 3,
    metric: Annotated[
        int, typer.Option(help="Most amounts in grams of a food told alone.", metavar="N")
    ] = 2,
    combined: Annotated[
        int, typer.Option(help="Meals of two to four foods.", metavar="N")
    ] = 20_000,
    valid: Annotated[
        float, typer.Option(help="Share of the foods kept for validation.", metavar="X")
    ] = 0.02,
    near: Annotated[
        float,
        typer.Option(help="Texts are near from this share of common words.", metavar="X"),
    ] = 0.8,
    seed: Annotated[int, typer.Option(help="Seed of every draw.")] = 0,
    release: Release = DEFAULT_RELEASE,
    user_foods: UserFoods = False,
    prompt: Prompt = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace rows that are there.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Make rows to learn from: chat-format JSON lines and Parquet, without leaks."""
    from prandial import api

    with by_option(), _by_name("natural", "metric", "combined", "valid", "near", "nutrient"):
        record = api.finetune_rows(
            out,
            data=data or (),
            methods=method or ("base", "cot"),
            nutrient=nutrient,
            natural=natural,
            metric=metric,
            combined=combined,
            valid=valid,
            near=near,
            seed=seed,
            release=release,
            user_tables=chosen_tables(user_foods),
            prompts={k: Path(v) for k, v in pairs(prompt, "--prompt").items()},
            replace=replace,
        )
    if as_json:
        typer.echo(json_text(record, indent=2))
    else:
        _show_rows(record, out)
    return 0


@app.command()
def train(
    rows_file: Annotated[
        Path,
        _option("train.jsonl of 'finetune rows', or its folder.", "--rows", metavar="FILE|DIR"),
    ],
    base: Base,
    out: Out,
    rank: Annotated[int, typer.Option(help="Rank of the update.")] = 8,
    alpha: Annotated[int, typer.Option(help="Scale of the update, times 1 / rank.")] = 16,
    dropout: Annotated[float, typer.Option(help="Of the adapter's input.")] = 0.05,
    targets: Annotated[
        str, typer.Option(help="Modules that get an adapter, with commas.")
    ] = "all-linear",
    learning_rate: Annotated[float, typer.Option(help="At its highest.")] = 2e-4,
    epochs: Annotated[float, typer.Option(help="How often every row is seen.")] = 1.0,
    steps: Annotated[int | None, _option("In the place of epochs.", metavar="N")] = None,
    batch: Annotated[int, typer.Option(help="Rows at a time on each device.")] = 4,
    accumulate: Annotated[int, typer.Option(help="Batches to a step.")] = 1,
    max_tokens: Annotated[int, typer.Option(help="A row is cut there.")] = 1024,
    limit: Annotated[int | None, _option("Only the first so many rows.", metavar="N")] = None,
    qlora: Annotated[
        bool, typer.Option("--qlora", help="Base in 4 bits; needs bitsandbytes.")
    ] = False,
    checkpointing: Annotated[
        bool, typer.Option("--checkpointing", help="Less memory, more computing.")
    ] = False,
    precision: Annotated[
        str, typer.Option(help="auto, fp32 or bf16; auto is bf16 on a GPU.")
    ] = "auto",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    seed: Annotated[int, typer.Option(help="Of the order of rows and of the adapter.")] = 0,
    save_every: Annotated[int, typer.Option(help="Steps between checkpoints.")] = 50,
    log_every: Annotated[int, typer.Option(help="Steps between losses.")] = 10,
    minutes: Annotated[
        float | None, _option("Stop after so many, with a checkpoint.", metavar="X")
    ] = None,
    as_json: Json = False,
) -> int:
    """Fine-tune with LoRA, or go on from the last checkpoint in the folder."""
    given = dict(locals())
    for name in ("rows_file", "base", "out", "as_json"):
        del given[name]
    from prandial import api

    with _by_name(*given, "base"):
        record = api.finetune_train(
            rows_file, base=base, out=out, progress=None if as_json else _tell_loss, **given
        )
    if as_json:
        typer.echo(json_text(record, indent=2))
    else:
        _show_run(record, out)
    return 0


@app.command()
def reply(
    base: Base,
    out: Annotated[Path, _option("Replies, JSON lines.", "--out", "-o", metavar="FILE")],
    adapter: Adapter = None,
    data: Annotated[
        str, typer.Option(help="v1, v2 or a file of NutriBench.", metavar="NAME|FILE")
    ] = "v2",
    method: Annotated[str, typer.Option(help="Whose prompt asks.", metavar="NAME")] = "base",
    nutrient: Nutrient = "carb",
    serving: Annotated[str, _option("Only natural or metric meals.", metavar="NAME")] = "",
    half: Annotated[str, _option("Only the tune or the test half.", metavar="NAME")] = "",
    limit: Annotated[int | None, _option("Draw so many meals.", metavar="N")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 0,
    prompt: Prompt = None,
    batch: Annotated[int, typer.Option(help="Meals at a time.")] = 8,
    max_tokens: Annotated[int, typer.Option(help="Most tokens of a reply.")] = 256,
    bf16: Bf16 = False,
    as_json: Json = False,
) -> int:
    """Record a local model's replies to meals; 'bench run -m prandial/replay' scores them."""
    from prandial import api

    with by_option(), _by_name("nutrient"):
        told = api.finetune_reply(
            base,
            out,
            adapter=adapter,
            data=data,
            method=method,
            nutrient=nutrient,
            serving=serving,
            half=half,
            limit=limit,
            seed=seed,
            prompts={k: Path(v) for k, v in pairs(prompt, "--prompt").items()},
            batch=batch,
            max_tokens=max_tokens,
            bf16=bf16,
        )
    if as_json:
        typer.echo(json_text(told, indent=2))
    else:
        typer.echo(f"{told['asked']} replies, {told['kept']} kept from before: {out}")
        typer.echo(
            "score them: prandial bench run nutribench --model prandial/replay"
            f" -M file={out} with the same --data, --half, --limit and --seed"
        )
    return 0


@app.command()
def merge(
    base: Base,
    adapter: Annotated[Path, _option("Adapter, or its run's folder.", metavar="DIR")],
    out: Out,
    bf16: Bf16 = False,
    as_json: Json = False,
) -> int:
    """Put an adapter into its base: a folder of safetensors."""
    from prandial import api

    told = api.finetune_merge(base, adapter, out, bf16=bf16)
    typer.echo(json_text(told) if as_json else f"{told['folder']}: {told['bytes']:,} bytes")
    return 0


@app.command()
def gguf(
    merged: Annotated[Path, _option("Folder of 'finetune merge'.", metavar="DIR")],
    base: Annotated[
        Path,
        _option("GGUF file of the base; its tokenizer is taken.", "--base", "-b", metavar="FILE"),
    ],
    out: Annotated[Path, _option("GGUF file to write.", "--out", "-o", metavar="FILE")],
    kind: Annotated[str, typer.Option(help="f32, f16 or q8_0.", metavar="NAME")] = "f16",
    as_json: Json = False,
) -> int:
    """Write merged weights as GGUF, for 'bench run -m prandial/local -M file=FILE'."""
    from prandial import api

    told = api.finetune_gguf(merged, base, out, kind=kind)
    text = f"{told['file']}: {told['tensors']} tensors, {told['bytes']:,} bytes"
    typer.echo(json_text(told) if as_json else text)
    return 0


@app.command()
def launch(
    machine: Annotated[str, typer.Argument(help="cpu, one-gpu or eight-gpus.", metavar="MACHINE")],
) -> int:
    """Print the settings of 'accelerate launch' for a machine."""
    from prandial import api

    typer.echo(api.finetune_launch(machine), nl=False)
    return 0


@contextmanager
def _by_name(*names: str) -> Iterator[None]:
    """Let an error about one of some settings name its option."""
    from prandial.errors import InputError

    try:
        yield
    except InputError as error:
        if error.where in names:
            error.where = "--" + error.where.replace("_", "-")
        raise


def _tell_loss(row: Mapping[str, float]) -> None:
    typer.echo(f"step {row['step']}: loss {row['loss']:.4f}, {row['seconds']:.0f} s", err=True)


def _show_rows(record: Mapping[str, Any], out: Path) -> None:
    from prandial.cli.show import new_console, new_table

    console = new_console()
    table = new_table("rows", "n")
    for title, counts in (
        ("made", record["made"]),
        ("left out", record["left_out"]),
        ("kept", record["kept"]),
    ):
        for what, n in counts.items():
            table.add_row(f"{title}: {what}", f"{n:,}")
    possible, paper = record["possible"], record["paper"]
    single = possible["natural"] + possible["metric"]
    table.add_row("single rows that could be made at most", f"{single:,}")
    table.add_row("the paper's rule-made descriptions", f"{paper['rule_made']:,}")
    table.add_row("the paper's model-made descriptions", f"{paper['model_made']:,}")
    console.print(table)
    typer.echo(plain(f"{record['rows']:,} rows in {out}; how they were made: tuning.json"))


def _show_run(record: Mapping[str, Any], out: Path) -> None:
    size = record["parameters"]
    typer.echo(
        f"{record['status']} after {record['steps']} of {record['of_steps']} steps,"
        f" {record['seconds']:.0f} s; mean loss {record['mean_loss']:.4f};"
        f" {size['trained']:,} of {size['all']:,} parameters trained"
    )
    typer.echo(plain(f"{out}: adapter, checkpoints, losses.jsonl, finetune.json"))
