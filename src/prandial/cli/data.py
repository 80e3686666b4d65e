"""``prandial data``: get public survey files and see what is at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from prandial.cli.groups import new_group
from prandial.cli.options import Json
from prandial.errors import DataError, InputError

__all__ = ["app"]

app = new_group("Get public survey files and see what is at hand.")


Dataset = Annotated[str, typer.Argument(help="Which data: nhanes.", metavar="DATASET")]
To = Annotated[
    Path | None,
    typer.Option(
        "--to",
        help="Folder that holds (or gets) a folder for each cycle."
        " [default: nhanes in prandial's data folder]",
        metavar="FOLDER",
        show_default=False,
    ),
]


def _only_nhanes(dataset: str) -> Literal["nhanes"]:
    if dataset != "nhanes":
        raise InputError(f"no data set {dataset!r}", where="DATASET", hint="there is: nhanes")
    return "nhanes"


@app.command("get")
def get(
    dataset: Dataset,
    cycle: Annotated[
        list[str],
        typer.Option(
            "--cycle",
            help="Survey cycle such as 2017-2018, again for each, or all.",
            metavar="YEARS",
        ),
    ],
    table: Annotated[
        list[str] | None,
        typer.Option(
            "--table",
            help="Only this table, such as DEMO or BMX, again for each. [default: all]",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="Folder or URL of a mirror with XPT or Parquet files. [default: the CDC's site]",
            metavar="FOLDER|URL",
            show_default=False,
        ),
    ] = None,
    to: To = None,
    accept_revised: Annotated[
        bool,
        typer.Option(
            "--accept-revised",
            help="Take a sound file that differs from the one the registry knows.",
        ),
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", help="Files at a time.", min=1, max=16)] = 4,
    progress: Annotated[
        bool, typer.Option("--progress/--no-progress", help="Show progress on stderr.")
    ] = True,
    as_json: Json = False,
) -> int:
    """Fetch the public files of a survey cycle, go on with cut downloads, and verify each."""
    from prandial import api
    from prandial.cli.show_people import fetch_bar, show_fetched

    _only_nhanes(dataset)
    with fetch_bar(show=progress) as hear:
        report = api.get_nhanes(
            cycle,
            tables=table,
            source=source,
            target=to,
            jobs=jobs,
            revised=accept_revised,
            progress=hear,
        )
    if as_json:
        typer.echo(json.dumps(report.to_dict(), ensure_ascii=False, indent=2))
    else:
        show_fetched(report)
    return 0 if report.ok else DataError.exit_code


@app.command("list")
def list_data(
    dataset: Dataset = "nhanes",
    to: To = None,
    as_json: Json = False,
) -> int:
    """List survey cycles: people, files known and files at hand."""
    from prandial import api
    from prandial.cli.show_people import show_cycles

    _only_nhanes(dataset)
    found = api.list_nhanes(to)
    if as_json:
        typer.echo(json.dumps([f.to_dict() for f in found], ensure_ascii=False, indent=2))
    else:
        show_cycles(found)
    return 0
