"""``prandial nutribench``: build meals in words from the raw surveys, count, check, review."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from prandial.cli.bench_options import pairs, values
from prandial.cli.groups import new_group
from prandial.cli.options import Json
from prandial.errors import DataError, InputError

__all__ = ["app"]

app = new_group("Meals in words with traceable nutrients, built from the raw surveys (NutriBench).")
review = new_group("Texts that fail or are in doubt: a queue for people, their word read back.")
app.add_typer(review, name="review")

Folder = Annotated[Path, typer.Argument(help="Folder of a build.", metavar="DIR")]
DirOrFile = Annotated[
    Path,
    typer.Argument(
        help="Folder of a build, or a file of meals such as a published one.",
        metavar="DIR|FILE",
    ),
]
COLUMN = Annotated[
    list[str] | None,
    typer.Option(
        help="Of a file: text, carb_g, serving, country, items or id to the name of its column,"
        " such as text=meal; common names are found. Again for each.",
        metavar="NAME=COLUMN",
        show_default=False,
    ),
]
ROOT = Annotated[
    Path | None,
    typer.Option(
        "--from",
        help="Folder that holds nhanes/ and gift/. [default: prandial's data folder]",
        metavar="ROOT",
        show_default=False,
    ),
]
ENCODER = Annotated[
    str,
    typer.Option(
        help="Weights of the sentence encoder that maps foods of GIFT (see: prandial models list),"
        " or a folder with them.",
        metavar="NAME|FOLDER",
    ),
]
REPLACE = Annotated[bool, typer.Option("--replace", help="Replace what is there of that name.")]
PROGRESS = Annotated[
    bool, typer.Option("--progress/--no-progress", help="Show progress on stderr.")
]
WORKERS = Annotated[
    int | None,
    typer.Option(
        help="Processes; they change no byte. [default: as many as cores, 4 at most]",
        min=1,
        metavar="N",
        show_default=False,
    ),
]


@app.command()
def build(
    out: Annotated[Path, typer.Option(help="Folder to write.", metavar="DIR")],
    cycles: Annotated[
        list[str] | None,
        typer.Option(
            help="NHANES cycles such as 2017-2018 or 2003-2018, surveys of FAO/WHO GIFT such as"
            " BOL-00006; parted by commas, or again for each."
            " [default: all NHANES cycles at hand]",
            metavar="NAMES",
            show_default=False,
        ),
    ] = None,
    serving: Annotated[
        str,
        typer.Option(
            help="natural (household servings), metric (grams), or both: the meals that have"
            " household servings, each in both versions.",
            metavar="TYPE",
        ),
    ] = "both",
    describe: Annotated[
        str,
        typer.Option(
            help="template, or model:NAME with a model of the bench, such as model:prandial/local.",
            metavar="WAY",
        ),
    ] = "template",
    meals: Annotated[
        int | None,
        typer.Option(
            help="How many meals are drawn by the seed, of meals of the same foods and grams one."
            " [default: all, alike or not]",
            min=1,
            metavar="N",
            show_default=False,
        ),
    ] = None,
    grouping: Annotated[
        str,
        typer.Option(
            help="time: foods of one occasion at another time are another meal; occasion: all of"
            " an occasion of a day are one, as in the published set.",
            metavar="KIND",
        ),
    ] = "time",
    seed: Annotated[int, typer.Option(help="Seed of every draw.")] = 0,
    root: ROOT = None,
    encoder: ENCODER = "minilm-l6",
    mapping: Annotated[
        Path | None,
        typer.Option(
            help="Filled queue of prandial nutribench map.", metavar="FILE", show_default=False
        ),
    ] = None,
    gift_labels: Annotated[
        str,
        typer.Option(
            help="Of GIFT: survey (labels of the grams eaten) or serving (of the household serving"
            " in the text, which may weigh up to a tenth more or less; as the published set).",
            metavar="KIND",
        ),
    ] = "survey",
    without: Annotated[
        list[Path] | None,
        typer.Option(
            help="File of a known set, such as a published one, whose meals (same foods, same"
            " labels) are left out; again for each.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    model_args: Annotated[
        list[str] | None,
        typer.Option(
            "-M",
            help="Argument of the model, such as name=qwen2.5-0.5b or temperature=0.6; again for"
            " each.",
            metavar="NAME=VALUE",
            show_default=False,
        ),
    ] = None,
    variants: Annotated[
        int, typer.Option(help="Descriptions asked of a model in one call; one is drawn.", min=1)
    ] = 5,
    tries: Annotated[
        int, typer.Option(help="Corrections asked of a model at most.", min=0, metavar="N")
    ] = 2,
    prompt: Annotated[
        list[str] | None,
        typer.Option(
            help="Own prompt: describe=FILE or repair=FILE.",
            metavar="NAME=FILE",
            show_default=False,
        ),
    ] = None,
    connections: Annotated[
        int, typer.Option(help="Requests to a model at a time.", min=1, metavar="N")
    ] = 8,
    form: Annotated[
        list[str] | None,
        typer.Option(
            help="parquet, csv or jsonl; again for each. [default: parquet]",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    workers: WORKERS = None,
    replace: REPLACE = False,
    progress: PROGRESS = True,
    as_json: Json = False,
) -> int:
    """Build meals, servings and descriptions from food records, with a card of every count."""
    from prandial import api
    from prandial.cli.progress import build_progress
    from prandial.cli.show_nutribench import show_build

    _check_model_options(describe, model_args, prompt)
    with build_progress(show=progress) as hear:
        report = api.build_nutribench(
            out,
            root=root,
            cycles=cycles,
            serving=serving,
            describe=describe,
            meals=meals,
            grouping=grouping,
            seed=seed,
            encoder=encoder,
            mapping=mapping,
            gift_labels=gift_labels,
            without=without or (),
            model_args=values(model_args, "-M"),
            variants=variants,
            tries=tries,
            prompts={k: Path(v) for k, v in pairs(prompt, "--prompt").items()},
            connections=connections,
            forms=form or ("parquet",),
            workers=workers,
            replace=replace,
            progress=hear,
        )
    if as_json:
        typer.echo(json.dumps(report.to_dict(), ensure_ascii=False, indent=2))
    else:
        show_build(report)
    return 0


def _check_model_options(
    describe: str, model_args: Sequence[str] | None, prompt: Sequence[str] | None
) -> None:
    if describe == "template":
        for name, given in (("-M", model_args), ("--prompt", prompt)):
            if given:
                raise InputError(
                    "templates ask no model", where=name, hint="add --describe model:NAME"
                )


@app.command()
def stats(path: DirOrFile, column: COLUMN = None, as_json: Json = False) -> int:
    """Count rows by serving type, country, cycle, occasion, foods and carbohydrate band."""
    from prandial import api

    found = api.nutribench_stats(path, columns=pairs(column, "--column"))
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        from prandial.cli.show_nutribench import show_stats

        show_stats(found)
    return 0


@app.command()
def verify(
    path: DirOrFile,
    against: Annotated[
        list[Path] | None,
        typer.Option(
            help="File of a known set whose texts and meals should not come back; again for each.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    column: COLUMN = None,
    workers: WORKERS = None,
    progress: PROGRESS = True,
    as_json: Json = False,
) -> int:
    """Check texts, labels, oddities and repeats.

    Reports are written into the folder of a build (verified.json, faults.csv, quality.json,
    findings.csv, leaks.json, leaks.csv); nothing is written beside a file. The exit code is 4
    when texts or labels fail, and when no text could be verified.
    """
    from prandial import api
    from prandial.cli.progress import build_progress

    with build_progress(show=progress) as hear:
        found = api.nutribench_verify(
            path,
            against=against or (),
            columns=pairs(column, "--column"),
            workers=workers,
            progress=hear,
        )
    if as_json:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    else:
        from prandial.cli.show_nutribench import show_checked

        show_checked(found)
    return 0 if found.ok else DataError.exit_code


@app.command("map")
def map_(
    survey: Annotated[
        str, typer.Argument(help="Survey of FAO/WHO GIFT, such as BOL-00006.", metavar="SURVEY")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Queue to write: .csv or .jsonl.", metavar="FILE")
    ],
    root: ROOT = None,
    encoder: ENCODER = "minilm-l6",
    replace: REPLACE = False,
    as_json: Json = False,
) -> int:
    """Map a survey's foods to FNDDS and SR: similarity, alternatives, room for a person's word."""
    from prandial import api

    found = api.nutribench_map(survey, output, root=root, encoder=encoder, replace=replace)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    else:
        typer.echo(
            f"{found.output}: {found.foods:,} foods, {found.mapped:,} mapped,"
            f" {found.flagged:,} that deserve a look stand first"
        )
        typer.echo("fill in decision (accept, other with other_id, none), then: build --mapping")
    return 0


@review.command("export")
def export(
    folder: Folder,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Queue to write: .csv or .jsonl.", metavar="FILE")
    ],
    doubts: Annotated[
        bool,
        typer.Option(
            "--doubts/--no-doubts", help="Whether texts that pass with doubts are among them."
        ),
    ] = True,
    replace: REPLACE = False,
    as_json: Json = False,
) -> int:
    """Write texts that fail or are in doubt, with room for keep, reject or a better text."""
    from prandial import api

    found = api.nutribench_review_export(folder, output, doubts=doubts, replace=replace)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    else:
        typer.echo(
            f"{found.output}: {found.rows:,} of {found.looked_at:,} texts,"
            f" {found.failing:,} of them fail"
        )
        typer.echo("fill in reviewer, when, decision (keep, reject, correct), corrected_text, why")
    return 0


@review.command("import")
def import_(
    folder: Folder,
    files: Annotated[
        list[Path], typer.Argument(help="Filled queues, one or more reviewers.", metavar="FILE...")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder of a new build with the reviewed texts.", metavar="DIR", show_default=False
        ),
    ] = None,
    replace: REPLACE = False,
    as_json: Json = False,
) -> int:
    """Read filled queues: decisions, agreement of reviewers, and a reviewed build."""
    from prandial import api

    found = api.nutribench_review_import(folder, files, out=out, replace=replace)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    else:
        from prandial.cli.show_nutribench import show_reviewed

        show_reviewed(found)
    return DataError.exit_code if found.problems else 0
