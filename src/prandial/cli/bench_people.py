"""``prandial bench people``: people rate the same meals as models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from prandial.cli.bench_options import by_option, pairs
from prandial.cli.groups import new_group
from prandial.cli.options import Json
from prandial.cli.plain import json_text

__all__ = ["app"]

app = new_group(
    "People as raters: blinded sheets of meals out, filled sheets back in as runs, and figures\n"
    "of people and models on the same meals. Research use: no advice for anybody's treatment."
)


def _option(about: str, *names: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, help=about, metavar=metavar, show_default=False)


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(help="Gets send/ and keep/.", metavar="DIR")],
    rater: Annotated[
        list[str],
        _option("Code name of a rater, again for each.", "--rater", "-r", metavar="CODE"),
    ],
    arm: Annotated[
        list[str] | None,
        _option(
            "look-up or 'no look-up', again for each. [default: both]", "--arm", metavar="NAME"
        ),
    ] = None,
    per_rater: Annotated[int, typer.Option(help="Meals a rater gets in an arm.", min=1)] = 72,
    shared: Annotated[
        str,
        typer.Option(
            help="Who gets the same meals: all, arm (all raters of an arm), none.", metavar="NAME"
        ),
    ] = "all",
    form: Annotated[str, typer.Option(help="csv or xlsx.", metavar="NAME")] = "csv",
    data: Annotated[str, typer.Option(help="v1, v2 or a file.", metavar="NAME|PATH")] = "v1",
    nutrient: Annotated[
        str, typer.Option(help="carb, protein, fat or energy.", metavar="NAME")
    ] = "carb",
    serving: Annotated[str, _option("Only natural or metric meals.", metavar="NAME")] = "",
    country: Annotated[
        list[str] | None,
        _option("Only meals of this country, again for each.", metavar="CODE"),
    ] = None,
    items: Annotated[
        str, _option("Only meals of so many foods, such as 1, 2-4, 5+.", metavar="N")
    ] = "",
    half: Annotated[str, _option("Only the tune or the test half.", metavar="NAME")] = "",
    column: Annotated[
        list[str] | None,
        _option("text=NAME, carb_g=NAME, ...: columns of a file.", metavar="WHAT=NAME"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of draws, orders and row codes.")] = 0,
    replace: Annotated[
        bool, typer.Option("--replace", help="Write over a study that is there.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Write blinded sheets and instructions for raters, and the key that stays with you.

    Send what is in send/. The key holds labels and which row is which meal; without it no sheet
    can be read in again.
    """
    from prandial.api import bench_people as api
    from prandial.cli.show_bench_people import show_export

    with by_option():
        done = api.bench_people_export(
            folder,
            raters=rater,
            arms=arm or ("look-up", "no look-up"),
            per_rater=per_rater,
            shared=shared,
            form=form,
            data=data,
            nutrient=nutrient,
            serving=serving,
            country=country or (),
            items=items,
            half=half,
            columns=pairs(column, "--column"),
            seed=seed,
            replace=replace,
        )
    if as_json:
        typer.echo(json_text(done.to_dict(), indent=2))
    else:
        show_export(done)
    return 0


@app.command("import")
def import_sheets(
    files: Annotated[
        list[Path], typer.Argument(help="Filled sheets: .csv, .xlsx or .jsonl.", metavar="FILE...")
    ],
    key: Annotated[Path, _option("keep/key.json of the export.", "--key", "-k", metavar="FILE")],
    out: Annotated[
        Path, _option("Gets a run for each rater and arm.", "--out", "-o", metavar="DIR")
    ],
    as_json: Json = False,
) -> int:
    """Make runs of filled sheets; they are scored as any other run.

    Nothing is written unless every sheet can be read: a meal that was changed, a row that is
    missing or unknown, and an amount in another unit are errors that name the cell.
    """
    from prandial.api import bench_people as api
    from prandial.cli.show_bench_people import show_import

    done = api.bench_people_import(files, key, out)
    if as_json:
        typer.echo(json_text({"runs": [d.to_dict() for d in done]}, indent=2))
    else:
        show_import(done)
    return 0


@app.command()
def figures(
    runs: Annotated[
        list[Path],
        typer.Argument(help="Runs of people, and of models on the same meals.", metavar="RUN..."),
    ],
    rules: Annotated[
        str, typer.Option(help="ours, or published (no answer is a guess of -1).", metavar="NAME")
    ] = "ours",
    count: Annotated[
        int | None,
        _option("Meals at each end of the variance over people. [default: a quarter]", metavar="N"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    as_json: Json = False,
) -> int:
    """Compare people with each other and with models: accuracy by serving, wins, time."""
    from prandial.api import bench_people as api
    from prandial.cli.show_bench_people import show_figures

    with by_option():
        found = api.bench_people_figures(runs, rules=rules, seed=seed, count=count)
    if as_json:
        typer.echo(json_text(found.to_dict(), indent=2))
    else:
        show_figures(found)
    return 0
