"""``prandial people``: one person's profile, and counts over all of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from prandial.cli.groups import new_group
from prandial.cli.options import Json

__all__ = ["CYCLES", "ROOT", "RULES", "app"]

app = new_group("Health profiles of survey people: one of them, or counts.")

ROOT = Annotated[
    Path | None,
    typer.Option(
        "--from",
        help="Folder that holds nhanes/ (and foods/). [default: prandial's data folder]",
        metavar="ROOT",
        show_default=False,
    ),
]
RULES = Annotated[
    str,
    typer.Option(
        help="default (repaired) or as-published (the paper's, quirk for quirk).", metavar="NAME"
    ),
]
CYCLES = Annotated[
    list[str] | None,
    typer.Option(
        "--cycle",
        help="Survey cycle such as 2017-2018, again for each. [default: all at hand]",
        metavar="YEARS",
        show_default=False,
    ),
]


@app.command()
def show(
    person: Annotated[int, typer.Argument(help="NHANES respondent number.", metavar="SEQN")],
    root: ROOT = None,
    rules: RULES = "default",
    cycle: CYCLES = None,
    as_json: Json = False,
) -> int:
    """Show one person: measures with unit, conditions, diets, habits and why."""
    from prandial import api

    profile = api.show_person(person, root=root, rules=rules, cycles=cycle)
    if as_json:
        typer.echo(json.dumps(profile.to_dict(), ensure_ascii=False, indent=2))
    else:
        from prandial.cli.show_people import show_person

        show_person(profile)
    return 0


@app.command()
def stats(
    root: ROOT = None,
    rules: RULES = "default",
    cycle: CYCLES = None,
    demo: Annotated[
        int | None,
        typer.Option(
            help="Made-up people instead of survey files: how many.", min=1, show_default=False
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the made-up people.")] = 0,
    as_json: Json = False,
) -> int:
    """Count people by condition, diet and habit; weighted prevalence of adults by cycle."""
    from prandial import api

    found = api.people_stats(root=root, rules=rules, cycles=cycle, demo=demo, seed=seed)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    else:
        from prandial.cli.show_people import show_stats

        show_stats(found)
    return 0
