"""``prandial data``: get public files of surveys and of foods, and see what is at hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from prandial.cli.groups import new_group
from prandial.cli.options import Json
from prandial.errors import DataError, InputError

__all__ = ["app"]

app = new_group("Get public files of surveys and of foods, and see what is at hand.")

#: data set -> the option that chooses among its parts
DATASETS: Final = {
    "nhanes": "--cycle",
    "foods": "--release",
    "fndds": "--release",
    "fdc": "--part",
    "gift": "--part",
    "nutribench": "--part",
}
Dataset = Annotated[
    str,
    typer.Argument(
        help="Which data: nhanes (survey), foods or fndds (FNDDS), fdc (FoodData Central), gift"
        " (FAO/WHO GIFT), nutribench (the published set).",
        metavar="DATASET",
    ),
]
To = Annotated[
    Path | None,
    typer.Option(
        "--to",
        help="Folder that holds (or gets) the files; of nhanes and gift, a folder for each cycle"
        " or survey. [default: the data set's own in prandial's data folder]",
        metavar="FOLDER",
        show_default=False,
    ),
]


def _known(dataset: str) -> None:
    if dataset not in DATASETS:
        raise InputError(
            f"no data set {dataset!r}",
            where="DATASET",
            hint="there are: " + ", ".join(DATASETS),
        )


def _check_options(dataset: str, given: Mapping[str, object]) -> None:
    """Refuse options of the other data sets, and survey files of no cycle."""
    _known(dataset)
    own = {DATASETS[dataset]}
    if dataset == "nhanes":
        own.add("--table")
    if dataset == "fdc":
        own.add("--form")
    for name, value in given.items():
        if value and name not in own:
            raise InputError(
                f"{dataset} has no such option",
                where=name,
                hint="see: prandial data get --help",
            )
    if dataset == "nhanes" and not given["--cycle"]:
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
    part: Annotated[
        list[str] | None,
        typer.Option(
            "--part",
            help="fdc: foundation, sr_legacy, survey, branded or full; gift: a survey such as"
            " BOL-00006; nutribench: v1 or v2; again for each, or all."
            " [default: all on record; fdc without branded and full]",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--form", help="fdc: csv or json. [default: csv]", metavar="NAME", show_default=False
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="Folder or URL of a mirror, or a folder that holds nhanes/, foods/, fdc/, gift/"
            " or nutribench/. [default: the publisher's site; gift has none]",
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
    """Fetch public files of surveys or of foods, go on with cut downloads, verify each."""
    from prandial import api
    from prandial.cli.show_data import fetch_bar, show_fetched

    given = {"--cycle": cycle, "--table": table, "--release": release, "--part": part}
    _check_options(dataset, {**given, "--form": form})
    with fetch_bar(show=progress) as hear:
        if dataset in ("fdc", "gift", "nutribench"):
            report = api.get_dataset(
                dataset,
                part,
                form=form or "csv",
                source=source,
                target=to,
                revised=accept_revised,
                progress=hear,
            )
        elif dataset in ("foods", "fndds"):
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
    """List what is on record of a data set and what of it is at hand."""
    from prandial import api
    from prandial.cli.show_data import show_cycles, show_parts, show_releases

    _known(dataset)
    if dataset == "nhanes":
        cycles = api.list_nhanes(to)
        body, show = [c.to_dict() for c in cycles], partial(show_cycles, cycles)
    elif dataset in ("foods", "fndds"):
        releases = api.list_foods(to)
        body, show = [r.to_dict() for r in releases], partial(show_releases, releases)
    else:
        parts = api.list_dataset(dataset, to)
        body, show = [p.to_dict() for p in parts], partial(show_parts, dataset, parts)
    if as_json:
        typer.echo(json.dumps(body, ensure_ascii=False, indent=2))
    else:
        show()
    return 0
