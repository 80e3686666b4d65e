"""``prandial bench get``: the published NutriBench files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from prandial.cli.options import Json
from prandial.cli.plain import json_text

__all__ = ["get"]


def get(
    version: Annotated[str, typer.Argument(help="v1 or v2 of NutriBench.", metavar="VERSION")],
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="Folder of the Parquet files, or address of a mirror. [default: Hugging Face]",
            metavar="FOLDER|URL",
            show_default=False,
        ),
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option(
            "--to",
            help="Folder that gets them. [default: nutribench in prandial's data folder]",
            metavar="FOLDER",
            show_default=False,
        ),
    ] = None,
    accept_revised: Annotated[
        bool, typer.Option("--accept-revised", help="Take a sound file with more rows than known.")
    ] = False,
    progress: Annotated[
        bool, typer.Option("--progress/--no-progress", help="Show progress on stderr.")
    ] = True,
    as_json: Json = False,
) -> int:
    """Fetch NutriBench (CC BY-NC-SA 4.0, not for sale), go on with cut downloads, verify.

    NGQA questions are built: see 'prandial ngqa build'.
    """
    from prandial.api import bench as api
    from prandial.cli.show_data import fetch_bar, show_fetched
    from prandial.errors import DataError

    with fetch_bar(show=progress) as hear:
        report = api.bench_get(
            version, source=source, target=to, revised=accept_revised, progress=hear
        )
    if as_json:
        typer.echo(json_text(report.to_dict()))
    else:
        show_fetched(report)
    return 0 if report.ok else DataError.exit_code
