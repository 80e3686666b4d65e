"""``prandial graph``: export the knowledge graph of people and foods."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from prandial.cli.groups import new_group
from prandial.cli.options import Json
from prandial.cli.people import CYCLES, ROOT, RULES

__all__ = ["app"]

app = new_group("The knowledge graph of people, foods, nutrients and rules.")


@app.command()
def export(
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="File (graphml, turtle) or folder (neo4j, parquet)."),
    ],
    form: Annotated[
        str, typer.Option("--form", help="graphml, turtle, neo4j or parquet.", metavar="FORM")
    ] = "turtle",
    root: ROOT = None,
    rules: RULES = "default",
    cycle: CYCLES = None,
    people: Annotated[
        str, typer.Option(help="survey, or demo: made-up people.", metavar="KIND")
    ] = "survey",
    person: Annotated[
        list[int] | None,
        typer.Option(
            help="Only this person, by SEQN, again for each. [default: everybody]",
            metavar="SEQN",
            show_default=False,
        ),
    ] = None,
    food: Annotated[
        list[int] | None,
        typer.Option(
            help="Only this food, by FNDDS code, again for each. [default: the quiz's foods]",
            metavar="CODE",
            show_default=False,
        ),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write over what is there.")] = False,
    as_json: Json = False,
) -> int:
    """Write the graph in a form that other tools read; it loads back equal."""
    from prandial import api

    report = api.export_graph(
        output,
        form=form,
        root=root,
        rules=rules,
        cycles=cycle,
        people=people,
        only_people=person,
        only_foods=food,
        replace=replace,
    )
    if as_json:
        typer.echo(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        typer.echo(
            f"wrote {report['nodes']:,} nodes and {report['edges']:,} edges to {output}"
            f" ({report['form']}; content {report['content_hash'][:16]})"
        )
    return 0
