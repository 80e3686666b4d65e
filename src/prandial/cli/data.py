"""``prandial data``: get public files of the survey and of foods, and see what is at hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from prandial.cli.groups import new_group
from prandial.cli.options import Json
from prandial.errors import DataError, InputError

__all__ = ["app"]

app = new_group("Get public files of the survey and of foods, and see what is at hand.")


Dataset = Annotated[
    str, typer.Argument(help="Which data: nhanes (survey) or foods (FNDDS).", metavar="DATASET")
]
To = Annotated[
    Path | None,
    typer.Option(
        "--to",
        help="Folder that holds (or gets) the files; of nhanes, a folder for each cycle."
        " [default: nhanes or foods in prandial's data folder]",
        metavar="FOLDER",
        show_default=False,
    ),
]


def _known(dataset: str) -> None:
    if dataset not in ("nhanes", "foods"):
        raise InputError(
            f"no data set {dataset!r}", where="DATASET", hint="there are: nhanes, foods"
        )


def _check_options(
    dataset: str,
    cycle: Sequence[str] | None,
    table: Sequence[str] | None,
    release: Sequence[str] | None,
) -> None:
    """Refuse options of the other data set, and survey files of no cycle."""
    _known(dataset)
    given = {"--cycle": cycle, "--table": table, "--release": release}
    foreign = ("--release",) if dataset == "nhanes" else ("--cycle", "--table")
    for name in foreign:
        if given[name]:
            raise InputError(
                f"{dataset} has no such option",
                where=name,
                hint="see: prandial data get --help",
            )
    if dataset == "nhanes" and not cycle:
        raise InputError(
            "which cycles?",
            where="--cycle",
            hint="give --cycle 2017-2018, or --cycle all; see: prandial data get --help",
        )


@app.command("get")
def get(
    dataset: Dataset,
    cycle: Annotated[
        list[str] | None,
        typer.Option(
            "--cycle",
            help="nhanes: survey cycle such as 2017-2018, again for each, or all.",
            metavar="YEARS",
            show_default=False,
        ),
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(
            "--table",
            help="nhanes: only this table, such as DEMO or BMX, again for each. [default: all]",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    release: Annotated[
        list[str] | None,
        typer.Option(
            "--release",
            help="foods: FNDDS release such as 2017-2018, again for each, or all. [default: all]",
            metavar="YEARS",
            show_default=False,
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="Folder or URL of a mirror with XPT, Parquet or xlsx files, or a folder that"
            " holds nhanes/ or foods/. [default: the site of CDC or USDA]",
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
    jobs: Annotated[
        int, typer.Option("--jobs", help="nhanes: files at a time.", min=1, max=16)
    ] = 4,
    progress: Annotated[
        bool, typer.Option("--progress/--no-progress", help="Show progress on stderr.")
    ] = True,
    as_json: Json = False,
) -> int:
    """Fetch public files of survey cycles or of foods, go on with cut downloads, verify each."""
    from prandial import api
    from prandial.cli.show_data import fetch_bar, show_fetched

    _check_options(dataset, cycle, table, release)
    with fetch_bar(show=progress) as hear:
        if dataset == "foods":
            report = api.get_foods(
                release, source=source, target=to, revised=accept_revised, progress=hear
            )
        else:
            report = api.get_nhanes(
                cycle or (),
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
    """List survey cycles or releases of foods: files known and files at hand."""
    from prandial import api
    from prandial.cli.show_data import show_cycles, show_releases

    _known(dataset)
    if dataset == "foods":
        releases = api.list_foods(to)
        body = [r.to_dict() for r in releases]
    else:
        cycles = api.list_nhanes(to)
        body = [c.to_dict() for c in cycles]
    if as_json:
        typer.echo(json.dumps(body, ensure_ascii=False, indent=2))
    elif dataset == "foods":
        show_releases(releases)
    else:
        show_cycles(cycles)
    return 0
