"""The verbs of the command line and their options."""

from __future__ import annotations

from typing import Annotated

import typer

from prandial.cli import (
    bench,
    bench_export,
    bench_people,
    bench_report,
    data,
    doctor,
    estimate,
    finetune,
    foods,
    graph,
    models,
    ngqa,
    nutribench,
    people,
    retrieve,
    review,
    risk,
    suits,
)

__all__ = ["app"]

ABOUT = (
    "Everyday words about a meal to grams and nutrients, offline.\n\n"
    "Research software: no dosing advice, no diagnosis."
)

app = typer.Typer(
    help=ABOUT,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def top(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)
    ] = False,
) -> int:
    """Print the version or the help when no verb is given."""
    if version:
        from prandial import __version__

        typer.echo(f"prandial {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
    return 0


top.__doc__ = ABOUT
app.command("estimate")(estimate.estimate)
app.command("explain")(estimate.explain)
app.command("suits")(suits.suits)
app.command("retrieve")(retrieve.retrieve)
app.command("errors")(review.errors)
app.add_typer(foods.app, name="foods")
app.add_typer(data.app, name="data")
app.add_typer(people.app, name="people")
app.add_typer(nutribench.app, name="nutribench")
app.add_typer(retrieve.app, name="facts")
app.add_typer(finetune.app, name="finetune")
app.add_typer(ngqa.app, name="ngqa")
app.add_typer(graph.app, name="graph")
app.add_typer(risk.app, name="risk")
bench.app.command("report")(bench_report.report)
bench.app.add_typer(bench_people.app, name="people")
bench.app.add_typer(bench_export.app, name="export")
app.add_typer(bench.app, name="bench")
app.add_typer(models.app, name="models")
app.command("doctor")(doctor.doctor)
