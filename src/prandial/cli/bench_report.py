"""``prandial bench report``: tables and figures of runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from prandial.cli.bench_options import by_option
from prandial.cli.options import Json
from prandial.cli.plain import json_text, plain
from prandial.errors import InputError

__all__ = ["report"]


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(
            help="Folders of runs, finished or not.", metavar="RUN...", show_default=False
        ),
    ],
    html: Annotated[
        Path | None,
        typer.Option(
            help="Write one page: everything inside, no network, no scripts.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    md: Annotated[
        Path | None,
        typer.Option(
            help="Write a folder: report.md, its figures as SVG and PNG, report.json.",
            metavar="DIR",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Of every bootstrap. [default: fixed]", metavar="N", show_default=False),
    ] = None,
    draws: Annotated[
        int,
        typer.Option("--bootstrap", help="Draws of every bootstrap; fewer is faster.", metavar="N"),
    ] = 2000,
    encoder: Annotated[
        str,
        typer.Option(
            help="Of BERTScore (NGQA's sentences): weights by name, a folder, or none."
            " [default: minilm-l6 where it was pulled]",
            metavar="NAME",
            show_default=False,
        ),
    ] = "",
    replace: Annotated[
        bool, typer.Option("--replace", "--force", help="Write over what is there.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Report runs: the papers' tables and figures, published rows and baselines beside ours.

    Research use, not dosing advice.
    """
    from prandial.api.bench_reports import bench_report
    from prandial.bench.report import json_of

    if html is None and md is None and not as_json:
        raise InputError(
            "where to write?", where="command line", hint="name --html FILE, --md DIR, or --json"
        )
    with by_option():
        made = bench_report(
            runs, html=html, md=md, seed=seed, draws=draws, encoder=encoder, replace=replace
        )
    if as_json:
        typer.echo(json_text(json_of(made), indent=1))
    else:
        typer.echo(plain(made.title))
        typer.echo(f"{len(made.tables)} tables, {len(made.figures)} figures")
        for section in made.sections:
            typer.echo(f"- {plain(section.title)}: {len(section.parts)}")
    for path in (html, md):
        if path is not None:
            typer.echo(f"wrote {plain(str(path))}", err=True)
    return 0
